//! Times of every job.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gritstone_bench::{Workloads, jobs};

fn times(criterion: &mut Criterion) {
    let workloads = Workloads::new(200);
    for mut job in jobs(&workloads) {
        let mut group = criterion.benchmark_group("contact");
        group.throughput(Throughput::Elements(job.pairs as u64)).sample_size(20);
        group.bench_function(job.name.clone(), |bencher| bencher.iter(|| job.run_all()));
        group.finish();
    }
}

criterion_group!(benches, times);
criterion_main!(benches);

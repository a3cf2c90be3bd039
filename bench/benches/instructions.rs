//! Instructions of the jobs that simulations depend on. Valgrind knows AVX2 but not AVX-512: lanes are those of AVX2.

#![allow(missing_docs, unused_qualifications, reason = "the macros make undocumented items")]

use gritstone_bench::{Workloads, jobs};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// A workload that is not among what is counted.
fn prepare(job: &str) -> (&'static Workloads, String) {
    let workloads: &'static Workloads = Box::leak(Box::new(Workloads::new(100)));
    // Warm: no page is touched for the first time while instructions are counted.
    for mut known in jobs(workloads).into_iter().filter(|known| known.name == job) {
        known.run_all();
    }
    (workloads, job.to_owned())
}

#[library_benchmark]
#[bench::newton(args = ("support-newton"), setup = prepare)]
#[bench::newton_warm(args = ("support-newton, warm"), setup = prepare)]
#[bench::newton_ellipsoids(args = ("support-newton, ellipsoids"), setup = prepare)]
#[bench::auto(args = ("auto"), setup = prepare)]
#[bench::auto_warm(args = ("auto, warm"), setup = prepare)]
#[bench::lanes(args = ("lanes (avx2)"), setup = prepare)]
#[bench::lanes_ellipsoids(args = ("lanes (avx2), ellipsoids"), setup = prepare)]
fn count((workloads, name): (&'static Workloads, String)) {
    if let Some(mut job) = jobs(workloads).into_iter().find(|job| job.name == name) {
        job.run_all();
    }
}

library_benchmark_group!(name = contact; benchmarks = count);
main!(library_benchmark_groups = contact);

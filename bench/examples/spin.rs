//! Spin.
use gritstone_bench::polyhedra::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (group, job) = (&a[1], &a[2]);
    if group == "bed" {
        let bed = Bed::new(1e-4).unwrap();
        for mut j in bed.jobs() {
            if &j.name == job {
                for _ in 0..1000 {
                    j.run_all();
                }
            }
        }
        return;
    }
    let groups = groups(200);
    for g in &groups {
        if &g.name == group {
            for mut j in jobs(g) {
                if j.name.starts_with(job.as_str()) {
                    for _ in 0..std::env::var("N").map_or(20000, |n| n.parse().unwrap()) {
                        j.run_all();
                    }
                }
            }
        }
    }
}

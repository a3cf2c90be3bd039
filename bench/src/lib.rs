//! Benchmarks of the contact methods: the pairs they run on, and the jobs that are timed.
//!
//! - `cargo run --release -p gritstone-bench` times every job in one process and writes the ratios, beside what is
//!   required of them, to `bench/results/`; with the argument `smooth`, `polyhedra` or `mixed` only those;
//! - `cargo bench -p gritstone-bench --bench times` gives distributions of times (criterion);
//! - `cargo bench -p gritstone-bench --bench instructions` counts instructions (gungraun, needs valgrind and
//!   `gungraun-runner`): the same from run to run, on any machine.

mod jobs;
pub mod mixed;
pub mod polyhedra;
mod timing;
mod workload;

pub use jobs::{Job, jobs};
pub use timing::shortest_times;
pub use workload::{Workload, Workloads};

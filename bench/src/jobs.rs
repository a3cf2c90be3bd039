//! What is timed.

use std::hint::black_box;
use std::ops::Range;

use gritstone_contact::space::{Auto, Placed, Scratch, lanes, method};
use gritstone_contact::{Method, Query};
use gritstone_core::lanes::Backend;

use crate::workload::{Workload, Workloads, placed};

/// Pairs that a scalar job solves at a time: few enough to be done before the machine turns to something else.
const CHUNK: usize = 20;

/// Something that solves every pair of a workload once, in chunks.
pub struct Job<'w> {
    /// Its name.
    pub name: String,
    /// How many pairs it solves in all.
    pub pairs: usize,
    /// How many chunks it takes for that.
    pub chunks: usize,
    run: Box<dyn FnMut(usize) + 'w>,
}

impl<'w> Job<'w> {
    pub(crate) fn new(name: String, pairs: usize, run: impl FnMut(Range<usize>) + 'w) -> Self {
        let mut run = run;
        let chunk = move |i: usize| run(i * CHUNK..((i + 1) * CHUNK).min(pairs));
        Self { name, pairs, chunks: pairs.div_ceil(CHUNK), run: Box::new(chunk) }
    }

    /// Does one chunk.
    pub fn run(&mut self, chunk: usize) {
        (self.run)(chunk);
    }

    /// Does all.
    pub fn run_all(&mut self) {
        (0..self.chunks).for_each(&mut self.run);
    }
}

/// Every job. In the names, "moved" pairs have made a move of a thousandth of their size since they were last solved,
/// and "round" ones are ellipsoids that are treated as superellipsoids.
pub fn jobs(on: &Workloads) -> Vec<Job<'_>> {
    let mut jobs = Vec::new();
    for name in ["support-newton", "common-normal", "interior-point", "gjk", "auto"] {
        jobs.extend(cold(name, "", &on.still));
    }
    jobs.extend(cold("support-newton", ", moved", &on.moved));
    jobs.extend(cold("support-newton", ", round", &on.round));
    jobs.extend(cold("support-newton", ", ellipsoids", &on.ellipsoids));
    jobs.extend(cold("auto", ", ellipsoids", &on.ellipsoids));
    jobs.extend([warm_newton(&on.moved), warm_auto(&on.moved)]);
    for backend in Backend::available() {
        let name = |what: &str| format!("lanes ({}){what}", backend.name());
        jobs.push(in_lanes(name(""), backend, &on.still));
        jobs.push(in_lanes(name(", round"), backend, &on.round));
        jobs.push(in_lanes(name(", ellipsoids"), backend, &on.ellipsoids));
    }
    jobs
}

/// A method from its own start; none if there is no method of that name.
fn cold<'w>(name: &str, suffix: &str, on: &'w Workload) -> Option<Job<'w>> {
    let method = method(name)?;
    let mut scratch = Scratch::default();
    let run = move |chunk| {
        for pair in &on.solids[chunk] {
            let [a, b] = placed(pair);
            let _ = black_box(method.solve(a, b, Query::default(), &mut scratch));
        }
    };
    Some(Job::new(format!("{name}{suffix}"), on.solids.len(), run))
}

fn warm_newton(on: &Workload) -> Job<'_> {
    let mut scratch = Scratch::default();
    let newton = method("support-newton");
    let run = move |chunk: Range<usize>| {
        for (pair, memory) in on.solids[chunk.clone()].iter().zip(&on.memories[chunk]) {
            let [a, b] = placed(pair);
            let query = Query { start: memory.direction, ..Query::default() };
            let _ = black_box(newton.map(|newton| newton.solve(a, b, query, &mut scratch)));
        }
    };
    Job::new("support-newton, warm".to_owned(), on.solids.len(), run)
}

fn warm_auto(on: &Workload) -> Job<'_> {
    let mut scratch = Scratch::default();
    let run = move |chunk: Range<usize>| {
        for (pair, memory) in on.solids[chunk.clone()].iter().zip(&on.memories[chunk]) {
            let [a, b] = placed(pair);
            let _ = black_box(Auto.solve_warm(a, b, Query::default(), &mut memory.clone(), &mut scratch));
        }
    };
    Job::new("auto, warm".to_owned(), on.solids.len(), run)
}

/// Certified answers; pairs that lanes leave go to the general method.
fn in_lanes(name: String, backend: Backend, on: &Workload) -> Job<'_> {
    let pairs: Vec<[Placed<'_>; 2]> = on.solids.iter().map(placed).collect();
    let (mut scratch, mut answers) = (Scratch::default(), Vec::new());
    let run = move |_| {
        answers.clear();
        answers.resize(pairs.len(), None);
        lanes::solve(backend, &pairs, &mut answers);
        for (answer, &[a, b]) in answers.iter_mut().zip(&pairs).filter(|(answer, _)| answer.is_none()) {
            *answer = Auto.solve(a, b, Query::default(), &mut scratch).ok();
        }
        black_box(&answers);
    };
    Job { name, pairs: on.solids.len(), chunks: 1, run: Box::new(run) }
}

//! What is timed.

use std::hint::black_box;
use std::ops::Range;

use gritstone_contact::Query;
use gritstone_contact::space::batch::{self, BatchScratch, Grains, PairList, Settings};
use gritstone_contact::space::{Auto, Pair, Scratch, follow, method};
use gritstone_core::lanes::Backend;

use crate::workload::{Workload, Workloads, placed};

/// Error of the gap that following may leave, as a fraction of the smaller grain's size.
pub(crate) const FOLLOW_TOLERANCE: f64 = 1e-9;

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
    jobs.extend([warm_newton(&on.moved), warm_auto(&on.moved), followed(&on.moved)]);
    for backend in Backend::available() {
        let name = |what: &str| format!("lanes ({}){what}", backend.name());
        let (still, moved, round) = (&on.still, &on.moved, &on.round);
        jobs.push(in_lanes(name(""), backend, &still.grains, &still.pairs, false));
        jobs.push(in_lanes(name(", certified"), backend, &still.grains, &still.pairs, true));
        jobs.push(in_lanes(name(", round"), backend, &round.grains, &round.pairs, false));
        jobs.push(in_lanes(name(", ellipsoids"), backend, &on.ellipsoid_grains, &round.pairs, false));
        jobs.push(followed_in_lanes(name(", followed"), backend, &moved.grains, &moved.pairs));
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

fn followed(on: &Workload) -> Job<'_> {
    let run = move |chunk: Range<usize>| {
        for ([a, b], &direction) in on.bodies[chunk.clone()].iter().zip(&on.pairs.start[chunk]) {
            black_box(follow(&Pair::new(&a.0, &a.1, &b.0, &b.1), direction, FOLLOW_TOLERANCE));
        }
    };
    Job::new("follow".to_owned(), on.bodies.len(), run)
}

fn in_lanes<'w, G: Grains>(
    name: String,
    backend: Backend,
    grains: &'w G,
    pairs: &'w PairList,
    certify: bool,
) -> Job<'w> {
    let settings = Settings { certify, ..Settings::default() };
    let (mut scratch, mut answers) = (BatchScratch::default(), Vec::new());
    let run = move |_| {
        batch::solve_on(backend, grains, pairs, settings, &mut scratch, &mut answers);
        black_box(&answers);
    };
    Job { name, pairs: pairs.len(), chunks: 1, run: Box::new(run) }
}

fn followed_in_lanes<'w, G: Grains>(
    name: String,
    backend: Backend,
    grains: &'w G,
    pairs: &'w PairList,
) -> Job<'w> {
    let (mut scratch, mut contacts) = (BatchScratch::default(), Vec::new());
    let run = move |_| {
        batch::follow_on(backend, grains, pairs, FOLLOW_TOLERANCE, &mut scratch, &mut contacts);
        black_box(&contacts);
    };
    Job { name, pairs: pairs.len(), chunks: 1, run: Box::new(run) }
}

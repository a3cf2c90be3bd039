//! Times of the methods against Cundall's, in one run.

use std::hint::black_box;
use std::time::Instant;

use gritstone_contact::polytopes::Trace;
use gritstone_contact::shortest_link_mended::MendedTrace;
use gritstone_contact::{
    CommonPlane, FastCommonPlane, Placed, Query, Refusal, ShortestLink, ShortestLinkMended,
};
use gritstone_core::{Pose, Space};

use super::pairs::{self, Moving};
use crate::generate::{Case, Draw};
use crate::reproduce::Settings;

/// Methods that are timed; ratios are to the first.
pub const CONTESTANTS: [&str; 5] =
    ["common-plane", "fast-common-plane", "shortest-link", "shortest-link-mended", "auto"];

/// Most pairs of a scene: they stay in the cache, as near pairs of a simulation do.
const PAIRS: u64 = 128;
/// Time steps of a scene.
const STEPS: usize = 20;
/// How far bodies move in a step, as a part of their size and in rad.
const MOTION: f64 = 1e-4;
/// Pairs that are solved between two looks at the clock: few enough to be done before the machine turns to something else.
const CHUNK: usize = 16;
/// The shortest of so many times counts: the rest were disturbed.
const REPEATS: usize = 10;

/// Times of one scene, in seconds for each solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clocked {
    /// The scene.
    pub scene: &'static str,
    /// Without a last step.
    pub cold: [f64; 5],
    /// From the last step.
    pub warm: [f64; 5],
}

impl Clocked {
    /// How much faster than Cundall's method each of them is.
    pub fn ratios(times: &[f64; 5]) -> [f64; 5] {
        times.map(|time| times[0] / time)
    }
}

/// What a pair keeps for each of the methods.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory<D: Moving> {
    plane: Trace<D>,
    link: MendedTrace<D>,
}

impl<D: Moving> Memory<D> {
    /// Forgets what this method keeps.
    fn forget(&mut self, which: usize) {
        if which < 3 {
            self.plane = Trace::default();
        } else {
            self.link = MendedTrace::default();
        }
    }
}

/// Solves a pair by one of the methods; returns its distance.
pub(super) fn solve<D: Moving>(
    which: usize,
    [a, b]: [Placed<'_, D>; 2],
    memory: &mut Memory<D>,
    scratch: &mut D::Scratch,
) -> Result<f64, Refusal> {
    let query = Query::default();
    let Memory { plane, link } = memory;
    let answer = match which {
        0 => CommonPlane.solve_warm(a, b, query, plane)?,
        1 => FastCommonPlane.solve_warm(a, b, query, plane)?,
        2 => ShortestLink.solve_warm(a, b, query, plane)?,
        3 => ShortestLinkMended.solve_warm(a, b, query, link, scratch)?,
        _ => D::exact(a, b, query, &mut link.kept, scratch)?,
    };
    Ok(answer.distance())
}

/// Seconds for each cold solve of a list of pairs, by each method.
pub(super) fn cold<D: Moving>(cases: &[Case<D>], rounds: usize) -> [f64; 5] {
    let scratch = &mut D::Scratch::default();
    let mut memory = Memory::default();
    let chunks: Vec<&[Case<D>]> = (0..rounds).flat_map(|_| cases.chunks(CHUNK)).collect();
    std::array::from_fn(|which| {
        shortest(cases.len() * rounds, REPEATS, &chunks, |chunk| {
            for case in chunk {
                memory.forget(which);
                black_box(solve(which, [case.placed_a(), case.placed_b()], &mut memory, scratch).ok());
            }
        })
    })
}

/// Seconds for each solve of pairs that move, from their last step, by each method.
fn warm<D: Moving>(cases: &[Case<D>], seed: u64) -> [f64; 5] {
    let scratch = &mut D::Scratch::default();
    let steps: Vec<Vec<Pose<D>>> = (0..).zip(cases).map(|(i, case)| path(case, seed, i)).collect();
    let starts = (0..cases.len()).step_by(CHUNK);
    let chunks: Vec<(usize, usize)> =
        (0..STEPS).flat_map(|step| starts.clone().map(move |start| (step, start))).collect();
    std::array::from_fn(|which| {
        let mut memories = vec![Memory::default(); cases.len()];
        shortest(cases.len() * STEPS, REPEATS, &chunks, |(step, start)| {
            for i in start..cases.len().min(start + CHUNK) {
                let b = Placed { pose: steps[i][step], ..cases[i].placed_b() };
                black_box(solve(which, [cases[i].placed_a(), b], &mut memories[i], scratch).ok());
            }
        })
    })
}

/// There and back, so that it can be repeated.
fn path<D: Moving>(case: &Case<D>, seed: u64, index: u64) -> Vec<Pose<D>> {
    let draw = &mut Draw::new(0x7006, seed, index);
    let mut poses = vec![case.pose_b];
    while poses.len() < STEPS / 2 {
        poses.push(D::nudge(&poses[poses.len() - 1], case.size(), MOTION, draw));
    }
    poses.iter().chain(poses.iter().rev()).copied().collect()
}

/// Seconds for each of `solves`, with the least time that each chunk of them took in so many repeats.
pub(super) fn shortest<C: Copy>(solves: usize, repeats: usize, chunks: &[C], mut work: impl FnMut(C)) -> f64 {
    // The first time brings all into the cache, and memories up to date.
    chunks.iter().for_each(|&chunk| work(chunk));
    let mut least = vec![f64::INFINITY; chunks.len()];
    for _ in 0..repeats {
        for (least, &chunk) in least.iter_mut().zip(chunks) {
            let start = Instant::now();
            work(chunk);
            *least = start.elapsed().as_secs_f64().min(*least);
        }
    }
    least.iter().sum::<f64>() / solves as f64
}

/// Times of scenes like those of section 5.2.
pub(super) fn measure(settings: &Settings) -> Vec<Clocked> {
    let (count, seed) = (settings.pairs.min(PAIRS), settings.seed);
    let scene =
        |scene, cases: Vec<Case<Space>>| Clocked { scene, cold: cold(&cases, 1), warm: warm(&cases, seed) };
    // Near pairs in a simulation: those that touch, and those that nearly do.
    let near = |index| {
        if index % 2 == 0 { pairs::touching(seed, index) } else { pairs::polyhedra(seed, index).1 }
    };
    vec![
        scene("particles, apart", (0..count).map(|index| pairs::polyhedra(seed, index).1).collect()),
        scene("particles, touching", (0..count).map(|index| pairs::touching(seed, index)).collect()),
        scene("particles, half of them touching", (0..count).map(near).collect()),
        scene("particles and a plate", (0..count).map(|index| pairs::plate(seed, index)).collect()),
    ]
}

//! Times of the methods against Cundall's, in one run.

use std::hint::black_box;
use std::time::Instant;

use gritstone_contact::cornered::Trace;
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
/// The shortest of so many times counts: the rest were disturbed.
const REPEATS: usize = 5;

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
struct Memory<D: Moving> {
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
fn solve<D: Moving>(
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
    std::array::from_fn(|which| {
        shortest(cases.len() * rounds, || {
            for case in (0..rounds).flat_map(|_| cases) {
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
    std::array::from_fn(|which| {
        let mut memories = vec![Memory::default(); cases.len()];
        shortest(cases.len() * STEPS, || {
            for step in 0..STEPS {
                for ((case, poses), memory) in cases.iter().zip(&steps).zip(&mut memories) {
                    let b = Placed { pose: poses[step], ..case.placed_b() };
                    black_box(solve(which, [case.placed_a(), b], memory, scratch).ok());
                }
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

/// The least time of a part of `work`, of `parts`, over some repeats.
fn shortest(parts: usize, mut work: impl FnMut()) -> f64 {
    // The first time brings all into the cache.
    work();
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() / parts as f64
    };
    (0..REPEATS).map(time).fold(f64::INFINITY, f64::min)
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

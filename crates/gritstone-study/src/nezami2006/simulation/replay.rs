//! Some consecutive steps of a simulation, kept, and solved by every method from its own last step.

use std::hint::black_box;

use glam::DVec3;
use gritstone_contact::polytopes::{Polytopes, Trace};
use gritstone_contact::{Placed, Query, Refusal, ShortestLink};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::Solid;

use super::Trouble;
use super::room::Room;
use crate::nezami2006::clock::{Memory, shortest, solve};
use crate::statistics::Histogram;

/// Steps after the start of a phase, as in the paper.
const STEPS: u64 = 1000;
/// Moments among them that are looked at.
const WINDOWS: u64 = 4;
/// Consecutive steps at each moment.
const WINDOW: usize = 6;
/// Pairs that are solved between two looks at the clock.
const CHUNK: usize = 16;
/// The shortest of so many times counts.
const REPEATS: usize = 3;

/// What detection takes, and what it finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detection {
    /// Solves of near pairs, those whose boxes overlap.
    pub near: u64,
    /// Those of them that touched.
    pub touching: u64,
    /// Seconds of each method for all of them.
    pub seconds: [f64; 5],
    /// Iterations of `shortest-link` where bodies touch.
    pub iterations: Histogram,
    /// The same for all near pairs.
    pub iterations_near: Histogram,
}

impl Detection {
    fn add(&mut self, other: &Self) {
        self.near += other.near;
        self.touching += other.touching;
        self.seconds.iter_mut().zip(other.seconds).for_each(|(sum, seconds)| *sum += seconds);
        self.iterations.add(&other.iterations);
        self.iterations_near.add(&other.iterations_near);
    }

    /// How much faster than Cundall's method each of them is.
    pub fn ratios(&self) -> [f64; 5] {
        self.seconds.map(|seconds| self.seconds[0] / seconds)
    }

    /// Seconds of each method for one pair.
    pub fn seconds_each(&self) -> [f64; 5] {
        self.seconds.map(|seconds| seconds / self.near.max(1) as f64)
    }
}

/// Goes on for as many steps as the paper times, and times the methods at some moments.
pub(super) fn measure(room: &mut Room) -> Result<Detection, Trouble> {
    let mut sum = Detection::default();
    for _ in 0..WINDOWS {
        for _ in WINDOW as u64..STEPS / WINDOWS {
            room.step()?;
        }
        let window = Window::record(room)?;
        let mut found = window.iterate()?;
        found.seconds = window.clock();
        sum.add(&found);
    }
    Ok(sum)
}

/// Bodies with corners in consecutive steps, and who is near whom.
struct Window {
    shapes: Vec<Solid>,
    /// For each step, in the order of the shapes.
    poses: Vec<Vec<Pose<Space>>>,
    pairs: Vec<[usize; 2]>,
}

impl Window {
    fn record(room: &mut Room) -> Result<Self, Trouble> {
        let (mut shapes, mut poses, mut grains) = (Vec::new(), Vec::new(), 0);
        for _ in 0..WINDOW {
            room.step()?;
            let now = room.world.snapshot();
            grains = now.bodies.len();
            let bodies =
                now.bodies.iter().map(|grain| (&room.setup.shapes[grain.shape as usize], grain.pose));
            let walls = room.setup.walls.iter().zip(&now.walls);
            // Half-spaces have no corners.
            let plates = walls
                .filter(|(wall, state)| state.present && wall.shape.polytope().is_some())
                .map(|(wall, state)| (&wall.shape, state.pose));
            let (now_shapes, now_poses): (Vec<&Solid>, Vec<_>) = bodies.chain(plates).unzip();
            if shapes.is_empty() {
                shapes = now_shapes.into_iter().cloned().collect();
            }
            poses.push(now_poses);
        }
        let boxes: Vec<_> = shapes.iter().zip(&poses[0]).map(|(shape, pose)| bounds(shape, pose)).collect();
        let mut pairs = overlapping(&boxes);
        // Plates do not touch each other.
        pairs.retain(|[a, _]| *a < grains);
        Ok(Self { shapes, poses, pairs })
    }

    fn placed(&self, step: usize, pair: [usize; 2]) -> [Placed<'_, Space>; 2] {
        pair.map(|i| Placed { shape: &self.shapes[i], pose: self.poses[step][i] })
    }

    /// Seconds of each method for all pairs of all steps but the first.
    fn clock(&self) -> [f64; 5] {
        // There and back, so that it can be repeated.
        let path: Vec<usize> = (0..WINDOW).chain((0..WINDOW).rev()).collect();
        let chunks: Vec<(usize, usize)> = path
            .iter()
            .flat_map(|&step| (0..self.pairs.len()).step_by(CHUNK).map(move |start| (step, start)))
            .collect();
        let solves = self.pairs.len() * path.len();
        let scratch = &mut <Space as gritstone_contact::NarrowPhase>::Scratch::default();
        std::array::from_fn(|which| {
            let mut memories: Vec<Memory<Space>> = vec![Memory::default(); self.pairs.len()];
            let each = shortest(solves, REPEATS, &chunks, |(step, start)| {
                let end = self.pairs.len().min(start + CHUNK);
                for (pair, memory) in self.pairs[start..end].iter().zip(&mut memories[start..end]) {
                    black_box(solve(which, self.placed(step, *pair), memory, scratch).ok());
                }
            });
            each * (self.pairs.len() * (WINDOW - 1)) as f64
        })
    }

    /// What `shortest-link` takes in all steps but the first, and who touches.
    fn iterate(&self) -> Result<Detection, Refusal> {
        let scratch = &mut <Space as gritstone_contact::NarrowPhase>::Scratch::default();
        let mut found = Detection::default();
        for &pair in &self.pairs {
            let (mut trace, mut kept) = (Trace::default(), <Space as Polytopes>::WarmStart::default());
            for step in 0..WINDOW {
                let [a, b] = self.placed(step, pair);
                let link = ShortestLink.solve_warm(a, b, Query::default(), &mut trace)?;
                let truth = Space::exact(a, b, Query::default(), &mut kept, scratch)?;
                if step == 0 {
                    continue;
                }
                found.near += 1;
                found.iterations_near.push(link.iterations);
                if truth.distance() < 0.0 {
                    found.touching += 1;
                    found.iterations.push(link.iterations);
                }
            }
        }
        Ok(found)
    }
}

/// The corners of a body's box.
fn bounds(shape: &Solid, pose: &Pose<Space>) -> [DVec3; 2] {
    let vertices = shape.polytope().map_or(&[][..], |hull| hull.vertices());
    let (low, high) = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    vertices.iter().fold([low, high], |[low, high], &v| {
        let x = pose.position + pose.rotation * v;
        [low.min(x), high.max(x)]
    })
}

/// Pairs of boxes that overlap, the lower index first: boxes are swept along x.
fn overlapping(boxes: &[[DVec3; 2]]) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_by(|&i, &j| boxes[i][0].x.total_cmp(&boxes[j][0].x));
    let mut pairs = Vec::new();
    for (at, &i) in order.iter().enumerate() {
        let begun = order[at + 1..].iter().take_while(|&&j| boxes[j][0].x <= boxes[i][1].x);
        for &j in begun {
            let meet = boxes[i][0].cmple(boxes[j][1]) & boxes[j][0].cmple(boxes[i][1]);
            if meet.all() {
                pairs.push([i.min(j), i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Draw;

    #[test]
    fn the_sweep_finds_what_every_pair_asked_finds() {
        let draw = &mut Draw::new(0x8006, 1, 0);
        let boxes: Vec<[DVec3; 2]> = (0..200)
            .map(|_| {
                let low = DVec3::from_array([0; 3].map(|_| draw.uniform(0.0, 1.0)));
                [low, low + draw.uniform(0.01, 0.2)]
            })
            .collect();
        let apart = |i: usize, j: usize| {
            (0..3).any(|k| boxes[i][1][k] < boxes[j][0][k] || boxes[j][1][k] < boxes[i][0][k])
        };
        let asked: Vec<[usize; 2]> =
            (0..200).flat_map(|i| (i + 1..200).map(move |j| [i, j])).filter(|&[i, j]| !apart(i, j)).collect();
        assert!(asked.len() > 100);
        assert_eq!(overlapping(&boxes), asked);
    }
}

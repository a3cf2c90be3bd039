//! Pairs that the jobs run on.

use glam::DQuat;
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Ellipsoid, Solid, Superellipsoid};
use gritstone_study::generate::{Draw, Series, paper_class};

/// Seed of the pairs.
const SEED: u64 = 1;
/// Length of a move as a fraction of the smaller grain's size, and its angle (rad).
const STEP: f64 = 1e-3;

/// Overlapping pairs of superellipsoids, in every form that the jobs want.
pub struct Workload {
    /// Shapes and poses of both grains of each pair.
    pub bodies: Vec<[(Superellipsoid, Pose<Space>); 2]>,
    /// The same as the table of shapes has them.
    pub solids: Vec<[(Solid, Pose<Space>); 2]>,
    /// What is known of each pair from before its last move.
    pub memories: Vec<Memory>,
}

/// Every workload of the jobs.
pub struct Workloads {
    /// Interval 3 of the paper, overlapping.
    pub still: Workload,
    /// The same after a move.
    pub moved: Workload,
    /// Interval 1, overlapping: ellipsoids, as superellipsoids with ε = 1.
    pub round: Workload,
    /// The same as ellipsoids.
    pub ellipsoids: Workload,
}

impl Workloads {
    /// Workloads of so many pairs each.
    pub fn new(count: u64) -> Self {
        let still = Workload::overlaps(3, count);
        let round = Workload::overlaps(1, count);
        let mut ellipsoids = Workload::overlaps(1, count);
        let pairs = ellipsoids.solids.iter_mut().zip(&round.bodies);
        for (solid, (shape, _)) in pairs.flat_map(|(solids, bodies)| solids.iter_mut().zip(bodies)) {
            if let Ok(ellipsoid) = Ellipsoid::new(shape.radii()) {
                solid.0 = ellipsoid.into();
            }
        }
        Self { moved: still.moved(), still, round, ellipsoids }
    }
}

impl Workload {
    /// Overlaps of an interval of the paper.
    fn overlaps(interval: usize, count: u64) -> Self {
        let class = paper_class(interval - 1, Series::Overlapping);
        let superellipsoid = |solid: &Solid| match solid {
            Solid::Superellipsoid(shape) => Some(*shape),
            _ => None,
        };
        let bodies = (0..count).filter_map(|i| {
            let case = class.case(SEED, i);
            Some([(superellipsoid(&case.a)?, case.pose_a), (superellipsoid(&case.b)?, case.pose_b)])
        });
        Self::of(bodies.collect(), Vec::new())
    }

    fn of(bodies: Vec<[(Superellipsoid, Pose<Space>); 2]>, memories: Vec<Memory>) -> Self {
        let solids = bodies.iter().map(|pair| pair.map(|(shape, pose)| (shape.into(), pose))).collect();
        Self { bodies, solids, memories }
    }

    /// These pairs after a random rigid move of both grains, with the memory of where they were.
    fn moved(&self) -> Self {
        let mut scratch = Scratch::default();
        let remember = |pair: &[(Solid, Pose<Space>); 2]| {
            let mut memory = Memory::default();
            let [a, b] = placed(pair);
            Auto.solve_warm(a, b, Query::default(), &mut memory, &mut scratch)
                .expect("every pair of grains is taken");
            memory
        };
        let memories = self.solids.iter().map(remember).collect();
        let moved = self.bodies.iter().zip(0..).map(|(pair, i)| moved(pair, &mut Draw::new(0, SEED, i)));
        Self::of(moved.collect(), memories)
    }
}

/// A pair after a random rigid move of both bodies.
pub(crate) fn moved<S: Support<Space> + Clone>(
    pair: &[(S, Pose<Space>); 2],
    draw: &mut Draw,
) -> [(S, Pose<Space>); 2] {
    let length = STEP * pair[0].0.size().min(pair[1].0.size());
    pair.each_ref().map(|(shape, pose)| {
        let turn = DQuat::from_axis_angle(draw.direction(), STEP);
        let position = pose.position + draw.direction() * length;
        (shape.clone(), Pose::<Space>::new(position, turn * pose.rotation))
    })
}

/// A pair as contact methods take it.
pub(crate) fn placed(pair: &[(Solid, Pose<Space>); 2]) -> [Placed<'_>; 2] {
    pair.each_ref().map(|(shape, pose)| Placed { shape, pose: *pose })
}

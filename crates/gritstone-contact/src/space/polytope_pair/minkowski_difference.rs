//! The Minkowski difference of two placed polytopes: its vertices and support function.

use glam::{DMat3, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Polyhedron, Polytope};

use crate::tolerance;

/// How many times the rounding of one evaluation the bounds of an answer may lie apart for its vertices to count as the
/// right ones.
const TIGHT: f64 = 4.0;

/// Part of the tolerance that is given to vertices that may not quite be the highest.
const SHARE: f64 = 0.1;

/// A polyhedron in the world.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'s> {
    /// The shape.
    pub shape: &'s Polyhedron,
    /// Where it is.
    pub pose: Pose<Space>,
}

impl<'s> Posed<'s> {
    /// A shape and where it is.
    #[inline]
    pub fn new(shape: &'s Polyhedron, pose: &Pose<Space>) -> Self {
        Self { shape, pose: *pose }
    }
}

/// Two placed polytopes. Everything is in the axes of the world, and relative to the centre of a.
pub(super) struct Scene<'s> {
    pub(super) a: &'s Polytope,
    pub(super) b: &'s Polytope,
    /// Axes of a, as columns.
    pub(super) frame_a: DMat3,
    /// Axes of b, as columns.
    pub(super) frame_b: DMat3,
    /// Centre of b.
    pub(super) offset: DVec3,
    /// Centre of a in the world.
    pub(super) origin: DVec3,
    /// Lengths that coordinates have: the larger body's size plus the distance of the centres.
    pub(super) reach: f64,
    /// Width between the bounds of a certified gap.
    pub(super) tolerance: f64,
    /// How far a vertex may lie below its neighbours and still count as the highest.
    pub(super) level: f64,
}

/// A vertex of each body: a point d = x_b − x_a of the Minkowski difference.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) d: DVec3,
}

impl Corner {
    pub(super) fn is(&self, other: &Self) -> bool {
        (self.a, self.b) == (other.a, other.b)
    }
}

impl<'s> Scene<'s> {
    #[inline(always)]
    pub(super) fn new(a: &Posed<'s>, b: &Posed<'s>) -> Self {
        let offset = b.pose.position - a.pose.position;
        let (size_a, size_b) = (a.shape.size(), b.shape.size());
        let (smaller, larger) = if size_a < size_b { (size_a, size_b) } else { (size_b, size_a) };
        let reach = larger + offset.length();
        let (x, y) = (a.shape.polytope(), b.shape.polytope());
        let (level, certificate) = (tolerance::ROUNDING * reach, tolerance::CERTIFICATE * smaller);
        let tolerance = if level < certificate { certificate } else { level };
        let stray = x.stray() + y.stray();
        Self {
            a: x,
            b: y,
            frame_a: a.pose.frame(),
            frame_b: b.pose.frame(),
            offset,
            origin: a.pose.position,
            reach,
            tolerance,
            level: if level * stray < SHARE * tolerance { level } else { f64::NEG_INFINITY },
        }
    }

    /// The rounding error that bounds may have.
    #[inline(always)]
    pub(super) fn tight(&self) -> f64 {
        TIGHT * tolerance::ROUNDING * self.reach
    }
}

/// Two placed polytopes. Everything is in the axes of a and relative to its centre.
pub(super) struct MinkowskiDifference<'s> {
    pub(super) a: &'s Polytope,
    pub(super) b: &'s Polytope,
    /// Axes of b, as columns.
    turn: DMat3,
    /// Centre of b.
    pub(super) offset: DVec3,
    /// Axes of a in the world, as columns.
    frame: DMat3,
    /// Centre of a in the world.
    origin: DVec3,
    pub(super) reach: f64,
    pub(super) tolerance: f64,
    pub(super) level: f64,
}

impl<'s> MinkowskiDifference<'s> {
    #[inline(always)]
    pub(super) fn new(scene: &Scene<'s>) -> Self {
        let &Scene { a, b, frame_a: frame, frame_b, offset, origin, reach, tolerance, level } = scene;
        let back = frame.transpose();
        Self { a, b, turn: back * frame_b, offset: back * offset, frame, origin, reach, tolerance, level }
    }

    /// The rounding error that bounds may have.
    #[inline(always)]
    pub(super) fn tight(&self) -> f64 {
        TIGHT * tolerance::ROUNDING * self.reach
    }

    /// The vertex of the Minkowski difference least far along `u`: support points of a along u and of b along −u.
    #[inline(always)]
    pub(super) fn support(&self, u: DVec3, hint: &Corner) -> Corner {
        let a = self.a.support_from(u, hint.a);
        let b = self.b.support_from(self.turn_back(-u), hint.b);
        self.corner(a, b)
    }

    /// How far, along u, the Minkowski difference may begin before a corner whose neighbours lie `above` it.
    #[inline(always)]
    pub(super) fn stray(&self, above_a: f64, above_b: f64) -> f64 {
        self.a.stray() * above_a.max(0.0) + self.b.stray() * above_b.max(0.0)
    }

    /// The point of the Minkowski difference that two vertices make.
    #[inline(always)]
    pub(super) fn corner(&self, a: u32, b: u32) -> Corner {
        Corner { a, b, d: self.place(self.b.vertex(b)) - self.a.vertex(a) }
    }

    /// A point given in the axes of b.
    #[inline(always)]
    pub(super) fn place(&self, x: DVec3) -> DVec3 {
        self.turn * x + self.offset
    }

    /// A direction given in the axes of b, in those of a.
    #[inline(always)]
    pub(super) fn turn(&self, u: DVec3) -> DVec3 {
        self.turn * u
    }

    /// A direction given in the axes of a, in those of b.
    #[inline(always)]
    pub(super) fn turn_back(&self, u: DVec3) -> DVec3 {
        self.turn.transpose() * u
    }

    /// A direction given in the world, in the axes of a.
    pub(super) fn turn_from_world(&self, u: DVec3) -> DVec3 {
        self.frame.transpose() * u
    }

    /// A direction given in the axes of a, in the world.
    #[inline(always)]
    pub(super) fn to_world(&self, u: DVec3) -> DVec3 {
        self.frame * u
    }

    /// A point of a as a mean of vertices.
    #[inline(always)]
    pub(super) fn mean(&self, corners: &[Corner], weights: &[f64; 3]) -> DVec3 {
        let mut mean = DVec3::ZERO;
        for (corner, &weight) in corners.iter().zip(weights) {
            mean += self.a.vertex(corner.a) * weight;
        }
        mean
    }

    /// A point in the world.
    #[inline(always)]
    pub(super) fn point_to_world(&self, x: DVec3) -> DVec3 {
        self.origin + self.frame * x
    }
}

/// How far the longest of these vectors reaches along `n`.
#[inline(always)]
pub(super) fn highest(rays: &[DVec3], n: DVec3) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    for ray in rays {
        let height = n.dot(*ray);
        // A comparison, since `max` takes care of what is no number, which costs as much again.
        highest = if height > highest { height } else { highest };
    }
    highest
}

//! Two placed polytopes as one: the vertices of their Minkowski difference.

use glam::{DMat3, DQuat, DVec3};
use gritstone_shape::Support;
use gritstone_shape::space::Polytope;

use crate::space::method::Placed;
use crate::tolerance;

/// How many times the rounding of one evaluation the bounds of an answer may lie apart for its vertices to count as the
/// right ones.
const TIGHT: f64 = 4.0;

/// Two placed polytopes. Everything is in the axes of a and relative to its centre.
pub(super) struct Couple<'s> {
    pub(super) a: &'s Polytope,
    pub(super) b: &'s Polytope,
    /// Axes of b, as columns.
    turn: DMat3,
    /// Centre of b.
    pub(super) offset: DVec3,
    /// How a is turned in the world.
    rotation: DQuat,
    /// Centre of a in the world.
    origin: DVec3,
    /// Lengths that coordinates have: the larger body's size plus the distance of the centres.
    pub(super) reach: f64,
    /// Width between the bounds of a certified gap.
    pub(super) tolerance: f64,
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

impl<'s> Couple<'s> {
    /// `None` where a shape is no polytope.
    #[inline(always)]
    pub(super) fn new(a: Placed<'s>, b: Placed<'s>) -> Option<Self> {
        let back = a.pose.rotation.conjugate();
        let offset = back * (b.pose.position - a.pose.position);
        let (size_a, size_b) = (a.shape.size(), b.shape.size());
        let reach = size_a.max(size_b) + offset.length();
        Some(Self {
            a: a.shape.polytope()?,
            b: b.shape.polytope()?,
            turn: DMat3::from_quat(back * b.pose.rotation),
            offset,
            rotation: a.pose.rotation,
            origin: a.pose.position,
            reach,
            tolerance: (tolerance::CERTIFICATE * size_a.min(size_b)).max(tolerance::ROUNDING * reach),
        })
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
        self.rotation.conjugate() * u
    }

    /// A direction given in the axes of a, in the world.
    #[inline(always)]
    pub(super) fn to_world(&self, u: DVec3) -> DVec3 {
        self.rotation * u
    }

    /// A point of a as a mean of vertices.
    #[inline(always)]
    pub(super) fn mean(&self, corners: &[Corner], weights: &[f64; 3]) -> DVec3 {
        corners.iter().zip(weights).map(|(corner, &w)| self.a.vertex(corner.a) * w).sum()
    }

    /// A point in the world.
    #[inline(always)]
    pub(super) fn point_to_world(&self, x: DVec3) -> DVec3 {
        self.origin + self.rotation * x
    }
}

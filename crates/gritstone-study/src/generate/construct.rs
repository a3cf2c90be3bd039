//! Building a pair around a contact that is known beforehand, the scheme of \[wellmann2008\], section Validation.
//!
//! The direction c and the distance d are chosen first: `p1 = p_a(c)`, `p2 = p1 + d·c`, and b is placed so that p2 is
//! its support point along −c. Then c is stationary for g, and g(c) = d. It is the maximum when d ≥ 0, and nearly
//! always when the overlap is small; g(c) is a lower bound of the signed distance in any case.

use glam::DVec3;
use gritstone_contact::space::Placed;
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Solid, Superellipsoid};

/// Two placed grains, and the contact they were built around if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// First grain.
    pub a: Solid,
    /// Where the first grain is.
    pub pose_a: Pose<Space>,
    /// Second grain.
    pub b: Solid,
    /// Where the second grain is.
    pub pose_b: Pose<Space>,
    /// The contact they were built around.
    pub built: Option<Built>,
}

/// A common normal that is known by construction, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Built {
    /// c: unit direction from a to b.
    pub direction: DVec3,
    /// p1: point of a whose outward normal is c.
    pub point_a: DVec3,
    /// p2: point of b whose outward normal is −c.
    pub point_b: DVec3,
    /// d: `p2 = p1 + d·c`. The signed distance is at least this.
    pub distance: f64,
}

impl Case {
    /// Places b, which is turned already, so that the bodies have the common normal `c` at the distance `distance`.
    pub(crate) fn around(
        a: Solid,
        pose_a: Pose<Space>,
        b: Solid,
        mut pose_b: Pose<Space>,
        c: DVec3,
        distance: f64,
    ) -> Self {
        let point_a = pose_a.to_world(a.support(pose_a.rotation.conjugate() * c));
        let lever_b = pose_b.rotation * b.support(pose_b.rotation.conjugate() * -c);
        let point_b = point_a + distance * c;
        pose_b.position = point_b - lever_b;
        Self { a, pose_a, b, pose_b, built: Some(Built { direction: c, point_a, point_b, distance }) }
    }

    /// The first grain, as contact methods take it.
    pub fn placed_a(&self) -> Placed<'_> {
        Placed { shape: &self.a, pose: self.pose_a }
    }

    /// The second grain, as contact methods take it.
    pub fn placed_b(&self) -> Placed<'_> {
        Placed { shape: &self.b, pose: self.pose_b }
    }

    /// Size of the smaller grain: what errors are measured by.
    pub fn size(&self) -> f64 {
        self.a.size().min(self.b.size())
    }
}

/// A superellipsoid with drawn parameters.
pub(crate) fn superellipsoid(radii: DVec3, exponents: [f64; 2]) -> Solid {
    Superellipsoid::new(radii, exponents).expect("every family draws from inside the allowed ranges").into()
}

//! Building a pair around a contact that is known beforehand, the scheme of \[wellmann2008\], section Validation.
//!
//! The direction c and the distance d are chosen first: `p1 = p_a(c)`, `p2 = p1 + d·c`, and b is placed so that p2 is
//! its support point along −c. Then c is stationary for g, and g(c) = d. It is the maximum when d ≥ 0, and nearly
//! always when the overlap is small; g(c) is a lower bound of the signed distance in any case.

use glam::DVec3;
use gritstone_contact::{NarrowPhase, Placed};
use gritstone_core::{Dim, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Solid, Superellipsoid};

/// Two placed grains, and the contact they were built around if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Case<D: NarrowPhase = Space> {
    /// First grain.
    pub a: D::Shape,
    /// Where the first grain is.
    pub pose_a: Pose<D>,
    /// Second grain.
    pub b: D::Shape,
    /// Where the second grain is.
    pub pose_b: Pose<D>,
    /// The contact they were built around.
    pub built: Option<Built<D>>,
}

/// A common normal that is known by construction, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Built<D: Dim = Space> {
    /// c: unit direction from a to b.
    pub direction: D::Vec,
    /// p1: point of a whose outward normal is c.
    pub point_a: D::Vec,
    /// p2: point of b whose outward normal is −c.
    pub point_b: D::Vec,
    /// d: `p2 = p1 + d·c`. The signed distance is at least this.
    pub distance: f64,
}

impl<D: NarrowPhase> Case<D> {
    /// Places b, which is turned already, so that the bodies have the common normal `c` at the distance `distance`.
    pub(crate) fn around(
        a: D::Shape,
        pose_a: Pose<D>,
        b: D::Shape,
        mut pose_b: Pose<D>,
        c: D::Vec,
        distance: f64,
    ) -> Self {
        let point_a = pose_a.to_world(a.support(D::unrotate(pose_a.rotation, c)));
        let lever_b = D::rotate(pose_b.rotation, b.support(D::unrotate(pose_b.rotation, -c)));
        let point_b = point_a + c * distance;
        pose_b.position = point_b - lever_b;
        Self { a, pose_a, b, pose_b, built: Some(Built { direction: c, point_a, point_b, distance }) }
    }

    /// The first grain, as contact methods take it.
    pub fn placed_a(&self) -> Placed<'_, D> {
        Placed { shape: &self.a, pose: self.pose_a }
    }

    /// The second grain, as contact methods take it.
    pub fn placed_b(&self) -> Placed<'_, D> {
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

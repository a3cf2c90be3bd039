//! Mass properties.

use crate::linalg::Sym3;
use crate::{Dim, Plane, Space};

/// Mass properties of a homogeneous body of density one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass<D: Dim> {
    /// Volume in space, area in the plane.
    pub volume: f64,
    /// Centre of mass in the body's frame.
    pub centroid: D::Vec,
    /// Second moments `∫ (x − centroid)(x − centroid)ᵀ dV`.
    pub second_moments: D::Sym,
}

impl<D: Dim> Mass<D> {
    /// Mass properties of a body that is symmetric about its axes in the plane, its coordinate planes in space.
    pub fn symmetric(volume: f64, second_moments: D::Vec) -> Self {
        Self { volume, centroid: D::Vec::default(), second_moments: D::diagonal(second_moments) }
    }
}

impl Mass<Space> {
    /// Inertia tensor about the centre of mass, `tr(S)·I − S`, for density one.
    pub fn inertia(&self) -> Sym3 {
        let s = &self.second_moments;
        Sym3 { xx: s.yy + s.zz, yy: s.xx + s.zz, zz: s.xx + s.yy, xy: -s.xy, xz: -s.xz, yz: -s.yz }
    }
}

impl Mass<Plane> {
    /// Polar moment of inertia about the centre of mass, `tr(S)`, for density one.
    pub fn inertia(&self) -> f64 {
        self.second_moments.trace()
    }
}

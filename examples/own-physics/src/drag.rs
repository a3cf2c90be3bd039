//! A force on every grain: linear drag in a fluid that moves evenly.

use gritstone::core::{Dim, Vector as _};
use gritstone::engine::{Dimension, ExternalForce, GrainView};

/// `F = −c (v − u)` with the velocity u of the fluid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<D: Dim> {
    /// c (N s/m).
    pub coefficient: f64,
    /// u (m/s).
    pub fluid: D::Vec,
}

impl<D: Dimension> ExternalForce<D> for Drag<D> {
    fn load(&self, _time: f64, grain: &GrainView<D>) -> (D::Vec, D::Spin) {
        let slip = D::Vec::from_fn(|axis| self.fluid.component(axis) - grain.velocity.component(axis));
        (slip * self.coefficient, D::Spin::default())
    }
}

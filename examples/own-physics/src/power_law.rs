//! A contact law: an elastic spring whose force is a power of the depth.

use gritstone::core::Dim;
use gritstone::force::{ContactLaw, History, Load, Touch};

/// `F = k δᵖ` along the normal, without damping and friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// k (N/mᵖ).
    pub stiffness: f64,
    /// p, larger than zero.
    pub exponent: f64,
}

impl<D: Dim> ContactLaw<D> for PowerLaw {
    fn load(&self, touch: &Touch<D>, history: &mut History<D>, _dt: f64) -> Load<D> {
        if touch.depth <= 0.0 {
            *history = History::default();
            return Load::default();
        }
        // A stiffness larger than zero says that the bodies touch.
        history.stiffness = self.stiffness;
        let force = self.stiffness * touch.depth.powf(self.exponent);
        Load {
            force: touch.normal * force,
            normal_force: force,
            elastic: force * touch.depth / (self.exponent + 1.0), // ∫ k δᵖ dδ
            ..Load::default()
        }
    }
}

//! Rigid-body kinematics of a dimension.

mod plane;
mod space;

use std::fmt::Debug;

use gritstone_core::{Dim, Mass};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::insertion::random::RandomStream;

pub(crate) use space::LARGEST_ANGLE;

/// What can be written to a checkpoint and read back.
pub trait Storable: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Storable for T {}

/// Rigid-body kinematics of a dimension.
pub trait Kinematics: Dim<Vec: Storable, Rotation: Storable, Spin: Storable> {
    /// Moments of inertia, and the principal axes.
    type Inertia: Copy + Debug + Default + Send + Sync;

    /// Inertia of a body of this density.
    fn inertia(mass: &Mass<Self>, density: f64) -> Self::Inertia;

    /// Inertia of a body with these moments about the axes of the world.
    fn inertia_of_moments(moments: Self::Spin) -> Self::Inertia;

    /// ω = I⁻¹ L in world axes.
    fn spin(inertia: &Self::Inertia, rotation: Self::Rotation, momentum: Self::Spin) -> Self::Spin;

    /// ω of a body that can turn about these axes of the world only, from the components of L about them: its bearing has no
    /// torque about them. In the plane the first flag counts.
    fn constrained_spin(
        inertia: &Self::Inertia,
        rotation: Self::Rotation,
        momentum: Self::Spin,
        about: [bool; 3],
    ) -> Self::Spin;

    /// L = I ω in world axes.
    fn momentum(inertia: &Self::Inertia, rotation: Self::Rotation, spin: Self::Spin) -> Self::Spin;

    /// The orientation after free rotation for `dt`: the angular momentum is constant.
    fn free_rotation(
        inertia: &Self::Inertia,
        rotation: Self::Rotation,
        momentum: Self::Spin,
        dt: f64,
    ) -> Self::Rotation;

    /// A random rotation, uniform over all of them.
    fn random_rotation(random: &mut RandomStream) -> Self::Rotation;
}

//! Which columns a state has, in the plane and in space.

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Dim, Plane, Space};

/// A dimension whose states can be written in columns.
pub trait Tabular: Dim {
    /// Columns of the position.
    const POSITION: &'static [&'static str];
    /// Columns of the rotation.
    const ROTATION: &'static [&'static str];
    /// Columns of the velocity.
    const VELOCITY: &'static [&'static str];
    /// Columns of the angular velocity.
    const SPIN: &'static [&'static str];

    /// A vector from its components.
    fn vector(numbers: &[f64]) -> Self::Vec;
    /// A rotation from its numbers; nothing when they describe none.
    fn rotation(numbers: &[f64]) -> Option<Self::Rotation>;
    /// An angular velocity from its numbers.
    fn spin(numbers: &[f64]) -> Self::Spin;
    /// All numbers of a state, in the order of the columns.
    fn numbers(
        position: Self::Vec,
        rotation: Self::Rotation,
        velocity: Self::Vec,
        spin: Self::Spin,
    ) -> impl Iterator<Item = f64>;
}

impl Tabular for Plane {
    const POSITION: &'static [&'static str] = &["x", "y"];
    const ROTATION: &'static [&'static str] = &["angle"];
    const VELOCITY: &'static [&'static str] = &["vx", "vy"];
    const SPIN: &'static [&'static str] = &["spin"];

    fn vector(numbers: &[f64]) -> DVec2 {
        DVec2::from_slice(numbers)
    }

    fn rotation(numbers: &[f64]) -> Option<f64> {
        numbers.first().copied()
    }

    fn spin(numbers: &[f64]) -> f64 {
        numbers[0]
    }

    fn numbers(position: DVec2, angle: f64, velocity: DVec2, spin: f64) -> impl Iterator<Item = f64> {
        [position.x, position.y, angle, velocity.x, velocity.y, spin].into_iter()
    }
}

impl Tabular for Space {
    const POSITION: &'static [&'static str] = &["x", "y", "z"];
    const ROTATION: &'static [&'static str] = &["qw", "qx", "qy", "qz"];
    const VELOCITY: &'static [&'static str] = &["vx", "vy", "vz"];
    const SPIN: &'static [&'static str] = &["wx", "wy", "wz"];

    fn vector(numbers: &[f64]) -> DVec3 {
        DVec3::from_slice(numbers)
    }

    fn rotation(numbers: &[f64]) -> Option<DQuat> {
        unit_quaternion([numbers[0], numbers[1], numbers[2], numbers[3]])
    }

    fn spin(numbers: &[f64]) -> DVec3 {
        DVec3::from_slice(numbers)
    }

    fn numbers(position: DVec3, q: DQuat, velocity: DVec3, spin: DVec3) -> impl Iterator<Item = f64> {
        let rotation = [q.w, q.x, q.y, q.z];
        position.to_array().into_iter().chain(rotation).chain(velocity.to_array()).chain(spin.to_array())
    }
}

/// The quaternion w, x, y, z at length one; nothing for zero. One that is a unit quaternion up to rounding is kept as it
/// is, so that a state that was written is read with the same bits.
pub(crate) fn unit_quaternion([w, x, y, z]: [f64; 4]) -> Option<DQuat> {
    let given = DQuat::from_xyzw(x, y, z, w);
    if (given.length_squared() - 1.0).abs() < 4.0 * f64::EPSILON {
        return Some(given);
    }
    // Scaled first, so that the square of no component overflows or vanishes.
    let largest = w.abs().max(x.abs()).max(y.abs()).max(z.abs());
    (largest > 0.0).then(|| (given * (1.0 / largest)).normalize())
}

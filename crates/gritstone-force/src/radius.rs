//! Effective radius of a contact.
//!
//! **Idea.** Hertz's law needs one radius R*. From the curvature at the contact: the paraboloid between the surfaces has two
//! principal curvatures k1, k2, and `R* = 1/√(k1·k2)` is the radius of the sphere with the same Gaussian curvature. Or from
//! volumes: `1/R* = 1/R_a + 1/R_b`, with the radii of spheres of the same volume, which ignores the contact's shape.
//!
//! **Source.** Johnson, Contact Mechanics, 1985, section 4.2: with this radius the force of an elliptic contact is right to
//! 3 % up to k2/k1 = 5 and to 12 % up to 50. Volume-equivalent radii: LIGGGHTS.
//!
//! **Deviations.** Flat surfaces have no curvature and corners an infinite one. Each curvature is therefore bounded,
//! relative to the smaller grain's size s: those between `1/4s` and `16/s` stay as they are, smaller ones are lifted
//! towards `1/8s` and larger ones lowered towards `32/s`, with a continuous slope. R* then lies between `s/32` and `8s`.

use gritstone_core::Dim;

/// Curvature times size below which it is lifted; a flat contact gets half of it.
pub const FLAT: f64 = 0.25;
/// Curvature times size above which it is lowered; a corner gets twice as much.
pub const SHARP: f64 = 16.0;

/// R* from the relative curvature at the contact; `size` is the smaller grain's.
#[inline]
pub fn from_curvature<D: Dim>(curvature: D::Curvature, size: f64) -> f64 {
    let [k1, k2] = D::principal(curvature);
    size / (bounded(k1 * size) * bounded(k2 * size)).sqrt()
}

/// R* from the radii of both bodies; infinite for a plane.
#[inline]
pub fn from_radii(a: f64, b: f64) -> f64 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// Radius of the sphere of this volume, in the plane of the circle of this area.
pub fn of_volume<D: Dim>(volume: f64) -> f64 {
    use std::f64::consts::PI;
    if D::N == 2 { (volume / PI).sqrt() } else { libm::cbrt(0.75 * volume / PI) }
}

/// A curvature times size between `FLAT/2` and `2·SHARP`: monotone, with a continuous slope.
#[inline]
fn bounded(k: f64) -> f64 {
    if k > SHARP {
        SHARP + SHARP / (1.0 + SHARP / (k - SHARP))
    } else if k < FLAT {
        // The same for the radius 1/k: with r0 = 1/FLAT and x = 1/k − r0 it is r0 + r0·x/(x + r0).
        FLAT / (2.0 - k / FLAT)
    } else {
        k
    }
}

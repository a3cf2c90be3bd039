//! Attraction proportional to the contact's area.
//!
//! **Idea.** Each square metre of contact pulls with the same force: `Fc = c·π·R*·δ`, with the area of a Hertzian contact,
//! `π·a² = π·R*·δ`. The attraction starts and ends with the overlap: it has no reach and no hysteresis.
//!
//! **Source.** The simplified JKR models (SJKR) of LIGGGHTS.
//!
//! **Notation.** c: cohesion energy density (J/m³ = Pa).
//!
//! **Deviations.** SJKR takes the circle in which two spheres cut each other, about `2π·R*·δ`; Hertz's circle is half of
//! it. The attraction is taken off after the repulsion has been kept from pulling.

use gritstone_core::lanes::Real;

/// The attraction at a depth that is not negative.
#[inline(always)]
pub(crate) fn attraction<R: Real>(density: R, radius: R, depth: R) -> R {
    density * R::splat(std::f64::consts::PI) * radius * depth
}

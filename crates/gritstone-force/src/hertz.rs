//! Hertz and Mindlin: elastic spheres.
//!
//! **Idea.** The contact of two paraboloids grows with the depth: its radius is `a = √(R*δ)`, and all stiffnesses are
//! proportional to it.
//!
//! **Source.** \[johnson1985\], chapters 4 (Hertz) and 7 (Mindlin, without slip); damping after \[tsuji1992\] and
//! \[antypov2011\].
//!
//! **Notation.** δ: depth; R*: effective radius; Y*: effective Young's modulus, `1/Y* = Σ (1−ν²)/Y`; G*: effective shear
//! modulus, `1/G* = Σ 2(2−ν)(1+ν)/Y`; `kn = 4/3·Y*·a`, force `kn·δ`; `kt = 8·G*·a`; Sn = 2Y*·a: slope of the force;
//! ζ: damping ratio; `γn = 2√(5/6)·ζ·√(Sn·m*) = √5·ζ·√(kn·m*)`, `γt = 2√(5/6)·ζ·√(kt·m*)`.

use gritstone_core::lanes::Real;

/// Damping coefficients over `ζ·√(stiffness·m*)`, along the normal (√5) and across it (2√(5/6)).
pub(crate) const DAMPING: [f64; 2] = [2.236_067_977_499_79, 1.825_741_858_350_553_8];

/// Energy stored over force times depth.
pub(crate) const ENERGY: f64 = 0.4;

/// The radius a of the contact at a depth that is not negative.
#[inline(always)]
pub(crate) fn contact_radius<R: Real>(radius: R, depth: R) -> R {
    (radius * depth).sqrt()
}

/// Deepest overlap of a collision without damping (m): `½m*v² = 8/15·Y*·√R*·δ^(5/2)`.
pub fn deepest(young: f64, radius: f64, mass: f64, speed: f64) -> f64 {
    libm::pow(15.0 * mass * speed * speed / (16.0 * young * radius.sqrt()), 0.4)
}

/// Time that a collision takes without damping (s), 2.9432 deepest overlaps over the speed.
pub fn contact_time(young: f64, radius: f64, mass: f64, speed: f64) -> f64 {
    // 2∫dx/√(1 − x^(5/2)) from 0 to 1 = 4√π/5 · Γ(2/5)/Γ(9/10).
    const TURN: f64 = 2.943_275_184_324_705;
    TURN * deepest(young, radius, mass, speed) / speed
}

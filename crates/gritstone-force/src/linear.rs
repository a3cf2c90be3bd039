//! Linear spring and dashpot.
//!
//! **Idea.** The contact pushes with `kn·δ + γn·δ̇`, never pulls; along the tangent plane a spring ks with a dashpot.
//!
//! **Source.** \[cundall1979\].
//!
//! **Notation.** δ: depth; kn, ks: stiffness (N/m); m*: effective mass; ζ: damping ratio, see [`crate::restitution`];
//! `γn = 2ζ√(kn·m*)`, `γt = 2ζ√(ks·m*)`.

use crate::interaction::Normal;

/// Damping coefficients over `ζ·√(stiffness·m*)`, along the normal and across it.
pub(crate) const DAMPING: [f64; 2] = [2.0, 2.0];

/// What the spring does at this depth.
#[inline]
pub(crate) fn respond(kn: f64, ks: f64, depth: f64) -> Normal {
    Normal {
        repulsion: kn * depth,
        secant: kn,
        shear: ks,
        energy: 0.5 * kn * depth * depth,
        ..Normal::default()
    }
}

/// Time that a collision of the mass `mass` takes without damping, `π√(m*/kn)` (s).
pub fn contact_time(kn: f64, mass: f64) -> f64 {
    std::f64::consts::PI * (mass / kn).sqrt()
}

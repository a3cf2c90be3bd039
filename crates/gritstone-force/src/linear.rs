//! Linear spring and dashpot.
//!
//! **Idea.** The contact pushes with `kn·δ + γn·δ̇`, never pulls; along the tangent plane a spring ks with a dashpot.
//!
//! **Source.** \[cundall1979\].
//!
//! **Notation.** δ: depth; kn, ks: stiffness (N/m); m*: effective mass; ζ: damping ratio, see [`crate::restitution`];
//! `γn = 2ζ√(kn·m*)`, `γt = 2ζ√(ks·m*)`.

/// Damping coefficients over `ζ·√(stiffness·m*)`, along the normal and across it.
pub(crate) const DAMPING: [f64; 2] = [2.0, 2.0];

/// Time that a collision of the mass `mass` takes without damping, `π√(m*/kn)` (s).
pub fn contact_time(kn: f64, mass: f64) -> f64 {
    std::f64::consts::PI * (mass / kn).sqrt()
}

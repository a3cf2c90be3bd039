//! The damping that gives a restitution, with a contact that cannot pull.
//!
//! **Idea.** A damped spring would pull just before the bodies part. Contacts without cohesion do not: the collision ends
//! when the force vanishes, not when the overlap does, and less energy is lost than the usual formula says: asked for
//! e = 0.5 it gives 0.55, asked for 0.2 it gives 0.33. Here the relation for the contact that only pushes is solved.
//!
//! **Source.** \[schwager2007\] for the linear law. Hertz's law with damping `∝ √(kn·m*)` has the same relation: with
//! `u = δ^(5/4)` instead of the depth its velocity follows the linear oscillator \[antypov2011\], and its force vanishes
//! where the linear one does.
//!
//! **Notation.** e: restitution; ζ: damping ratio, half the damping coefficient over `√(k·m*)` of the linear law; Hertz has
//! the factor √5 instead of 2; β: the usual formula's `ln e/√(π² + ln² e)`.

use std::f64::consts::PI;

/// Smallest restitution that can be asked for: below it the damping ratio, about `1/(2√e)`, asks for ever smaller steps.
pub const SMALLEST: f64 = 0.01;

/// Restitution of a contact that only pushes.
pub fn restitution(zeta: f64) -> f64 {
    if zeta < 1.0 {
        // The force vanishes after the phase 2·acos(ζ).
        let omega = (1.0 - zeta * zeta).sqrt();
        libm::exp(-zeta / omega * 2.0 * libm::atan2(omega, zeta))
    } else if zeta == 1.0 {
        libm::exp(-2.0)
    } else {
        // ln((ζ + ω)/(ζ − ω)) = 2·ln(ζ + ω), since (ζ + ω)(ζ − ω) = 1.
        let omega = (zeta * zeta - 1.0).sqrt();
        libm::exp(-zeta / omega * 2.0 * libm::log(zeta + omega))
    }
}

/// Damping ratio for the restitution `e` from [`SMALLEST`] to 1, of a contact that only pushes.
pub fn damping_ratio(e: f64) -> f64 {
    // The restitution falls with ζ; SMALLEST is reached before 8.
    let (mut low, mut high) = (0.0, 8.0);
    if e >= 1.0 {
        return low;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if restitution(middle) > e { low = middle } else { high = middle }
    }
}

/// The usual formula's damping ratio −β, for a contact that pulls until the overlap vanishes.
pub fn published_damping_ratio(e: f64) -> f64 {
    let log = libm::log(e);
    -log / (log * log + PI * PI).sqrt()
}

//! Contacts of flat bodies: an energy of their overlap's volume and covariance.
//!
//! **Idea.** A law whose force is the gradient of an energy of the configuration cannot create energy, whichever of the bodies'
//! features is deepest. Here the energy is a function of the overlap's volume V and of `q = 1/tr C⁻¹`, C being its covariance: for a
//! thin overlap q is the square of its mean depth over twelve, in whatever direction it is thin. With the mean depth
//! `δ̄ = √(12q)` and the mean area `Ā = V/δ̄`, which are depth and area for a face on a face, the energy is `½·K·δ̄²` with
//!
//! - `K = kn` for linear springs: a face on a face has the stiffness that was given, whatever its size; an edge 0.50 and a corner
//!   0.30 of it, at any depth;
//! - `K = 1.106·Y*·√Ā` for Hertz's law: a flat punch has 0.98 of the exact force.
//!
//! The force is a pressure on the overlap's surface, quadratic in the position: `p = U_V + U_q·q²/V·(|C⁻¹(x − c)|² − 1/q)`.
//!
//! In the plane V is an area, Ā a length, and Hertz's law has `K = Y*·Ā/√2`, as patches there: a parabola has the force of the point law.
//!
//! **Adhesion** has an energy, too: `−c·V` for cohesion per area; for JKR `−Fc(Ā)·δ̄` with the pull-off force of a flat punch of the
//! area Ā, `Fc = √(8πwY*a³)`, `a = √(Ā/π)`. To part the surfaces takes `Fc²/2K`, which is 2.04·w·Ā (exact: 2). In the plane
//! `Fc = Ā·√(√2·wY*)`, so that parting takes w·Ā.
//!
//! **Source.** Gritstone. \[kendall1971\] for the punch.
//!
//! **Deviations.** Pull-off force and adhesion end with the overlap: surfaces that are not pressed together are not stretched.

mod load;

use glam::DVec3;
use gritstone_core::linalg::Sym3;

pub use load::PressedOverlap;

use crate::{Cohesion, Interaction, Spring, Wrench};

/// Hertz's law in the plane: `K = Y*·Ā` times this.
const STRIP: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// `8/5·√(3/2π)`, as for patches.
pub(crate) const HERTZ: f64 = 1.105_581_278_308_273_7;

/// The sum of two wrenches, each times its factor.
pub(crate) fn combined(first: (f64, &Wrench), second: (f64, &Wrench)) -> Wrench {
    Wrench {
        force: first.1.force * first.0 + second.1.force * second.0,
        torque: first.1.torque * first.0 + second.1.torque * second.0,
    }
}

/// Integrals over the overlap of two bodies; positions are from the contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapMoments {
    /// Whether the bodies are figures in the plane z = 0: then V is an area, and lengths stand for areas.
    pub in_plane: bool,
    /// V (m³, in the plane m²).
    pub volume: f64,
    /// c (m).
    pub centroid: DVec3,
    /// C (m²).
    pub covariance: Sym3,
    /// q (m²).
    pub thinness: f64,
    /// What a pressure of one does to b (m², m³).
    pub uniform: Wrench,
    /// What the pressure |C⁻¹(x − c)|² does to b.
    pub quadratic: Wrench,
}

/// What the energy of an overlap does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapForce {
    /// Elastic energy U (J).
    pub energy: f64,
    /// Energy of adhesion (J), zero or negative.
    pub adhesion: f64,
    /// −∂U on b.
    pub elastic: Wrench,
    /// The same of the adhesion.
    pub pull: Wrench,
}

/// An energy with its derivatives by V and q.
struct Energy {
    value: f64,
    by_volume: f64,
    by_thinness: f64,
}

impl Energy {
    /// `value ∝ V^m·q^n`.
    fn power(value: f64, [m, n]: [f64; 2], overlap: &OverlapMoments) -> Self {
        Self { value, by_volume: m * value / overlap.volume, by_thinness: n * value / overlap.thinness }
    }

    /// The wrench of its pressure.
    fn wrench(&self, overlap: &OverlapMoments) -> Wrench {
        let q = overlap.thinness;
        let quadratic = self.by_thinness * q * q / overlap.volume;
        let uniform = self.by_volume - quadratic / q;
        combined((uniform, &overlap.uniform), (quadratic, &overlap.quadratic))
    }
}

impl Interaction {
    /// The energy of an overlap, and what it does.
    #[inline]
    pub fn overlap_force(&self, overlap: &OverlapMoments) -> OverlapForce {
        let energy = self.overlap_energy(overlap);
        let adhesion = self.overlap_adhesion(overlap);
        OverlapForce {
            energy: energy.value,
            adhesion: adhesion.as_ref().map_or(0.0, |adhesion| adhesion.value),
            elastic: energy.wrench(overlap),
            pull: adhesion.map_or(Wrench::default(), |adhesion| adhesion.wrench(overlap)),
        }
    }

    fn overlap_energy(&self, overlap: &OverlapMoments) -> Energy {
        match self.spring {
            Spring::Linear { kn, .. } => Energy::power(6.0 * kn * overlap.thinness, [0.0, 1.0], overlap),
            Spring::Hertz { young, .. } if overlap.in_plane => {
                let depth = (12.0 * overlap.thinness).sqrt();
                // Ā·δ̄² = V·δ̄.
                Energy::power(0.5 * STRIP * young * overlap.volume * depth, [1.0, 0.5], overlap)
            }
            Spring::Hertz { young, .. } => {
                let depth = (12.0 * overlap.thinness).sqrt();
                // √Ā·δ̄² = √V·δ̄^(3/2), δ̄ ∝ √q.
                let value = 0.5 * HERTZ * young * (overlap.volume * depth).sqrt() * depth;
                Energy::power(value, [0.5, 0.75], overlap)
            }
        }
    }

    fn overlap_adhesion(&self, overlap: &OverlapMoments) -> Option<Energy> {
        match (self.cohesion, self.spring) {
            (Cohesion::Linear { density }, _) => {
                Some(Energy::power(-density * overlap.volume, [1.0, 0.0], overlap))
            }
            (Cohesion::Jkr { work }, Spring::Hertz { young, .. }) if overlap.in_plane => {
                let pull = (2.0 * STRIP * work * young).sqrt();
                Some(Energy::power(-pull * overlap.volume, [1.0, 0.0], overlap))
            }
            (Cohesion::Jkr { work }, Spring::Hertz { young, .. }) => {
                let depth = (12.0 * overlap.thinness).sqrt();
                let value = -punch_pull_off(young, work, overlap.volume / depth) * depth;
                // Ā^(3/4)·δ̄ = V^(3/4)·δ̄^(1/4).
                Some(Energy::power(value, [0.75, 0.125], overlap))
            }
            _ => None,
        }
    }
}

/// Force that parts a flat punch of this area from what it adheres to \[kendall1971\], `√(8πwY*a³)` (N).
pub fn punch_pull_off(young: f64, work: f64, area: f64) -> f64 {
    let radius = (area / std::f64::consts::PI).sqrt();
    (8.0 * std::f64::consts::PI * work * young * radius * radius * radius).sqrt()
}

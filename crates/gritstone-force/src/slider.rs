//! Spring and dashpot with a slider: friction, rolling resistance and twisting resistance.
//!
//! **Idea.** A spring is stretched by the relative motion and pulls back; a dashpot beside it damps. Neither can exceed
//! what the slider holds (Coulomb): beyond it the spring is cut back to what it can carry, so that sliding friction is
//! constant, and a body at rest is held by a spring and does not creep.
//!
//! **Source.** \[cundall1979\] for the spring with a limit; changing stiffness after \[thornton2013\]; rolling after
//! \[ai2011\], model C.
//!
//! **Notation.** s: stretch now; σ: stretch half a step ahead, which is what is remembered; u: rate; k: stiffness.
//!
//! **Deviations.** The stretch is a trapezoidal sum of the rates, so that the energy of an elastic contact is right to
//! second order in the time step. The dashpot is cut such that spring and dashpot together keep the limit. Where the
//! stiffness changes, a growing one leaves the force as it is and a falling one the stretch: neither creates energy. With
//! `keep_stretch` the stretch is kept in both cases, as several codes do; energy is then created while the stiffness
//! grows, and appears as negative dissipation.

use gritstone_core::Linear;

/// A spring with a dashpot and a slider, in one step.
#[derive(Clone, Copy, Debug)]
pub struct Slider {
    /// Stiffness in the last step (N/m).
    pub stiffness_before: f64,
    /// Stiffness k (N/m).
    pub stiffness: f64,
    /// Damping coefficient (N·s/m).
    pub damping: f64,
    /// Largest force (N).
    pub limit: f64,
    /// Whether a growing stiffness keeps the stretch rather than the force.
    pub keep_stretch: bool,
    /// Time step (s).
    pub dt: f64,
}

/// What a slider answers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drag<L> {
    /// Force against the motion (N).
    pub force: L,
    /// Energy in the spring (J).
    pub elastic: f64,
    /// Energy lost in this step (J).
    pub dissipated: f64,
}

impl Slider {
    /// Moves on by a step with the relative velocity `rate`, and changes the remembered `stretch`.
    #[inline]
    pub fn drag<L: Linear>(&self, stretch: &mut L, rate: L) -> Drag<L> {
        let Self { stiffness: k, stiffness_before, dt, .. } = *self;
        let stored = 0.5 * stiffness_before * stretch.dot(*stretch);
        let start = if k > stiffness_before && !self.keep_stretch {
            *stretch * (stiffness_before / k)
        } else {
            *stretch
        };
        let half = rate * (0.5 * dt);
        let now = self.cut(start + half);
        *stretch = self.cut(now + half);
        let spring = now * k;
        let dashpot = rate * (self.damping * self.share(spring, rate * self.damping));
        let resistance = spring + dashpot;
        let work = resistance.dot(rate) * dt;
        let lost = work + stored - 0.5 * k * stretch.dot(*stretch);
        Drag {
            force: -resistance,
            elastic: 0.5 * spring.dot(now),
            dissipated: if self.keep_stretch { lost } else { lost.max(0.0) },
        }
    }

    /// The stretch that the slider lets the spring have.
    #[inline]
    fn cut<L: Linear>(&self, stretch: L) -> L {
        let force2 = self.stiffness * self.stiffness * stretch.dot(stretch);
        if force2 > self.limit * self.limit { stretch * (self.limit / force2.sqrt()) } else { stretch }
    }

    /// The largest share λ ≤ 1 of the dashpot with `|spring + λ·dashpot| ≤ limit`; the spring alone keeps the limit.
    #[inline]
    fn share<L: Linear>(&self, spring: L, dashpot: L) -> f64 {
        let (a, b) = (dashpot.dot(dashpot), spring.dot(dashpot));
        let c = (spring.dot(spring) - self.limit * self.limit).min(0.0);
        if a + 2.0 * b + c <= 0.0 {
            return 1.0;
        }
        // The positive root of λ²a + 2λb + c, without the difference of nearly equal numbers.
        let root = (b * b - a * c).sqrt();
        if b > 0.0 { -c / (b + root) } else { (root - b) / a }
    }
}

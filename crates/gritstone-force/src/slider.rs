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

use gritstone_core::lanes::{Mask, Quantity, Real};

/// A spring with a dashpot and a slider, in one step.
#[derive(Clone, Copy, Debug)]
pub struct Slider<R: Real> {
    /// Stiffness in the last step (N/m).
    pub stiffness_before: R,
    /// Stiffness k (N/m).
    pub stiffness: R,
    /// Damping coefficient (N·s/m).
    pub damping: R,
    /// Largest force (N).
    pub limit: R,
    /// Whether a growing stiffness keeps the stretch rather than the force.
    pub keep_stretch: R::Mask,
    /// Time step (s).
    pub dt: R,
}

/// What a slider answers.
#[derive(Clone, Copy, Debug)]
pub struct Drag<Q, R> {
    /// Force against the motion (N).
    pub force: Q,
    /// Energy in the spring (J).
    pub elastic: R,
    /// Energy lost in this step (J).
    pub dissipated: R,
}

impl<R: Real> Slider<R> {
    /// Moves on by a step with the relative velocity `rate`, and changes the remembered `stretch`.
    #[inline(always)]
    pub fn drag<Q: Quantity<R>>(&self, stretch: &mut Q, rate: Q) -> Drag<Q, R> {
        let Self { stiffness: k, stiffness_before, dt, .. } = *self;
        let (zero, half, one) = (R::splat(0.0), R::splat(0.5), R::splat(1.0));
        let stored = half * stiffness_before * stretch.inner(*stretch);
        let keeps_force = stiffness_before.lt(k) & !self.keep_stretch;
        let mut now = *stretch;
        if keeps_force.any() {
            now = now * R::select(keeps_force, stiffness_before / k, one);
        }
        let step = rate * (half * dt);
        now = self.cut(now + step);
        *stretch = self.cut(now + step);
        let spring = now * k;
        let resistance = spring + rate * (self.damping * self.share(spring, rate * self.damping));
        let work = resistance.inner(rate) * dt;
        let lost = work + (stored - half * k * stretch.inner(*stretch));
        Drag {
            force: -resistance,
            elastic: half * spring.inner(now),
            dissipated: R::select(self.keep_stretch, lost, lost.max(zero)),
        }
    }

    /// The stretch that the slider lets the spring have.
    #[inline(always)]
    fn cut<Q: Quantity<R>>(&self, stretch: Q) -> Q {
        let squared = self.stiffness * self.stiffness * stretch.inner(stretch);
        let slides = (self.limit * self.limit).lt(squared);
        if !slides.any() {
            return stretch;
        }
        stretch * R::select(slides, self.limit / squared.sqrt(), R::splat(1.0))
    }

    /// The largest share λ ≤ 1 of the dashpot with `|spring + λ·dashpot| ≤ limit`; the spring alone keeps the limit.
    #[inline(always)]
    fn share<Q: Quantity<R>>(&self, spring: Q, dashpot: Q) -> R {
        let (zero, one) = (R::splat(0.0), R::splat(1.0));
        let (a, b) = (dashpot.inner(dashpot), spring.inner(dashpot));
        let c = (spring.inner(spring) - self.limit * self.limit).min(zero);
        let within = (a + (b + b) + c).le(zero);
        if !(!within).any() {
            return one;
        }
        // The positive root of λ²a + 2λb + c, without the difference of nearly equal numbers.
        let root = (b * b - a * c).max(zero).sqrt();
        R::select(within, one, R::select(zero.lt(b), -c / (b + root), (root - b) / a))
    }
}

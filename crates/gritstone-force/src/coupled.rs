//! Friction of faces: sliding and twisting under one limit.
//!
//! **Idea.** Friction acts all over a face, at each point against that point's motion: where a face spins fast, little is left
//! against sliding. One spring stands for both, whose length is that of the slip and of the twist times a lever, under one
//! limit ([`Slide::cut`]): sliding and spinning then end together.
//!
//! **Source.** Limit surfaces of friction: \[goyal1991\]; a disc that slides and spins: \[farkas2003\].
//!
//! **Notation.** ℓ: the lever at which the whole friction resists twisting: the mean distance of the face's points from its middle, where
//! the pressure is even. x, y: slip and twist over the largest of either alone.
//!
//! **Deviations.** Twisting resistance that was asked for beside friction lengthens the lever.

use std::ops::{Add, Mul, Neg};

use gritstone_core::{Dim, Linear};

use crate::law::{ACROSS, Hold, LARGEST_DAMPING};
use crate::slider::{Drag, Slider};
use crate::transport::transport;
use crate::{History, Interaction, Load, Touch};

/// ℓ over the root of the mean square of the distance from the middle of a face: between that of discs (0.943) and that of squares
/// (0.937).
pub(crate) const LEVER: f64 = 0.94;

/// What holds two faces against sliding, rolling and twisting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaceHold<V> {
    /// Velocity of the surfaces where friction acts.
    pub(crate) velocity: V,
    /// Normal force that counts for the limits.
    pub(crate) grip: f64,
    /// Tangential stiffness.
    pub(crate) shear: f64,
    /// ℓ.
    pub(crate) lever: f64,
}

/// Slip, and twist times its lever.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slide<V> {
    slip: V,
    twist: f64,
}

impl Interaction {
    /// Friction against sliding and twisting together, and rolling resistance.
    #[inline]
    pub(crate) fn hold_face<D: Dim>(
        &self,
        touch: &Touch<D>,
        history: &mut History<D>,
        hold: &FaceHold<D::Vec>,
        dt: f64,
    ) -> Load<D> {
        let FaceHold { velocity, grip, shear, lever } = *hold;
        let Touch { normal, spin, mean_spin, radius, .. } = *touch;
        if self.friction <= 0.0 {
            let twist_limit = self.twisting * radius * grip;
            let hold = Hold { velocity, grip, shear, twist_lever: radius, twist_limit };
            return self.law().hold(touch, history, &hold, dt);
        }
        let slider = Slider {
            stiffness_before: history.stiffness,
            stiffness: shear,
            damping: (self.damping[1] * (shear * touch.mass).sqrt())
                .min(LARGEST_DAMPING / ACROSS * touch.mass / dt),
            limit: self.friction * grip,
            keep_stretch: self.published,
            dt,
        };
        history.stiffness = shear.max(f64::MIN_POSITIVE); // Zero is for those that do not touch.
        let turn = D::about(mean_spin, normal) * dt;
        // What the material resists beside friction is friction at a longer lever.
        let lever = lever + self.twisting / self.friction * radius;
        let mut stretch = Slide { slip: transport::<D>(history.slip, normal, turn), twist: history.twist };
        let slip = velocity - normal * normal.dot(velocity);
        let rate = Slide { slip, twist: D::along(spin, normal) * lever };
        let free = stretch + rate * dt;
        let Drag { force, elastic, dissipated } = drag(&slider, &mut stretch, rate);
        (history.slip, history.twist) = (stretch.slip, stretch.twist);
        // What slides holds anew where it is pressed now.
        let [held, free] = [stretch.dot(stretch), free.dot(free)];
        if held < free {
            history.anchor = history.anchor * (held / free).sqrt();
        }
        let mut load = Load {
            force: force.slip,
            torque: D::turn(normal, force.twist * lever),
            elastic,
            dissipated,
            normal_force: 0.0,
        };
        if self.rolling > 0.0 {
            let slider = Slider { limit: self.rolling * grip, ..slider };
            history.roll = transport::<D>(history.roll, normal, turn);
            let drag = slider.drag(&mut history.roll, D::sweep(spin, normal) * radius);
            load.torque += D::moment(normal, drag.force) * radius;
            load.elastic += drag.elastic;
            load.dissipated += drag.dissipated;
        }
        load
    }
}

/// How much less friction resists sliding and twisting together than an ellipse would say: see [`Slide::cut`].
const HOLLOW: f64 = 0.64;
/// Where sliding and twisting count the same at the limit: `2x² + a x⁴ = 1`.
const DIAGONAL: f64 = 0.662_175_4;
/// Rounds in which the nearest point of the limit is found, to 1e-3 at worst: it is on the limit in any case.
const ROUNDS: usize = 8;

/// As [`Slider::drag`], for sliding and twisting together.
fn drag<V: Linear>(slider: &Slider<f64>, stretch: &mut Slide<V>, rate: Slide<V>) -> Drag<Slide<V>, f64> {
    let Slider { stiffness: k, stiffness_before, damping, limit, keep_stretch, dt } = *slider;
    let stored = 0.5 * stiffness_before * stretch.dot(*stretch);
    let start =
        if k > stiffness_before && !keep_stretch { *stretch * (stiffness_before / k) } else { *stretch };
    let half = rate * (0.5 * dt);
    let most = limit / k;
    let now = (start + half).cut(most);
    *stretch = (now + half).cut(most);
    let resistance = (now * k + rate * damping).cut(limit);
    let lost = resistance.dot(rate) * dt + stored - 0.5 * k * stretch.dot(*stretch);
    Drag {
        force: -resistance,
        elastic: 0.5 * k * now.dot(now),
        dissipated: if keep_stretch { lost } else { lost.max(0.0) },
    }
}

impl<V: Linear> Slide<V> {
    /// Scalar product.
    fn dot(self, other: Self) -> f64 {
        self.slip.dot(other.slip) + self.twist * other.twist
    }

    /// The nearest value within the limit. With x and y the slip and the twist over the largest of either alone, that is
    /// `x² + y² + a x²y² ≤ 1`. A disc whose pressure is the same everywhere turns by ω as it slides by v: where v/ω is small against
    /// its radius R, friction against sliding is v/ωR of its limit, where it is large, that against turning 3/8 ωR/v of its own. An
    /// ellipse says 3/2 and 2/3; with a = 1/2 the curve is right at one end, with 7/9 at the other. The way to the nearest point is
    /// across the limit, as the velocities of what slides are.
    fn cut(self, most: f64) -> Self {
        // Without a spring there is nothing to cut, and without a force nothing is left.
        if most <= 0.0 || most.is_nan() {
            return Self::default();
        }
        let trial = [self.slip.dot(self.slip).sqrt() / most, self.twist.abs() / most];
        let [x, y] = trial.map(|part| part * part);
        if x + y + HOLLOW * x * y <= 1.0 {
            return self;
        }
        let on = if trial[0] > trial[1] { nearest(trial) } else { swapped(nearest(swapped(trial))) };
        let share = |on: f64, trial: f64| if trial > 0.0 { on / trial } else { 0.0 };
        Self { slip: self.slip * share(on[0], trial[0]), twist: self.twist * share(on[1], trial[1]) }
    }
}

fn swapped([x, y]: [f64; 2]) -> [f64; 2] {
    [y, x]
}

/// The point of the limit that is nearest to one beyond it, whose first part is the larger.
fn nearest([x, y]: [f64; 2]) -> [f64; 2] {
    let larger = |small: f64| ((1.0 - small * small) / (1.0 + HOLLOW * small * small)).sqrt();
    // The part across the normal of what is beyond; it falls from y at 0 to y − x where both parts are the same.
    let across = |small: f64| {
        let large = larger(small);
        (y - small) * large * (1.0 + HOLLOW * small * small)
            - (x - large) * small * (1.0 + HOLLOW * large * large)
    };
    let (mut low, mut high) = ((0.0, across(0.0)), (DIAGONAL, across(DIAGONAL)));
    // False position after Illinois: an end that stays counts half.
    for _ in 0..ROUNDS {
        let width = low.1 - high.1;
        if width <= 0.0 {
            break;
        }
        let middle = (low.0 * -high.1 + high.0 * low.1) / width;
        let at = across(middle);
        if at > 0.0 {
            (low, high.1) = ((middle, at), 0.5 * high.1);
        } else {
            (high, low.1) = ((middle, at), 0.5 * low.1);
        }
    }
    let small = if low.1 < -high.1 { low.0 } else { high.0 };
    [larger(small), small]
}

impl<V: Linear> Add for Slide<V> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { slip: self.slip + other.slip, twist: self.twist + other.twist }
    }
}

impl<V: Linear> Neg for Slide<V> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { slip: -self.slip, twist: -self.twist }
    }
}

impl<V: Linear> Mul<f64> for Slide<V> {
    type Output = Self;
    fn mul(self, by: f64) -> Self {
        Self { slip: self.slip * by, twist: self.twist * by }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The point of the limit in the direction of another one from the origin; that point itself where it is within.
    fn onto([x, y]: [f64; 2]) -> [f64; 2] {
        let (sum, product) = (x * x + y * y, HOLLOW * x * x * y * y);
        if sum + product <= 1.0 {
            return [x, y];
        }
        // s²·sum + s⁴·product = 1.
        let shrink = (2.0 / (sum + (sum * sum + 4.0 * product).sqrt())).sqrt();
        [x * shrink, y * shrink]
    }

    fn form([x, y]: [f64; 2]) -> f64 {
        x * x + y * y + HOLLOW * x * x * y * y
    }

    proptest! {
        /// What is within the limit stays, what is beyond comes to its nearest point.
        #[test]
        fn what_slides_comes_to_the_nearest_point_of_the_limit(
            angle in 0.0..std::f64::consts::FRAC_PI_2, reach in 0.5..30.0_f64, most in 0.1..10.0_f64,
        ) {
            let (sin, cos) = angle.sin_cos();
            let limit = onto([9.0 * cos, 9.0 * sin]);
            let trial = limit.map(|x| x * reach);
            let slide = Slide { slip: trial[0] * most, twist: -trial[1] * most };
            let cut = slide.cut(most);
            let at = [cut.slip / most, -cut.twist / most];
            if reach < 1.0 {
                prop_assert_eq!(cut, slide);
                return Ok(());
            }
            prop_assert!((form(at) - 1.0).abs() < 1e-12, "{at:?}");
            let far = |p: [f64; 2], from: [f64; 2]| (p[0] - from[0]).hypot(p[1] - from[1]);
            let step = std::f64::consts::FRAC_PI_2 / 20_000.0;
            let nearest = (0..=20_000)
                .map(|k| onto([9.0 * (step * f64::from(k)).cos(), 9.0 * (step * f64::from(k)).sin()]))
                .min_by(|p, q| far(*p, trial).total_cmp(&far(*q, trial)))
                .unwrap();
            // What [`ROUNDS`] promises, and the way between two points that were looked at.
            prop_assert!(far(at, nearest) <= 1e-3 + step, "{} {at:?} {nearest:?}", far(at, nearest));
        }

        /// Neither spring nor dashpot takes more than the bodies give: nothing is created, whatever the motion.
        #[test]
        fn sliding_and_twisting_create_no_energy(
            rates in proptest::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64), 1..60), limit in 0.0..2.0_f64,
        ) {
            let slider =
                Slider { stiffness_before: 1e3, stiffness: 1e3, damping: 3.0, limit, keep_stretch: false, dt: 1e-3 };
            let (mut stretch, mut given) = (Slide::default(), 0.0);
            for (slip, twist) in rates {
                let rate = Slide { slip, twist };
                let answer = drag(&slider, &mut stretch, rate);
                given -= answer.force.dot(rate) * slider.dt;
                prop_assert!(form([answer.force.slip, answer.force.twist].map(|f| f / limit.max(1e-300))) <= 1.0 + 1e-12);
            }
            prop_assert!(given + 1e-12 >= 0.5 * slider.stiffness * stretch.dot(stretch), "{given}");
        }
    }
}

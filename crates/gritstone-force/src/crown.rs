//! Contacts of bodies with a slight crown: a point that resists rocking and twisting as a line or a face does.
//!
//! **Idea.** Along the normal a crowned body is any curved one. What its flatness means beside that is a long lever: the point
//! wanders by ρ times the angle as the body rocks, and friction acts all over the flat part. So
//! - a dashpot damps rocking, with the damping ratio of the normal dashpot on the stiffness `F ρ` that the wandering point gives;
//! - friction resists sliding and twisting together: one spring for both, whose length is that of the slip and of the twist
//!   times a lever, under one limit ([`Slide::cut`]). Sliding and spinning then end together.
//!
//! **Source.** Gritstone; limit surfaces of friction: \[goyal1991\]; a disc that slides and spins: \[farkas2003\].
//!
//! **Notation.** F: force along the normal; ρ: relative radius of curvature beyond that of a body that rolls; I: inertia against
//! rocking; ζ: damping ratio; `T = −2ζ √(F ρ I) ω`, at most [`LARGEST_DAMPING`] `I ω/dt`.

use std::ops::{Add, Mul, Neg};

use gritstone_core::{Dim, Linear};

use crate::law::{ACROSS, LARGEST_DAMPING, Push};
use crate::slider::{Drag, Slider};
use crate::transport::transport;
use crate::{History, Interaction, Load, Touch, Wrench};

/// What is flat at the contact of a crowned body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlatContact<D: Dim> {
    /// Lever of the torque with which friction resists twisting: the mean distance of the flat part's points from its middle (m).
    pub lever: f64,
    /// The two ways in which the bodies can rock on each other.
    pub rocking: [Rocking<D>; 2],
}

/// A way in which two bodies can rock on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rocking<D: Dim> {
    /// Unit vector about which they turn.
    pub axis: D::Spin,
    /// Relative radius of curvature across it, as far as it is larger than that of bodies that roll (m).
    pub radius: f64,
    /// Effective moment of inertia about it (kg·m²): `1/I = Σ axis·I⁻¹ axis`.
    pub inertia: f64,
}

/// Slip, and twist times its lever.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Slide<V> {
    slip: V,
    twist: f64,
}

impl Interaction {
    /// What the contact of a crowned body does in this step: as [`Self::load`], with resistance against rocking and twisting.
    pub fn load_flat<D: Dim>(
        &self,
        touch: &Touch<D>,
        flat: &FlatContact<D>,
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let Some(normal) = self.normal(touch.radius, touch.depth, history.touching()) else {
            return self.part(touch.radius, history);
        };
        let fresh = !history.touching();
        let along = Wrench { force: touch.normal, torque: D::Spin::default() };
        let Push { push, dissipated } = self.law().push(touch, &along, &normal, history, dt);
        let mut load = self.slide(touch, flat.lever, [normal.shear, push + normal.grip], history, dt);
        load.normal_force = push - normal.attraction;
        history.normal_force = load.normal_force;
        load.force += touch.normal * load.normal_force;
        load.elastic += normal.energy;
        load.dissipated += dissipated + if fresh { self.jumps(touch.radius)[0] } else { 0.0 };
        for rocking in &flat.rocking {
            let rate = touch.spin.dot(rocking.axis);
            let damping = self.rocking_damping(rocking, push, dt);
            load.torque -= rocking.axis * (damping * rate);
            load.dissipated += damping * rate * rate * dt;
        }
        load
    }

    /// Coefficient of the dashpot against rocking, under this force (N·m·s).
    fn rocking_damping<D: Dim>(&self, rocking: &Rocking<D>, force: f64, dt: f64) -> f64 {
        let Rocking { radius, inertia, .. } = *rocking;
        if radius <= 0.0 || inertia <= 0.0 {
            return 0.0;
        }
        let free = 2.0 * self.damping_ratio * (force * radius * inertia).sqrt();
        free.min(LARGEST_DAMPING * inertia / dt)
    }

    /// Friction against sliding and twisting together, and rolling resistance.
    fn slide<D: Dim>(
        &self,
        touch: &Touch<D>,
        lever: f64,
        [shear, grip]: [f64; 2],
        history: &mut History<D>,
        dt: f64,
    ) -> Load<D> {
        let Touch { normal, spin, mean_spin, velocity, .. } = *touch;
        let turn = D::about(mean_spin, normal) * dt;
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
        let mut load = Load::default();
        if self.friction > 0.0 {
            // What the material resists beside friction is friction at a longer lever.
            let lever = lever + self.twisting / self.friction * touch.radius;
            let mut stretch =
                Slide { slip: transport::<D>(history.slip, normal, turn), twist: history.twist };
            let rate = Slide {
                slip: velocity - normal * normal.dot(velocity),
                twist: D::along(spin, normal) * lever,
            };
            let drag = drag(&slider, &mut stretch, rate);
            (history.slip, history.twist) = (stretch.slip, stretch.twist);
            load.force = drag.force.slip;
            load.torque = D::turn(normal, drag.force.twist * lever);
            (load.elastic, load.dissipated) = (drag.elastic, drag.dissipated);
        }
        if self.rolling > 0.0 {
            let slider = Slider { limit: self.rolling * grip, ..slider };
            history.roll = transport::<D>(history.roll, normal, turn);
            let drag = slider.drag(&mut history.roll, D::sweep(spin, normal) * touch.radius);
            load.torque += D::moment(normal, drag.force) * touch.radius;
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
            let far = |p: [f64; 2]| (p[0] - trial[0]).hypot(p[1] - trial[1]);
            let nearest = (0..=2000)
                .map(|k| std::f64::consts::FRAC_PI_2 * f64::from(k) / 2000.0)
                .map(|a| far(onto([9.0 * a.cos(), 9.0 * a.sin()])))
                .fold(f64::INFINITY, f64::min);
            prop_assert!(far(at) <= nearest * (1.0 + 1e-4) + 1e-6, "{} {nearest}", far(at));
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

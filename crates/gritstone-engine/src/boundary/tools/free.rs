//! Tools that forces move: velocity Verlet, as for grains, along the axes that they may follow.
//!
//! **Idea.** What holds a tool that may turn about some axes of the world alone has a torque about the other ones only. So the
//! parts L_a of the angular momentum about those that are free change by the torques of the grains, and ω with ω_b = 0 about
//! the others solves `Σ_c I_ac ω_c = L_a`. What holds it does no work. The inertia in world axes turns with the tool: each step
//! is a turn with the ω of its middle, found by repetition, which is the same step backwards in time, so that the error of the
//! energy does not grow.

use gritstone_core::{Dim, Vector};
use serde::{Deserialize, Serialize};

use super::rigid_motion::RigidMotion;
use crate::dimension::Dimension;

/// Most repetitions that find the spin in the middle of a step. Each gains a factor of about ω dt/2: where these do not reach
/// rounding, the tool turns by more than half a radian in a step.
const REPETITIONS: usize = 32;

/// A tool that forces move. Its centre of mass is its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free<D: Dim> {
    /// Mass (kg).
    pub mass: f64,
    /// Axes along which it may move.
    pub along: [bool; 3],
    /// Moments of inertia about the axes of the world at the start, for tools that may turn (kg m²).
    pub moments: Option<D::Spin>,
    /// Axes of the world about which it may turn; in the plane the first one counts.
    pub about: [bool; 3],
    /// Force on it beside those of gravity and of the grains (N).
    pub force: D::Vec,
    /// From when on it is free (s).
    pub start: f64,
}

/// Where a free tool is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct FreeState<D: Dimension> {
    pub(super) position: D::Vec,
    rotation: D::Rotation,
    velocity: D::Vec,
    momentum: D::Spin,
}

/// What acts on a free tool during a step.
pub(crate) struct Push<D: Dimension> {
    pub(crate) force: D::Vec,
    pub(crate) torque: D::Spin,
    pub(crate) gravity: D::Vec,
    pub(crate) dt: f64,
}

impl<D: Dimension> Free<D> {
    pub(super) fn at_rest(origin: D::Vec) -> FreeState<D> {
        FreeState { position: origin, ..FreeState::default() }
    }

    /// Velocity and angular momentum after half a step.
    fn pushed(&self, state: &FreeState<D>, push: &Push<D>) -> (D::Vec, D::Spin) {
        let half = 0.5 * push.dt;
        let acceleration = (push.force + self.force) * (1.0 / self.mass) + push.gravity;
        let allowed = D::Vec::from_fn(|i| if self.along[i] { acceleration.component(i) } else { 0.0 });
        let torque =
            if self.moments.is_some() { D::spin_about(push.torque, self.about) } else { D::Spin::default() };
        (state.velocity + allowed * half, state.momentum + torque * half)
    }

    /// The first half step of the velocities and the whole step of the pose; the motion that it expects to have then.
    pub(super) fn advance(&self, state: &mut FreeState<D>, push: &Push<D>, origin: D::Vec) -> RigidMotion<D> {
        (state.velocity, state.momentum) = self.pushed(state, push);
        state.position += state.velocity * push.dt;
        if let Some(moments) = self.moments {
            state.rotation = self.turned(&D::inertia_of_moments(moments), state, push.dt);
        }
        let (velocity, momentum) = self.pushed(state, push);
        self.rigid_motion(&FreeState { velocity, momentum, ..*state }, origin)
    }

    /// The orientation after turning for `dt` with the angular momentum about free axes kept.
    fn turned(&self, inertia: &D::Inertia, state: &FreeState<D>, dt: f64) -> D::Rotation {
        let (rotation, momentum) = (state.rotation, state.momentum);
        if self.about == [true; 3] {
            return D::free_rotation(inertia, rotation, momentum, dt);
        }
        let mut spin = D::constrained_spin(inertia, rotation, momentum, self.about);
        for _ in 0..REPETITIONS {
            let middle = D::rotated(rotation, spin, 0.5 * dt);
            let before =
                std::mem::replace(&mut spin, D::constrained_spin(inertia, middle, momentum, self.about));
            if spin == before {
                break;
            }
        }
        D::rotated(rotation, spin, dt)
    }

    /// The second half step of the velocities.
    pub(super) fn kick(&self, state: &mut FreeState<D>, push: &Push<D>, origin: D::Vec) -> RigidMotion<D> {
        (state.velocity, state.momentum) = self.pushed(state, push);
        self.rigid_motion(state, origin)
    }

    fn rigid_motion(&self, state: &FreeState<D>, origin: D::Vec) -> RigidMotion<D> {
        let spin = self.moments.map_or_else(D::Spin::default, |moments| {
            let inertia = D::inertia_of_moments(moments);
            if self.about == [true; 3] {
                D::spin(&inertia, state.rotation, state.momentum)
            } else {
                D::constrained_spin(&inertia, state.rotation, state.momentum, self.about)
            }
        });
        RigidMotion {
            shift: state.position - D::rotate(state.rotation, origin),
            rotation: state.rotation,
            velocity: state.velocity - D::sweep(spin, state.position),
            spin,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DQuat, DVec3};
    use gritstone_core::Space;

    use super::*;

    const MOMENTS: DVec3 = DVec3::new(2.0, 3.0, 4.0);

    fn held(about: [bool; 3]) -> Free<Space> {
        let moments = Some(MOMENTS);
        Free { mass: 1.0, along: [false; 3], moments, about, force: DVec3::ZERO, start: 0.0 }
    }

    fn push(torque: DVec3, dt: f64) -> Push<Space> {
        Push { force: DVec3::ZERO, torque, gravity: DVec3::ZERO, dt }
    }

    fn inertia(rotation: DQuat) -> DMat3 {
        let axes = DMat3::from_quat(rotation);
        axes * DMat3::from_diagonal(MOMENTS) * axes.transpose()
    }

    /// Torque about the centre of a weight of 10 N that is fixed to the tool, and the height of the weight.
    fn weight(rotation: DQuat) -> (DVec3, f64) {
        let lever = rotation * DVec3::new(0.3, 0.2, -0.5);
        (lever.cross(-10.0 * DVec3::Z), lever.z)
    }

    /// The tool after some steps under the weight, and how far its energy was at most from that at the start.
    fn swung(free: &Free<Space>, dt: f64, steps: usize) -> (FreeState<Space>, f64) {
        let mut state = FreeState { momentum: DVec3::new(3.0, -2.0, 0.0), ..FreeState::default() };
        let energy = |rotation: DQuat, spin: DVec3| {
            0.5 * spin.dot(inertia(rotation) * spin) + 10.0 * weight(rotation).1
        };
        let start = energy(state.rotation, free.rigid_motion(&state, DVec3::ZERO).spin);
        let mut worst = 0.0_f64;
        for _ in 0..steps {
            let at_first = push(weight(state.rotation).0, dt);
            free.advance(&mut state, &at_first, DVec3::ZERO);
            let at_last = push(weight(state.rotation).0, dt);
            let motion = free.kick(&mut state, &at_last, DVec3::ZERO);
            assert_eq!(motion.spin.z, 0.0);
            worst = worst.max((energy(state.rotation, motion.spin) - start).abs());
        }
        (state, worst)
    }

    /// Turned by 45° about x, the moment about y is the mean of those of y and z, and the torque about z is held.
    #[test]
    fn a_tool_with_two_axes_turns_about_these_alone() {
        let rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let mut state = FreeState { rotation, ..FreeState::default() };
        let motion =
            held([true, true, false]).kick(&mut state, &push(DVec3::new(0.0, 7.0, 5.0), 1.0), DVec3::ZERO);
        assert!((motion.spin - DVec3::Y).length() < 1e-15, "{}", motion.spin);
    }

    /// For ten seconds, some ten swings: the error is of second order in the step and is no larger after ten times as long.
    #[test]
    fn a_swinging_tool_with_two_axes_keeps_its_energy() {
        let free = held([true, true, false]);
        let [long, short, longer] =
            [(0.01, 1000), (0.005, 2000), (0.01, 10_000)].map(|(dt, n)| swung(&free, dt, n).1);
        assert!(
            long < 2e-4 && (3.5..4.5).contains(&(long / short)) && longer < 1.5 * long,
            "{long} {short} {longer}"
        );
    }

    /// Newton and Euler's equation with the torque that holds the tool, `I ω̇ + ω × I ω = τ + λ e_z` and ω̇_z = 0, by Runge and
    /// Kutta's method.
    #[test]
    fn a_swinging_tool_with_two_axes_is_where_the_equations_of_motion_have_it() {
        let slope = |r: DQuat, w: DVec3| {
            let i = inertia(r);
            let b = weight(r).0 - w.cross(i * w);
            let det = i.x_axis.x * i.y_axis.y - i.y_axis.x * i.x_axis.y;
            let x = (b.x * i.y_axis.y - b.y * i.y_axis.x) / det;
            let y = (b.y * i.x_axis.x - b.x * i.x_axis.y) / det;
            (DQuat::from_xyzw(w.x, w.y, w.z, 0.0) * r * 0.5, DVec3::new(x, y, 0.0))
        };
        let (mut r, mut w, h) = (DQuat::IDENTITY, DVec3::new(1.5, -2.0 / 3.0, 0.0), 1e-3);
        for _ in 0..2000 {
            let k1 = slope(r, w);
            let k2 = slope(r + k1.0 * (0.5 * h), w + k1.1 * (0.5 * h));
            let k3 = slope(r + k2.0 * (0.5 * h), w + k2.1 * (0.5 * h));
            let k4 = slope(r + k3.0 * h, w + k3.1 * h);
            r = (r + (k1.0 + k2.0 * 2.0 + k3.0 * 2.0 + k4.0) * (h / 6.0)).normalize();
            w += (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1) * (h / 6.0);
        }
        let away = |steps: usize| {
            let rotation = swung(&held([true, true, false]), 2.0 / steps as f64, steps).0.rotation;
            (rotation * r.conjugate()).xyz().length()
        };
        let (coarse, fine) = (away(1000), away(2000));
        assert!(coarse < 3e-7 && (3.5..4.5).contains(&(coarse / fine)), "{coarse} {fine}");
    }

    /// About y alone: an even turn with L/I_y.
    #[test]
    fn a_tool_with_one_axis_turns_evenly() {
        let free = held([false, true, false]);
        let mut state = FreeState { momentum: DVec3::Y * 1.5, ..FreeState::default() };
        for _ in 0..1000 {
            free.advance(&mut state, &push(DVec3::ZERO, 1e-3), DVec3::ZERO);
        }
        let expected = DQuat::from_rotation_y(0.5);
        assert!((state.rotation * expected.conjugate()).xyz().length() < 1e-13, "{}", state.rotation);
    }
}

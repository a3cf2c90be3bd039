//! Space: quaternions, and the free rotation of rigid bodies.
//!
//! **Idea.** Free turning is split into turns about the principal axes, each with the rate `L_i/I_i` that its own part of
//! the kinetic energy gives it: half a step about x and y, a whole one about z, and the halves again the other way round.
//! Each turn is exact, so the angular momentum in the world is kept to rounding, the norm with it, and the energy error
//! stays bounded for ever; it is of second order in the step. A body with two equal moments turns evenly about L with the
//! rate `L/I_1`, and within about its third axis with the rate `(1/I_3 − 1/I_1)·l_3`: that is exact.
//!
//! **Source.** Touma and Wisdom 1994; Dullweber, Leimkuhler and McLachlan 1997.
//!
//! **Notation.** l: angular momentum in the principal axes. I: principal moments.

use glam::{DMat3, DQuat, DVec3};
use gritstone_core::{Dim as _, Mass, Space};

use super::Kinematics;
use crate::insertion::random::RandomStream;

/// Principal moments of inertia, and the turn from the body's frame to the principal axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    pub(crate) moments: DVec3,
    pub(crate) axes: DQuat,
}

impl Kinematics for Space {
    type Inertia = Inertia;

    fn inertia(mass: &Mass<Self>, density: f64) -> Inertia {
        let (moments, axes) = mass.inertia().eigen();
        let (moments, axes) = with_equals_first(moments, axes);
        Inertia { moments: moments * density, axes: DQuat::from_mat3(&axes).normalize() }
    }

    fn inertia_of_moments(moments: DVec3) -> Inertia {
        Inertia { moments, axes: DQuat::IDENTITY }
    }

    #[inline]
    fn spin(inertia: &Inertia, rotation: DQuat, momentum: DVec3) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        principal * (principal.transpose() * momentum / inertia.moments)
    }

    fn constrained_spin(inertia: &Inertia, rotation: DQuat, momentum: DVec3, about: [bool; 3]) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        let mut block = principal * DMat3::from_diagonal(inertia.moments) * principal.transpose();
        // With ω_b = 0 about barred axes b, L_a = Σ I_ac ω_c over those that are free: a one in their place leaves that block.
        for b in (0..3).filter(|&b| !about[b]) {
            (0..3).for_each(|i| block.col_mut(i)[b] = 0.0);
            *block.col_mut(b) = DVec3::AXES[b];
        }
        block.inverse() * Self::spin_about(momentum, about)
    }

    #[inline]
    fn momentum(inertia: &Inertia, rotation: DQuat, spin: DVec3) -> DVec3 {
        let principal = DMat3::from_quat(rotation * inertia.axes);
        principal * (principal.transpose() * spin * inertia.moments)
    }

    #[inline]
    fn free_rotation(inertia: &Inertia, rotation: DQuat, momentum: DVec3, dt: f64) -> DQuat {
        let principal = rotation * inertia.axes;
        if inertia.moments.x == inertia.moments.y {
            let [x, _, z] = (0.5 * dt / inertia.moments).to_array();
            let (turn, within) = (momentum * x, (z - x) * momentum.dot(principal * DVec3::Z));
            let (cosine, share) = half_angle(turn.length_squared());
            let turn = DQuat::from_vec4((turn * share).extend(cosine));
            let (cosine, share) = half_angle(within * within);
            let turned = turn * principal * about_axis(2, cosine, share * within);
            return (turned * inertia.axes.conjugate()).normalize();
        }
        let mut l = DMat3::from_quat(principal).transpose() * momentum;
        let mut turn = DQuat::IDENTITY;
        let rate = DVec3::ONE / inertia.moments;
        for (axis, share) in [(0, 0.5), (1, 0.5), (2, 1.0), (1, 0.5), (0, 0.5)] {
            let angle = 0.5 * share * dt * rate[axis] * l[axis];
            let (cosine, share) = half_angle(angle * angle);
            let sine = share * angle;
            turn *= about_axis(axis, cosine, sine);
            l = turned_back(axis, l, cosine, sine);
        }
        (principal * turn * inertia.axes.conjugate()).normalize()
    }

    fn random_rotation(random: &mut RandomStream) -> DQuat {
        random.rotation()
    }
}

/// Angle (rad) beyond which a turn is too fast for its step.
pub(crate) const LARGEST_ANGLE: f64 = 0.5;

/// Moments that are the same but for this part of them are taken to be equal.
const EQUAL: f64 = 1e-12;

/// Principal moments in an order in which those that are equal come first, and their axes.
fn with_equals_first(moments: DVec3, axes: DMat3) -> (DVec3, DMat3) {
    let same = |i: usize, j: usize| (moments[i] - moments[j]).abs() <= EQUAL * moments.max_element();
    if same(0, 1) && same(1, 2) {
        return (DVec3::splat(moments.x), DMat3::IDENTITY); // Any axes are principal axes.
    }
    for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
        if same(i, j) {
            let axes = DMat3::from_cols(axes.col(i), axes.col(j), axes.col(k));
            return (DVec3::new(moments[i], moments[i], moments[k]), axes);
        }
    }
    (moments, axes)
}

/// Cosine of an angle, and its sine over the angle, by their series in the square of the angle, right to 1e-13 up to a
/// quarter: sums and products alone, so that every processor finds the same bits. What turns faster than [`LARGEST_ANGLE`]
/// turns by some other angle below a quarter turn.
#[inline]
fn half_angle(square: f64) -> (f64, f64) {
    if square > LARGEST_ANGLE * LARGEST_ANGLE || square.is_nan() {
        let by = 1.0 / (1.0 + square).sqrt();
        return (by, by);
    }
    let cosine = square * (1.0 / 40320.0) - 1.0 / 720.0;
    let cosine = square * (square * cosine + 1.0 / 24.0) - 0.5;
    let share = square * (1.0 / 362_880.0) - 1.0 / 5040.0;
    let share = square * (square * share + 1.0 / 120.0) - 1.0 / 6.0;
    (square * cosine + 1.0, square * share + 1.0)
}

/// The turn about a coordinate axis whose half angle has this cosine and sine.
#[inline]
fn about_axis(axis: usize, cosine: f64, sine: f64) -> DQuat {
    let v = DVec3::AXES[axis] * sine;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// A vector seen from a frame that has turned about one of its axes by twice the angle.
#[inline]
fn turned_back(axis: usize, v: DVec3, cosine: f64, sine: f64) -> DVec3 {
    let (cosine, sine) = (cosine * cosine - sine * sine, 2.0 * sine * cosine);
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = v;
    out[j] = cosine * v[j] + sine * v[k];
    out[k] = cosine * v[k] - sine * v[j];
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_angle_is_the_circle() {
        for x in [1e-9_f64, 1e-3, 0.05, -0.2] {
            let (cosine, share) = half_angle(x * x);
            assert!((cosine - x.cos()).abs() < 1e-9 * x * x && (share * x - x.sin()).abs() < 1e-9 * x.abs());
        }
    }
}

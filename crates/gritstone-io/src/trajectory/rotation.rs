//! Rotations in a few bytes.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use glam::DQuat;
use gritstone_core::{Plane, Space};

use crate::tessellation::Surfaces;

/// Largest value of a quaternion's component.
const STEPS: f64 = 4095.0;

/// A dimension whose rotations fit into a few words.
pub trait PackedRotation: Surfaces {
    /// Words of two bytes for a rotation.
    const WORDS: usize;

    /// Axes that something can spin about: x, y, z; in the plane z alone.
    const SPIN_AXES: &'static [usize];

    /// The rotation in words; those beyond [`WORDS`](Self::WORDS) are zero.
    fn to_words(rotation: Self::Rotation) -> [u16; 3];

    /// The rotation of these words.
    fn from_words(words: [u16; 3]) -> Self::Rotation;
}

/// The angle as a fraction of a turn.
impl PackedRotation for Plane {
    const WORDS: usize = 1;
    const SPIN_AXES: &'static [usize] = &[2];

    fn to_words(angle: f64) -> [u16; 3] {
        // 65536, a full turn, is none.
        let fraction = ((angle / TAU).rem_euclid(1.0) * 65536.0).round() as u32;
        [fraction as u16, 0, 0]
    }

    fn from_words(words: [u16; 3]) -> f64 {
        f64::from(words[0]) / 65536.0 * TAU
    }
}

/// The quaternion without its largest component, which the others tell: each of them lies within ±1/√2.
impl PackedRotation for Space {
    const WORDS: usize = 3;
    const SPIN_AXES: &'static [usize] = &[0, 1, 2];

    fn to_words(rotation: DQuat) -> [u16; 3] {
        let q = [rotation.w, rotation.x, rotation.y, rotation.z];
        let largest = (1..4).fold(0, |best, i| if q[i].abs() > q[best].abs() { i } else { best });
        // q and −q are the same rotation.
        let sign = 1.0_f64.copysign(q[largest]);
        let others = (0..4).filter(|i| *i != largest).map(|i| {
            let fraction = 0.5 + 0.5 * sign * q[i] / FRAC_1_SQRT_2;
            (fraction * STEPS).round().clamp(0.0, STEPS) as u16
        });
        let mut words = [0; 3];
        words.iter_mut().zip(others).for_each(|(word, value)| *word = value);
        words[0] |= (largest as u16) << 12;
        words
    }

    fn from_words(words: [u16; 3]) -> DQuat {
        let largest = usize::from(words[0] >> 12) & 3;
        let value = |word: u16| (2.0 * f64::from(word & 0xfff) / STEPS - 1.0) * FRAC_1_SQRT_2;
        let mut others = words.map(value).into_iter();
        let rest: f64 = words.map(value).iter().map(|x| x * x).sum();
        let mut q = [0.0; 4];
        for (i, component) in q.iter_mut().enumerate() {
            *component =
                if i == largest { (1.0 - rest).max(0.0).sqrt() } else { others.next().unwrap_or(0.0) };
        }
        DQuat::from_xyzw(q[1], q[2], q[3], q[0]).normalize()
    }
}

//! Outlines of superellipses, and of ellipses and circles as such.

use glam::DVec2;
use gritstone_core::Outline;

use crate::profile::{Profile, TURN_SHARE};

/// Finest detail: 8 million vertices.
const FINEST: u32 = 1_000_000;

/// The boundary `|x/a|^(2/ε) + |y/b|^(2/ε) = 1`, each quarter divided into `2 detail` parts by length and turn.
pub(super) fn trace(semi_axes: DVec2, epsilon: f64, detail: u32, normal: impl Fn(DVec2) -> DVec2) -> Outline {
    let parts = 2 * detail.clamp(1, FINEST);
    let profile = Profile::new(semi_axes.x, semi_axes.y, epsilon, TURN_SHARE);
    let quarter: Vec<DVec2> = (0..parts)
        .map(|i| semi_axes * DVec2::from_array(profile.at(f64::from(i) / f64::from(parts))))
        .collect();
    let tip = DVec2::new(0.0, semi_axes.y);
    let mirror = DVec2::new(-1.0, 1.0);
    // From the positive x axis to y, back to negative x in the mirror, and the same once more upside down.
    let upper = quarter.iter().copied().chain([tip]);
    let upper: Vec<DVec2> = upper.chain(quarter[1..].iter().rev().map(|&p| p * mirror)).collect();
    let positions: Vec<DVec2> = upper.iter().copied().chain(upper.iter().map(|&p| -p)).collect();
    let normals = positions.iter().map(|&x| normal(x)).collect();
    Outline { positions, normals }
}

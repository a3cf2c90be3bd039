//! The generator of \[wellmann2008\], section Validation and Table I.

use glam::{DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_shape::space::Solid;

use super::construct::superellipsoid;
use super::{Case, Draw};

/// An interval of squareness parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// ε_min.
    pub low: f64,
    /// ε_max.
    pub high: f64,
}

/// Table I.
pub const INTERVALS: [Interval; 3] =
    [Interval { low: 1.0, high: 1.0 }, Interval { low: 0.7, high: 1.3 }, Interval { low: 0.3, high: 1.7 }];

/// A series of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// All pairs are apart, by up to 0.25.
    Separated,
    /// All pairs overlap, by up to 1.75e-3.
    Overlapping,
}

/// Radii are uniform on this interval: an aspect ratio of at most six.
const RADII: [f64; 2] = [0.5, 3.0];
const LARGEST_SEPARATION: f64 = 0.25;
const LARGEST_PENETRATION: f64 = 1.75e-3;

/// One pair: a at the origin, not turned; c uniform on the sphere, the rotation of b uniform in SO(3).
pub(crate) fn generate(interval: Interval, series: Series, draw: &mut Draw) -> Case {
    let a = grain(interval, draw);
    let b = grain(interval, draw);
    let c = draw.direction();
    let turned = draw.rotation();
    let distance = match series {
        Series::Separated => draw.uniform(0.0, LARGEST_SEPARATION),
        Series::Overlapping => -draw.uniform(0.0, LARGEST_PENETRATION),
    };
    let pose_a = Pose::new(DVec3::ZERO, DQuat::IDENTITY);
    Case::around(a, pose_a, b, Pose::new(DVec3::ZERO, turned), c, distance)
}

fn grain(interval: Interval, draw: &mut Draw) -> Solid {
    let radii = draw.vector(RADII[0], RADII[1]);
    superellipsoid(radii, [0; 2].map(|_| draw.uniform(interval.low, interval.high)))
}

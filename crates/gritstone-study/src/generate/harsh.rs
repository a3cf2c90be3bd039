//! Pairs that are harder than the paper's: exponents from 0.1 to 1.9, aspect ratios up to 20, deep overlaps, contacts
//! near faces.

use glam::{DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_core::linalg::Tangent;
use gritstone_shape::space::Solid;

use super::construct::superellipsoid;
use super::{Case, Draw, Interval};

/// What is hard about a family of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harsh {
    /// Exponents are uniform on this interval, each by itself.
    pub exponents: Interval,
    /// The constructed distance, as a fraction of the smallest of all six radii; uniform on this interval.
    pub distance: Interval,
    /// How the contact direction lies in the grains.
    pub facing: Facing,
}

/// How the contact direction lies in the grains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Facing {
    /// Uniform on the sphere.
    Anywhere,
    /// Within 0.1 to 1e-10 rad of an axis of a, and in half of the pairs of an axis of b, too.
    NearFaces,
    /// The grains have the same axes, and the direction lies on one, between two or between three of them: every
    /// symmetry that a pair can have, and starts that are stationary without being optimal.
    Aligned,
}

/// Radii are log-uniform on this interval.
const RADII: [f64; 2] = [0.15, 3.0];
/// Angles between contact direction and axis, log-uniform.
const NEAR: [f64; 2] = [1e-10, 0.1];

/// One pair; the world is moved at random, too, but for half of the aligned ones.
pub(crate) fn generate(family: &Harsh, draw: &mut Draw) -> Case {
    let (a, radii_a) = grain(family.exponents, draw);
    let (b, radii_b) = grain(family.exponents, draw);
    let pose_a = Pose::new(draw.vector(-5.0, 5.0), draw.rotation());
    let exact = family.facing == Facing::Aligned && draw.coin();
    let pose_a = if exact { Pose::at(DVec3::ZERO) } else { pose_a };
    let (c, turned_b) = match family.facing {
        Facing::Anywhere => (draw.direction(), draw.rotation()),
        Facing::NearFaces => near_faces(pose_a.rotation, draw),
        Facing::Aligned => aligned(pose_a.rotation, draw),
    };
    let smallest = radii_a.min(radii_b).min_element();
    let distance = smallest * draw.uniform(family.distance.low, family.distance.high);
    Case::around(a, pose_a, b, Pose::new(DVec3::ZERO, turned_b), c, distance)
}

fn grain(exponents: Interval, draw: &mut Draw) -> (Solid, DVec3) {
    let radii = DVec3::from_array([0; 3].map(|_| draw.log_uniform(RADII[0], RADII[1])));
    (superellipsoid(radii, [0; 2].map(|_| draw.uniform(exponents.low, exponents.high))), radii)
}

/// A direction near an axis of a, and a rotation of b that may have an axis near it.
fn near_faces(turned_a: DQuat, draw: &mut Draw) -> (DVec3, DQuat) {
    let c = near(turned_a * draw.one_of(&DVec3::AXES), draw);
    let any = draw.rotation();
    if draw.coin() {
        return (c, any);
    }
    let axis = near(any * draw.one_of(&DVec3::AXES), draw);
    (c, DQuat::from_rotation_arc(axis, c) * any)
}

/// A unit vector at a small angle from `axis`.
fn near(axis: DVec3, draw: &mut Draw) -> DVec3 {
    let across = Tangent::across(axis).project(draw.direction()).normalize_or_zero();
    (axis + Tangent::across(axis).lift(across) * draw.log_uniform(NEAR[0], NEAR[1])).normalize()
}

/// A direction on, or midway between, axes of a, and a rotation of b that has the same axes in some order.
fn aligned(turned_a: DQuat, draw: &mut Draw) -> (DVec3, DQuat) {
    let axes =
        [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 1.0, 1.0), DVec3::ONE];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [
        DQuat::IDENTITY,
        DQuat::from_xyzw(half, 0.0, 0.0, half),
        DQuat::from_xyzw(0.0, half, 0.0, half),
        DQuat::from_xyzw(0.0, 0.0, half, half),
        DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5),
    ];
    ((turned_a * draw.one_of(&axes)).normalize(), turned_a * draw.one_of(&turns))
}

//! Boxy grains that rest face on face: the distance is well defined, the point and the normal hardly are.
//!
//! With ε = 0.1 a component of the normal grows as the 19th power of the coordinate: over most of the face it is below
//! the resolution of f64.

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::Pose;
use gritstone_shape::Support;

use super::construct::superellipsoid;
use super::{Case, Draw};

/// Exponents of the stacks.
pub const EXPONENTS: [f64; 5] = [0.1, 0.2, 0.3, 0.5, 0.8];

/// Angles between the faces of the stacks (rad).
pub const TILTS: [f64; 5] = [0.0, 1e-9, 1e-6, 1e-3, 3e-2];

/// Two grains of these exponents, one standing on the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stack {
    /// Both exponents of both grains.
    pub exponent: f64,
    /// Angle between the faces (rad), about a random axis in the face.
    pub tilt: f64,
}

const RADII: [f64; 2] = [0.5, 3.0];
/// Largest distance between the planes that touch the faces, either way.
const GAP: f64 = 1e-3;
/// Largest lateral offset, as a fraction of the smaller half-width.
const OFFSET: f64 = 0.5;

/// One stack: the z faces look at each other, b is turned about z at random in half of them, and in half of them the
/// whole world is moved, too.
pub(crate) fn generate(stack: Stack, draw: &mut Draw) -> Case {
    let (radii_a, radii_b) = (draw.vector(RADII[0], RADII[1]), draw.vector(RADII[0], RADII[1]));
    let [a, b] = [radii_a, radii_b].map(|radii| superellipsoid(radii, [stack.exponent; 2]));
    let spin = if draw.coin() { draw.uniform(0.0, std::f64::consts::TAU) } else { 0.0 };
    let hinge = DQuat::from_rotation_z(draw.uniform(0.0, std::f64::consts::TAU)) * DVec3::X;
    let turned_b = DQuat::from_axis_angle(hinge, stack.tilt) * DQuat::from_rotation_z(spin);

    let half_width = radii_a.truncate().min(radii_b.truncate()).min_element();
    let offset = DVec2::new(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0)) * (OFFSET * half_width);
    // The plane z = const that touches b from below is this far from the one that touches a from above.
    let gap = draw.uniform(-GAP, GAP);
    let lowest_b = (turned_b * b.support(turned_b.conjugate() * DVec3::NEG_Z)).z;
    let pose_a = Pose::at(DVec3::ZERO);
    let pose_b = Pose::new(offset.extend(radii_a.z + gap - lowest_b), turned_b);

    let motion = if draw.coin() { Pose::new(draw.vector(-5.0, 5.0), draw.rotation()) } else { pose_a };
    Case { a, pose_a: pose_a.moved_by(&motion), b, pose_b: pose_b.moved_by(&motion), built: None }
}

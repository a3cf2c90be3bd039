//! Every shape against every shape, at random and with faces, edges and axes aligned.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::Pose;
use gritstone_core::linalg::Tangent;
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
    Triangle,
};
use gritstone_shape::{ShapeError, Support};

use super::construct::Built;
use super::{Case, Draw};

/// Lengths are log-uniform on this interval.
const LENGTHS: [f64; 2] = [0.3, 3.0];
/// Exponents of superellipsoids, and 2/n of superquadrics.
const EXPONENTS: [f64; 2] = [0.1, 1.9];
/// Angles by which aligned features are tilted against each other (rad).
const TILTS: [f64; 6] = [0.0, 0.0, 1e-12, 1e-9, 1e-6, 1e-3];
/// Distances, as fractions of the smaller body's least extent: contact, next to it, shallow, apart, deep.
const DISTANCES: [f64; 9] = [0.0, 1e-9, -1e-9, 1e-5, -1e-5, 0.01, -0.01, 0.3, -0.2];
/// Largest shift along the contact, as a fraction of the smaller body's size.
const SHIFT: f64 = 0.7;

/// How two bodies meet.
#[derive(Clone, Copy)]
enum Meeting {
    /// Anywhere.
    Anywhere,
    /// A feature of one faces a feature of the other, tilted a little or not, and perhaps shifted along it.
    Features,
    /// The same without a tilt, and both have the axes of the world in some order.
    Axes,
}

/// One pair.
pub(crate) fn generate(draw: &mut Draw) -> Case {
    let meeting = draw.one_of(&[Meeting::Anywhere, Meeting::Features, Meeting::Axes]);
    // One kind in nine is a half-space; of two of them nothing can be said.
    match [draw.index(9), draw.index(9)] {
        [8, 8] => generate(draw),
        [8, kind] => on_plane(solid(kind, draw), meeting, draw),
        [kind, 8] => {
            let Case { a, pose_a, b, pose_b, built } = on_plane(solid(kind, draw), meeting, draw);
            let swapped = |b: Built| Built {
                direction: -b.direction,
                point_a: b.point_b,
                point_b: b.point_a,
                distance: b.distance,
            };
            Case { a: b, pose_a: pose_b, b: a, pose_b: pose_a, built: built.map(swapped) }
        }
        [first, second] => {
            let (a, b) = (solid(first, draw), solid(second, draw));
            bounded(a, b, meeting, draw)
        }
    }
}

/// Two bounded bodies.
fn bounded(a: Solid, b: Solid, meeting: Meeting, draw: &mut Draw) -> Case {
    let (feature_a, feature_b) = (feature(&a, draw), feature(&b, draw));
    let pose_a = match meeting {
        Meeting::Axes => Pose::new(DVec3::ZERO, quarter_turn(draw)),
        _ => Pose::new(draw.vector(-2.0, 2.0), draw.rotation()),
    };
    let (c, turned_b) = match meeting {
        Meeting::Anywhere => (draw.direction(), draw.rotation()),
        Meeting::Features => {
            let c = pose_a.rotation * feature_a;
            (c, facing(feature_b, c, draw))
        }
        Meeting::Axes => (draw.one_of(&DVec3::AXES), quarter_turn(draw)),
    };
    let distance = draw.one_of(&DISTANCES) * least_extent(&a).min(least_extent(&b));
    let mut case = Case::around(a, pose_a, b, Pose::new(DVec3::ZERO, turned_b), c, distance);
    if !matches!(meeting, Meeting::Anywhere) && draw.coin() {
        let along = Tangent::across(c).lift(DVec2::from_angle(draw.uniform(0.0, TAU)));
        case.pose_b.position += along * (draw.uniform(0.0, SHIFT) * case.size());
        // g(c) is what it was, but another direction may be better now.
        case.built = None;
    }
    case
}

/// A half-space (a) and a bounded body.
fn on_plane(body: Solid, meeting: Meeting, draw: &mut Draw) -> Case {
    let (normal, offset) = match meeting {
        Meeting::Axes => (draw.one_of(&DVec3::AXES), 0.0),
        _ => (draw.direction(), draw.uniform(-1.0, 1.0)),
    };
    let plane = must(HalfSpace::new(normal, offset));
    let turned = match meeting {
        Meeting::Anywhere => draw.rotation(),
        Meeting::Features => facing(feature(&body, draw), plane.normal(), draw),
        Meeting::Axes => quarter_turn(draw),
    };
    let distance = draw.one_of(&DISTANCES) * least_extent(&body);
    let direction = plane.normal();
    let lever = turned * body.support(turned.conjugate() * -direction);
    let point_a = direction * plane.offset() + Tangent::across(direction).u * draw.uniform(-1.0, 1.0);
    let point_b = point_a + direction * distance;
    let built = Some(Built { direction, point_a, point_b, distance });
    let pose_b = Pose::new(point_b - lever, turned);
    Case { a: plane.into(), pose_a: Pose::at(DVec3::ZERO), b: body, pose_b, built }
}

/// A rotation that turns `feature` against c, up to a small tilt, and about it at random or not at all.
fn facing(feature: DVec3, c: DVec3, draw: &mut Draw) -> DQuat {
    let spin = if draw.coin() { draw.uniform(0.0, TAU) } else { 0.0 };
    let tilt = DQuat::from_axis_angle(Tangent::across(c).u, draw.one_of(&TILTS));
    tilt * DQuat::from_axis_angle(c, spin) * DQuat::from_rotation_arc(feature, -c)
}

/// A rotation that takes axes to axes.
fn quarter_turn(draw: &mut Draw) -> DQuat {
    let about = draw.one_of(&DVec3::AXES);
    DQuat::from_axis_angle(about, FRAC_PI_2 * draw.index(4) as f64)
}

/// A direction in which a body has a face, an edge, a rim, a vertex or an axis.
fn feature(solid: &Solid, draw: &mut Draw) -> DVec3 {
    if let Some(polytope) = solid.polytope() {
        let face = |i: u32| polytope.faces()[i as usize].normal;
        let edge = polytope.edges()[draw.index(polytope.edges().len())];
        let [left, right] = edge.faces.map(face);
        let vertex = polytope.vertex(edge.vertices[0]).normalize();
        return draw.one_of(&[left, (left + right).normalize(), vertex]);
    }
    let around = DVec2::from_angle(draw.uniform(0.0, TAU)).extend(0.0);
    let between = (around + DVec3::Z).normalize();
    let edge = match solid {
        Solid::Triangle(triangle) => {
            let [a, b, _] = triangle.corners();
            (*b - *a).normalize().cross(DVec3::Z)
        }
        _ => around,
    };
    draw.one_of(&[DVec3::Z, DVec3::NEG_Z, DVec3::X, DVec3::Y, edge, around, between])
}

/// Half of a body's least extent; that of a triangle in its plane.
fn least_extent(solid: &Solid) -> f64 {
    match solid {
        Solid::Triangle(triangle) => {
            let [a, b, c] = triangle.corners();
            let area = (*b - *a).cross(*c - *a).length();
            0.5 * area / (*b - *a).length().max((*c - *b).length()).max((*a - *c).length())
        }
        _ => solid.body().map_or(solid.size(), |body| body.half_extents().min_element()),
    }
}

/// A shape of the given kind, of eight.
fn solid(kind: usize, draw: &mut Draw) -> Solid {
    let length = |draw: &mut Draw| draw.log_uniform(LENGTHS[0], LENGTHS[1]);
    let lengths = |draw: &mut Draw| DVec3::from_array([0; 3].map(|_| length(draw)));
    let exponent = |draw: &mut Draw| draw.uniform(EXPONENTS[0], EXPONENTS[1]);
    match kind {
        0 => must(Sphere::new(length(draw))).into(),
        1 => must(Ellipsoid::new(lengths(draw))).into(),
        2 => must(Superellipsoid::new(lengths(draw), [0; 2].map(|_| exponent(draw)))).into(),
        3 => must(Superquadric::new(lengths(draw), [0; 3].map(|_| 2.0 / exponent(draw)))).into(),
        4 => polyhedron(lengths(draw), draw),
        5 => must(Cylinder::new(length(draw), length(draw))).into(),
        6 => must(Capsule::new(length(draw), length(draw))).into(),
        _ => triangle(length(draw), draw),
    }
}

/// A box, a tetrahedron, or the hull of points on an ellipsoid.
fn polyhedron(half: DVec3, draw: &mut Draw) -> Solid {
    let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    let points: Vec<DVec3> = match draw.index(3) {
        0 => (0..8).map(|i| corner(i) * half).collect(),
        1 => [0, 3, 5, 6].map(|i| corner(i) * half).into(),
        _ => (0..12).map(|_| draw.direction() * half).collect(),
    };
    must(Polyhedron::hull(&points)).0.into()
}

/// A triangle in the plane across z, not too thin.
fn triangle(length: f64, draw: &mut Draw) -> Solid {
    loop {
        let corners =
            [0; 3].map(|_| DVec3::new(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0), 0.0) * length);
        let area = (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
        if area > 0.1 * length * length {
            return must(Triangle::new(corners)).0.into();
        }
    }
}

fn must<S>(shape: Result<S, ShapeError>) -> S {
    shape.expect("every kind is drawn from inside the allowed ranges")
}

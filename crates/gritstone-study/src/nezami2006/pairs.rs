//! Pairs of polygons, and of the paper's particles (Figure 14), in all positions.
//!
//! A direction c from the cone of outward normals of a feature of a is turned against one of a feature of b; a point of
//! the one feature then faces a point of the other at a given distance along c. Apart, that is the signed distance.

use std::f64::consts::TAU;

use glam::{DQuat, DVec2, DVec3};
use gritstone_contact::Query;
use gritstone_contact::polytopes::Polytopes;
use gritstone_core::linalg::Tangent;
use gritstone_core::{Plane, Pose, Space};
use gritstone_shape::plane::Polygon;
use gritstone_shape::space::{Polyhedron, Polytope};

use crate::generate::{Case, Draw};

/// How two bodies face each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    /// In words.
    pub name: &'static str,
    /// Its part of all pairs.
    weight: u64,
    facing: Facing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Facing {
    /// Placed and turned at random, then moved along the normal to the distance.
    Random,
    /// Features of these dimensions, turned about c at random.
    Features([usize; 2]),
    /// The same with edges turned along each other.
    AlongEdges,
    /// Faces, or edges in the plane, that lean by a small angle.
    NearlyParallel,
}

/// Kinds of pairs in the plane.
#[rustfmt::skip]
pub const PLANE: &[Kind] = &[
    Kind { name: "at random", weight: 10, facing: Facing::Random },
    Kind { name: "vertex and vertex", weight: 2, facing: Facing::Features([0, 0]) },
    Kind { name: "vertex and edge", weight: 2, facing: Facing::Features([0, 1]) },
    Kind { name: "edges parallel", weight: 2, facing: Facing::Features([1, 1]) },
    Kind { name: "edges nearly parallel", weight: 2, facing: Facing::NearlyParallel },
];

/// Kinds of pairs in space.
#[rustfmt::skip]
pub const SPACE: &[Kind] = &[
    Kind { name: "at random", weight: 40, facing: Facing::Random },
    Kind { name: "vertex and vertex", weight: 4, facing: Facing::Features([0, 0]) },
    Kind { name: "vertex and edge", weight: 3, facing: Facing::Features([0, 1]) },
    Kind { name: "vertex and face", weight: 3, facing: Facing::Features([0, 2]) },
    Kind { name: "edges crossing", weight: 4, facing: Facing::Features([1, 1]) },
    Kind { name: "edges parallel", weight: 4, facing: Facing::AlongEdges },
    Kind { name: "edge and face", weight: 4, facing: Facing::Features([1, 2]) },
    Kind { name: "faces parallel", weight: 6, facing: Facing::Features([2, 2]) },
    Kind { name: "faces nearly parallel", weight: 8, facing: Facing::NearlyParallel },
];

/// Distances, as parts of the smaller body's size.
const DISTANCES: [f64; 2] = [1e-6, 0.3];
/// Angles of what is nearly parallel (rad).
const LEANS: [f64; 2] = [1e-7, 1e-2];

/// What is needed to move bodies.
pub trait Moving: Polytopes {
    /// The pose after a shift by `by` times `size` and a turn by `by` (rad), both in random directions.
    fn nudge(pose: &Pose<Self>, size: f64, by: f64, draw: &mut Draw) -> Pose<Self>;
}

impl Moving for Plane {
    fn nudge(pose: &Pose<Self>, size: f64, by: f64, draw: &mut Draw) -> Pose<Self> {
        let shift = DVec2::from_angle(draw.uniform(0.0, TAU)) * (by * size);
        Pose::new(pose.position + shift, pose.rotation + if draw.coin() { by } else { -by })
    }
}

impl Moving for Space {
    fn nudge(pose: &Pose<Self>, size: f64, by: f64, draw: &mut Draw) -> Pose<Self> {
        let turn = DQuat::from_axis_angle(draw.direction(), by);
        Pose::new(pose.position + draw.direction() * (by * size), turn * pose.rotation)
    }
}

/// The kind of pair `index`, by its weight.
fn kind_of(kinds: &[Kind], index: u64) -> usize {
    let mut place = index % kinds.iter().map(|kind| kind.weight).sum::<u64>();
    kinds
        .iter()
        .position(|kind| {
            let here = place < kind.weight;
            place = place.saturating_sub(kind.weight);
            here
        })
        .unwrap_or(0)
}

/// Pair `index` in the plane, with the number of its kind.
pub fn polygons(seed: u64, index: u64) -> (usize, Case<Plane>) {
    let draw = &mut Draw::new(0x2006, seed, index);
    let number = kind_of(PLANE, index);
    let [a, b] = [0; 2].map(|_| polygon(draw));
    let distance =
        draw.log_uniform(DISTANCES[0], DISTANCES[1]) * [&a, &b].map(reach).into_iter().fold(9.0, f64::min);
    let features = match PLANE[number].facing {
        Facing::Random => {
            let pose_b = Pose::new(
                DVec2::from_angle(draw.uniform(0.0, TAU)) * (reach(&a) + reach(&b)),
                draw.uniform(0.0, TAU),
            );
            return (number, approached::<Plane>(a.into(), b.into(), pose_b, distance));
        }
        Facing::Features(features) => features,
        Facing::AlongEdges | Facing::NearlyParallel => [1, 1],
    };
    let [(p, n), (q, m)] = [(&a, features[0]), (&b, features[1])].map(|(body, dimension)| {
        let (vertices, edges) = (body.vertices(), body.edges());
        let (count, at) = (vertices.len(), draw.index(vertices.len()));
        let (next, before) = ((at + 1) % count, (at + count - 1) % count);
        if dimension == 0 {
            (vertices[at], edges[before].normal.lerp(edges[at].normal, draw.uniform(0.1, 0.9)).normalize())
        } else {
            (vertices[at].lerp(vertices[next], draw.uniform(0.1, 0.9)), edges[at].normal)
        }
    });
    let lean = if PLANE[number].facing == Facing::NearlyParallel {
        draw.log_uniform(LEANS[0], LEANS[1])
    } else {
        0.0
    };
    let turn = m.angle_to(-n) + lean;
    let position = p + n * distance - DVec2::from_angle(turn).rotate(q);
    let case = Case {
        a: a.into(),
        pose_a: Pose::at(DVec2::ZERO),
        b: b.into(),
        pose_b: Pose::new(position, turn),
        built: None,
    };
    (number, case)
}

/// Three to eight corners on an ellipse, never all within half a turn.
fn polygon(draw: &mut Draw) -> Polygon {
    let corners = 3 + draw.index(6) as u32;
    let axes = DVec2::new(draw.uniform(0.5, 1.25), draw.uniform(0.5, 1.25));
    let step = TAU / f64::from(corners);
    let points: Vec<DVec2> = (0..corners)
        .map(|k| DVec2::from_angle(step * (f64::from(k) + draw.uniform(0.0, 0.6))) * axes)
        .collect();
    Polygon::hull(&points).expect("corners all around enclose an area").0
}

fn reach(polygon: &Polygon) -> f64 {
    polygon.vertices().iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Pair `index` in space, with the number of its kind.
pub fn polyhedra(seed: u64, index: u64) -> (usize, Case<Space>) {
    let draw = &mut Draw::new(0x3006, seed, index);
    let number = kind_of(SPACE, index);
    let [a, b] = [0; 2].map(|_| particle(draw));
    let distance = draw.log_uniform(DISTANCES[0], DISTANCES[1]);
    (number, facing(SPACE[number].facing, [a, b], distance, draw))
}

/// How bodies touch, in turn.
pub const TOUCHING: [(&str, [usize; 2]); 4] = [
    ("vertex in face", [0, 2]),
    ("edges crossing", [1, 1]),
    ("edge along face", [1, 2]),
    ("faces parallel", [2, 2]),
];

/// Pair `index` of bodies that overlap, a little, with a feature of one in a feature of the other.
pub fn touching(seed: u64, index: u64) -> Case<Space> {
    let draw = &mut Draw::new(0x4006, seed, index);
    let (_, features) = TOUCHING[(index % 4) as usize];
    let bodies = [0; 2].map(|_| particle(draw));
    let depth = draw.log_uniform(1e-6, 1e-2);
    facing(Facing::Features(features), bodies, -depth, draw)
}

/// Pair `index` of a particle and one of the plates that a bucket is made of.
pub fn plate(seed: u64, index: u64) -> Case<Space> {
    let draw = &mut Draw::new(0x5006, seed, index);
    let plate = hull(cube().map(|v| v * DVec3::new(4.0, 4.0, 0.1)));
    let bodies = [particle(draw), plate];
    let distance = draw.one_of(&[-1.0, 1.0, 1.0]) * draw.log_uniform(1e-4, 1e-2);
    let features = draw.one_of(&[[0, 2], [0, 2], [1, 2], [2, 2], [1, 1]]);
    facing(Facing::Features(features), bodies, distance, draw)
}

/// The corners of a cube.
fn cube() -> impl Iterator<Item = DVec3> {
    (0..8).map(|i| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 })))
}

/// The corners of a particle of Figure 14: a tetrahedron, a pyramid, a cube, and fourteen vertices, which are those of a cube
/// with a pyramid on each face.
pub(super) fn figure_14(kind: usize) -> Vec<DVec3> {
    let corners: Vec<DVec3> = cube().collect();
    match kind {
        0 => [0, 3, 5, 6].map(|i: usize| corners[i]).into(),
        1 => corners[..4].iter().copied().chain([DVec3::Z]).collect(),
        2 => corners,
        _ => corners.into_iter().chain(DVec3::AXES.into_iter().flat_map(|x| [x * 1.5, x * -1.5])).collect(),
    }
}

/// A particle of Figure 14, from 2 to 5 units of size.
fn particle(draw: &mut Draw) -> Polyhedron {
    let points = figure_14(draw.index(4));
    let size = draw.uniform(0.2, 0.5);
    hull(points.into_iter().map(|v| v * size))
}

fn hull(points: impl Iterator<Item = DVec3>) -> Polyhedron {
    Polyhedron::hull(&points.collect::<Vec<_>>()).expect("corners all around enclose a volume").0
}

/// Two bodies at `distance`, a part of the smaller one's size.
fn facing(facing: Facing, bodies: [Polyhedron; 2], distance: f64, draw: &mut Draw) -> Case<Space> {
    let reach = |body: &Polyhedron| body.polytope().vertices().iter().map(|v| v.length()).fold(0.0, f64::max);
    let [r_a, r_b] = [0, 1].map(|i| reach(&bodies[i]));
    let distance = distance * r_a.min(r_b);
    let features = match facing {
        Facing::Random => {
            let [a, b] = bodies;
            let pose_b = Pose::new(draw.direction() * (r_a + r_b), draw.rotation());
            return approached::<Space>(a.into(), b.into(), pose_b, distance);
        }
        Facing::Features(features) => features,
        Facing::AlongEdges => [1, 1],
        Facing::NearlyParallel => [2, 2],
    };
    let sites = [0, 1].map(|i| Site::draw(bodies[i].polytope(), features[i], draw));
    let c = sites[0].normal;
    let facing_c = DQuat::from_rotation_arc(sites[1].normal, -c);
    let roll = match facing {
        Facing::AlongEdges => {
            let (e, f) = (sites[0].edge, facing_c * sites[1].edge);
            c.dot(f.cross(e)).atan2(f.dot(e))
        }
        _ => draw.uniform(0.0, TAU),
    };
    let lean = if facing == Facing::NearlyParallel { draw.log_uniform(LEANS[0], LEANS[1]) } else { 0.0 };
    let axis = Tangent::across(c).lift(DVec2::from_angle(draw.uniform(0.0, TAU)));
    let turn = DQuat::from_axis_angle(axis, lean) * DQuat::from_axis_angle(c, roll) * facing_c;
    let position = sites[0].point + c * distance - turn * sites[1].point;
    let [a, b] = bodies;
    Case {
        a: a.into(),
        pose_a: Pose::at(DVec3::ZERO),
        b: b.into(),
        pose_b: Pose::new(position, turn),
        built: None,
    }
}

/// A point of a feature, with a direction from the cone of its outward normals.
struct Site {
    point: DVec3,
    normal: DVec3,
    /// Along the edge, if it is one.
    edge: DVec3,
}

impl Site {
    fn draw(hull: &Polytope, dimension: usize, draw: &mut Draw) -> Self {
        let face = |f: u32| hull.face(f).normal;
        match dimension {
            0 => {
                let v = draw.index(hull.vertices().len()) as u32;
                let normal: DVec3 = hull.sectors(v).iter().map(|&f| face(f) * draw.uniform(0.2, 1.0)).sum();
                Self { point: hull.vertex(v), normal: normal.normalize(), edge: DVec3::ZERO }
            }
            1 => {
                let edge = hull.edge(draw.index(hull.edges().len()) as u32);
                let [v, w] = edge.vertices.map(|v| hull.vertex(v));
                let normal = face(edge.faces[0]).lerp(face(edge.faces[1]), draw.uniform(0.1, 0.9));
                Self { point: v.lerp(w, draw.uniform(0.1, 0.9)), normal: normal.normalize(), edge: w - v }
            }
            _ => {
                let f = draw.index(hull.faces().len()) as u32;
                let corners = hull.corners(f);
                let weights: Vec<f64> = corners.iter().map(|_| draw.uniform(0.1, 1.0)).collect();
                let sum: f64 = weights.iter().sum();
                let point = corners.iter().zip(&weights).map(|(&v, w)| hull.vertex(v) * (w / sum)).sum();
                Self { point, normal: face(f), edge: DVec3::ZERO }
            }
        }
    }
}

/// A pair that is apart, moved along its normal to `distance`: the nearest points stay the same.
fn approached<D: Polytopes>(a: D::Shape, b: D::Shape, pose_b: Pose<D>, distance: f64) -> Case<D> {
    let mut case = Case { a, pose_a: Pose::default(), b, pose_b, built: None };
    let (mut kept, mut scratch) = (D::WarmStart::default(), D::Scratch::default());
    let answer = D::exact(case.placed_a(), case.placed_b(), Query::default(), &mut kept, &mut scratch);
    if let Some(contact) = answer.ok().as_ref().and_then(|answer| answer.contact()) {
        case.pose_b.position += contact.normal * (distance - contact.gap);
    }
    case
}

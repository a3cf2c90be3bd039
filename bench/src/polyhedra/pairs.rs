//! Pairs of polyhedra: three shapes in three positions each.

use std::error::Error;
use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Method, Placed, Scratch};
use gritstone_core::linalg::Tangent;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Polyhedron, Polytope, Solid};
use gritstone_shape::{ShapeError, Support};
use gritstone_study::generate::Draw;
use serde_json::Value;

use super::bed::vector;
use super::peer::Peer;
use crate::workload::{moved, placed};

const REFERENCES: &str = include_str!("../../../tests/data/public_polyhedron_pairs.jsonl");
/// Seed of the pairs.
const SEED: u64 = 3;
/// Lengths are fractions of the bodies' size. Gaps of pairs that are apart or nearly parallel, log-uniform.
const GAPS: [f64; 2] = [1e-4, 0.3];
/// Depths of overlaps, log-uniform.
const DEPTHS: [f64; 2] = [1e-4, 0.1];
/// Angles between nearly parallel faces (rad), log-uniform.
const TILTS: [f64; 2] = [1e-9, 1e-2];
/// Largest shift along nearly parallel faces.
const SHIFT: f64 = 0.5;

/// Names of the shapes.
const SHAPES: [&str; 3] = ["tetrahedron", "cube", "14 vertices"];
/// Names of the positions.
const POSITIONS: [&str; 3] = ["apart", "nearly parallel", "overlap"];

/// Pairs of one shape in one position.
pub struct Group {
    /// Shape and position.
    pub name: String,
    /// The pairs.
    pub pairs: Vec<Couple>,
}

/// A pair before and after a move, as both libraries take it.
pub struct Couple {
    /// Shapes and poses.
    pub bodies: [(Solid, Pose<Space>); 2],
    /// The same after a move.
    pub moved: [(Solid, Pose<Space>); 2],
    /// What is known from before the move.
    pub memory: Memory,
    /// The peer's shapes and memory.
    pub(super) peer: Peer,
}

impl Couple {
    /// A pair, and the same after the random move `draw`.
    pub fn new(bodies: [(Solid, Pose<Space>); 2], draw: &mut Draw) -> Self {
        let mut memory = Memory::default();
        let [a, b] = placed(&bodies);
        Auto.solve_warm(a, b, Query::default(), &mut memory, &mut Scratch::default())
            .expect("polyhedra are taken");
        let moved = moved(&bodies, draw);
        let peer = Peer::new(&bodies, &moved);
        Self { moved, bodies, memory, peer }
    }
}

/// Every group, with so many pairs each.
pub fn groups(count: u64) -> Vec<Group> {
    let mut groups = Vec::new();
    for (shape, shape_name) in SHAPES.into_iter().enumerate() {
        let solid = Solid::from(polyhedron(shape).expect("these points span space"));
        for (position, position_name) in POSITIONS.into_iter().enumerate() {
            let pair = |index| {
                let mut draw = Draw::new((3 * shape + position) as u64, SEED, index);
                Couple::new(pair(&solid, position, &mut draw), &mut draw)
            };
            let name = format!("{shape_name}, {position_name}");
            groups.push(Group { name, pairs: (0..count).map(pair).collect() });
        }
    }
    groups
}

/// The pairs whose answers were found elsewhere, of all shapes and in all positions: those that are apart, and those that
/// overlap.
pub fn references() -> Result<[Group; 2], Box<dyn Error>> {
    let mut groups = ["reference, apart", "reference, overlap"]
        .map(|name| Group { name: name.to_owned(), pairs: Vec::new() });
    for (line, index) in REFERENCES.lines().zip(0..) {
        let pair: Value = serde_json::from_str(line)?;
        let bodies = [reference(&pair["a"])?, reference(&pair["b"])?];
        let distance = pair["expected"]["distance"].as_f64().ok_or("no distance")?;
        groups[usize::from(distance < 0.0)].pairs.push(Couple::new(bodies, &mut Draw::new(9, SEED, index)));
    }
    Ok(groups)
}

fn reference(body: &Value) -> Result<(Solid, Pose<Space>), Box<dyn Error>> {
    let vertices = body["vertices"].as_array().ok_or("no vertices")?.iter();
    let (shape, centre) = Polyhedron::hull(&vertices.map(vector).collect::<Result<Vec<_>, _>>()?)?;
    Ok((shape.into(), Pose::at(centre)))
}

/// A regular tetrahedron, a cube, or the tetrakis hexahedron: a cube with a low pyramid on each face.
fn polyhedron(shape: usize) -> Result<Polyhedron, ShapeError> {
    let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0;
    let tips = DVec3::AXES.into_iter().flat_map(|axis| [axis * 1.5, axis * -1.5]);
    let points: Vec<DVec3> = match shape {
        0 => [0, 3, 5, 6].map(corner).into(),
        1 => (0..8).map(corner).collect(),
        _ => (0..8).map(corner).chain(tips).collect(),
    };
    Ok(Polyhedron::hull(&points)?.0)
}

fn pair(solid: &Solid, position: usize, draw: &mut Draw) -> [(Solid, Pose<Space>); 2] {
    let pose_a = Pose::<Space>::new(draw.vector(-2.0, 2.0), draw.rotation());
    let gap = match position {
        2 => -draw.log_uniform(DEPTHS[0], DEPTHS[1]),
        _ => draw.log_uniform(GAPS[0], GAPS[1]),
    };
    let pose_b = match (position, solid.polytope()) {
        (1, Some(polytope)) => face_to_face(solid, polytope, pose_a, gap, draw),
        _ => anyhow(solid, pose_a, gap, draw),
    };
    [(solid.clone(), pose_a), (solid.clone(), pose_b)]
}

/// Turned and shifted at random, a face of b before a face of a.
fn face_to_face(
    solid: &Solid,
    polytope: &Polytope,
    pose_a: Pose<Space>,
    gap: f64,
    draw: &mut Draw,
) -> Pose<Space> {
    let c = pose_a.rotation * face(polytope, draw);
    let lean = DQuat::from_axis_angle(Tangent::across(c).u, draw.log_uniform(TILTS[0], TILTS[1]));
    let spin = DQuat::from_axis_angle(c, draw.uniform(0.0, TAU));
    let turn_b = lean * spin * DQuat::from_rotation_arc(face(polytope, draw), -c);
    let shift = draw.vector(-SHIFT, SHIFT);
    let across = shift - c * c.dot(shift);
    let x_a = pose_a.rotation * solid.support(pose_a.rotation.conjugate() * c);
    let x_b = turn_b * solid.support(turn_b.conjugate() * -c);
    Pose::new(pose_a.position + x_a - x_b + (c * gap + across) * solid.size(), turn_b)
}

/// Turned at random, and moved along a random line until the signed distance is right.
fn anyhow(solid: &Solid, pose_a: Pose<Space>, gap: f64, draw: &mut Draw) -> Pose<Space> {
    let (line, turn) = (draw.direction() * solid.size(), draw.rotation());
    let at = |t: f64| Pose::<Space>::new(pose_a.position + line * t, turn);
    let (a, scratch) = (Placed { shape: solid, pose: pose_a }, &mut Scratch::default());
    let mut farther = |t: f64| {
        let b = Placed { shape: solid, pose: at(t) };
        Auto.solve(a, b, Query::default(), scratch).is_ok_and(|answer| answer.distance() > gap * solid.size())
    };
    let (mut near, mut far) = (0.0, 3.0);
    while far - near > 1e-12 {
        let middle = 0.5 * (near + far);
        if farther(middle) { far = middle } else { near = middle }
    }
    at(far)
}

fn face(polytope: &Polytope, draw: &mut Draw) -> DVec3 {
    polytope.faces()[draw.index(polytope.faces().len())].normal
}

//! A round body and a polytope: every kind of the one with every kind of the other, apart and overlapping.

use std::error::Error;
use std::fmt::Write as _;
use std::hint::black_box;

use glam::DVec3;
use gritstone_contact::space::{Auto, Memory, Method, Pair, Placed, Scratch, certify};
use gritstone_contact::{Goal, Query};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric, Triangle,
};
use gritstone_shape::{ShapeError, Support};
use gritstone_study::generate::Draw;

use crate::workload::{moved, placed};
use crate::{Job, shortest_times};

/// Seed of the pairs.
const SEED: u64 = 5;
/// Pairs of each kind.
const PAIRS: u64 = 30;
/// Signed distances by position, as fractions of the smaller body's size, log-uniform.
const POSITIONS: [(&str, f64, [f64; 2]); 3] =
    [("apart", 1.0, [1e-3, 0.1]), ("touching", -1.0, [1e-5, 1e-3]), ("overlap", -1.0, [1e-3, 0.03])];
/// How far the bounds of an overlap may lie apart in a simulation, as a fraction of it.
const SLACK: f64 = 1e-3;

/// Two shapes and where they are.
type Bodies = [(Solid, Pose<Space>); 2];

/// Pairs of one kind in one position.
struct Group {
    name: String,
    /// Shapes and poses before and after a move.
    pairs: Vec<[Bodies; 2]>,
}

/// Times every kind of pair and writes a table.
pub fn report(machine: &str) -> Result<String, Box<dyn Error>> {
    let groups = groups()?;
    let mut text = format!("# Round bodies and polytopes on {machine}\n\n");
    text += "Nanoseconds per pair. General: the method for any two bodies, cold. Cold: without a memory. Warm: after moves of \
             a thousandth\nof the size and as many radians, with the bounds of a simulation in the last column.\n\n";
    text += "| round body, polytope, position | general | cold | warm | warm, simulation |\n|---|---|---|---|---|\n";
    for group in &groups {
        let mut jobs = vec![
            general(&group.pairs),
            cold(&group.pairs),
            warm(&group.pairs, Query::default()),
            warm(&group.pairs, Query { goal: Goal::Detect, slack: SLACK, ..Query::default() }),
        ];
        let times = shortest_times(&mut jobs);
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:.0} | {:.0} | {:.0} |",
            group.name, times[0], times[1], times[2], times[3]
        );
    }
    Ok(text)
}

fn groups() -> Result<Vec<Group>, ShapeError> {
    let mut groups = Vec::new();
    for (round_name, round) in round_bodies()? {
        for (name, polytope) in polytopes()? {
            for (position, sign, range) in POSITIONS {
                let pair = |index| {
                    let draw = &mut Draw::new(groups.len() as u64, SEED, index);
                    let gap = sign * draw.log_uniform(range[0], range[1]);
                    let pair = at_distance(&round, &polytope, gap, draw);
                    let after = moved(&pair, draw);
                    [pair, after]
                };
                let pairs = (0..PAIRS).map(pair).collect();
                groups.push(Group { name: format!("{round_name}, {name}, {position}"), pairs });
            }
        }
    }
    Ok(groups)
}

fn round_bodies() -> Result<Vec<(&'static str, Solid)>, ShapeError> {
    Ok(vec![
        ("sphere", Sphere::new(1.0)?.into()),
        ("ellipsoid", Ellipsoid::new(DVec3::new(1.2, 1.0, 0.8))?.into()),
        ("superellipsoid (6, 6)", Superellipsoid::with_blockiness(DVec3::splat(0.9), [6.0, 6.0])?.into()),
        ("superellipsoid ε 0.1", Superellipsoid::new(DVec3::new(1.0, 0.8, 0.6), [0.1, 0.1])?.into()),
        ("superellipsoid ε 1.7", Superellipsoid::new(DVec3::new(1.0, 0.8, 0.9), [1.7, 1.5])?.into()),
        ("superquadric (4, 3, 6)", Superquadric::new(DVec3::new(1.0, 0.8, 0.9), [4.0, 3.0, 6.0])?.into()),
        ("capsule", Capsule::new(0.5, 0.6)?.into()),
        ("cylinder", Cylinder::new(0.6, 0.6)?.into()),
    ])
}

/// A triangle, a tetrahedron, a cube, the tetrakis hexahedron, and 30 points on a ball.
fn polytopes() -> Result<Vec<(&'static str, Solid)>, ShapeError> {
    let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 1.2 - 0.6;
    let tips = DVec3::AXES.into_iter().flat_map(|axis| [axis * 0.9, axis * -0.9]);
    let mut draw = Draw::new(99, SEED, 0);
    let hull = |points: &[DVec3]| Polyhedron::hull(points).map(|(shape, _)| Solid::from(shape));
    Ok(vec![
        ("triangle", Triangle::new([DVec3::X, DVec3::Y, -DVec3::X - DVec3::Y])?.0.into()),
        ("4 vertices", hull(&[0, 3, 5, 6].map(corner))?),
        ("8 vertices", hull(&(0..8).map(corner).collect::<Vec<_>>())?),
        ("14 vertices", hull(&(0..8).map(corner).chain(tips).collect::<Vec<_>>())?),
        ("30 vertices", hull(&(0..30).map(|_| draw.direction()).collect::<Vec<_>>())?),
    ])
}

/// Turned at random, and moved along a random line until the signed distance is right.
fn at_distance(round: &Solid, polytope: &Solid, gap: f64, draw: &mut Draw) -> Bodies {
    let pose_a = Pose::<Space>::new(draw.vector(-2.0, 2.0), draw.rotation());
    let (line, turn) = (draw.direction(), draw.rotation());
    let at = |t: f64| Pose::<Space>::new(pose_a.position + line * t, turn);
    let (a, scratch) = (Placed { shape: round, pose: pose_a }, &mut Scratch::default());
    let wanted = gap * round.size().min(polytope.size());
    let mut farther = |t: f64| {
        let b = Placed { shape: polytope, pose: at(t) };
        Auto.solve(a, b, Query::default(), scratch).is_ok_and(|answer| answer.distance() > wanted)
    };
    let (mut near, mut far) = (0.0, 4.0);
    while far - near > 1e-9 {
        let middle = 0.5 * (near + far);
        if farther(middle) { far = middle } else { near = middle }
    }
    [(round.clone(), pose_a), (polytope.clone(), at(far))]
}

fn general(pairs: &[[Bodies; 2]]) -> Job<'_> {
    let mut scratch = Scratch::default();
    Job::new(String::new(), pairs.len(), move |chunk| {
        for [pair, _] in &pairs[chunk] {
            let [(a, pose_a), (b, pose_b)] = pair;
            let pair = Pair::new(a, pose_a, b, pose_b);
            black_box(certify(&pair, Query::default(), &mut Memory::default(), &mut scratch));
        }
    })
}

fn cold(pairs: &[[Bodies; 2]]) -> Job<'_> {
    let mut scratch = Scratch::default();
    Job::new(String::new(), pairs.len(), move |chunk| {
        for [pair, _] in &pairs[chunk] {
            let [a, b] = placed(pair);
            let _ = black_box(Auto.solve(a, b, Query::default(), &mut scratch));
        }
    })
}

/// Every pair to and fro between its two places, with its memory.
fn warm(pairs: &[[Bodies; 2]], query: Query<Space>) -> Job<'_> {
    let (mut memories, mut scratch) = (vec![Memory::default(); pairs.len()], Scratch::default());
    Job::new(String::new(), 2 * pairs.len(), move |chunk| {
        for i in chunk {
            let [a, b] = placed(&pairs[i / 2][i % 2]);
            let _ = black_box(Auto.solve_warm(a, b, query, &mut memories[i / 2], &mut scratch));
        }
    })
}

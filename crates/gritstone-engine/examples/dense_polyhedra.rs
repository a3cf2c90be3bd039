//! A dense bed of 500 polyhedra in a box, as `tests/data` has it: how long a step takes.
//! `cargo run --release -p gritstone-engine --example dense_polyhedra -- patch 4000`.

use std::error::Error;
use std::time::Instant;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{FlatRule, Grain, RadiusRule, Rules, Setup, Wall, World};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};
use serde_json::Value;

/// Whatever goes wrong.
type Failure = Box<dyn Error + Send + Sync>;

const FILE: &str = include_str!("../../../tests/data/dense_polyhedra_500.json");
/// Steps that are timed together; the shortest time counts.
const LAP: u64 = 50;

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let flat = if args.next().as_deref() == Some("point") { FlatRule::Point } else { FlatRule::Patch };
    let steps = args.next().map_or(Ok(4000), |n| n.parse::<u64>())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| run(flat, steps))
}

fn run(flat: FlatRule, steps: u64) -> Result<(), Failure> {
    let mut world = World::new(&bed(flat)?)?;
    let (mut shortest, mut start) = (f64::INFINITY, Instant::now());
    for step in 1..=steps {
        world.step()?;
        if step % LAP == 0 {
            shortest = shortest.min(start.elapsed().as_secs_f64() * 1e6 / (LAP as f64 * 500.0));
            start = Instant::now();
        }
        if step % (steps / 4).max(1) == 0 {
            let status = world.status();
            println!(
                "step {step}: {} contacts, {} near pairs, deepest {:.3}, unresolved {}, kinetic {:.2e} J: {shortest:.2} us per \
                 grain and step",
                status.contacts,
                status.near_pairs,
                status.deepest,
                status.unresolved_since_start,
                world.energies().kinetic()
            );
            shortest = f64::INFINITY;
            start = Instant::now();
        }
    }
    Ok(())
}

/// The bed in its box, with springs so soft that the overlaps it has carry it.
fn bed(flat: FlatRule) -> Result<Setup<Space>, Failure> {
    let beds: Vec<Value> = serde_json::from_str(FILE)?;
    let (mut shapes, mut grains) = (Vec::<Solid>::new(), Vec::new());
    for (grain, index) in beds.iter().zip(0..) {
        let vertices = grain["verts"].as_array().ok_or("no vertices")?.iter();
        let (shape, centre) = Polyhedron::hull(&vertices.map(vector).collect::<Result<Vec<_>, _>>()?)?;
        shapes.push(shape.into());
        grains.push(Grain {
            id: index,
            shape: index,
            material: 0,
            pose: Pose::at(vector(&grain["pos"])? + centre),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            frozen: false,
        });
    }
    let plane = |name: &str, normal: DVec3, offset: f64| -> Result<Wall<Space>, Failure> {
        Ok(Wall {
            name: name.into(),
            shape: HalfSpace::new(normal, offset)?.into(),
            material: 0,
            pose: Pose::default(),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            present: true,
        })
    };
    let material = Material {
        name: "rock".into(),
        density: 2600.0,
        stiffness: Stiffness::Linear { kn: 1e4, ks: 8e3 },
        damping: Damping::Published(0.3),
        friction: Friction::Coefficient(0.5),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    };
    Ok(Setup {
        shapes,
        compounds: Default::default(),
        densities: vec![2600.0],
        interactions: Interactions::mix(&[material], &[])?,
        rules: Rules { radius: RadiusRule::Volume, flat },
        grains,
        walls: vec![
            plane("floor", DVec3::Z, 0.0)?,
            plane("x-", DVec3::X, 0.0)?,
            plane("x+", -DVec3::X, -0.3)?,
            plane("y-", DVec3::Y, 0.0)?,
            plane("y+", -DVec3::Y, -0.3)?,
        ],
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: 1e-4,
        domain: None,
        cell: None,
        tools: Vec::new(),
    })
}

fn vector(value: &Value) -> Result<DVec3, Failure> {
    let number = |i: usize| value[i].as_f64().ok_or("not a vector");
    Ok(DVec3::new(number(0)?, number(1)?, number(2)?))
}

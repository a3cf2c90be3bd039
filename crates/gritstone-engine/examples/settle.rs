//! The settle scene: 4 000 grains fall into a box. `cargo run --release -p gritstone-engine --example settle -- ellipsoid`.

use std::time::Instant;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{FlatRule, Grain, RadiusRule, Rules, Setup, Wall, World};
use gritstone_force::{Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Solid, Sphere, Superellipsoid};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let (kind, steps) =
        (args.next().unwrap_or_default(), args.next().map_or(Ok(22_500), |n| n.parse::<u64>())?);
    let radii = DVec3::new(2e-3, 2e-3, 4e-3);
    let shape: Solid = match kind.as_str() {
        "sphere" => Sphere::new(2.519_84e-3)?.into(),
        "box" => Superellipsoid::new(radii, [0.5, 0.5])?.into(),
        "superellipsoid" => Superellipsoid::new(radii, [0.6, 0.7])?.into(),
        _ => Ellipsoid::new(radii)?.into(),
    };
    let volume = shape.body().map_or(0.0, |body| body.mass().volume);
    let mut grains = Vec::new();
    for line in std::fs::read_to_string("scenes/data/settle_4000_initial.csv")?.lines().skip(1) {
        let n: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>()?;
        grains.push(Grain {
            id: n[0] as u32,
            shape: 0,
            material: 0,
            pose: Pose::new(DVec3::new(n[1], n[2], n[3]), DQuat::from_xyzw(n[5], n[6], n[7], n[4])),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            frozen: false,
        });
    }
    let plane = |name: &str, normal: DVec3, offset: f64| -> Result<Wall<Space>, Box<dyn std::error::Error>> {
        Ok(Wall::fixed(name, HalfSpace::new(normal, offset)?.into(), 0))
    };
    let material = Material {
        name: "grains".into(),
        density: 2500.0,
        stiffness: Stiffness::Hertz { young: 1e7, poisson: 0.3 },
        damping: Damping::Published(0.5),
        friction: Friction::Coefficient(0.5),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: gritstone_force::Adhesion::None,
    };
    let setup = Setup {
        shapes: vec![shape],
        densities: vec![2500.0],
        interactions: Interactions::mix(&[material], &[])?,
        rules: Rules { radius: RadiusRule::Volume, flat: FlatRule::Point },
        grains,
        walls: vec![
            plane("floor", DVec3::Z, 0.0)?,
            plane("x-", DVec3::X, 0.0)?,
            plane("x+", -DVec3::X, -0.09)?,
            plane("y-", DVec3::Y, 0.0)?,
            plane("y+", -DVec3::Y, -0.09)?,
        ],
        tools: Vec::new(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: 2e-5,
        domain: None,
        compounds: gritstone_engine::Compounds::new(),
        cell: None,
    };
    let mut world = World::new(&setup)?;
    let start = Instant::now();
    for step in 0..steps {
        world.step()?;
        if (step + 1) % (steps / 10).max(1) == 0 {
            let status = world.status();
            let snapshot = world.snapshot();
            let mean = snapshot.bodies.iter().map(|b| b.pose.position.z).sum::<f64>() / 4000.0;
            let grain_pairs = snapshot.contacts.iter().filter(|c| !c.with_wall).count();
            let per = start.elapsed().as_secs_f64() / (step + 1) as f64 / 4000.0;
            println!(
                "t {:.3} mean z {:.3} mm pairs {grain_pairs} lanes {} near {} unresolved {} deepest {:.4} lists {:?} balance {:.6e} kinetic {:.3e}  {:.3} us per grain and step",
                status.time,
                mean * 1e3,
                status.contacts_in_lanes,
                status.near_pairs,
                status.unresolved_since_start,
                status.deepest,
                status.lists,
                world.energies().balance(),
                world.energies().kinetic(),
                per * 1e6
            );
        }
    }
    let bodies = world.snapshot().bodies;
    let heights = || bodies.iter().map(|body| body.pose.position.z);
    let inside = heights().filter(|z| (0.01..0.04).contains(z)).count();
    println!(
        "mean height {:.2} mm, highest {:.1} mm, solid fraction from 10 to 40 mm {:.3}",
        heights().sum::<f64>() * 1e3 / 4000.0,
        heights().fold(0.0, f64::max) * 1e3,
        inside as f64 * volume / (0.09 * 0.09 * 0.03)
    );
    Ok(())
}

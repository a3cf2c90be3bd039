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
    let path = format!("/tmp/cost-{kind}-{}.bin", std::env::var("TAG").unwrap_or_default());
    let saved = match std::fs::read(&path).ok().filter(|b| World::restore(&setup, b).is_ok()) {
        Some(b) => b,
        None => {
            let mut world = World::new(&setup)?;
            for _ in 0..22_500 {
                world.step()?;
            }
            let b = world.save()?;
            std::fs::write(&path, &b)?;
            b
        }
    };
    let _ = (steps, volume);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| -> Result<(), String> {
        let stretches = 20;
        let mut best = vec![[f64::INFINITY; 6]; stretches];
        for _ in 0..15 {
            let mut world = World::restore(&setup, &saved).map_err(|e| e.to_string())?;
            for slot in &mut best {
                let start = Instant::now();
                let mut laps = gritstone_engine::Laps::start();
                for _ in 0..10 {
                    world.timed_step(&mut laps).map_err(|e| e.to_string())?;
                }
                let t = start.elapsed().as_secs_f64();
                use gritstone_engine::Phase::*;
                let v = [
                    t,
                    laps.seconds(BroadPhase),
                    laps.seconds(Lanes),
                    laps.seconds(General),
                    laps.seconds(Gathering),
                    laps.seconds(Integration),
                ];
                for (b, x) in slot.iter_mut().zip(v) {
                    *b = b.min(x);
                }
            }
        }
        let mut world = World::restore(&setup, &saved).map_err(|e| e.to_string())?;
        let l0 = world.status().lists;
        for _ in 0..2000 {
            world.step().map_err(|e| e.to_string())?;
        }
        let l1 = world.status().lists;
        println!(
            "lists in 2000 steps {:?} near {} contacts {} kinetic {:e}",
            [l1[0] - l0[0], l1[1] - l0[1]],
            world.status().near_pairs,
            world.status().contacts,
            world.energies().kinetic()
        );
        let n = 10.0 * stretches as f64 * 4000.0 * 1e-9;
        let sum: Vec<f64> = (0..6).map(|i| best.iter().map(|b| b[i]).sum::<f64>() / n).collect();
        println!(
            "{kind}: total {:.1} ns  broad {:.1} lanes {:.1} general {:.1} gather {:.1} integration {:.1}",
            sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]
        );
        Ok(())
    })?;
    Ok(())
}

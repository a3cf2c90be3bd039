//! Grains that collide far from everything: what they push each other with adds up to nothing.

use glam::{DVec2, DVec3};
use gritstone_core::{Linear as _, Plane, Pose, Space, Vector as _};
use gritstone_engine::{Dimension, Grain, Setup, World};
use gritstone_force::{Friction, Material};
use gritstone_shape::AnyShape as _;
use gritstone_shape::plane::{Figure, Superellipse};
use gritstone_shape::space::{Ellipsoid, Solid, Superellipsoid};

use super::bench::{DENSITY, PATCHES, cube, empty, grain, linear, mass, material, square};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "isolated-cloud",
    proves: "forces between grains, friction and rolling resistance included, change neither momentum nor angular momentum",
    source: "Newton's third law",
    run,
};

/// Size of the grains (m), and how fast they fly (m/s).
const SIZE: f64 = 1e-2;
const SPEED: f64 = 1.0;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let steps = effort.pick(2_000, 10_000);
    let mut checks = balance(&in_space()?, "space", steps)?;
    checks.extend(balance(&in_the_plane()?, "plane", steps)?);
    Ok(checks)
}

fn sticky() -> Material {
    let friction = Friction::Coefficient(0.5);
    Material { friction, rolling: 0.1, twisting: 0.1, ..material(linear(1e4), 0.6) }
}

fn in_space() -> Result<Setup<Space>, Trouble> {
    let mut setup = empty::<Space>(sticky(), PATCHES, 2e-5)?;
    setup.shapes = vec![
        Ellipsoid::new(DVec3::new(0.6, 0.8, 1.0) * SIZE)?.into(),
        Superellipsoid::new(DVec3::new(0.5, 0.6, 0.8) * SIZE, [0.4, 0.5])?.into(),
        Solid::from(cube(SIZE)?),
    ];
    let mut draw = Draw::new(18, 1, 0);
    setup.grains = (0..64)
        .map(|i| {
            let cell = DVec3::new((i % 4) as f64, (i / 4 % 4) as f64, (i / 16) as f64) - 1.5;
            let position = cell * (2.1 * SIZE);
            Grain {
                pose: Pose::new(position, draw.rotation()),
                velocity: (draw.direction() * 0.3 - cell.normalize()) * SPEED,
                spin: draw.direction() * (SPEED / SIZE),
                ..grain(i, i % 3, DVec3::ZERO)
            }
        })
        .collect();
    Ok(setup)
}

fn in_the_plane() -> Result<Setup<Plane>, Trouble> {
    let mut setup = empty::<Plane>(sticky(), PATCHES, 2e-5)?;
    setup.shapes = vec![
        Superellipse::new(DVec2::new(0.6, 1.0) * SIZE, 2.0)?.into(),
        Superellipse::new(DVec2::new(0.5, 0.8) * SIZE, 5.0)?.into(),
        Figure::from(square(SIZE)?),
    ];
    let mut draw = Draw::new(19, 1, 0);
    setup.grains = (0..36)
        .map(|i| {
            let cell = DVec2::new((i % 6) as f64, (i / 6) as f64) - 2.5;
            Grain {
                pose: Pose::new(cell * (2.1 * SIZE), draw.uniform(0.0, 6.0)),
                velocity: (draw.direction().truncate() * 0.3 - cell.normalize()) * SPEED,
                spin: draw.uniform(-1.0, 1.0) * SPEED / SIZE,
                ..grain(i, i % 3, DVec2::ZERO)
            }
        })
        .collect();
    Ok(setup)
}

/// Momentum, angular momentum about the origin, and distance of the farthest grain.
fn motion<D: Dimension>(setup: &Setup<D>, world: &World<D>) -> (D::Vec, D::Spin, f64) {
    let (mut momentum, mut angular, mut farthest) = (D::Vec::default(), D::Spin::default(), 0.0_f64);
    for body in &world.snapshot().bodies {
        let shape = &setup.shapes[body.shape as usize];
        let p = body.velocity * mass::<D>(shape);
        momentum += p;
        angular += D::moment(body.pose.position, p);
        if let Some(mass) = shape.mass_properties() {
            angular += D::momentum(&D::inertia(&mass, DENSITY), body.pose.rotation, body.spin);
        }
        farthest = farthest.max(body.pose.position.length());
    }
    (momentum, angular, farthest)
}

fn balance<D: Dimension>(setup: &Setup<D>, name: &str, steps: u32) -> Result<Vec<Check>, Trouble> {
    let mut world = World::new(setup)?;
    let (momentum, angular, mut farthest) = motion(setup, &world);
    let (mut pushed, mut worst) = (0.0, [0.0_f64; 2]);
    for step in 1..=steps {
        world.step()?;
        let forces = world.snapshot().contacts;
        pushed += forces.iter().map(|touching| touching.force.length()).sum::<f64>() * setup.time_step;
        if step % 100 == 0 && pushed > 0.0 {
            let (p, l, reach) = motion(setup, &world);
            farthest = farthest.max(reach);
            let change = l - angular;
            worst[0] = worst[0].max((p - momentum).length() / pushed);
            worst[1] = worst[1].max(change.dot(change).sqrt() / (pushed * farthest));
        }
    }
    let lost = world.energies().dissipated;
    Ok(vec![
        Check::at_most(format!("{name}: momentum over Σ|F|dt"), worst[0], 1e-12),
        Check::at_most(
            format!("{name}: angular momentum over Σ|F|dt times the cloud's radius"),
            worst[1],
            1e-12,
        ),
        Check::at_least(format!("{name}: energy lost on the way (J)"), lost, f64::MIN_POSITIVE),
    ])
}

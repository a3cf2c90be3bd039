//! Smooth grains that hang from a ceiling to which they stick, or do not.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Rules, World};
use gritstone_force::{Adhesion, Material, radius};
use gritstone_shape::space::{Capsule, Cylinder, Ellipsoid, Solid, Sphere, Superellipsoid};

use super::bench::{DENSITY, G, POISSON, empty, grain, hertz, mass, material, plane};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "adhesion",
    proves: "smooth grains hang by their ends from what they stick to where the pull-off force exceeds their weight; all fall where it \
             does not, and the energy balance holds",
    source: "Johnson, Kendall and Roberts: pull-off 3/2·π·w·R*, and eight ninths of it where the surfaces just touch; R* is the \
             ball's of the same volume for what has a crown, R_eq³/h² for the others",
    run,
};

/// Size (m), effective modulus (Pa), restitution.
const SIZE: f64 = 5e-3;
const YOUNG: f64 = 5e6;
const RESTITUTION: f64 = 0.3;
/// Pull-off force over weight: where the surfaces just touch, the first pulls with 1.02 of the weight.
const MORE: f64 = 1.15;
const LESS: f64 = 0.95;
/// Overlap at the start over the size, and how long it is looked at (s).
const START: f64 = 1e-9;
const TIME: f64 = 0.1;

/// A grain, how it is turned, how far its top is above its centre, and its effective radius there.
struct Hanging {
    name: &'static str,
    shape: Solid,
    rotation: DQuat,
    height: f64,
    radius: f64,
    /// Whether it hangs by its end: a rod that hangs by its side turns about its point.
    steady: bool,
}

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for body in bodies()? {
        let [stuck, balance] = hang(&body, MORE)?;
        let [fallen, more_balance] = hang(&body, LESS)?;
        let what = |what: &str| format!("{}: {what}", body.name);
        if body.steady {
            checks.push(Check::at_most(what("way over size, pull-off 1.15 of the weight"), stuck, 1e-2));
        }
        checks.push(Check::at_least(what("way over size, pull-off 0.95 of the weight"), fallen, 1.0));
        checks.push(Check::at_most(
            what("energy balance, relative to the energy exchanged"),
            balance.max(more_balance),
            0.02,
        ));
    }
    Ok(checks)
}

fn bodies() -> Result<Vec<Hanging>, Trouble> {
    let round = |shape: &Solid| radius::of_volume::<Space>(mass::<Space>(shape) / DENSITY);
    let crowned = |name, shape: Solid, rotation, height| {
        let radius = round(&shape);
        Hanging { name, shape, rotation, height, radius, steady: false }
    };
    let smooth = |name, shape: Solid, height: f64, steady| {
        let radius = round(&shape).powi(3) / (height * height);
        Hanging { name, shape, rotation: DQuat::IDENTITY, height, radius, steady }
    };
    let lying = DQuat::from_rotation_x(FRAC_PI_2);
    let box_of = |e: f64| Superellipsoid::new(DVec3::splat(SIZE), [e, e]);
    Ok(vec![
        smooth("sphere", Sphere::new(SIZE)?.into(), SIZE, true),
        smooth(
            "ellipsoid by its end",
            Ellipsoid::new(DVec3::new(1.0, 1.2, 1.4) * SIZE)?.into(),
            1.4 * SIZE,
            true,
        ),
        smooth("superellipsoid ε = 0.5", box_of(0.5)?.into(), SIZE, false),
        crowned("superellipsoid ε = 0.2", box_of(0.2)?.into(), DQuat::IDENTITY, SIZE),
        crowned("cylinder on its cap", Cylinder::new(SIZE, SIZE)?.into(), DQuat::IDENTITY, SIZE),
        crowned("cylinder on its side", Cylinder::new(SIZE, SIZE)?.into(), lying, SIZE),
        crowned("capsule on its side", Capsule::new(SIZE, SIZE)?.into(), lying, SIZE),
    ])
}

/// How far a grain goes down, over its size, and the error of the energy balance, where its pull-off force is this share of its weight.
fn hang(body: &Hanging, share: f64) -> Result<[f64; 2], Trouble> {
    let weight = mass::<Space>(&body.shape) * G;
    let work = share * weight / (1.5 * PI * body.radius);
    let material = Material { cohesion: Adhesion::Jkr(work), ..material(hertz(YOUNG), RESTITUTION) };
    // A tenth of the Rayleigh time, as an automatic step.
    let shear = YOUNG * (1.0 - POISSON * POISSON) / (1.0 + POISSON);
    let step = 0.1 * PI * body.radius.min(SIZE) * (DENSITY / shear).sqrt() / (0.163 * POISSON + 0.8766);
    let mut setup = empty::<Space>(material, Rules::default(), step)?;
    setup.gravity = DVec3::NEG_Z * G;
    setup.shapes = vec![body.shape.clone()];
    setup.walls = vec![plane("ceiling", DVec3::NEG_Z, 0.0)?];
    let pose = Pose::new(DVec3::NEG_Z * (body.height - START * SIZE), body.rotation);
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec3::ZERO) }];
    let mut world = World::new(&setup)?;
    let height = |world: &World<Space>| world.snapshot().bodies[0].pose.position.z;
    let (start, top) = (world.energies(), height(&world));
    let (mut worst, mut exchanged) = (0.0_f64, 0.0_f64);
    for _ in 0..(TIME / step) as u64 {
        world.step()?;
        let now = world.energies();
        worst = worst.max((now.balance() - start.balance()).abs());
        exchanged = exchanged.max(now.kinetic()).max((now.elastic - start.elastic).abs());
    }
    Ok([(top - height(&world)) / SIZE, worst / exchanged])
}

//! Beds of smooth grains that were dropped into a box.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Rules, Setup, World};
use gritstone_force::{Friction, Material, Stiffness, radius};
use gritstone_shape::Support as _;
use gritstone_shape::space::{Capsule, Cylinder, Solid, Superellipsoid};

use super::bench::{DENSITY, G, POISSON, empty, grain, mass, material, plane};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "smooth-beds",
    proves: "the energy balance of beds of smooth grains holds for restitutions from 0.05 to 1, with the automatic step; how far they have come to \
             rest",
    source: "conservation of energy",
    run,
};

/// Young's modulus (Pa), friction.
const YOUNG: f64 = 1e7;
const FRICTION: f64 = 0.5;
/// Distance of the grains at the start, over the diameter of the largest; grains side by side.
const SPACING: f64 = 1.05;
const ACROSS: usize = 3;
/// Coefficients of restitution that are tested.
const FEW: &[f64] = &[0.05, 0.5];
const MANY: &[f64] = &[0.05, 0.1, 0.3, 0.5, 0.8, 1.0];
/// Part of the time, at its end, of which the largest kinetic energy is told.
const REST: f64 = 0.2;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let (grains, time, restitutions) = effort.pick((9, 0.4, FEW), (60, 3.0, MANY));
    let mut checks = Vec::new();
    for (name, shape) in shapes()? {
        for &e in restitutions {
            let [kinetic, balance] = fall(&shape, e, grains, time)?;
            let what = |what: &str| format!("{grains} {name}, e = {e}: {what}");
            checks.push(Check::at_most(
                what("energy balance, relative to the energy exchanged"),
                balance,
                0.02,
            ));
            // Nothing resists what rolls: single grains may continue for long.
            checks.push(Check::known(what("kinetic energy at last, of that of the fall"), kinetic));
        }
    }
    Ok(checks)
}

fn shapes() -> Result<Vec<(&'static str, Solid)>, Trouble> {
    let flat = Superellipsoid::new(DVec3::new(6e-3, 6e-3, 4e-3), [0.3, 1.0])?;
    let cube = Superellipsoid::new(DVec3::splat(5e-3), [0.2, 0.2])?;
    Ok(vec![
        ("capsules", Capsule::new(5e-3, 6e-3)?.into()),
        ("cylinders", Cylinder::new(5e-3, 6e-3)?.into()),
        ("discs", Cylinder::new(6e-3, 2.5e-3)?.into()),
        ("superellipsoids ε = 0.3, 1", flat.into()),
        ("superellipsoids ε = 0.2", cube.into()),
    ])
}

/// The largest kinetic energy at last over the largest of all, and the largest error of the energy balance over the energy that the grains
/// have lost by falling, as `gritstone run` gives it.
fn fall(shape: &Solid, e: f64, grains: usize, time: f64) -> Result<[f64; 2], Trouble> {
    let setup = bed(shape, e, grains)?;
    let mut world = World::new(&setup)?;
    let start = world.energies();
    let steps = (time / setup.time_step).ceil() as u64;
    let (mut largest, mut last, mut worst, mut exchanged) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for step in 0..steps {
        world.step()?;
        let energies = world.energies();
        largest = largest.max(energies.kinetic());
        worst = worst.max((energies.balance() - start.balance()).abs());
        exchanged = exchanged.max(start.potential - energies.potential);
        if step as f64 > (1.0 - REST) * steps as f64 {
            last = last.max(energies.kinetic());
        }
    }
    Ok([last / largest, worst / exchanged])
}

/// Grains over the floor of a box, turned at random.
fn bed(shape: &Solid, e: f64, grains: usize) -> Result<Setup<Space>, Trouble> {
    let mut draw = Draw::new(31, 1, 0);
    let stiffness = Stiffness::Hertz { young: YOUNG, poisson: POISSON };
    let material = Material { friction: Friction::Coefficient(FRICTION), ..material(stiffness, e) };
    // A tenth of the Rayleigh time, as an automatic step.
    let ball = radius::of_volume::<Space>(mass::<Space>(shape) / DENSITY);
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let step = 0.1 * PI * ball * (DENSITY / shear).sqrt() / (0.163 * POISSON + 0.8766);
    let mut setup = empty::<Space>(material, Rules::default(), step)?;
    let pitch = 2.0 * SPACING * shape.size();
    let width = ACROSS as f64 * pitch;
    setup.gravity = DVec3::NEG_Z * G;
    setup.shapes = vec![shape.clone()];
    setup.walls = vec![
        plane("floor", DVec3::Z, 0.0)?,
        plane("x-", DVec3::X, 0.0)?,
        plane("x+", DVec3::NEG_X, -width)?,
        plane("y-", DVec3::Y, 0.0)?,
        plane("y+", DVec3::NEG_Y, -width)?,
    ];
    let place = |i: usize| {
        let cell = [i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS];
        DVec3::from_array(cell.map(|n| (n as f64 + 0.5) * pitch))
    };
    setup.grains = (0..grains)
        .map(|i| Grain { pose: Pose::new(place(i), draw.rotation()), ..grain(i as u32, 0, DVec3::ZERO) })
        .collect();
    Ok(setup)
}

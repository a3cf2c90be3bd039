//! Elastic grains without friction, dropped into a box: an ideal gas of grains that must keep its energy.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{CROWN, FlatRule, Grain, RadiusRule, Rules, Setup, World};
use gritstone_force::{Stiffness, radius};
use gritstone_shape::Support;
use gritstone_shape::space::{Polyhedron, Solid, Superellipsoid};

use super::bench::{G, PATCHES, POINTS, empty, grain, hertz, linear, mass, material, plane};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "elastic-bed",
    proves: "beds of elastic grains keep their energy over 20 fall times at 50 steps per contact",
    source: "conservation of energy",
    run: energy,
};

pub(super) const ORDER: Case = Case {
    name: "elastic-bed-order",
    proves: "the energy error of smooth grains falls with the square of the time step",
    source: "velocity Verlet is of second order",
    run: order,
};

pub(super) const WITHOUT_POTENTIAL: Case = Case {
    name: "elastic-bed-without-potential",
    proves: "how well energy is kept by laws that have no potential: R* from the curvature, patches of polyhedra",
    source: "conservation of energy, which these laws do not promise",
    run: without_potential,
};

/// Deepest overlap of two grains that meet with the speed of the fall, over their size: stiff beds and soft ones.
const STIFF: f64 = 0.02;
const SOFT: f64 = 0.05;
/// Distance of grains at the start, over twice their size.
const SPACING: f64 = 1.1;
/// Grains side by side.
const ACROSS: usize = 6;

#[derive(Clone, Copy)]
enum Shapes {
    Superellipsoids,
    Polyhedra,
}

#[derive(Clone, Copy)]
enum Law {
    Linear,
    Hertz,
}

/// A bed and how finely it is stepped.
struct Bed {
    shapes: Shapes,
    law: Law,
    rules: Rules,
    grains: usize,
    /// Steps in the time of a contact.
    fineness: f64,
    fall_times: f64,
    /// How deep grains overlap, [`STIFF`] or [`SOFT`].
    depth: f64,
    /// Seed of the orientations.
    seed: u64,
}

/// What became of a bed's energy, over the largest kinetic energy.
struct Outcome {
    /// Largest deviation.
    worst: f64,
    /// Root of the mean square of the deviation.
    mean: f64,
    unresolved: u64,
}

fn energy(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for (name, shapes, rules) in
        [("superellipsoids", Shapes::Superellipsoids, POINTS), ("polyhedra", Shapes::Polyhedra, POINTS)]
    {
        let of_bodies = Rules { radius: RadiusRule::BodyFunction, ..rules };
        for (law_name, law, rules) in [
            ("linear", Law::Linear, rules),
            ("Hertz, constant R*", Law::Hertz, rules),
            ("Hertz, R* from the body function", Law::Hertz, of_bodies),
        ] {
            let (grains, fall_times) = (effort.pick(20, 200), effort.pick(5.0, 20.0));
            let out =
                run(&Bed { shapes, law, rules, grains, fineness: 50.0, fall_times, depth: STIFF, seed: 1 })?;
            checks.push(Check::at_most(
                format!("{grains} {name}, {law_name}: energy, relative"),
                out.worst,
                0.01,
            ));
            checks.push(Check::at_most(
                format!("{name}, {law_name}: unresolved contacts"),
                out.unresolved as f64,
                0.0,
            ));
        }
    }
    Ok(checks)
}

fn order(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    let of_bodies = Rules { radius: RadiusRule::BodyFunction, ..POINTS };
    for (name, law, rules) in [
        ("linear", Law::Linear, POINTS),
        ("Hertz, constant R*", Law::Hertz, POINTS),
        ("Hertz, R* from the body function", Law::Hertz, of_bodies),
    ] {
        // The error of one bed is a random walk from collision to collision: many small beds have a mean.
        let beds = effort.pick(48, 200);
        let error = |fineness: f64| -> Result<f64, Trouble> {
            let bed = |seed| Bed {
                shapes: Shapes::Superellipsoids,
                law,
                rules,
                grains: 8,
                fineness,
                fall_times: 2.0,
                depth: SOFT,
                seed,
            };
            let mut squares = 0.0;
            for seed in 0..beds {
                squares += run(&bed(seed))?.mean.powi(2);
            }
            Ok((squares / beds as f64).sqrt())
        };
        let (coarse, fine) = (error(25.0)?, error(100.0)?);
        checks.push(Check::known(format!("{name}: energy, relative, at 25 steps per contact"), coarse));
        checks.push(Check::known(format!("{name}: energy, relative, at 100 steps per contact"), fine));
        checks.push(Check::at_least(
            format!("{name}: order in the time step"),
            (coarse / fine).log2() / 2.0,
            1.7,
        ));
    }
    Ok(checks)
}

fn without_potential(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for (name, flat) in [("points", FlatRule::Point), ("patches", FlatRule::Patch)] {
        for fineness in [50.0, 100.0] {
            let rules = Rules { radius: RadiusRule::Curvature, flat, crown: CROWN };
            let (grains, fall_times) = (effort.pick(20, 200), effort.pick(2.0, 5.0));
            let (shapes, law) = (Shapes::Superellipsoids, Law::Hertz);
            let bed = Bed { shapes, law, rules, grains, fineness, fall_times, depth: SOFT, seed: 1 };
            let what =
                format!("Hertz, R* from curvature, {name}, {fineness} steps per contact: energy, relative");
            checks.push(Check::known(what, run(&bed)?.worst));
        }
    }
    // The patch's energy is exact for faces that meet face to face; where the normal turns it is not.
    for (name, law) in [("linear", Law::Linear), ("Hertz", Law::Hertz)] {
        let (shapes, rules) = (Shapes::Polyhedra, PATCHES);
        let (grains, fall_times) = (effort.pick(20, 100), effort.pick(2.0, 5.0));
        let out = run(&Bed { shapes, law, rules, grains, fineness: 50.0, fall_times, depth: SOFT, seed: 1 })?;
        let what =
            format!("{grains} polyhedra with patches, {name}, {fall_times} fall times: energy, relative");
        checks.push(Check::known(what, out.worst));
    }
    Ok(checks)
}

fn run(bed: &Bed) -> Result<Outcome, Trouble> {
    let (setup, fall_time) = fill(bed)?;
    let mut world = World::new(&setup)?;
    let start = world.energies().balance();
    let steps = (bed.fall_times * fall_time / setup.time_step).ceil() as u64;
    let (mut worst, mut squares, mut scale) = (0.0_f64, 0.0, 0.0_f64);
    for _ in 0..steps {
        world.step()?;
        let energies = world.energies();
        let error = energies.balance() - start;
        worst = worst.max(error.abs());
        squares += error * error;
        scale = scale.max(energies.kinetic());
    }
    let unresolved = world.status().unresolved_since_start;
    Ok(Outcome { worst: worst / scale, mean: (squares / steps as f64).sqrt() / scale, unresolved })
}

/// The bed before its fall, and the time of the fall.
fn fill(bed: &Bed) -> Result<(Setup<Space>, f64), Trouble> {
    let mut draw = Draw::new(17, bed.seed, 0);
    let shapes = shapes(bed.shapes, &mut draw)?;
    let size = shapes.iter().map(Support::size).fold(0.0, f64::max);
    // The lightest have the shortest contacts.
    let mass = shapes.iter().map(mass::<Space>).fold(f64::INFINITY, f64::min);
    let pitch = 2.0 * size * SPACING;
    let across = ACROSS.min((bed.grains as f64).cbrt().ceil() as usize);
    let place = |i: usize| {
        let cell = [i % across, i / across % across, i / across / across].map(|n| (n as f64 + 0.5) * pitch);
        DVec3::from_array(cell)
    };
    let height = (0..bed.grains).map(|i| place(i).z).sum::<f64>() / bed.grains as f64;
    let speed = (2.0 * G * height).sqrt();
    // m* = m/2; the collision stops at ½m*v² of elastic energy.
    let (depth, energy) = (bed.depth * size, 0.25 * mass * speed * speed);
    let stiffness: Stiffness = match bed.law {
        Law::Linear => linear(2.0 * energy / (depth * depth)),
        Law::Hertz => {
            let r = 0.5 * radius::of_volume::<Space>(mass / super::bench::DENSITY);
            hertz(energy / (8.0 / 15.0 * r.sqrt() * depth.powf(2.5)))
        }
    };
    let contact_time =
        depth / speed * if matches!(bed.law, Law::Linear) { std::f64::consts::PI } else { 2.943 };
    let mut setup = empty::<Space>(material(stiffness, 1.0), bed.rules, contact_time / bed.fineness)?;
    let width = across as f64 * pitch;
    setup.gravity = DVec3::Z * -G;
    setup.walls = vec![
        plane("floor", DVec3::Z, 0.0)?,
        plane("x-", DVec3::X, 0.0)?,
        plane("x+", -DVec3::X, -width)?,
        plane("y-", DVec3::Y, 0.0)?,
        plane("y+", -DVec3::Y, -width)?,
    ];
    let count = shapes.len();
    setup.shapes = shapes;
    setup.grains = (0..bed.grains)
        .map(|i| Grain {
            pose: Pose::new(place(i), draw.rotation()),
            ..grain(i as u32, (i % count) as u32, DVec3::ZERO)
        })
        .collect();
    Ok((setup, speed / G))
}

fn shapes(kind: Shapes, draw: &mut Draw) -> Result<Vec<Solid>, Trouble> {
    Ok(match kind {
        Shapes::Superellipsoids => {
            vec![Superellipsoid::new(DVec3::new(0.8, 1.0, 1.3) * 1e-2, [0.7, 0.8])?.into()]
        }
        Shapes::Polyhedra => {
            let mut hulls = Vec::new();
            for _ in 0..8 {
                let corners: Vec<DVec3> = (0..12).map(|_| draw.direction() * 1e-2).collect();
                hulls.push(Polyhedron::hull(&corners)?.0.into());
            }
            hulls
        }
    })
}

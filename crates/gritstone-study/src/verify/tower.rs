//! Ten cubes on each other.

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Space, Vector};
use gritstone_engine::{Dimension, Wall, World};
use gritstone_force::{Friction, Material};

use super::bench::{G, PATCHES, cube, empty, grain, line, linear, mass, material, plane, square};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "tower",
    proves: "a tower of ten cubes stands",
    source: "statics; the springs in series shorten by Σ i·mg/k from the top",
    run,
};

/// Edge of the cubes (m), and how deep the lowest sinks in, over it.
const EDGE: f64 = 0.1;
const SINK: f64 = 0.9e-4;
const COUNT: u32 = 10;
const FINENESS: f64 = 30.0;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let time = effort.pick(1.0, 10.0);
    let floor = plane("floor", DVec3::Z, 0.0)?;
    let ground = line("ground", DVec2::Y, 0.0)?;
    let mut checks = stand::<Space>("cubes", &cube(EDGE)?.into(), &floor, time)?;
    checks.extend(stand::<Plane>("squares", &square(EDGE)?.into(), &ground, time)?);
    Ok(checks)
}

fn stand<D: Dimension>(
    name: &str,
    shape: &D::Shape,
    floor: &Wall<D>,
    time: f64,
) -> Result<Vec<Check>, Trouble> {
    let mass = mass::<D>(shape);
    let kn = f64::from(COUNT) * mass * G / (SINK * EDGE);
    // Two cubes against each other: m* = m/2.
    let dt = std::f64::consts::PI * (0.5 * mass / kn).sqrt() / FINENESS;
    let rough = Material { friction: Friction::Coefficient(0.5), ..material(linear(kn), 0.5) };
    let up = D::Vec::axis(D::N - 1);
    let mut setup = empty::<D>(rough, PATCHES, dt)?;
    setup.shapes = vec![shape.clone()];
    setup.walls = vec![floor.clone()];
    setup.gravity = up * -G;
    // Stacked without any overlap, every other one a little to the side: they sink in by themselves.
    setup.grains = (0..COUNT)
        .map(|i| {
            let aside = if i % 2 == 0 { 0.01 } else { -0.01 };
            grain(i, 0, up * (EDGE * (f64::from(i) + 0.5)) + D::Vec::axis(0) * (EDGE * aside))
        })
        .collect();
    let mut world = World::new(&setup)?;
    let top = |world: &World<D>| world.snapshot().bodies[COUNT as usize - 1].pose.position;
    let (start, mut moved, mut overlap) = (top(&world), 0.0_f64, 0.0_f64);
    let steps = (time / dt).ceil() as u64;
    for step in 0..steps {
        world.step()?;
        moved = moved.max((top(&world) - start).length());
        if step > steps / 2 {
            let contacts = world.snapshot().contacts;
            overlap = contacts.iter().map(|touching| touching.depth).fold(overlap, f64::max);
        }
    }
    let shorter = (start - top(&world)).component(D::N - 1);
    let expected = f64::from(COUNT * (COUNT + 1) / 2) * mass * G / kn;
    Ok(vec![
        Check::at_most(format!("{name}: overlap at rest over edge"), overlap / EDGE, 1e-4),
        Check::at_most(format!("{name}: way of the top over edge in {time} s"), moved / EDGE, 1e-3),
        Check::relative(format!("{name}: how much shorter it is, relative"), shorter, expected, 0.01),
    ])
}

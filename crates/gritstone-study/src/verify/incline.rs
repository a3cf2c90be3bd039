//! A block on a slope.

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Linear as _, Plane, Pose, Space, Vector as _};
use gritstone_engine::{Dimension, Grain, Setup, World};
use gritstone_force::{Friction, Material, Stiffness};
use gritstone_shape::plane::Figure;
use gritstone_shape::space::Solid;

use super::bench::{G, PATCHES, cube, empty, grain, hertz, line, linear, mass, material, plane, square};
use super::{Case, Check, Effort, Trouble};

pub(super) const SLIDING: Case = Case {
    name: "sliding-block",
    proves: "a block slides down a slope as Coulomb's friction says",
    source: "acceleration g(sin θ − μ cos θ)",
    run: sliding,
};

pub(super) const HELD: Case = Case {
    name: "held-block",
    proves: "below the friction angle a block stays where it is, without creep",
    source: "statics",
    run: held,
};

/// Edge of the block (m), and how deep it sinks in under its own weight, over the edge.
const EDGE: f64 = 1e-2;
const SINK: f64 = 1e-4;
const FINENESS: f64 = 50.0;

/// A block that lies on a slope and has sunk in, the direction down the slope, and the time that a contact takes.
struct Slope<D: Dimension> {
    setup: Setup<D>,
    down: D::Vec,
}

fn sliding(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        for (degrees, mu) in [(20.0, 0.1), (35.0, 0.4), (50.0, 0.8)] {
            let angle = f64::to_radians(degrees);
            let expected = G * (angle.sin() - mu * angle.cos());
            let what = |body| format!("{body}, {law}, {degrees}°, μ = {mu}: acceleration, relative");
            let found = acceleration(&in_space(angle, mu, hertzian)?)?;
            checks.push(Check::relative(what("cube"), found, expected, 1e-3));
            let found = acceleration(&in_the_plane(angle, mu, hertzian)?)?;
            checks.push(Check::relative(what("square"), found, expected, 1e-3));
        }
    }
    Ok(checks)
}

fn held(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let times = effort.pick([0.5, 1.0], [1.0, 10.0]);
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        for (degrees, mu) in [(20.0, 0.5), (29.0, 0.6)] {
            let angle = f64::to_radians(degrees);
            let what = |body| format!("{body}, {law}, {degrees}°, μ = {mu}: way in {} s over edge", times[1]);
            checks.push(Check::at_most(what("cube"), creep(&in_space(angle, mu, hertzian)?, times)?, 1e-6));
            checks.push(Check::at_most(
                what("square"),
                creep(&in_the_plane(angle, mu, hertzian)?, times)?,
                1e-6,
            ));
        }
    }
    Ok(checks)
}

fn rough(stiffness: Stiffness, mu: f64) -> Material {
    Material { friction: Friction::Coefficient(mu), ..material(stiffness, 0.5) }
}

/// Springs that let a block of this mass sink in by [`SINK`] under its weight, and the time step for them.
fn springs<D: Dimension>(mass: f64, hertzian: bool) -> (Stiffness, f64) {
    let kn = mass * G / (SINK * EDGE);
    let dt = std::f64::consts::PI * (mass / kn).sqrt() / FINENESS;
    let area: f64 = if D::N == 2 { EDGE } else { EDGE * EDGE };
    // The stiffness of a face per Y*, see `gritstone_force::patch`.
    let per_young = if D::N == 2 { area / 2.0_f64.sqrt() } else { 1.106 * area.sqrt() };
    (if hertzian { hertz(kn / per_young) } else { linear(kn) }, dt)
}

fn in_space(angle: f64, mu: f64, hertzian: bool) -> Result<Slope<Space>, Trouble> {
    let block = Solid::from(cube(EDGE)?);
    let (stiffness, dt) = springs::<Space>(mass::<Space>(&block), hertzian);
    let mut setup = empty::<Space>(rough(stiffness, mu), PATCHES, dt)?;
    // The slope falls along x, and the block is turned about its normal.
    let turn = DQuat::from_rotation_y(angle);
    let up = turn * DVec3::Z;
    setup.shapes = vec![block];
    setup.walls = vec![plane("slope", up, 0.0)?];
    setup.gravity = DVec3::Z * -G;
    let pose = Pose::new(up * (EDGE * (0.5 - SINK * angle.cos())), turn * DQuat::from_rotation_z(0.3));
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec3::ZERO) }];
    Ok(Slope { setup, down: turn * DVec3::X })
}

fn in_the_plane(angle: f64, mu: f64, hertzian: bool) -> Result<Slope<Plane>, Trouble> {
    let block = Figure::from(square(EDGE)?);
    let (stiffness, dt) = springs::<Plane>(mass::<Plane>(&block), hertzian);
    let mut setup = empty::<Plane>(rough(stiffness, mu), PATCHES, dt)?;
    let up = DVec2::from_angle(-angle).rotate(DVec2::Y);
    setup.shapes = vec![block];
    setup.walls = vec![line("slope", up, 0.0)?];
    setup.gravity = DVec2::Y * -G;
    let pose = Pose::new(up * (EDGE * (0.5 - SINK * angle.cos())), -angle);
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec2::ZERO) }];
    Ok(Slope { setup, down: DVec2::from_angle(-angle).rotate(DVec2::X) })
}

/// Change of the velocity down the slope in half a second, after a start of 50 ms.
fn acceleration<D: Dimension>(slope: &Slope<D>) -> Result<f64, Trouble> {
    let mut world = World::new(&slope.setup)?;
    let velocity = |world: &World<D>| world.snapshot().bodies[0].velocity.dot(slope.down);
    go_on(&mut world, 0.05)?;
    let (before, start) = (velocity(&world), world.time());
    go_on(&mut world, 0.5)?;
    Ok((velocity(&world) - before) / (world.time() - start))
}

/// Farthest way of the block within the second time, after it came to rest in the first.
fn creep<D: Dimension>(slope: &Slope<D>, [settle, watch]: [f64; 2]) -> Result<f64, Trouble> {
    let mut world = World::new(&slope.setup)?;
    let position = |world: &World<D>| world.snapshot().bodies[0].pose.position;
    go_on(&mut world, settle)?;
    let (start, mut farthest) = (position(&world), 0.0_f64);
    for _ in 0..100 {
        go_on(&mut world, 0.01 * watch)?;
        farthest = farthest.max((position(&world) - start).length());
    }
    Ok(farthest / EDGE)
}

fn go_on<D: Dimension>(world: &mut World<D>, time: f64) -> Result<(), Trouble> {
    for _ in 0..(time / world.time_step()).ceil() as u64 {
        world.step()?;
    }
    Ok(())
}

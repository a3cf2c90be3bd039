//! Central impacts with damping.

use glam::{DVec2, DVec3};
use gritstone_core::{Linear as _, Plane, Space, Vector};
use gritstone_engine::{Dimension, Grain, Rules, Setup, Wall, World};
use gritstone_force::Stiffness;
use gritstone_shape::plane::{Circle, Figure};
use gritstone_shape::space::{Solid, Sphere};

use super::bench::{PATCHES, POINTS, cube, empty, grain, hertz, line, linear, mass, material, plane, square};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "restitution",
    proves: "central impacts rebound with the given restitution",
    source: "its definition",
    run,
};

/// Size of the bodies (m), speed of the impact (m/s).
const SIZE: f64 = 1e-2;
const SPEED: f64 = 0.5;
/// Deepest overlap without damping, over the size: what sets the stiffness.
const DEPTH: f64 = 0.01;
/// Steps in the time of a contact. Damping that sets in at once, as a face's does, is of first order in the step.
const FINENESS: f64 = 400.0;
const ASKED: [f64; 8] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.0];

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let sphere = Solid::from(Sphere::new(SIZE)?);
    let floor = plane("floor", DVec3::Z, 0.0)?;
    let ground = line("ground", DVec2::Y, 0.0)?;
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        let mut add = |what: &str, worst: f64| {
            checks.push(Check::at_most(
                format!("{what}, {law}, e from 0.1 to 1: worst, relative"),
                worst,
                0.01,
            ));
        };
        add("sphere on a plane", worst::<Space>(&sphere, &floor, POINTS, hertzian)?);
        add("face of a cube on a plane", worst::<Space>(&cube(SIZE)?.into(), &floor, PATCHES, hertzian)?);
        add("disc on a line", worst::<Plane>(&Figure::from(Circle::new(SIZE)?), &ground, POINTS, hertzian)?);
        add("side of a square on a line", worst::<Plane>(&square(SIZE)?.into(), &ground, PATCHES, hertzian)?);
    }
    Ok(checks)
}

/// The largest deviation from what was requested, relative to it.
fn worst<D: Dimension>(
    shape: &D::Shape,
    wall: &Wall<D>,
    rules: Rules,
    hertzian: bool,
) -> Result<f64, Trouble> {
    let (mass, depth) = (mass::<D>(shape), DEPTH * SIZE);
    let kn = mass * (SPEED / depth).powi(2);
    let flat = rules == PATCHES;
    // About as stiff as the linear spring at this depth.
    let stiffness: Stiffness = match (hertzian, flat) {
        (false, _) => linear(kn),
        (true, false) => hertz(kn / (SIZE * depth).sqrt()),
        (true, true) => hertz(kn / SIZE),
    };
    let dt = std::f64::consts::PI * (mass / kn).sqrt() / FINENESS;
    let mut worst = 0.0_f64;
    for e in ASKED {
        let mut setup = empty::<D>(material(stiffness, e), rules, dt)?;
        let up = D::Vec::axis(D::N - 1);
        let half = if flat { 0.5 } else { 1.0 };
        setup.shapes = vec![shape.clone()];
        setup.walls = vec![wall.clone()];
        setup.grains = vec![Grain { velocity: up * -SPEED, ..grain(0, 0, up * (half * SIZE * 1.001)) }];
        worst = worst.max((rebound(&setup)? / SPEED / e - 1.0).abs());
    }
    Ok(worst)
}

/// Speed after the impact.
fn rebound<D: Dimension>(setup: &Setup<D>) -> Result<f64, Trouble> {
    let mut world = World::new(setup)?;
    let mut touched = false;
    for _ in 0..200_000 {
        world.step()?;
        let touching = world.status().contacts > 0;
        if touched && !touching {
            break;
        }
        touched |= touching;
    }
    let velocity = world.snapshot().bodies[0].velocity;
    Ok(velocity.dot(velocity).sqrt())
}

//! A ball that slides until it rolls, and one that rolls down a slope.

use glam::{DVec2, DVec3};
use gritstone_core::{Linear as _, Plane, Space, Vector};
use gritstone_engine::{Dimension, Grain, Setup, Wall, World};
use gritstone_force::{Friction, Material};
use gritstone_shape::plane::{Circle, Figure};
use gritstone_shape::space::{Solid, Sphere};

use super::bench::{G, POINTS, empty, grain, hertz, line, linear, mass, material, plane};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "rolling",
    proves: "friction turns sliding into rolling: 5/7 of the speed for a sphere, 2/3 for a disc, on a slope as well",
    source: "angular momentum about the contact: v = v₀/(1 + I/mR²); acceleration g·sin θ/(1 + I/mR²)",
    run,
};

/// Radius (m), and how deep the ball sinks in, over it.
const RADIUS: f64 = 1e-2;
const SINK: f64 = 1e-5;
const FINENESS: f64 = 50.0;
/// Speed at the start (m/s), and the slope (rad).
const SPEED: f64 = 0.3;
const SLOPE: f64 = 0.3;

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let sphere = Solid::from(Sphere::new(RADIUS)?);
    let disc = Figure::from(Circle::new(RADIUS)?);
    let floor = plane("floor", DVec3::Z, 0.0)?;
    let ground = line("ground", DVec2::Y, 0.0)?;
    let mut checks = roll::<Space>("sphere", &sphere, &floor, 5.0 / 7.0)?;
    checks.extend(roll::<Plane>("disc", &disc, &ground, 2.0 / 3.0)?);
    Ok(checks)
}

fn roll<D: Dimension>(
    name: &str,
    shape: &D::Shape,
    floor: &Wall<D>,
    share: f64,
) -> Result<Vec<Check>, Trouble> {
    let (along, up) = (D::Vec::axis(0), D::Vec::axis(D::N - 1));
    let mass = mass::<D>(shape);
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        let sink = SINK * RADIUS;
        let kn = mass * G / sink;
        let stiffness = if hertzian { hertz(kn * 0.75 / (RADIUS * sink).sqrt()) } else { linear(kn) };
        let rough = Material { friction: Friction::Coefficient(0.4), ..material(stiffness, 0.5) };
        let dt = std::f64::consts::PI * (mass / kn).sqrt() / FINENESS;
        let mut setup = empty::<D>(rough, POINTS, dt)?;
        setup.shapes = vec![shape.clone()];
        setup.walls = vec![floor.clone()];
        setup.gravity = up * -G;
        setup.grains = vec![Grain { velocity: along * SPEED, ..grain(0, 0, up * (RADIUS - sink)) }];
        // Sliding ends after 2v₀/7μg.
        let speed = velocity(&setup, 0.2)?.dot(along);
        checks.push(Check::relative(format!("{name}, {law}: speed, relative"), speed, share * SPEED, 1e-3));
        setup.gravity = along * (G * SLOPE.sin()) - up * (G * SLOPE.cos());
        setup.grains[0].velocity = D::Vec::default();
        let gained = velocity(&setup, 0.3)?.dot(along) - velocity(&setup, 0.1)?.dot(along);
        let expected = share * G * SLOPE.sin() * 0.2;
        checks.push(Check::relative(
            format!("{name} on a slope, {law}: speed, relative"),
            gained,
            expected,
            1e-3,
        ));
    }
    Ok(checks)
}

/// Velocity at this time.
fn velocity<D: Dimension>(setup: &Setup<D>, time: f64) -> Result<D::Vec, Trouble> {
    let dt = setup.time_step;
    let steps = (time / dt).round();
    // So that the last step ends just there.
    let setup = Setup { time_step: time / steps, ..setup.clone() };
    let mut world = World::new(&setup)?;
    for _ in 0..steps as u64 {
        world.step()?;
    }
    Ok(world.snapshot().bodies[0].velocity)
}

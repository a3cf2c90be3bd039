//! Two spheres that meet head-on.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::{Grain, RadiusRule, Rules, Setup, World};
use gritstone_force::Stiffness;
use gritstone_shape::space::{Solid, Sphere};

use super::bench::{POINTS, empty, grain, hertz, linear, mass, material};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "impact",
    proves: "overlap, force and duration of an elastic impact",
    source: "Hertz 1882: ½m*v² = 8/15·Y*√R*·δ^(5/2), 2.9433·δ/v; linear: δ = v√(m*/k), π√(m*/k)",
    run,
};

/// Radii of the spheres (m), their speed of approach (m/s), and Y* (Pa).
const RADII: [f64; 2] = [1e-2, 1.7e-2];
const SPEED: f64 = 0.8;
const YOUNG: f64 = 3e7;
/// 2∫dx/√(1 − x^(5/2)) from 0 to 1.
const TURN: f64 = 2.943_275_184_324_7;
/// Steps in the time of the contact.
const FINENESS: f64 = 500.0;

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let reduced = {
        let [a, b] = RADII.map(|r| Sphere::new(r).map(|s| mass::<Space>(&s.into())));
        let (a, b) = (a?, b?);
        a * b / (a + b)
    };
    let radius = RADII[0] * RADII[1] / (RADII[0] + RADII[1]);
    let depth = (15.0 * reduced * SPEED * SPEED / (16.0 * YOUNG * radius.sqrt())).powf(0.4);
    let force = 4.0 / 3.0 * YOUNG * radius.sqrt() * depth.powf(1.5);
    let kn = reduced * (SPEED / depth).powi(2);
    let mut checks = Vec::new();
    for (name, stiffness, rule, expected) in [
        ("Hertz", hertz(YOUNG), RadiusRule::Volume, [depth, force, TURN * depth / SPEED]),
        (
            "Hertz, R* from curvature",
            hertz(YOUNG),
            RadiusRule::Curvature,
            [depth, force, TURN * depth / SPEED],
        ),
        ("linear", linear(kn), RadiusRule::Volume, [depth, kn * depth, std::f64::consts::PI * depth / SPEED]),
    ] {
        let rules = Rules { radius: rule, ..POINTS };
        let found = collide(&spheres(stiffness, rules, expected[2] / FINENESS)?)?;
        for ((what, found), expected) in ["overlap", "force", "duration"].iter().zip(found).zip(expected) {
            checks.push(Check::relative(format!("{name}: {what}, relative"), found, expected, 1e-3));
        }
    }
    Ok(checks)
}

/// Two spheres that touch and approach each other.
fn spheres(stiffness: Stiffness, rules: Rules, dt: f64) -> Result<Setup<Space>, Trouble> {
    let mut setup = empty::<Space>(material(stiffness, 1.0), rules, dt)?;
    setup.shapes = vec![Solid::from(Sphere::new(RADII[0])?), Solid::from(Sphere::new(RADII[1])?)];
    let along = DVec3::new(0.48, 0.6, 0.64);
    setup.grains = vec![
        Grain { velocity: along * (0.25 * SPEED), ..grain(0, 0, DVec3::ZERO) },
        Grain { velocity: along * (-0.75 * SPEED), ..grain(1, 1, along * (RADII[0] + RADII[1])) },
    ];
    Ok(setup)
}

/// Deepest overlap, largest force, duration.
fn collide(setup: &Setup<Space>) -> Result<[f64; 3], Trouble> {
    let mut world = World::new(setup)?;
    let (mut deepest, mut strongest, mut before) = (0.0_f64, 0.0_f64, 0.0);
    loop {
        world.step()?;
        let snapshot = world.snapshot();
        let distance = snapshot.bodies[0].pose.position.distance(snapshot.bodies[1].pose.position);
        let depth = RADII[0] + RADII[1] - distance;
        if depth < 0.0 {
            let since = setup.time_step * depth / (depth - before);
            return Ok([deepest, strongest, world.time() - since]);
        }
        deepest = deepest.max(depth);
        strongest =
            snapshot.contacts.iter().map(|touching| touching.force.length()).fold(strongest, f64::max);
        before = depth;
    }
}

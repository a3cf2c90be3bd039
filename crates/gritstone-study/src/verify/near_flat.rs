//! Rods, discs and superellipses that meet a plane nearly flat, without damping.

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose};
use gritstone_engine::{Grain, Rules, Setup, World};
use gritstone_shape::plane::Superellipse;

use super::bench::{empty, grain, hertz, line, material};
use super::rods::{RADIUS, discs, floors, over, rods, soft};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "near-flat-impacts",
    proves: "elastic impacts of rods, discs and superellipses within 0.05 rad of lying flat keep their energy",
    source: "conservation of energy",
    run,
};

/// Speed (m/s): overlaps of two per cent. Time step (s): fifty in a contact.
const SPEED: f64 = 1.0;
const STEP: f64 = 1e-5;
const TILT: f64 = 0.05;
/// Effective modulus (Pa) and time step (s) for the same in the plane.
const IN_PLANE: (f64, f64) = (5e10, 2e-6);

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let impacts = effort.pick(6, 60);
    let mut checks = Vec::new();
    for body in rods()?.iter().chain(&discs()?) {
        let mut worst = 0.0_f64;
        for k in 0..impacts {
            let mut draw = Draw::new(31, 1, k);
            let tilt = draw.direction() * draw.uniform(0.0, TILT);
            let pose =
                Pose::new(DVec3::Z * (body.height + 2e-3), glam::DQuat::from_scaled_axis(tilt) * body.lying);
            let (_, floor) = floors()?.remove(0);
            let mut setup = over(&body.shape, pose, floor, soft(1.0, 0.0), 0.0)?;
            (setup.gravity, setup.time_step) = (DVec3::ZERO, STEP);
            setup.grains = vec![Grain { pose, velocity: DVec3::Z * -SPEED, ..grain(0, 0, DVec3::ZERO) }];
            let mut world = World::new(&setup)?;
            let start = world.energies().kinetic();
            // One end may meet the plane again after the other.
            while world.time() < 0.012 || world.status().contacts > 0 {
                world.step()?;
            }
            worst = worst.max((world.energies().kinetic() / start - 1.0).abs());
        }
        checks.push(Check::at_most(
            format!("{}, {impacts} impacts: energy, worst, relative", body.name),
            worst,
            1e-3,
        ));
    }
    for n in [3.5, 6.0, 20.0] {
        let worst = (0..impacts)
            .map(|k| in_the_plane(n, k))
            .try_fold(0.0_f64, |most, change| Ok::<_, Trouble>(most.max(change?.abs())))?;
        let what = format!("superellipse, n = {n}, {impacts} impacts: energy, worst, relative");
        checks.push(Check::at_most(what, worst, 1e-3));
    }
    Ok(checks)
}

/// What a superellipse gains that meets a line nearly flat.
fn in_the_plane(n: f64, number: u64) -> Result<f64, Trouble> {
    let (a, b) = (2.0 * RADIUS, RADIUS);
    let mut draw = Draw::new(31, 2, number);
    let mut setup: Setup<Plane> = empty(material(hertz(IN_PLANE.0), 1.0), Rules::default(), IN_PLANE.1)?;
    setup.shapes = vec![Superellipse::new(DVec2::new(a, b), n)?.into()];
    setup.walls = vec![line("ground", DVec2::Y, 0.0)?];
    let pose = Pose::new(DVec2::Y * (b + 2e-3), draw.uniform(-TILT, TILT));
    setup.grains = vec![Grain { pose, velocity: DVec2::Y * -SPEED, ..grain(0, 0, DVec2::ZERO) }];
    let mut world = World::new(&setup)?;
    let start = world.energies().kinetic();
    while world.time() < 0.012 || world.status().contacts > 0 {
        world.step()?;
    }
    Ok(world.energies().kinetic() / start - 1.0)
}

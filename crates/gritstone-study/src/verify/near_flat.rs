//! Rods and discs that meet a plane nearly flat, without damping.

use glam::DVec3;
use gritstone_core::Pose;
use gritstone_engine::{Grain, World};

use super::bench::grain;
use super::rods::{discs, floors, over, rods, soft};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "near-flat-impacts",
    proves: "elastic impacts of rods and discs within 0.05 rad of lying flat keep their energy",
    source: "conservation of energy",
    run,
};

/// Speed (m/s): overlaps of two per cent. Time step (s): fifty in a contact.
const SPEED: f64 = 1.0;
const STEP: f64 = 1e-5;
const TILT: f64 = 0.05;

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
    Ok(checks)
}

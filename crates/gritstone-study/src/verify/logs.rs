//! Three logs, two on the ground and one on them: friction holds them, or does not.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, World};

use super::bench::grain;
use super::rods::{Flat, RADIUS, floors, go_on, over, rods, soft};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "logs",
    proves: "a pyramid of three logs stands where friction exceeds tan 15°, and falls where it does not",
    source: "statics: the force between upper and lower log passes through the lower one's line on the ground, 15° off the normal",
    run,
};

/// Friction over tan 15°.
const MORE: f64 = 1.05;
const LESS: f64 = 0.95;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let time = effort.pick(0.6, 2.0);
    let mut checks = Vec::new();
    for body in rods()? {
        let sunk = |share: f64| fallen(&body, share * 15.0_f64.to_radians().tan(), time);
        let what =
            |share: f64| format!("{}, {share} tan 15°: way of the upper log over R in {time} s", body.name);
        checks.push(Check::at_most(what(MORE), sunk(MORE)?, 0.02));
        checks.push(Check::at_least(what(LESS), sunk(LESS)?, 0.3));
    }
    Ok(checks)
}

/// How far the upper log goes down, over R.
fn fallen(body: &Flat, mu: f64, time: f64) -> Result<f64, Trouble> {
    let mut world = World::new(&pyramid(body, mu)?)?;
    let height = |world: &World<Space>| world.snapshot().bodies[0].pose.position.z;
    let start = height(&world);
    go_on(&mut world, time)?;
    Ok((start - height(&world)) / RADIUS)
}

/// Logs that just touch.
fn pyramid(body: &Flat, mu: f64) -> Result<Setup<Space>, Trouble> {
    let (_, floor) = floors()?.remove(0);
    let pose = |x: f64, z: f64| Pose::new(DVec3::new(x, 0.0, z) * RADIUS, body.lying);
    let mut setup = over(&body.shape, pose(0.0, 1.0 + 3.0_f64.sqrt()), floor, soft(0.3, mu), 0.0)?;
    for (id, x) in [(1, -1.0), (2, 1.0)] {
        setup.grains.push(Grain { pose: pose(x, 1.0), ..grain(id, 0, DVec3::ZERO) });
    }
    Ok(setup)
}

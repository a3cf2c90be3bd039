//! Rods and discs dropped askew come to rest, on planes, blocks, sheets of triangles and each other, and hold on slopes.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, World};

use super::bench::grain;
use super::rods::{Flat, RADIUS, discs, floors, go_on, liveliness, over, rods, soft};
use super::{Case, Check, Effort, Trouble};

pub(super) const REST: Case = Case {
    name: "lines-at-rest",
    proves: "what is flat along a line or a face comes to rest on planes, polyhedra, meshes and its like",
    source: "dissipation; a point that jumps from end to end would go on for ever",
    run: rest,
};

pub(super) const HELD: Case = Case {
    name: "lines-on-slopes",
    proves: "below the friction angle rods and discs stay where they are, without creep",
    source: "statics",
    run: held,
};

/// How far from lying flat it is dropped (rad), and from how high (m).
const TILT: [f64; 2] = [0.07, 0.03];
const DROP: f64 = 2e-3;
/// Coefficients of restitution that are tested.
const FEW: &[f64] = &[0.5];
const MANY: &[f64] = &[0.1, 0.5, 0.8];
/// The slope (rad), of which friction holds the double.
const SLOPE: f64 = 0.2618;

fn rest(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let (time, asked) = effort.pick((1.2, FEW), (4.0, MANY));
    let mut checks = Vec::new();
    let mut add =
        |what: String, speed| checks.push(Check::at_most(format!("{what}: speed over √(gR)"), speed, 1e-11));
    for &e in asked {
        for body in rods()?.iter().chain(&discs()?) {
            for (floor, wall) in floors()? {
                let pose = Pose::new(DVec3::Z * (body.height + DROP), askew() * body.lying);
                let setup = over(&body.shape, pose, wall, soft(e, 0.5), 0.0)?;
                add(format!("{} on a {floor}, e = {e}", body.name), settled(&setup, time)?);
            }
        }
        for body in rods()? {
            add(
                format!("{} in the groove of two, e = {e}", body.name),
                settled(&in_a_groove(&body, e)?, time)?,
            );
        }
    }
    Ok(checks)
}

fn held(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let (time, asked) = effort.pick((1.0, FEW), (3.0, MANY));
    let along = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let mut checks = Vec::new();
    for &e in asked {
        for (floor, wall) in floors()? {
            for body in rods()?.iter().chain(&discs()?) {
                // Rods point down the slope: across it they would roll.
                let pose = Pose::new(DVec3::Z * (body.height + 0.3 * DROP), along * body.lying);
                let setup = over(&body.shape, pose, wall.clone(), soft(e, 0.54), SLOPE)?;
                let mut world = World::new(&setup)?;
                go_on(&mut world, time)?;
                let start = world.snapshot().bodies[0].pose.position;
                go_on(&mut world, time)?;
                let way = (world.snapshot().bodies[0].pose.position - start).length();
                let what = format!("{} on a sloping {floor}, e = {e}: creep over R per second", body.name);
                checks.push(Check::at_most(what, way / time / RADIUS, 1e-9));
            }
        }
    }
    Ok(checks)
}

fn askew() -> DQuat {
    DQuat::from_rotation_x(TILT[0]) * DQuat::from_rotation_y(TILT[1])
}

/// A rod that is dropped askew between two that lie still, side by side.
fn in_a_groove(body: &Flat, e: f64) -> Result<Setup<Space>, Trouble> {
    let (_, floor) = floors()?.remove(0);
    let pose = Pose::new(DVec3::Z * (2.75 * RADIUS + DROP), askew() * body.lying);
    let mut setup = over(&body.shape, pose, floor, soft(e, 0.5), 0.0)?;
    for (id, side) in [(1, -1.0), (2, 1.0)] {
        let pose = Pose::new(DVec3::new(side * RADIUS, 0.0, body.height), body.lying);
        setup.grains.push(Grain { pose, frozen: true, ..grain(id, 0, DVec3::ZERO) });
    }
    Ok(setup)
}

/// The largest speed in a tenth of the time, after that time.
fn settled(setup: &Setup<Space>, time: f64) -> Result<f64, Trouble> {
    let mut world = World::new(setup)?;
    go_on(&mut world, time)?;
    let mut most = 0.0_f64;
    for _ in 0..100 {
        go_on(&mut world, 1e-3 * time)?;
        most = most.max(liveliness(&world, 0));
    }
    Ok(most)
}

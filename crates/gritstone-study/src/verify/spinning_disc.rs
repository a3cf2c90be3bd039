//! A disc that spins on its cap, and one that slides while it spins.
//!
//! With the same pressure all over the cap friction is the sum over its parts, each against its own velocity. A disc that spins in
//! place slows evenly; one that slides as well does so less than either alone, and both motions end together.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space, angle};
use gritstone_engine::World;
use gritstone_shape::space::{Cylinder, Solid};

use super::bench::G;
use super::rods::{floors, go_on, over, soft};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "spinning-disc",
    proves: "friction on a cap slows spinning by 4μg/3R, and sliding and spinning end together",
    source: "friction summed over the cap [farkas2003]",
    run,
};

const RADIUS: f64 = 10e-3;
const MU: f64 = 0.3;
/// Spin (rad/s), and speeds (m/s) with it.
const SPIN: f64 = 60.0;
const SPEEDS: [f64; 2] = [0.15, 0.6];

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for e in [0.1, 0.5, 0.8] {
        let mut world = start(e, 0.0)?;
        let spin = |world: &World<Space>| world.snapshot().bodies[0].spin;
        go_on(&mut world, 0.02)?;
        let first = spin(&world).z;
        go_on(&mut world, 0.05)?;
        let slowing = (first - spin(&world).z) / 0.05;
        let exact = 4.0 * MU * G / (3.0 * RADIUS);
        checks.push(Check::relative(format!("e = {e}: slowing of the spin, relative"), slowing, exact, 0.02));
        let wobble = spin(&world).truncate().length() / SPIN;
        checks.push(Check::at_most(format!("e = {e}: wobble over spin"), wobble, 1e-6));
        for speed in SPEEDS {
            let [way, turn] = exact_stop(speed);
            let mut world = start(e, speed)?;
            let body = |world: &World<Space>| world.snapshot().bodies[0];
            let mut turned = 0.0;
            while body(&world).velocity.length() + RADIUS * body(&world).spin.length() > 1e-3 * speed
                && world.time() < 1.0
            {
                go_on(&mut world, 1e-4)?;
                turned += body(&world).spin.z * 1e-4;
            }
            let what = |of| format!("e = {e}, {speed} m/s: {of} until it stops, relative");
            checks.push(Check::relative(what("way"), body(&world).pose.position.x, way, 0.1));
            checks.push(Check::relative(what("turn"), turned, turn, 0.1));
        }
    }
    Ok(checks)
}

fn start(e: f64, speed: f64) -> Result<World<Space>, Trouble> {
    let disc = Solid::from(Cylinder::new(RADIUS, 3e-3)?);
    let pose = Pose::new(DVec3::Z * 2.9998e-3, DQuat::IDENTITY);
    let (_, floor) = floors()?.remove(0);
    let mut setup = over(&disc, pose, floor, soft(e, MU), 0.0)?;
    setup.grains[0].spin = DVec3::Z * SPIN;
    setup.grains[0].velocity = DVec3::X * speed;
    Ok(World::new(&setup)?)
}

/// How far a disc of even pressure slides and turns, by steps of the equations of motion.
fn exact_stop(speed: f64) -> [f64; 2] {
    let (mut v, mut omega, mut way, mut turn) = (speed, SPIN, 0.0, 0.0);
    let dt = 2e-5;
    while v > 1e-3 * speed || omega > 1e-3 * SPIN {
        let [force, torque] = friction(v, omega * RADIUS);
        v -= MU * G * force * dt;
        omega -= 2.0 * MU * G / RADIUS * torque * dt;
        way += v * dt;
        turn += omega * dt;
    }
    [way, turn]
}

/// Friction over μN and its torque over μNR, for a disc that slides with v and whose rim turns with w.
fn friction(v: f64, w: f64) -> [f64; 2] {
    let (rings, parts) = (24, 48);
    let mut sum = [0.0; 2];
    for i in 0..rings {
        // Rings of the same area.
        let r = ((f64::from(i) + 0.5) / f64::from(rings)).sqrt();
        for j in 0..parts {
            let [cos, sin] = angle::direction(TAU * (f64::from(j) + 0.5) / f64::from(parts)).to_array();
            let [x, y] = [v - w * r * sin, w * r * cos];
            let speed = (x * x + y * y).sqrt();
            if speed > 0.0 {
                sum[0] += x / speed;
                sum[1] += r * (y * cos - x * sin) / speed;
            }
        }
    }
    sum.map(|sum| sum / f64::from(rings * parts))
}

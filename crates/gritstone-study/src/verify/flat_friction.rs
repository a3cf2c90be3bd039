//! Boxes that spin and slide on a plane.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, World};
use gritstone_force::{Friction, Material};
use gritstone_shape::space::{Polyhedron, Solid};

use super::bench::{G, PATCHES, empty, grain, hertz, mass, material, plane};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "flat-friction",
    proves: "a box that spins on its face is slowed by the friction of all points of the face; spinning and sliding end together",
    source: "uniform pressure: torque μ·p·∫|r|dA, on a square of the edge L 0.38260·μ·N·L; Farkas et al. 2003 for the common end",
    run,
};

/// Half the edges of the box (m), friction, spin (rad/s), and speed (m/s).
const HALF: DVec3 = DVec3::new(0.01, 0.01, 0.004);
const FRICTION: f64 = 0.3;
const SPIN: f64 = 60.0;
const SPEED: f64 = 0.15;
/// Mean distance of the points of a square from its middle, over its edge: (√2 + ln(1 + √2))/6.
const MEAN_LEVER: f64 = 0.382_597_858_232_106_4;
/// Effective modulus (Pa), and time step (s).
const MODULUS: f64 = 5e6;
const STEP: f64 = 5e-6;

/// How a box came to rest.
struct Stop {
    /// When it stopped sliding and spinning (s): when each was first below a thousandth of the start. What moves afterwards is the
    /// tangential spring that lets go.
    slid: Option<f64>,
    spun: Option<f64>,
    /// Spin after a hundredth of a second (rad/s).
    spin: f64,
    /// Largest rate of tilting (rad/s).
    tilt: f64,
}

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let spinning = stop(0.0, SPIN)?;
    let inertia = (4.0 * HALF.x * HALF.x) / 6.0;
    let slowing = FRICTION * G * MEAN_LEVER * 2.0 * HALF.x / inertia;
    let found = (SPIN - spinning.spin) / 0.01;
    let both = stop(SPEED, SPIN)?;
    let sliding = stop(SPEED, 0.0)?;
    let [both_slid, both_spun, alone] =
        [both.slid, both.spun, sliding.slid].map(|time| time.unwrap_or(f64::INFINITY));
    let end = both_slid.max(both_spun);
    Ok(vec![
        Check::relative("spinning alone: how fast it slows, relative", found, slowing, 0.01),
        Check::at_most("spinning alone: rate of tilting over the spin", spinning.tilt / SPIN, 1e-3),
        Check::relative("sliding alone: time to rest, relative", alone, SPEED / (FRICTION * G), 0.01),
        Check::at_most(
            "both: difference of the ends of sliding and spinning, relative",
            (both_slid - both_spun).abs() / end,
            0.05,
        ),
        Check::at_least("both: time to rest over that of sliding alone", end / alone, 1.05),
    ])
}

fn stop(speed: f64, spin: f64) -> Result<Stop, Trouble> {
    let corners = (0..8)
        .map(|i| HALF * DVec3::from_array([0, 1, 2].map(|bit| if i >> bit & 1 == 0 { -1.0 } else { 1.0 })));
    let shape: Solid = Polyhedron::hull(&corners.collect::<Vec<_>>())?.0.into();
    let rough = Material { friction: Friction::Coefficient(FRICTION), ..material(hertz(MODULUS), 0.5) };
    let area = 4.0 * HALF.x * HALF.y;
    // A face is a spring of 1.106·Y*·√A: it starts where that carries it.
    let sunk = mass::<Space>(&shape) * G / (1.105_581_278_308_273_7 * MODULUS * area.sqrt());
    let mut setup = empty::<Space>(rough, PATCHES, STEP)?;
    setup.gravity = DVec3::Z * -G;
    setup.shapes = vec![shape];
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?];
    let pose = Pose::at(DVec3::Z * (HALF.z - sunk));
    setup.grains =
        vec![Grain { pose, velocity: DVec3::X * speed, spin: DVec3::Z * spin, ..grain(0, 0, DVec3::ZERO) }];
    let mut world = World::new(&setup)?;
    let mut stop = Stop { slid: None, spun: None, spin: 0.0, tilt: 0.0 };
    let end = 1.5 * (SPEED / (FRICTION * G) + 2.0 * HALF.x * SPIN / (FRICTION * G));
    while world.time() < end {
        world.step()?;
        let body = world.snapshot().bodies[0];
        if body.velocity.truncate().length() < 1e-3 * SPEED {
            stop.slid = stop.slid.or(Some(world.time()));
        }
        if body.spin.z.abs() < 1e-3 * SPIN {
            stop.spun = stop.spun.or(Some(world.time()));
        }
        if world.time() <= 0.01 {
            stop.spin = body.spin.z;
        }
        stop.tilt = stop.tilt.max(body.spin.truncate().length());
    }
    Ok(stop)
}

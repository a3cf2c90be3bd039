//! Hits of a square with damping: on a side, on a corner below its centre, and far from it.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_engine::{Grain, World};
use gritstone_shape::plane::Figure;

use super::bench::{PATCHES, empty, grain, hertz, line, linear, mass, material, square};
use super::impacts::Hit;
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "polygon-hits",
    proves: "a square that hits a line with a side or a corner rebounds with the given restitution, and the energy balance holds",
    source: "impulse J = (1 + e)·m·u along the normal with 1/m = 1/m_g + (r×n)²/I: ½·m·u²·(1 − e²) is lost",
    run,
};

/// Edge of the square (m), speed of the hit (m/s), deepest overlap of a side without damping, over the edge.
const EDGE: f64 = 1e-2;
const SPEED: f64 = 0.5;
const DEPTH: f64 = 2.5e-4;
/// Steps in the time of a contact: as many as an automatic step gives.
const FINENESS: f64 = 50.0;
const ASKED: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0];
/// What corners and sides may miss, absolute; and the energy balance, of the energy.
const OFF: f64 = 0.015;
const BALANCE: f64 = 0.02;

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for (name, turn) in [("side", 0.0), ("corner below the centre", FRAC_PI_4), ("corner beside it", 0.3)] {
        for (law, hertzian) in [("linear", false), ("Hertz", true)] {
            let mut worst = [0.0_f64; 2];
            for e in ASKED {
                let [found, balance] = come_back(turn, hertzian, e)?;
                worst = [worst[0].max((found - e).abs()), worst[1].max(balance.abs())];
            }
            let name = format!("{name}, {law}, e from 0.05 to 1");
            checks.push(Check::at_most(format!("{name}: worst restitution, absolute"), worst[0], OFF));
            checks.push(Check::at_most(format!("{name}: energy balance, relative"), worst[1], BALANCE));
        }
    }
    Ok(checks)
}

/// The restitution that was found, and the error of the energy balance over the energy.
fn come_back(turn: f64, hertzian: bool, e: f64) -> Result<[f64; 2], Trouble> {
    let shape: Figure = square(EDGE)?.into();
    let all = mass::<Plane>(&shape);
    let up = DVec2::from_angle(turn);
    // The lowest corner, from the centre; the whole side below the centre where that is level.
    let lowest = if turn == 0.0 { 0.0 } else { 0.5 * EDGE * (up.y - up.x) };
    let mass = all / (1.0 + 6.0 * (lowest / EDGE).powi(2));
    let depth = DEPTH * EDGE;
    let kn = mass * (SPEED / depth).powi(2);
    // Hertz's law in the plane makes a side as stiff as Y* times its length over √2. A right-angled corner at the depth h has the energy
    // Y*·h³/4: with V = h² and q = h²/24 the mean depth is h/√2 and the mean length √2·h.
    let effective =
        if turn == 0.0 { 2_f64.sqrt() * kn / EDGE } else { 2.0 * mass * SPEED * SPEED / depth.powi(3) };
    let stiffness = if hertzian { hertz(effective) } else { linear(kn) };
    let dt = PI * (mass / kn).sqrt() / FINENESS;
    let mut setup = empty::<Plane>(material(stiffness, e), PATCHES, dt)?;
    setup.shapes = vec![shape];
    setup.walls = vec![line("floor", DVec2::Y, 0.0)?];
    let above = 0.5 * EDGE * (up.x + up.y) + 0.3 * SPEED * dt;
    let pose = Pose::new(DVec2::Y * above, turn);
    setup.grains = vec![Grain { pose, velocity: DVec2::Y * -SPEED, ..grain(0, 0, DVec2::ZERO) }];
    Hit { speed: SPEED, mass: all, effective: mass }.restitution(World::new(&setup)?, 400.0 * FINENESS)
}

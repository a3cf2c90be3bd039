//! Hits of a cube with damping: on a face, an edge, a corner, and far from the centre.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, World};
use gritstone_shape::space::Solid;

use super::bench::{PATCHES, cube, empty, grain, hertz, linear, mass, material, plane};
use super::impacts;
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "flat-hits",
    proves: "a cube that hits a plane with a face, an edge or a corner rebounds with the given restitution, and the energy balance holds",
    source: "impulse J = (1 + e)·m·u along the normal with 1/m = 1/m_g + (r×n)·I⁻¹(r×n): ½·m·u²·(1 − e²) is lost",
    run,
};

/// Edge of the cube (m), speed of the hit (m/s), deepest overlap of a face without damping, over the edge. The impulse solution has no overlap:
/// far from the centre the pressure acts by a part of the overlap's width beside the corner, which shows most where little comes back.
const EDGE: f64 = 1e-2;
const SPEED: f64 = 0.5;
const DEPTH: f64 = 2.5e-4;
/// Steps in the time of a contact: as many as an automatic step gives.
const FINENESS: f64 = 50.0;
/// Hertz's modulus over that with which a ball of the radius of the edge would be as deep: corners are softer than balls.
const STIFFER: f64 = 3.0;
/// Stiffness of a face over Y*·√area.
const HERTZ: f64 = 1.105_581_278_308_273_7;
const ASKED: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0];

/// A way to hit: how the cube is turned, and the lever about its centre at which the plane pushes, if it is not below the centre.
struct Hit {
    name: &'static str,
    rotation: DQuat,
    lever: DVec3,
}

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for hit in hits() {
        for (law, hertzian) in [("linear", false), ("Hertz", true)] {
            let name = format!("{}, {law}, e from 0.05 to 1", hit.name);
            let mut worst = [0.0_f64; 2];
            let mut half = 0.0;
            for e in ASKED {
                let [found, balance] = come_back(&hit, hertzian, e)?;
                worst = [worst[0].max((found - e).abs()), worst[1].max(balance.abs())];
                half = if e == 0.5 { found } else { half };
            }
            checks.push(Check::at_most(format!("{name}: worst restitution, absolute"), worst[0], 0.015));
            checks.push(Check::at_most(format!("{}, {law}: restitution for 0.5", hit.name), half, 0.51));
            checks.push(Check::at_least(format!("{}, {law}: the same, at least", hit.name), half, 0.49));
            checks.push(Check::at_most(format!("{name}: energy balance, relative"), worst[1], 0.02));
        }
    }
    Ok(checks)
}

fn hits() -> [Hit; 5] {
    let corner = |rotation: DQuat| {
        let up = rotation.inverse() * DVec3::Z;
        rotation * (-0.5 * EDGE * up.signum())
    };
    let askew = DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4);
    let far = DQuat::from_rotation_y(0.1) * DQuat::from_rotation_x(0.15);
    let on_edge = DQuat::from_rotation_x(0.3);
    let along = |point: DVec3| DVec3::new(0.0, point.y, point.z);
    [
        Hit { name: "face", rotation: DQuat::IDENTITY, lever: DVec3::ZERO },
        Hit {
            name: "edge below the centre",
            rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4),
            lever: DVec3::ZERO,
        },
        Hit { name: "edge beside the centre", rotation: on_edge, lever: along(corner(on_edge)) },
        Hit { name: "corner", rotation: askew, lever: corner(askew) },
        Hit { name: "corner far from the centre", rotation: far, lever: corner(far) },
    ]
}

/// The restitution that was found, and the error of the energy balance over the energy.
fn come_back(hit: &Hit, hertzian: bool, e: f64) -> Result<[f64; 2], Trouble> {
    let shape: Solid = cube(EDGE)?.into();
    let all = mass::<Space>(&shape);
    let by_turning = hit.lever.cross(DVec3::Z).length_squared() / (EDGE * EDGE / 6.0);
    let mass = all / (1.0 + by_turning);
    let depth = DEPTH * EDGE;
    let kn = mass * (SPEED / depth).powi(2);
    let effective = STIFFER * kn / (EDGE * depth).sqrt();
    let stiffness = if hertzian { hertz(effective) } else { linear(kn) };
    // With Hertz's law a face is stiff from the first touch: the step that the automatic one allows it.
    let stiffest = if hertzian { HERTZ * effective * EDGE } else { kn };
    let dt = std::f64::consts::PI * (mass / stiffest).sqrt() / FINENESS;
    let mut setup = empty::<Space>(material(stiffness, e), PATCHES, dt)?;
    setup.shapes = vec![shape];
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?];
    let up = hit.rotation.inverse() * DVec3::Z;
    let above = 0.5 * EDGE * up.abs().element_sum() + 0.3 * SPEED * dt;
    let pose = Pose::new(DVec3::Z * above, hit.rotation);
    setup.grains = vec![Grain { pose, velocity: DVec3::Z * -SPEED, ..grain(0, 0, DVec3::ZERO) }];
    impacts::Hit { speed: SPEED, mass: all, effective: mass }
        .restitution(World::new(&setup)?, 200.0 * FINENESS)
}

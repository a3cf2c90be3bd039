//! Impacts whose normal does not pass through the centre of mass, with damping.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{CROWN, Grain, World};
use gritstone_shape::Support as _;
use gritstone_shape::space::{Crowned, Cylinder, Ellipsoid, Solid};

use super::bench::{POINTS, cube, empty, grain, hertz, linear, mass, material, plane};
use super::impacts;
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "off-centre",
    proves: "restitution holds for the normal velocity of the contact point, and the energy balance holds, at 50 steps in a contact",
    source: "impulse J = (1 + e)·m·u along the normal with 1/m = 1/m_g + (r×n)·I⁻¹(r×n): ½·m·u²·(1 − e²) is lost",
    run,
};

/// Size of the bodies (m), speed of the impact (m/s).
const SIZE: f64 = 1e-2;
const SPEED: f64 = 0.5;
/// Deepest overlap without damping, over the size: while the bodies touch they hardly turn.
const DEPTH: f64 = 1e-3;
/// Steps in the time of a contact: as many as an automatic step gives.
const FINENESS: f64 = 50.0;
const ASKED: [f64; 7] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0];

/// A body that meets a plane.
struct Hit {
    name: &'static str,
    shape: Solid,
    rotation: DQuat,
    /// The point that meets the plane, and the principal moments of inertia for unit mass, both in the body's axes.
    point: DVec3,
    moments: DVec3,
}

fn run(_: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    for hit in hits()? {
        for (law, hertzian) in [("linear", false), ("Hertz", true)] {
            let [restitution, balance] = worst(&hit, hertzian)?;
            let name = format!("{}, {law}, e from 0.05 to 1", hit.name);
            checks.push(Check::at_most(format!("{name}: worst restitution, absolute"), restitution, 0.01));
            checks.push(Check::at_most(format!("{name}: energy balance, relative"), balance, 0.02));
        }
    }
    Ok(checks)
}

fn hits() -> Result<[Hit; 4], Trouble> {
    let cube_moments = DVec3::splat(SIZE * SIZE / 6.0);
    let radii = DVec3::new(1.0, 0.4, 0.4) * SIZE;
    let slender = DQuat::from_rotation_y(0.6);
    let down = slender.inverse() * DVec3::NEG_Z;
    let (radius, half) = (0.6 * SIZE, 0.8 * SIZE);
    let cylinder = Solid::from(Cylinder::new(radius, half)?);
    let across = (3.0 * radius * radius + 4.0 * half * half) / 12.0;
    Ok([
        Hit {
            name: "corner of a cube",
            shape: cube(SIZE)?.into(),
            rotation: DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4),
            point: corner(DQuat::from_rotation_y(0.5) * DQuat::from_rotation_x(0.4)),
            moments: cube_moments,
        },
        Hit {
            name: "corner of a cube, far from the centre",
            shape: cube(SIZE)?.into(),
            rotation: DQuat::from_rotation_y(0.1) * DQuat::from_rotation_x(0.15),
            point: corner(DQuat::from_rotation_y(0.1) * DQuat::from_rotation_x(0.15)),
            moments: cube_moments,
        },
        Hit {
            name: "rim of a cylinder",
            point: Crowned::of(&cylinder, CROWN)
                .ok_or("cylinders have a crown")?
                .support(DQuat::from_rotation_y(-0.3) * DVec3::NEG_Z),
            shape: cylinder,
            rotation: DQuat::from_rotation_y(0.3),
            moments: DVec3::new(across, across, 0.5 * radius * radius),
        },
        Hit {
            name: "ellipsoid 1:0.4:0.4",
            shape: Solid::from(Ellipsoid::new(radii)?),
            rotation: slender,
            point: radii * radii * down / (radii * down).length(),
            moments: DVec3::new(
                2.0 * radii.y * radii.y,
                radii.x * radii.x + radii.z * radii.z,
                radii.x * radii.x + radii.y * radii.y,
            ) / 5.0,
        },
    ])
}

/// The lowest corner of a cube that is turned so.
fn corner(rotation: DQuat) -> DVec3 {
    let up = rotation.inverse() * DVec3::Z;
    -0.5 * SIZE * up.signum()
}

/// The largest deviation from the restitution requested, and the largest error of the energy balance over the energy.
fn worst(hit: &Hit, hertzian: bool) -> Result<[f64; 2], Trouble> {
    let all = mass::<Space>(&hit.shape);
    let lever = hit.rotation.inverse() * (hit.rotation * hit.point).cross(DVec3::Z);
    let mass = all / (1.0 + (lever * lever / hit.moments).element_sum());
    let depth = DEPTH * SIZE;
    let kn = mass * (SPEED / depth).powi(2);
    let stiffness = if hertzian { hertz(kn / (SIZE * depth).sqrt()) } else { linear(kn) };
    let dt = std::f64::consts::PI * (mass / kn).sqrt() / FINENESS;
    let mut worst = [0.0_f64; 2];
    for e in ASKED {
        let mut setup = empty::<Space>(material(stiffness, e), POINTS, dt)?;
        setup.shapes = vec![hit.shape.clone()];
        setup.walls = vec![plane("floor", DVec3::Z, 0.0)?];
        let above = -(hit.rotation * hit.point).z + 0.3 * SPEED * dt;
        let pose = Pose::new(DVec3::Z * above, hit.rotation);
        setup.grains = vec![Grain { pose, velocity: DVec3::Z * -SPEED, ..grain(0, 0, DVec3::ZERO) }];
        let hit = impacts::Hit { speed: SPEED, mass: all, effective: mass };
        let [found, balance] = hit.restitution(World::new(&setup)?, 100.0 * FINENESS)?;
        worst = [worst[0].max((found - e).abs()), worst[1].max(balance.abs())];
    }
    Ok(worst)
}

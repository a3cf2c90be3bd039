//! Cylinder and capsule roll down a slope, however their contacts are damped.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::World;
use gritstone_shape::AnyShape as _;

use super::bench::G;
use super::rods::{RADIUS, floors, go_on, over, rods, soft};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "rolling-rods",
    proves: "damping does not resist rolling: rods roll down planes, blocks and meshes as rigid ones, at 10 MPa and from e = 0.1",
    source: "acceleration g·sin θ/(1 + I/mR²), 2/3 for a cylinder",
    run,
};

/// Coefficients of restitution that are tested.
const FEW: &[f64] = &[0.1];
const MANY: &[f64] = &[0.1, 0.3, 0.5, 0.9];
const SLOPE: f64 = 0.2618;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let asked = effort.pick(FEW, MANY);
    let mut checks = Vec::new();
    for &e in asked {
        for body in rods()? {
            let mass = body.shape.mass_properties().ok_or("rods have a volume")?;
            let turning = mass.inertia().zz / (mass.volume * RADIUS * RADIUS);
            for (floor, wall) in floors()? {
                let pose = Pose::new(DVec3::new(-0.05, 0.0, body.height), body.lying);
                let mut world = World::new(&over(&body.shape, pose, wall, soft(e, 0.6), SLOPE)?)?;
                let speed = |world: &World<Space>| world.snapshot().bodies[0].velocity.x;
                go_on(&mut world, 0.1)?;
                let start = speed(&world);
                go_on(&mut world, 0.15)?;
                let (found, expected) = ((speed(&world) - start) / 0.15, G * SLOPE.sin() / (1.0 + turning));
                let what = format!("{} on a {floor}, e = {e}: acceleration, relative", body.name);
                checks.push(Check::relative(what, found, expected, 5e-3));
            }
        }
    }
    Ok(checks)
}

//! A bed in a box of six planes, and in one of triangles.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, Sides, Surface, TriangleMesh, Wall, World};
use gritstone_shape::space::{Ellipsoid, Sphere};

use super::bench::{G, PATCHES, empty, grain, hertz, mass, material, plane};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "mesh-bed",
    proves: "a bed of ellipsoids in a box of triangles is as high, and presses as much on floor and sides, as in one of planes",
    source: "the same box as half-spaces; the weight of the grains",
    run,
};

/// Half the axes of the grains (m), their distance at the start, and how many stand side by side.
const RADII: DVec3 = DVec3::new(3e-3, 3.5e-3, 4.5e-3);
const PITCH: f64 = 9.2e-3;
const ACROSS: u32 = 8;
/// Squares of two triangles along every side of the box.
const CUTS: u32 = 5;
/// Time step (s): a fifteenth of the Rayleigh time.
const STEP: f64 = 2e-5;

/// Means over the last part of a run.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    /// Mean height of the grains (m).
    height: f64,
    /// Force on the floor (N).
    floor: f64,
    /// Sum of the forces on the four sides, each across it (N).
    sides: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let (count, [settling, measuring]) = effort.pick((128, [8_000, 2_000]), (1_000, [40_000, 10_000]));
    let mut setup = fill(count)?;
    let high = DVec3::new(f64::from(ACROSS), f64::from(ACROSS), 40.0) * PITCH;
    setup.walls = planes(high)?;
    let plain = settle(&setup, settling, measuring)?;
    setup.walls = vec![triangles(high)?];
    let meshed = settle(&setup, settling, measuring)?;
    let weight = f64::from(count) * mass::<Space>(&setup.shapes[0]) * G;
    Ok(vec![
        Check::relative(
            format!("{count} ellipsoids: mean height, relative"),
            meshed.height,
            plain.height,
            0.01,
        ),
        Check::relative("force on the floor of planes over the weight, relative", plain.floor, weight, 0.01),
        Check::relative(
            "force on the floor of triangles over the weight, relative",
            meshed.floor,
            weight,
            0.01,
        ),
        Check::relative("force on the sides, relative", meshed.sides, plain.sides, 0.01),
    ])
}

/// Grains above the floor, turned at random.
fn fill(count: u32) -> Result<Setup<Space>, Trouble> {
    // Without friction the packing does not remember how it was made.
    let mut setup = empty::<Space>(material(hertz(5e6), 0.1), PATCHES, STEP)?;
    setup.shapes = vec![Ellipsoid::new(RADII)?.into()];
    setup.gravity = DVec3::Z * -G;
    let mut draw = Draw::new(23, 1, 0);
    setup.grains = (0..count)
        .map(|i| {
            let cell = [i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS].map(|n| f64::from(n) + 0.5);
            let pose = Pose::new(DVec3::from_array(cell) * PITCH, draw.rotation());
            Grain { pose, velocity: draw.direction() * 0.2, ..grain(i, 0, DVec3::ZERO) }
        })
        .collect();
    Ok(setup)
}

fn planes(high: DVec3) -> Result<Vec<Wall<Space>>, Trouble> {
    let mut walls = Vec::new();
    for (i, axis) in DVec3::AXES.into_iter().enumerate() {
        walls.extend([plane("low", axis, 0.0)?, plane("high", -axis, -high[i])?]);
    }
    Ok(walls)
}

/// The same box from the origin to `high`, every side cut into squares of two triangles.
fn triangles(high: DVec3) -> Result<Wall<Space>, Trouble> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        let (u, v) = (DVec3::AXES[(axis + 1) % 3], DVec3::AXES[(axis + 2) % 3]);
        for base in [DVec3::ZERO, DVec3::AXES[axis]] {
            let at = |i: u32, j: u32| (base + (u * f64::from(i) + v * f64::from(j)) / f64::from(CUTS)) * high;
            for (i, j) in (0..CUTS).flat_map(|i| (0..CUTS).map(move |j| (i, j))) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                // Counter-clockwise seen from outside.
                let upper = base != DVec3::ZERO;
                triangles.extend(if upper { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        }
    }
    let mesh = TriangleMesh::new(&triangles, Sides::Inside)?;
    let ball = Sphere::new(mesh.size())?;
    Ok(Wall { surface: Some(Surface::Mesh(mesh.into())), ..Wall::fixed("box", ball.into(), 0) })
}

fn settle(setup: &Setup<Space>, settling: u32, measuring: u32) -> Result<Outcome, Trouble> {
    let mut world = World::new(setup)?;
    for _ in 0..settling {
        world.step()?;
    }
    let (mut sum, samples) = (Outcome::default(), 100);
    for _ in 0..samples {
        for _ in 0..measuring / samples {
            world.step()?;
        }
        let snapshot = world.snapshot();
        let count = snapshot.bodies.len() as f64;
        sum.height += snapshot.bodies.iter().map(|body| body.pose.position.z).sum::<f64>() / count;
        for contact in snapshot.contacts.iter().filter(|contact| contact.with_wall) {
            let [x, y, z] = contact.force.to_array();
            sum.sides += x.abs() + y.abs();
            sum.floor -= z;
        }
    }
    let part = 1.0 / f64::from(samples);
    Ok(Outcome { height: sum.height * part, floor: sum.floor * part, sides: sum.sides * part })
}

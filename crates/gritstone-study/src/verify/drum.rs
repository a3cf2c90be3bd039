//! A drum that turns about a level axis: how steep its bed is.
//!
//! **Idea.** The surface of the drum moves along itself, so that its facets stay where they are; smooth ends. The angle is that of
//! the way from the axis to the centre of mass of the bed, off the vertical. In the mean the torque of the drum balances the weight of the bed:
//! Σ T = M g x, whatever the grains do.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::{Setup, Sides, Surface, SurfaceMotion, TriangleMesh, Wall, World, revolved};
use gritstone_shape::space::Sphere;

use super::bench::{G, plane};
use super::bulk::{DIAMETER, Estimate, Rough, go_on, lattice, scattered, soft, spheres, unit_of_time};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "drum",
    proves: "the bed of a drum is as steep as grains that flow down slopes, steeper with speed and with friction, and its torque balances its weight",
    source: "friction 0.5, rolling beds with Froude numbers up to 0.01 (Mellmann 2001): from the least slope of thick beds that flow, Silbert 2001, to the \
             largest of thin ones, Pouliquen 1999; torque: statics",
    run,
};

/// Facets of the drum, friction at its wall.
const FACETS: u32 = 64;
const AT_WALL: f64 = 0.9;
/// Friction of grains for which there is a published range (degrees), and the Froude number up to which beds roll.
const FRICTION: f64 = 0.5;
const PUBLISHED: [f64; 2] = [19.4, 32.8];
const ROLLING: f64 = 1e-2;
/// Pieces of the measurement, and how often numbers are taken in each.
const PIECES: usize = 4;
const SAMPLES: usize = 100;
/// Distance of grains at the start (d).
const PITCH: f64 = 1.12;

/// What came out: the angle (degrees), and the torque over the moment of the weight.
struct Bed {
    angle: Estimate,
    torque: f64,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let mut checks = Vec::new();
    // Radius and length of the drum (d).
    let size = effort.pick([10.0, 4.0], [15.0, 6.0]);
    // Friction, Froude number ω²R/g, times before and in the measurement (√(d/g)).
    let runs: &[(f64, f64, [f64; 2])] = effort.pick(
        &[(0.5, 1e-2, [25.0, 15.0])],
        &[
            (0.5, 1e-3, [80.0, 70.0]),
            (0.5, 1e-2, [50.0, 60.0]),
            (0.5, 5e-2, [50.0, 60.0]),
            (0.1, 1e-2, [50.0, 60.0]),
            (0.8, 1e-2, [50.0, 60.0]),
        ],
    );
    let mut angles = Vec::new();
    for &(friction, froude, times) in runs {
        let bed = turn(size, friction, froude, times)?;
        let what = |what: &str| format!("friction {friction}, Froude number {froude}: {what}");
        let name = what("angle of the bed (degrees)");
        checks.push(if friction == FRICTION && froude <= ROLLING {
            Check::within(name, bed.angle, PUBLISHED)
        } else {
            Check::estimated(name, bed.angle)
        });
        checks.push(Check::relative(
            what("torque over the moment of the weight"),
            bed.torque,
            1.0,
            effort.pick(0.1, 0.03),
        ));
        angles.push(bed.angle.mean);
    }
    if let [slow, middle, fast, smooth, rough] = angles[..] {
        checks.push(Check::at_least("angle, Froude number 0.01 less 0.001 (degrees)", middle - slow, 0.0));
        checks.push(Check::at_least("angle, Froude number 0.05 less 0.01 (degrees)", fast - middle, 0.0));
        checks.push(Check::at_least("angle, friction 0.5 less 0.1 (degrees)", middle - smooth, 3.0));
        checks.push(Check::at_least("angle, friction 0.8 less 0.5 (degrees)", rough - middle, 0.0));
    }
    Ok(checks)
}

/// Turns a drum and measures its bed.
fn turn(size: [f64; 2], friction: f64, froude: f64, [before, time]: [f64; 2]) -> Result<Bed, Trouble> {
    let setup = drum(size, friction, (froude / size[0]).sqrt() / unit_of_time())?;
    let mut world = World::new(&setup)?;
    go_on(&mut world, before)?;
    let (mut angles, mut torque, mut moment) = (Vec::new(), 0.0, 0.0);
    for _ in 0..PIECES {
        let mut sum = DVec3::ZERO;
        for _ in 0..SAMPLES {
            go_on(&mut world, time / (PIECES * SAMPLES) as f64)?;
            let moments = world.grains().map(|body| body.pose.position * world.mass_of(&body, &setup));
            let now: DVec3 = moments.sum();
            torque -= world.wall_states()[0].torque.z;
            moment += now.x * G;
            sum += now;
        }
        angles.push((sum.x / -sum.y).atan().to_degrees());
    }
    Ok(Bed { angle: Estimate::of(&angles), torque: torque / moment })
}

/// A drum about z, half full, whose lowest point goes towards x.
fn drum([radius, length]: [f64; 2], friction: f64, speed: f64) -> Result<Setup<Space>, Trouble> {
    let mut setup = soft::<Space>(Rough::sliding(friction), Rough::sliding(AT_WALL))?;
    setup.gravity = DVec3::NEG_Y * G;
    let (radius, half) = (radius * DIAMETER, 0.5 * length * DIAMETER);
    // The surface ends beyond the smooth ends between which grains are.
    let end = half + DIAMETER;
    let mesh = TriangleMesh::new(
        &revolved(&[[0.0, -end], [radius, -end], [radius, end], [0.0, end]], FACETS),
        Sides::Inside,
    )?;
    let ball = Sphere::new(mesh.size())?;
    let surface_motion = SurfaceMotion { velocity: DVec3::ZERO, spin: DVec3::Z * speed };
    let shell = Wall::fixed("drum", ball.into(), 1);
    setup.walls = vec![Wall { surface: Some(Surface::Mesh(mesh.into())), surface_motion, ..shell }];
    for side in [DVec3::Z, -DVec3::Z] {
        let mut wall = plane("end", side, -half)?;
        wall.material = 2;
        setup.walls.push(wall);
    }
    setup.shapes = spheres()?;
    let mut draw = Draw::new(46, 1, (1e3 * friction) as u64);
    let low = DVec3::new(-radius, -radius, -half);
    // What is loose settles until the drum is half full.
    let mut places = lattice::<Space>(low, DVec3::new(radius, 0.5 * radius, half), PITCH * DIAMETER);
    places.retain(|place| place.truncate().length() < radius - 0.7 * DIAMETER);
    setup.grains = scattered(&places, setup.shapes.len(), &mut draw);
    Ok(setup)
}

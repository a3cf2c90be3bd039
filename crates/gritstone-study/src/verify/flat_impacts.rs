//! Elastic impacts of polyhedra with flat walls, ridges, peaks, valleys, walls that are cylinders, and each other.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, Wall, World};
use gritstone_shape::space::{Cylinder, Polyhedron, Solid};

use super::bench::{PATCHES, empty, grain, hertz, linear, mass, material, plane};
use super::impacts::{Changes, bounce, check_elastic, polyhedra};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "flat-impacts",
    proves: "elastic impacts of polyhedra keep their energy, whichever features meet, and better with finer steps",
    source: "conservation of energy; the force is the gradient of an energy of the overlap",
    run,
};

/// Stiffness (N/m), size of the bodies (m), and deepest overlap of a face, over the size.
const KN: f64 = 1e5;
const SIZE: f64 = 1.0;
const DEPTH: f64 = 0.02;

/// What a body meets.
#[derive(Clone, Copy)]
enum Target {
    Plane,
    Valley,
    Ridge,
    Peak,
    Same,
    /// A wall that is a cylinder: on its side, or on its cap and rim.
    Side,
    Cap,
}

const TARGETS: [Target; 7] =
    [Target::Plane, Target::Valley, Target::Ridge, Target::Peak, Target::Same, Target::Side, Target::Cap];
/// The stream of random numbers of this case.
const STREAM: u64 = 0x666c_6174;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let events = effort.pick(4, 40);
    check_elastic(false, |hertzian, steps| survey(hertzian, steps, events))
}

fn survey(hertzian: bool, steps: f64, events: u32) -> Result<Changes, Trouble> {
    let mut all = Changes::default();
    for shape in polyhedra()? {
        for target in TARGETS {
            for event in 0..events {
                let mut random = Draw::new(STREAM, target as u64, event.into());
                all.add(impact(&shape, target, hertzian, steps, &mut random)?);
            }
        }
    }
    Ok(all)
}

/// One impact: the relative change of the kinetic energy, none where the bodies miss each other.
fn impact(
    shape: &Solid,
    target: Target,
    hertzian: bool,
    steps: f64,
    random: &mut Draw,
) -> Result<Option<f64>, Trouble> {
    let whole = mass::<Space>(shape);
    let reduced = if matches!(target, Target::Same) { 0.5 * whole } else { whole };
    let period = std::f64::consts::PI * (reduced / KN).sqrt();
    let speed = DEPTH * SIZE / (reduced / KN).sqrt();
    let stiffness = if hertzian { hertz(KN / SIZE) } else { linear(KN) };
    let mut setup = empty::<Space>(material(stiffness, 1.0), PATCHES, period / steps)?;
    setup.shapes.push(shape.clone());
    add_target(&mut setup, target, random)?;
    let aside = random.vector(-0.4, 0.4) * DVec3::new(1.0, 1.0, 0.0);
    let spin = random.vector(-1.0, 1.0);
    let rotation = random.rotation();
    let velocity = DVec3::new(0.2 * spin.x, 0.2 * spin.y, -1.0) * speed;
    let above = aside + DVec3::Z * (2.5 * SIZE);
    setup.grains.push(Grain {
        pose: Pose::new(above, rotation),
        velocity,
        spin: spin * (0.5 * speed / SIZE),
        ..grain(0, 0, above)
    });
    bounce(World::new(&setup)?, steps, 200.0)
}

fn add_target(setup: &mut Setup<Space>, target: Target, random: &mut Draw) -> Result<(), Trouble> {
    let fixed = |points: &[[f64; 3]]| -> Result<(Solid, DVec3), Trouble> {
        let points: Vec<DVec3> = points.iter().map(|point| DVec3::from_array(*point)).collect();
        let (shape, centre) = Polyhedron::hull(&points)?;
        Ok((shape.into(), centre))
    };
    let (shape, centre) = match target {
        Target::Plane => {
            setup.walls.push(plane("floor", DVec3::Z, 0.0)?);
            return Ok(());
        }
        Target::Valley => {
            setup.walls.push(plane("left", DVec3::new(0.5, 0.0, 1.0).normalize(), 0.0)?);
            setup.walls.push(plane("right", DVec3::new(-0.5, 0.1, 1.0).normalize(), 0.0)?);
            return Ok(());
        }
        Target::Side | Target::Cap => {
            let (radius, half_height, lying) =
                if matches!(target, Target::Side) { (2.0, 5.0, FRAC_PI_2) } else { (0.6, 1.0, 0.0) };
            let shape = Cylinder::new(radius, half_height)?.into();
            let depth = if lying > 0.0 { radius } else { half_height };
            let pose = Pose::new(DVec3::Z * -depth, DQuat::from_rotation_x(lying));
            setup.walls.push(Wall { pose, ..Wall::fixed("cylinder", shape, 0) });
            return Ok(());
        }
        Target::Same => {
            let rotation = random.rotation();
            setup.grains.push(Grain { pose: Pose::new(DVec3::ZERO, rotation), ..grain(1, 0, DVec3::ZERO) });
            return Ok(());
        }
        Target::Ridge => fixed(&[
            [0., -9., 0.],
            [0., 9., 0.],
            [6., -9., -5.],
            [6., 9., -5.],
            [-6., -9., -5.],
            [-6., 9., -5.],
            [6., -9., -9.],
            [-6., 9., -9.],
        ])?,
        Target::Peak => fixed(&[
            [0., 0., 0.],
            [6., 1., -4.],
            [-1., 6., -4.],
            [-6., -1., -4.],
            [1., -6., -4.],
            [0., 0., -9.],
        ])?,
    };
    setup.shapes.push(shape);
    setup.grains.push(Grain { frozen: true, ..grain(1, 1, centre) });
    Ok(())
}

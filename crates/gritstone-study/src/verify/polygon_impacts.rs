//! Elastic impacts of polygons with lines, valleys, ridges, segments and each other.

use std::f64::consts::{PI, TAU};

use glam::DVec2;
use gritstone_core::{Plane, Pose};
use gritstone_engine::{Grain, Setup, Wall, World};
use gritstone_shape::plane::{Figure, Polygon, Segment};

use super::bench::{PATCHES, empty, grain, hertz, line, linear, mass, material, square};
use super::impacts::{Changes, bounce, check_elastic};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "polygon-impacts",
    proves: "elastic impacts of polygons keep their energy, whichever features meet, and better with finer steps",
    source: "conservation of energy; the force is the gradient of an energy of the overlap",
    run,
};

/// Stiffness (N/m), size of the bodies (m), and deepest overlap of a side, over the size.
const KN: f64 = 1e5;
const SIZE: f64 = 1.0;
const DEPTH: f64 = 0.02;

/// What a body meets.
#[derive(Clone, Copy)]
enum Target {
    Line,
    Valley,
    Ridge,
    Segment,
    Same,
}

const TARGETS: [Target; 5] = [Target::Line, Target::Valley, Target::Ridge, Target::Segment, Target::Same];
/// The stream of random numbers of this case.
const STREAM: u64 = 0x706f_6c79;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let events = effort.pick(8, 100);
    check_elastic(false, |hertzian, steps| survey(hertzian, steps, events))
}

fn survey(hertzian: bool, steps: f64, events: u32) -> Result<Changes, Trouble> {
    let mut all = Changes::default();
    for shape in shapes()? {
        for target in TARGETS {
            for event in 0..events {
                let mut random = Draw::new(STREAM, target as u64, event.into());
                all.add(impact(&shape, target, hertzian, steps, &mut random)?);
            }
        }
    }
    Ok(all)
}

/// A square, a triangle, and a lopsided polygon of seven corners.
fn shapes() -> Result<[Figure; 3], Trouble> {
    let ring = |corners: &[(f64, f64)]| -> Result<Figure, Trouble> {
        let points: Vec<DVec2> =
            corners.iter().map(|(angle, radius)| DVec2::from_angle(*angle) * *radius).collect();
        Ok(Polygon::hull(&points)?.0.into())
    };
    let triangle = [0.0, TAU / 3.0, 2.0 * TAU / 3.0].map(|angle| (angle, 0.9));
    let lopsided = [(0.0, 0.9), (0.9, 0.8), (1.7, 0.7), (2.6, 0.8), (3.5, 0.9), (4.4, 0.6), (5.4, 0.75)];
    Ok([square(1.2)?.into(), ring(&triangle)?, ring(&lopsided)?])
}

/// One impact: the relative change of the kinetic energy, none where the bodies miss each other.
fn impact(
    shape: &Figure,
    target: Target,
    hertzian: bool,
    steps: f64,
    random: &mut Draw,
) -> Result<Option<f64>, Trouble> {
    let whole = mass::<Plane>(shape);
    let reduced = if matches!(target, Target::Same) { 0.5 * whole } else { whole };
    let period = PI * (reduced / KN).sqrt();
    let speed = DEPTH * SIZE / (reduced / KN).sqrt();
    let stiffness = if hertzian { hertz(KN / SIZE) } else { linear(KN) };
    let mut setup = empty::<Plane>(material(stiffness, 1.0), PATCHES, period / steps)?;
    setup.shapes.push(shape.clone());
    add_target(&mut setup, target, random)?;
    let above = DVec2::new(random.uniform(-0.4, 0.4), 2.5 * SIZE);
    let turn = random.uniform(0.0, TAU);
    let spin = random.uniform(-1.0, 1.0);
    setup.grains.push(Grain {
        pose: Pose::new(above, turn),
        velocity: DVec2::new(0.2 * spin, -1.0) * speed,
        spin: spin * 0.5 * speed / SIZE,
        ..grain(0, 0, above)
    });
    bounce(World::new(&setup)?, steps, 200.0)
}

fn add_target(setup: &mut Setup<Plane>, target: Target, random: &mut Draw) -> Result<(), Trouble> {
    match target {
        Target::Line => setup.walls.push(line("floor", DVec2::Y, 0.0)?),
        Target::Valley => {
            setup.walls.push(line("left", DVec2::new(0.5, 1.0).normalize(), 0.0)?);
            setup.walls.push(line("right", DVec2::new(-0.6, 1.0).normalize(), 0.0)?);
        }
        Target::Ridge => {
            let corners = [[0.0, 0.0], [6.0, -5.0], [-6.0, -4.0], [6.0, -9.0], [-6.0, -9.0]];
            let (shape, centre) = Polygon::hull(&corners.map(DVec2::from_array))?;
            setup.shapes.push(shape.into());
            setup.grains.push(Grain { frozen: true, ..grain(1, 1, centre) });
        }
        Target::Segment => {
            let (shape, middle) = Segment::between([DVec2::new(-9.0, 0.5), DVec2::new(9.0, -0.5)])?;
            let wall = Wall::fixed("segment", shape.into(), 0);
            setup.walls.push(Wall { pose: Pose::at(middle), ..wall });
        }
        Target::Same => {
            let turn = random.uniform(0.0, TAU);
            setup.grains.push(Grain { pose: Pose::new(DVec2::ZERO, turn), ..grain(1, 0, DVec2::ZERO) });
        }
    }
    Ok(())
}

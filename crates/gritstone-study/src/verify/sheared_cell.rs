//! Grains in sheared cells that are periodic along all axes, after Lees and Edwards.

use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space, Vector as _};
use gritstone_engine::{Cell, Dimension, Grain, Setup, Side, World};
use gritstone_force::{Friction, Material};
use gritstone_shape::plane::{Circle, Ellipse};
use gritstone_shape::space::{Ellipsoid, Solid, Sphere};

use super::bench::{POINTS, cube, empty, grain, linear, mass, material};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "sheared-cell",
    proves: "no grain of a sheared cell is lost, and momentum changes by what moving sides give alone",
    source: "Newton's laws; Lees and Edwards 1972",
    run,
};

/// Size of the grains (m), their distance at the start, velocity per length (1/s), and how fast they fly beside that (m/s).
const SIZE: f64 = 1e-2;
const PITCH: f64 = 1.9 * SIZE;
const RATE: f64 = 2.0;
const SPEED: f64 = 0.2;
/// Grains along each axis.
const IN_SPACE: u32 = 4;
const IN_THE_PLANE: u32 = 8;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let steps = effort.pick(20_000, 1_000_000);
    let mut checks = shear(&in_space()?, "space", steps)?;
    checks.extend(shear(&in_the_plane()?, "plane", steps)?);
    Ok(checks)
}

fn rough() -> Material {
    Material { friction: Friction::Coefficient(0.5), ..material(linear(1e4), 0.6) }
}

/// Vectors of a cell of this width, the second of which slides along the first.
fn cell<D: Dimension>(width: f64) -> Cell<D> {
    let side = |axis: usize| {
        let velocity = if axis == 1 { D::Vec::axis(0) * (RATE * width) } else { D::Vec::default() };
        Side { vector: D::Vec::axis(axis) * width, velocity }
    };
    let sides = std::array::from_fn(|axis| (axis < D::N).then(|| side(axis)));
    Cell { sides, ..Cell::default() }
}

fn in_space() -> Result<Setup<Space>, Trouble> {
    let mut setup = empty::<Space>(rough(), POINTS, 2e-5)?;
    setup.shapes = vec![
        Sphere::new(SIZE)?.into(),
        Ellipsoid::new(DVec3::new(0.7, 0.9, 1.1) * SIZE)?.into(),
        Solid::from(cube(1.4 * SIZE)?),
    ];
    let mut draw = Draw::new(31, 1, 0);
    let middle = 0.5 * f64::from(IN_SPACE - 1);
    setup.grains = (0..IN_SPACE.pow(3))
        .map(|i| {
            let place = [i % IN_SPACE, i / IN_SPACE % IN_SPACE, i / IN_SPACE / IN_SPACE];
            let x = (DVec3::from_array(place.map(f64::from)) - middle) * PITCH;
            Grain {
                pose: Pose::new(x, draw.rotation()),
                velocity: DVec3::X * (RATE * x.y) + draw.direction() * SPEED,
                ..grain(i, i % 3, DVec3::ZERO)
            }
        })
        .collect();
    setup.cell = Some(cell(f64::from(IN_SPACE) * PITCH));
    Ok(setup)
}

fn in_the_plane() -> Result<Setup<Plane>, Trouble> {
    let mut setup = empty::<Plane>(rough(), POINTS, 2e-5)?;
    setup.shapes = vec![Circle::new(0.95 * SIZE)?.into(), Ellipse::new(DVec2::new(0.7, 1.1) * SIZE)?.into()];
    let mut draw = Draw::new(32, 1, 0);
    let middle = 0.5 * f64::from(IN_THE_PLANE - 1);
    setup.grains = (0..IN_THE_PLANE.pow(2))
        .map(|i| {
            let place = [i % IN_THE_PLANE, i / IN_THE_PLANE];
            let x = (DVec2::from_array(place.map(f64::from)) - middle) * PITCH;
            Grain {
                pose: Pose::new(x, draw.uniform(0.0, 6.0)),
                velocity: DVec2::X * (RATE * x.y) + draw.direction().truncate() * SPEED,
                ..grain(i, i % 2, DVec2::ZERO)
            }
        })
        .collect();
    setup.cell = Some(cell(f64::from(IN_THE_PLANE) * PITCH));
    Ok(setup)
}

fn momentum<D: Dimension>(setup: &Setup<D>, world: &World<D>) -> D::Vec {
    let of = |shape: u32| mass::<D>(&setup.shapes[shape as usize]);
    let bodies = world.snapshot().bodies;
    bodies.iter().fold(D::Vec::default(), |sum, body| sum + body.velocity * of(body.shape))
}

fn shear<D: Dimension>(setup: &Setup<D>, name: &str, steps: u32) -> Result<Vec<Check>, Trouble> {
    let mut world = World::new(setup)?;
    let start = momentum(setup, &world);
    let (mut given, mut before) = (0.0, D::Vec::default());
    for _ in 0..steps {
        world.step()?;
        if let Some(cell) = world.cell() {
            given += (cell.jumps - before).length();
            before = cell.jumps;
        }
    }
    let off = momentum(setup, &world) - start - before;
    let status = world.status();
    let lost = setup.grains.len() - status.grains;
    Ok(vec![
        Check::at_most(format!("{name}: grains lost in {steps} steps"), lost as f64, 0.0),
        Check::at_most(
            format!("{name}: momentum less the jumps of moving sides, over Σ|jump|"),
            off.length() / given,
            1e-12,
        ),
        Check::at_most(format!("{name}: contacts unresolved"), status.unresolved as f64, 0.0),
        Check::at_least(
            format!("{name}: energy lost on the way (J)"),
            world.energies().dissipated,
            f64::MIN_POSITIVE,
        ),
    ])
}

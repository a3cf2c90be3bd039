//! Flat bodies dropped on a plane come to rest and stay there.

use glam::{DVec2, DVec3};
use gritstone_core::{Linear as _, Plane, Pose, Space, Vector as _};
use gritstone_engine::{CROWN, Dimension, FlatRule, Grain, RadiusRule, Rules, Setup, World};
use gritstone_force::{Friction, Material, Stiffness};
use gritstone_shape::Support;
use gritstone_shape::plane::{Figure, Polygon, Superellipse};
use gritstone_shape::space::{Polyhedron, Solid, Superellipsoid};

use super::bench::{G, cube, empty, grain, hertz, line, linear, mass, material, plane, square};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "at-rest",
    proves: "with contact patches flat bodies that are dropped come to rest within 5 s and stay at rest",
    source: "dissipation; a limit cycle would go on for ever",
    run,
};

/// Size of the bodies (m); how deep they sink in under their weight, over it; how high they are dropped from, over it.
const SIZE: f64 = 1e-2;
const SINK: f64 = 1e-3;
const DROP: f64 = 2.0;
const FINENESS: f64 = 50.0;
/// When they are to be at rest, and how long they are watched then (s).
const TIMES: [f64; 2] = [5.0, 2.0];

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let drops = effort.pick(1, 8);
    let mut checks = Vec::new();
    for (law, hertzian) in [("linear", false), ("Hertz", true)] {
        let mut add = |name: &str, worst: f64| {
            let what = format!("{name}, {law}, {drops} drops: speed over √(g·size)");
            checks.push(Check::at_most(what, worst, 1e-6));
        };
        for (name, shape) in solids()? {
            let setups = (0..drops).map(|k| in_space(&shape, hertzian, k));
            add(name, liveliest(setups)?);
        }
        for (name, shape) in figures()? {
            let setups = (0..drops).map(|k| in_the_plane(&shape, hertzian, k));
            add(name, liveliest(setups)?);
        }
    }
    Ok(checks)
}

fn solids() -> Result<Vec<(&'static str, Solid)>, Trouble> {
    let pyramid = [(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0), (0.0, 0.0, 1.5)];
    let tetrahedron = [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)];
    let hull = |corners: &[(f64, f64, f64)]| -> Result<Solid, Trouble> {
        let corners: Vec<DVec3> = corners.iter().map(|&(x, y, z)| DVec3::new(x, y, z)).collect();
        Ok(Polyhedron::hull(&corners)?.0.into())
    };
    let all = [
        ("cube", Solid::from(cube(1.0)?)),
        ("superellipsoid, ε = 0.2", Superellipsoid::new(DVec3::ONE, [0.2, 0.2])?.into()),
        ("pyramid", hull(&pyramid)?),
        ("tetrahedron", hull(&tetrahedron)?),
    ];
    let sized = |(name, shape): (&'static str, Solid)| Ok((name, shape.scaled(SIZE / shape.size())?));
    all.into_iter().map(sized).collect()
}

fn figures() -> Result<Vec<(&'static str, Figure)>, Trouble> {
    let triangle =
        [DVec2::new(-1.0, -0.6), DVec2::new(1.0, -0.6), DVec2::new(0.2, 1.0)].map(|p| p * (0.8 * SIZE));
    Ok(vec![
        ("square", square(SIZE * 2.0_f64.sqrt())?.into()),
        ("triangle", Polygon::hull(&triangle)?.0.into()),
        ("superellipse, n = 4", Superellipse::new(DVec2::new(0.9, 0.7) * SIZE, 4.0)?.into()),
        ("superellipse, n = 10", Superellipse::new(DVec2::splat(0.75 * SIZE), 10.0)?.into()),
    ])
}

/// Springs that let a face of a body of this mass sink in by [`SINK`], and the time step for them.
fn springs<D: Dimension>(mass: f64, hertzian: bool) -> (Stiffness, f64) {
    let kn = mass * G / (SINK * SIZE);
    let dt = std::f64::consts::PI * (mass / kn).sqrt() / FINENESS;
    (if hertzian { hertz(kn / if D::N == 2 { 1.0 } else { SIZE }) } else { linear(kn) }, dt)
}

/// What is used by default.
const RULES: Rules = Rules { radius: RadiusRule::BodyFunction, flat: FlatRule::Patch, crown: CROWN };

fn rough(stiffness: Stiffness) -> Material {
    Material { friction: Friction::Coefficient(0.5), ..material(stiffness, 0.5) }
}

fn in_space(shape: &Solid, hertzian: bool, drop: u64) -> Result<Setup<Space>, Trouble> {
    let (stiffness, dt) = springs::<Space>(mass::<Space>(shape), hertzian);
    let mut setup = empty::<Space>(rough(stiffness), RULES, dt)?;
    let mut draw = Draw::new(20, 1, drop);
    setup.shapes = vec![shape.clone()];
    setup.walls = vec![plane("floor", DVec3::Z, 0.0)?];
    setup.gravity = DVec3::Z * -G;
    let pose = Pose::new(DVec3::Z * (DROP * SIZE), draw.rotation());
    setup.grains = vec![Grain { pose, spin: draw.vector(-5.0, 5.0), ..grain(0, 0, DVec3::ZERO) }];
    Ok(setup)
}

fn in_the_plane(shape: &Figure, hertzian: bool, drop: u64) -> Result<Setup<Plane>, Trouble> {
    let (stiffness, dt) = springs::<Plane>(mass::<Plane>(shape), hertzian);
    let mut setup = empty::<Plane>(rough(stiffness), RULES, dt)?;
    let mut draw = Draw::new(21, 1, drop);
    setup.shapes = vec![shape.clone()];
    setup.walls = vec![line("ground", DVec2::Y, 0.0)?];
    setup.gravity = DVec2::Y * -G;
    let pose = Pose::new(DVec2::Y * (DROP * SIZE), draw.uniform(0.0, 6.0));
    setup.grains = vec![Grain { pose, spin: draw.uniform(-5.0, 5.0), ..grain(0, 0, DVec2::ZERO) }];
    Ok(setup)
}

/// The largest speed of any point of any of the bodies, over √(g·size), once they are to be at rest.
fn liveliest<D: Dimension>(setups: impl Iterator<Item = Result<Setup<D>, Trouble>>) -> Result<f64, Trouble> {
    let mut most = 0.0_f64;
    for setup in setups {
        let setup = setup?;
        let mut world = World::new(&setup)?;
        let [rest, watch] = TIMES.map(|time| (time / setup.time_step).ceil() as u64);
        for step in 0..rest + watch {
            world.step()?;
            if step >= rest {
                let body = world.snapshot().bodies[0];
                let speed = body.velocity.length() + SIZE * body.spin.dot(body.spin).sqrt();
                most = most.max(speed / (G * SIZE).sqrt());
            }
        }
    }
    Ok(most)
}

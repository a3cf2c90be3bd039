//! Grains that are shot at walls, slowly and fast.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Sides, Surface, TriangleMesh, Wall, World};
use gritstone_shape::space::{Ellipsoid, Solid, Sphere};

use super::bench::{PATCHES, cube, empty, grain, linear, mass, material, plane};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "walls-hold",
    proves: "no grain passes a plane, a block or a sheet of triangles while its overlap stays below half its thickness; all that pass are reported",
    source: "largest overlap of an undamped impact, v·√(m/kn)",
    run,
};

/// Size of the grains (m), stiffness (N/m), steps in a contact.
const SIZE: f64 = 5e-3;
const KN: f64 = 1e4;
const FINENESS: f64 = 50.0;
/// How soft the corner of a cube is: its overlap over that of a face.
const CORNER: f64 = 1.83;
/// Overlaps over half the thickness that impacts would have.
const OVERLAPS: [f64; 9] = [0.1, 0.3, 0.5, 0.7, 0.9, 1.5, 3.0, 10.0, 100.0];
/// Up to this overlap a wall is to hold.
const BELOW: f64 = 1.0;
/// Overlap from which a run ends as unstable.
const DEEPEST: f64 = 0.5;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    shots: u32,
    passed_slow: u32,
    passed: u32,
    silent: u32,
}

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let shots = effort.pick(2, 12);
    let half = SIZE / 3_f64.sqrt();
    // With the overlap that is as deep as they are thick, over the softness of what may hit.
    let shapes: [(&str, Solid, f64); 3] = [
        ("balls", Sphere::new(SIZE)?.into(), SIZE),
        ("ellipsoids", Ellipsoid::new(DVec3::new(1.0, 0.7, 0.6) * SIZE)?.into(), 0.6 * SIZE),
        ("cubes", cube(2.0 * half)?.into(), half / CORNER),
    ];
    let mut checks = Vec::new();
    for wall in [plane("plane", DVec3::Z, 0.0)?, block()?, sheet()?] {
        for (name, shape, thickness) in &shapes {
            let mut all = Counts::default();
            for (number, overlap) in OVERLAPS.into_iter().enumerate() {
                for shot in 0..shots {
                    let mut draw = Draw::new(0x7761_6c6c, number as u64, shot);
                    shoot((shape, *thickness), &wall, overlap, &mut draw, &mut all)?;
                }
            }
            let name = format!("{} {name} at a {}", all.shots, wall.name);
            let share = |count: u32| f64::from(count);
            checks.push(Check::at_most(
                format!("{name}: passed with an overlap below 1"),
                share(all.passed_slow),
                0.0,
            ));
            checks.push(Check::at_most(format!("{name}: passed and not reported"), share(all.silent), 0.0));
            checks.push(Check::known(format!("{name}: passed at all"), share(all.passed)));
        }
    }
    Ok(checks)
}

fn shoot(
    (shape, thickness): (&Solid, f64),
    wall: &Wall<Space>,
    overlap: f64,
    draw: &mut Draw,
    all: &mut Counts,
) -> Result<(), Trouble> {
    let mass = mass::<Space>(shape);
    let beat = (mass / KN).sqrt();
    let speed = overlap * thickness / beat;
    let dt = PI * beat / FINENESS;
    let mut setup = empty::<Space>(material(linear(KN), 1.0), PATCHES, dt)?;
    setup.shapes.push(shape.clone());
    setup.walls.push(wall.clone());
    let start =
        DVec3::new(draw.uniform(-1.0, 1.0), draw.uniform(-1.0, 1.0), 0.0) * SIZE + DVec3::Z * (3.0 * SIZE);
    let velocity = DVec3::Z * -speed;
    let pose = Pose::new(start, draw.rotation());
    setup.grains.push(Grain { pose, velocity, ..grain(0, 0, start) });
    let mut world = World::new(&setup)?;
    let mut deepest = 0.0_f64;
    let end = 8.0 * SIZE / speed + 4.0 * PI * beat;
    while world.time() < end {
        world.step()?;
        deepest = deepest.max(world.status().deepest);
    }
    let passed = world.body_states()[0].pose.position.z < 0.0;
    let reported = deepest > DEEPEST || world.status().fast.count > 0;
    all.shots += 1;
    all.passed += u32::from(passed);
    all.passed_slow += u32::from(passed && overlap < BELOW);
    all.silent += u32::from(passed && !reported);
    Ok(())
}

fn surface(name: &str, triangles: &[[DVec3; 3]], sides: Sides) -> Result<Wall<Space>, Trouble> {
    let mesh = TriangleMesh::new(triangles, sides)?;
    let ball = Sphere::new(mesh.size())?;
    Ok(Wall { surface: Some(Surface::Mesh(mesh.into())), ..Wall::fixed(name, ball.into(), 0) })
}

/// Corners of a square at a height.
fn square(height: f64) -> [DVec3; 4] {
    let half = 20.0 * SIZE;
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| DVec3::new(x, y, height))
}

fn sheet() -> Result<Wall<Space>, Trouble> {
    let [a, b, c, d] = square(0.0);
    surface("sheet", &[[a, b, c], [a, c, d]], Sides::Both)
}

/// Three diameters thick.
fn block() -> Result<Wall<Space>, Trouble> {
    let (top, bottom) = (square(0.0), square(-6.0 * SIZE));
    let [a, b, c, d] = top;
    let [e, f, g, h] = bottom;
    let mut triangles = vec![[a, b, c], [a, c, d], [e, g, f], [e, h, g]];
    for i in 0..4 {
        let k = (i + 1) % 4;
        triangles.extend([[bottom[i], bottom[k], top[k]], [bottom[i], top[k], top[i]]]);
    }
    surface("block", &triangles, Sides::Outside)
}

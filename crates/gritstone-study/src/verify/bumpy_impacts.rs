//! Elastic impacts of polyhedra on triangle meshes with bumps as wide as grains.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Sides, Surface, TriangleMesh, Wall, World};
use gritstone_shape::space::{Solid, Sphere};

use super::bench::{PATCHES, empty, grain, hertz, linear, mass, material};
use super::impacts::{Changes, bounce, check_elastic, polyhedra};
use super::{Case, Check, Effort, Trouble};
use crate::generate::Draw;

pub(super) const CASE: Case = Case {
    name: "bumpy-impacts",
    proves: "elastic impacts of polyhedra on surfaces with bumps of any width keep their energy, and better with finer steps",
    source: "conservation of energy; the force is the gradient of an energy of how deep the facets are",
    run,
};

/// Stiffness (N/m), size of the bodies (m), and deepest overlap of a face, over the size.
const KN: f64 = 1e5;
const SIZE: f64 = 1.0;
const DEPTH: f64 = 0.01;
/// Surfaces: width of a bump, and how far heights are from the middle at most (m).
const SURFACES: [[f64; 2]; 3] = [[0.5, 0.25], [1.0, 0.45], [0.3, 0.05]];
/// Half the width of the surface (m).
const HALF: f64 = 3.0;
/// The stream of random numbers of this case.
const STREAM: u64 = 0x6275_6d70;

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let events = effort.pick(4, 40);
    let surfaces =
        SURFACES.iter().map(|[width, height]| bumps(*width, *height)).collect::<Result<Vec<_>, _>>()?;
    check_elastic(true, |hertzian, steps| survey(&surfaces, hertzian, steps, events))
}

/// A block with bumps on top, as high at random.
fn bumps(width: f64, height: f64) -> Result<Wall<Space>, Trouble> {
    let count = (2.0 * HALF / width).round() as usize;
    let mut draw = Draw::new(STREAM, 1, count as u64);
    let heights: Vec<f64> = (0..=count * count + 2 * count).map(|_| draw.uniform(-height, height)).collect();
    let flat = |i: usize, j: usize| DVec3::new(i as f64 * width - HALF, j as f64 * width - HALF, -2.0);
    let top = |i: usize, j: usize| flat(i, j).with_z(heights[i * (count + 1) + j]);
    let mut triangles = Vec::new();
    for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
        let square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
        let [a, b, c, d] = square.map(|(i, j)| top(i, j));
        triangles.extend(if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] });
        let [a, b, c, d] = square.map(|(i, j)| flat(i, j));
        triangles.extend([[a, c, b], [a, d, c]]);
    }
    for k in 0..count {
        let rim = [
            [(k, 0), (k + 1, 0)],
            [(count, k), (count, k + 1)],
            [(k + 1, count), (k, count)],
            [(0, k + 1), (0, k)],
        ];
        for [(i, j), (m, n)] in rim {
            triangles.extend([[flat(i, j), flat(m, n), top(m, n)], [flat(i, j), top(m, n), top(i, j)]]);
        }
    }
    let mesh = TriangleMesh::new(&triangles, Sides::Outside)?;
    let ball = Sphere::new(mesh.size())?;
    Ok(Wall { surface: Some(Surface::Mesh(mesh.into())), ..Wall::fixed("bumps", ball.into(), 0) })
}

fn survey(surfaces: &[Wall<Space>], hertzian: bool, steps: f64, events: u32) -> Result<Changes, Trouble> {
    let mut all = Changes::default();
    for shape in polyhedra()? {
        for (number, wall) in surfaces.iter().enumerate() {
            for event in 0..events {
                let mut random = Draw::new(STREAM, number as u64, event.into());
                all.add(impact(&shape, wall, hertzian, steps, &mut random)?);
            }
        }
    }
    Ok(all)
}

/// One impact: the relative change of the kinetic energy, none where the body leaves over the side.
fn impact(
    shape: &Solid,
    wall: &Wall<Space>,
    hertzian: bool,
    steps: f64,
    random: &mut Draw,
) -> Result<Option<f64>, Trouble> {
    let whole = mass::<Space>(shape);
    let period = PI * (whole / KN).sqrt();
    let speed = DEPTH * SIZE / (whole / KN).sqrt();
    let stiffness = if hertzian { hertz(KN / SIZE) } else { linear(KN) };
    let mut setup = empty::<Space>(material(stiffness, 1.0), PATCHES, period / steps)?;
    setup.shapes.push(shape.clone());
    setup.walls.push(wall.clone());
    let above = random.vector(-0.8, 0.8) * DVec3::new(1.0, 1.0, 0.0) + DVec3::Z * (1.7 * SIZE);
    let (spin, rotation) = (random.vector(-1.0, 1.0), random.rotation());
    setup.grains.push(Grain {
        pose: Pose::new(above, rotation),
        velocity: DVec3::new(0.2 * spin.x, 0.2 * spin.y, -1.0) * speed,
        spin: spin * (0.5 * speed / SIZE),
        ..grain(0, 0, above)
    });
    bounce(World::new(&setup)?, steps, 300.0)
}

//! What the cases of rods and discs share: the shapes, what they lie on, and how lively they are.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{CROWN, Grain, Rules, Setup, Sides, Surface, TriangleMesh, Wall, World};
use gritstone_force::{Friction, Material, Stiffness};
use gritstone_shape::space::{Capsule, Cylinder, Polyhedron, Solid, Sphere, Superellipsoid};

use super::Trouble;
use super::bench::{G, POISSON, empty, grain, material, plane};

/// Radius of rods, and half the length of their straight part (m).
pub(super) const RADIUS: f64 = 5e-3;
pub(super) const HALF: f64 = 15e-3;
/// Time step (s): a tenth of the Rayleigh time and less.
pub(super) const STEP: f64 = 2e-5;

/// A body that is flat along a line or a face.
pub(super) struct Flat {
    pub(super) name: &'static str,
    pub(super) shape: Solid,
    /// Its orientation when it lies on the xy plane: rods along y.
    pub(super) lying: DQuat,
    /// How high its centre is then.
    pub(super) height: f64,
}

pub(super) fn rods() -> Result<Vec<Flat>, Trouble> {
    let lying = DQuat::from_rotation_x(FRAC_PI_2);
    let rod = |name, shape| Flat { name, shape, lying, height: RADIUS };
    let radii = DVec3::new(RADIUS, RADIUS, HALF);
    Ok(vec![
        rod("capsule", Capsule::new(RADIUS, HALF)?.into()),
        rod("cylinder", Cylinder::new(RADIUS, HALF)?.into()),
        rod("superellipsoid ε = 1, 0.1", Superellipsoid::new(radii, [1.0, 0.1])?.into()),
    ])
}

pub(super) fn discs() -> Result<Vec<Flat>, Trouble> {
    let standing = |name, shape, height| Flat { name, shape, lying: DQuat::IDENTITY, height };
    let cube = Superellipsoid::new(DVec3::splat(RADIUS), [0.2, 0.2])?;
    let lens = Superellipsoid::new(DVec3::new(10e-3, 10e-3, 4e-3), [1.0, 0.3])?;
    Ok(vec![
        standing("disc", Cylinder::new(10e-3, 3e-3)?.into(), 3e-3),
        standing("superellipsoid ε = 0.2", cube.into(), RADIUS),
        standing("superellipsoid ε = 1, 0.3", lens.into(), 4e-3),
    ])
}

/// Soft grains, so that all that can go wrong does.
pub(super) fn soft(e: f64, mu: f64) -> Material {
    Material {
        friction: Friction::Coefficient(mu),
        ..material(Stiffness::Hertz { young: 1e7, poisson: POISSON }, e)
    }
}

/// One grain over a floor, gravity leaning by `slope` towards x.
pub(super) fn over(
    shape: &Solid,
    pose: Pose<Space>,
    floor: Wall<Space>,
    soft: Material,
    slope: f64,
) -> Result<Setup<Space>, Trouble> {
    let mut setup = empty::<Space>(soft, Rules { crown: CROWN, ..Rules::default() }, STEP)?;
    setup.shapes = vec![shape.clone()];
    setup.walls = vec![floor];
    setup.gravity = DVec3::new(slope.sin(), 0.0, -slope.cos()) * G;
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec3::ZERO) }];
    Ok(setup)
}

/// Floors whose top is the xy plane.
pub(super) fn floors() -> Result<Vec<(&'static str, Wall<Space>)>, Trouble> {
    let wide = 0.1;
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 0 { -wide } else { wide };
        DVec3::new(side(0), side(1), if i >> 2 & 1 == 0 { -0.04 } else { 0.0 })
    };
    let (block, centre) = Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    let block = Wall { pose: Pose::at(centre), ..Wall::fixed("block", block.into(), 0) };
    // Sheets of triangles that meet under the grain, at no special place.
    let (a, b) = (DVec3::new(-wide, -wide, 0.0), DVec3::new(wide, -wide, 0.0));
    let (c, d, m) = (DVec3::new(wide, wide, 0.0), DVec3::new(-wide, wide, 0.0), DVec3::new(1e-3, 2e-3, 0.0));
    let mesh = TriangleMesh::new(&[[a, b, m], [b, c, m], [c, d, m], [d, a, m]], Sides::Both)?;
    let ball = Sphere::new(mesh.size())?;
    let sheet = Wall { surface: Some(Surface::Mesh(mesh.into())), ..Wall::fixed("sheet", ball.into(), 0) };
    Ok(vec![("plane", plane("plane", DVec3::Z, 0.0)?), ("block", block), ("sheet", sheet)])
}

pub(super) fn go_on(world: &mut World<Space>, seconds: f64) -> Result<(), Trouble> {
    for _ in 0..(seconds / world.time_step()).round() as u64 {
        world.step()?;
    }
    Ok(())
}

/// Speed of the fastest point of a grain over √(gR).
pub(super) fn liveliness(world: &World<Space>, grain: usize) -> f64 {
    let body = world.snapshot().bodies[grain];
    (body.velocity.length() + HALF * body.spin.length()) / (G * RADIUS).sqrt()
}

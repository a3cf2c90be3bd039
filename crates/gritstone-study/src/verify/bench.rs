//! What the cases are built from.

use glam::{DVec2, DVec3};
use gritstone_core::{Dim, Plane, Pose, Space};
use gritstone_engine::{CROWN, Dimension, FlatRule, Grain, RadiusRule, Rules, Setup, Wall};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::AnyShape as _;
use gritstone_shape::plane::{HalfPlane, Polygon};
use gritstone_shape::space::{HalfSpace, Polyhedron};

use super::Trouble;

/// Acceleration of free fall (m/s²).
pub(super) const G: f64 = 9.81;
/// Density of everything: kg/m³, in the plane kg/m².
pub(super) const DENSITY: f64 = 2500.0;
/// Poisson's ratio of everything.
pub(super) const POISSON: f64 = 0.3;

/// A material without friction, rolling and cohesion, with the restitution `e`.
pub(super) fn material(stiffness: Stiffness, e: f64) -> Material {
    Material {
        name: "grains".into(),
        density: DENSITY,
        stiffness,
        damping: Damping::Restitution(e),
        friction: Friction::Coefficient(0.0),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    }
}

/// Linear springs, the tangential one two sevenths of the normal one.
pub(super) fn linear(kn: f64) -> Stiffness {
    Stiffness::Linear { kn, ks: 2.0 / 7.0 * kn }
}

/// Hertz and Mindlin with this effective modulus Y*.
pub(super) fn hertz(effective: f64) -> Stiffness {
    Stiffness::Hertz { young: 2.0 * (1.0 - POISSON * POISSON) * effective, poisson: POISSON }
}

/// Contact points and radii from volumes: laws with an energy.
pub(super) const POINTS: Rules = Rules { radius: RadiusRule::Volume, flat: FlatRule::Point, crown: CROWN };
/// Patches where surfaces are flat.
pub(super) const PATCHES: Rules = Rules { radius: RadiusRule::Volume, flat: FlatRule::Patch, crown: CROWN };

/// A world without anything in it.
pub(super) fn empty<D: Dimension>(material: Material, rules: Rules, dt: f64) -> Result<Setup<D>, Trouble> {
    Ok(Setup {
        shapes: Vec::new(),
        densities: vec![material.density],
        interactions: Interactions::mix(&[material], &[])?,
        method: None,
        rules,
        grains: Vec::new(),
        walls: Vec::new(),
        tools: Vec::new(),
        gravity: D::Vec::default(),
        time_step: dt,
        domain: None,
        compounds: gritstone_engine::Compounds::new(),
        cell: None,
        earlier: None,
    })
}

/// A grain at rest, not turned.
pub(super) fn grain<D: Dim>(id: u32, shape: u32, position: D::Vec) -> Grain<D> {
    Grain {
        id,
        shape,
        material: 0,
        pose: Pose::at(position),
        velocity: D::Vec::default(),
        spin: D::Spin::default(),
        frozen: false,
    }
}

/// Mass of a body of this shape.
pub(super) fn mass<D: Dimension>(shape: &D::Shape) -> f64 {
    shape.mass_properties().map_or(0.0, |mass| mass.volume * DENSITY)
}

/// The plane through `offset·normal` with the body below it.
pub(super) fn plane(name: &str, normal: DVec3, offset: f64) -> Result<Wall<Space>, Trouble> {
    Ok(wall(name, HalfSpace::new(normal, offset)?.into()))
}

/// The line through `offset·normal` with the body below it.
pub(super) fn line(name: &str, normal: DVec2, offset: f64) -> Result<Wall<Plane>, Trouble> {
    Ok(wall(name, HalfPlane::new(normal, offset)?.into()))
}

fn wall<D: Dimension>(name: &str, shape: D::Shape) -> Wall<D> {
    Wall::fixed(name, shape, 0)
}

/// A cube with this edge.
pub(super) fn cube(edge: f64) -> Result<Polyhedron, Trouble> {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
    let corners: Vec<DVec3> = (0..8).map(|i| edge * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    Ok(Polyhedron::hull(&corners)?.0)
}

/// A square with this edge.
pub(super) fn square(edge: f64) -> Result<Polygon, Trouble> {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)];
    Ok(Polygon::hull(&corners.map(|(x, y)| edge * DVec2::new(x, y)))?.0)
}

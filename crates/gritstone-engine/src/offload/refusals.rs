//! What steps made elsewhere do not support.

use gritstone_contact::space::lanes::ShapeClass;
use gritstone_core::Space;
use gritstone_shape::space::Solid;

use crate::contacts::flat::FlatContacts as _;
use crate::setup::{RadiusRule, Setup};

/// What a scene has that steps made elsewhere do not support, in words; empty where all is well.
pub fn unsupported(setup: &Setup<Space>) -> Vec<String> {
    let mut found = Vec::new();
    let mut refuse = |is_there: bool, what: &str| {
        if is_there {
            found.push(what.to_owned());
        }
    };
    let compound = |shape: u32| setup.compounds.contains_key(&shape);
    let crowned = |shape: &Solid| Space::crowned(shape, setup.rules.crown).is_some();
    let class = |shape: u32| match setup.shapes.get(shape as usize) {
        Some(shape) if !crowned(shape) => ShapeClass::of(shape),
        _ => ShapeClass::Other,
    };
    let shapes = 0..setup.shapes.len() as u32;
    refuse(shapes.clone().any(compound), "compounds");
    refuse(
        shapes.clone().any(|shape| !compound(shape) && class(shape) == ShapeClass::Other),
        "grains that are neither spheres, ellipsoids nor superellipsoids without a crown",
    );
    refuse(setup.cell.is_some(), "periodic cells");
    refuse(setup.method.as_deref().is_some_and(|name| name != "auto"), "a contact method of its own");
    let in_lanes = setup.interactions.iter().all(|law| law.for_lanes().is_some());
    refuse(!in_lanes, "rolling and twisting resistance, and JKR adhesion");
    let by_curvature = setup.rules.radius == RadiusRule::Curvature;
    refuse(by_curvature, "effective radii from the curvature");
    found
}

//! Shapes and directions that the suites share.

#![allow(dead_code, reason = "each suite uses its part")]

use glam::DVec3;
use gritstone_shape::space::{Superellipsoid, Superquadric};
use proptest::prelude::*;

/// Superellipsoids over the whole range that grains have: ε from 0.1 to 1.9, aspect ratio up to 20.
pub(crate) fn any_superellipsoid() -> impl Strategy<Value = Superellipsoid> {
    superellipsoid(0.1, 1.9)
}

/// Superellipsoids with exponents in this range, its ends and 1 more often than others, and aspect ratios up to 20.
pub(crate) fn superellipsoid(low: f64, high: f64) -> impl Strategy<Value = Superellipsoid> {
    let radius = || (0.0..20.0_f64.ln()).prop_map(f64::exp);
    let exponent = move || prop_oneof![4 => low..high, 1 => Just(low), 1 => Just(1.0), 1 => Just(high)];
    ((radius(), radius(), radius()), (exponent(), exponent())).prop_map(|((a, b, c), (e1, e2))| {
        Superellipsoid::new(DVec3::new(a, b, c), [e1, e2]).expect("parameters lie in their ranges")
    })
}

/// Superquadrics with exponents from 1.05 to 20, as superellipsoids have them, and aspect ratios up to 20.
pub(crate) fn any_superquadric() -> impl Strategy<Value = Superquadric> {
    superquadric(0.1, 1.9)
}

/// Superquadrics with exponents 2/ε for ε in this range, and aspect ratios up to 20.
pub(crate) fn superquadric(low: f64, high: f64) -> impl Strategy<Value = Superquadric> {
    let radius = || (0.0..20.0_f64.ln()).prop_map(f64::exp);
    let exponent = move || prop_oneof![4 => low..high, 1 => Just(low), 1 => Just(1.0), 1 => Just(high)];
    ((radius(), radius(), radius()), (exponent(), exponent(), exponent())).prop_map(|((a, b, c), e)| {
        Superquadric::new(DVec3::new(a, b, c), [2.0 / e.0, 2.0 / e.1, 2.0 / e.2])
            .expect("parameters lie in their ranges")
    })
}

/// Unit vectors all over the sphere.
pub(crate) fn any_direction() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64)
        .prop_map(|(x, y, z)| DVec3::new(x, y, z))
        .prop_filter("neither short nor in a corner", |v| (0.01..=1.0).contains(&v.length_squared()))
        .prop_map(DVec3::normalize)
}

/// Unit vectors that keep off the coordinate planes, where some second derivatives are infinite.
pub(crate) fn oblique_direction() -> impl Strategy<Value = DVec3> {
    any_direction().prop_filter("off the coordinate planes", |v| v.abs().min_element() > 0.05)
}

/// ∂f/∂x_i by central differences, extrapolated to fourth order; `step` is relative to each component.
pub(crate) fn derivative(f: impl Fn(DVec3) -> DVec3, x: DVec3, i: usize, step: f64) -> DVec3 {
    let central = |h: f64| {
        let d = DVec3::AXES[i] * (h * x[i].abs());
        (f(x + d) - f(x - d)) / (2.0 * h * x[i].abs())
    };
    (4.0 * central(0.5 * step) - central(step)) / 3.0
}

/// The angle between two directions of any length.
pub(crate) fn angle(a: DVec3, b: DVec3) -> f64 {
    let (a, b) = (a.normalize(), b.normalize());
    a.cross(b).length().atan2(a.dot(b))
}

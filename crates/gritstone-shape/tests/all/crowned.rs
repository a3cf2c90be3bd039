//! Crowned bodies: strictly convex, inside the exact shape, with its extents, and differentiated rightly.

use crate::common::{any_direction, derivative, oblique_direction};
use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::space::{Capsule, Crowned, Cylinder, Ellipsoid, Solid, Sphere, Superellipsoid};
use gritstone_shape::{Body, Support};
use proptest::prelude::*;

const CROWN: f64 = 0.003;

fn flat_shape() -> impl Strategy<Value = Solid> {
    let length = || (0.0..20.0_f64.ln()).prop_map(f64::exp);
    let exponent = || prop_oneof![0.1..1.0_f64, Just(0.1), Just(1.0), Just(0.5)];
    prop_oneof![
        (length(), length()).prop_map(|(r, h)| Capsule::new(r, h).expect("lengths").into()),
        (length(), length()).prop_map(|(r, h)| Cylinder::new(r, h).expect("lengths").into()),
        (length(), length(), length(), exponent(), 0.1..0.34_f64).prop_map(|(a, b, c, e1, e2)| {
            Superellipsoid::new(DVec3::new(a, b, c), [e1, e2]).expect("in range").into()
        }),
    ]
}

fn crowned(shape: &Solid) -> Crowned {
    Crowned::of(shape, CROWN).expect("flat shapes get a crown")
}

fn height(shape: &impl Support<Space>, n: DVec3) -> f64 {
    n.dot(shape.support(n))
}

proptest! {
    #[test]
    fn the_body_is_close_to_the_exact_one(shape in flat_shape(), n in any_direction()) {
        let (crowned, exact) = (height(&crowned(&shape), n), height(&shape, n));
        // √(c² + η²) ≤ |c| + η, and the support norm is subadditive: it grows by at most η times the corner of the box of the radii.
        let grown = CROWN * 3.0_f64.sqrt() * shape.size();
        prop_assert!(crowned <= exact * (1.0 + 1e-12) + grown, "{crowned} {exact}");
        // A rim or an edge is rounded.
        prop_assert!(crowned >= exact * 0.95, "{crowned} {exact}");
    }

    #[test]
    fn the_extents_are_those_of_the_exact_one(shape in flat_shape()) {
        let crowned = crowned(&shape);
        let extents = crowned.half_extents();
        for (axis, extent) in DVec3::AXES.into_iter().zip(extents.to_array()) {
            prop_assert!((height(&crowned, axis) / extent - 1.0).abs() < 1e-12);
            // A strictly convex body is met at one point.
            prop_assert!((crowned.support(axis) - axis * extent).length() < 1e-12 * crowned.size());
        }
    }

    #[test]
    fn the_point_is_the_gradient_and_the_hessian_its_derivative(
        shape in flat_shape(), n in oblique_direction(),
    ) {
        let crowned = crowned(&shape);
        let jet = crowned.jet(n);
        prop_assert!((jet.point - crowned.support(n)).length() < 1e-13 * crowned.size());
        let full = jet.hessian.full();
        let scale = full.x_axis.length() + full.y_axis.length() + full.z_axis.length();
        for i in 0..3 {
            let slope = derivative(|n| DVec3::X * height(&crowned, n), n, i, 1e-3).x;
            prop_assert!((slope - jet.point[i]).abs() < 1e-8 * crowned.size(), "{slope} {}", jet.point[i]);
            let column = derivative(|n| crowned.support(n), n, i, 1e-4);
            prop_assert!((column - full.col(i)).length() < 1e-5 * scale, "{column} {}", full.col(i));
        }
        prop_assert!((full * n).length() < 1e-9 * scale);
    }

    /// Two points of the surface lie on the inner side of each other's support planes.
    #[test]
    fn support_points_are_those_of_a_convex_body(
        shape in flat_shape(), n in any_direction(), m in any_direction(),
    ) {
        let crowned = crowned(&shape);
        prop_assert!(n.dot(crowned.support(m)) <= height(&crowned, n) + 1e-13 * crowned.size());
    }

    /// The ball that is said to fit in does: what is left of the support function is one, so that its points are, too.
    #[test]
    fn the_nested_ball_leaves_a_convex_body(shape in flat_shape(), n in any_direction(), m in any_direction()) {
        let crowned = crowned(&shape);
        let ball = crowned.nested_ball(n, crowned.support(n), f64::INFINITY);
        let centre = |n: DVec3| crowned.support(n) - n * ball;
        prop_assert!(n.dot(centre(m)) <= n.dot(centre(n)) + 1e-13 * crowned.size());
    }

    #[test]
    fn scaling_is_exact(shape in flat_shape(), n in any_direction(), factor in 0.1..10.0_f64) {
        let one = crowned(&shape).support(n) * factor;
        let other = crowned(&shape).scaled(factor).expect("a length").support(n);
        prop_assert!((one - other).length() < 1e-13 * factor * shape.size());
    }
}

/// Radius of curvature along a line H/η, across a cap R/η, both to the order of η.
#[test]
fn flat_parts_have_the_radius_of_their_extent_over_the_crown() {
    let (r, h) = (1.0, 3.0);
    let capsule = crowned(&Capsule::new(r, h).unwrap().into());
    let side = capsule.jet(DVec3::X).hessian;
    assert!((side.zz * CROWN / h - 1.0).abs() < 0.01 && (side.yy / r - 1.0).abs() < 0.01, "{side:?}");
    let cylinder = crowned(&Cylinder::new(r, h).unwrap().into());
    let cap = cylinder.jet(DVec3::Z).hessian;
    assert!((cap.xx * CROWN / r - 1.0).abs() < 0.05, "{cap:?}");
    assert!((cylinder.jet(DVec3::X).hessian.zz * CROWN / h - 1.0).abs() < 0.05);
    assert!((cylinder.jet(DVec3::X).hessian.yy / r - 1.0).abs() < 0.01);
}

#[test]
fn curved_bodies_and_bodies_with_faces_get_none() {
    let shapes: [Solid; 4] = [
        Sphere::new(1.0).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.0, 2.0, 0.1)).unwrap().into(),
        Superellipsoid::new(DVec3::ONE, [0.7, 1.0]).unwrap().into(),
        Superellipsoid::new(DVec3::ONE, [1.9, 1.9]).unwrap().into(),
    ];
    assert!(shapes.iter().all(|shape| Crowned::of(shape, CROWN).is_none()));
    assert!(Crowned::of(&Capsule::new(1.0, 1.0).unwrap().into(), 0.0).is_none());
}

//! Crowned superellipses: strictly convex, close to the exact shape, with its extents, and differentiated rightly.

use glam::DVec2;
use gritstone_core::Plane;
use gritstone_shape::plane::{Crowned, Ellipse, Figure, Superellipse};
use gritstone_shape::{Body, Support};
use proptest::prelude::*;

const CROWN: f64 = 0.003;

fn flat_shape() -> impl Strategy<Value = Figure> {
    let length = || (0.0..20.0_f64.ln()).prop_map(f64::exp);
    (length(), length(), 3.0..40.0_f64)
        .prop_map(|(a, b, n)| Superellipse::new(DVec2::new(a, b), n).expect("in range").into())
}

fn direction() -> impl Strategy<Value = DVec2> {
    (0.0..std::f64::consts::TAU).prop_map(DVec2::from_angle)
}

fn crowned(shape: &Figure) -> Crowned {
    Crowned::of(shape, CROWN).expect("flat shapes get a crown")
}

fn height(shape: &impl Support<Plane>, n: DVec2) -> f64 {
    n.dot(shape.support(n))
}

proptest! {
    #[test]
    fn the_body_is_close_to_the_exact_one(shape in flat_shape(), n in direction()) {
        let (crowned, exact) = (height(&crowned(&shape), n), height(&shape, n));
        prop_assert!(crowned <= exact * (1.0 + 1e-12) + CROWN * 2.0_f64.sqrt() * shape.size(), "{crowned} {exact}");
        // Corners are rounded.
        prop_assert!(crowned >= exact * 0.95, "{crowned} {exact}");
    }

    #[test]
    fn the_extents_are_those_of_the_exact_one(shape in flat_shape()) {
        let crowned = crowned(&shape);
        for (axis, extent) in DVec2::AXES.into_iter().zip(crowned.half_extents().to_array()) {
            prop_assert!((height(&crowned, axis) / extent - 1.0).abs() < 1e-12);
            // A strictly convex body is met at one point.
            prop_assert!((crowned.support(axis) - axis * extent).length() < 1e-12 * crowned.size());
        }
    }

    #[test]
    fn the_point_is_the_gradient_and_the_hessian_its_derivative(shape in flat_shape(), angle in 0.02..1.55_f64) {
        let (crowned, n) = (crowned(&shape), DVec2::from_angle(angle));
        let jet = crowned.jet(n);
        prop_assert!((jet.point - crowned.support(n)).length() < 1e-13 * crowned.size());
        let radius = jet.hessian.trace();
        let step = 1e-5;
        let [back, ahead] = [-step, step].map(|lean| crowned.support(DVec2::from_angle(angle + lean)));
        let slope = (ahead - back) / (2.0 * step);
        prop_assert!((slope - n.perp() * radius).length() < 1e-4 * (radius + crowned.size()), "{slope} {radius}");
        let across = jet.hessian * n;
        prop_assert!(across.length() < 1e-9 * radius);
    }

    /// Two points of the boundary lie on the inner side of each other's support lines, also without the ball that is said to fit in.
    #[test]
    fn support_points_are_those_of_a_convex_body(shape in flat_shape(), n in direction(), m in direction()) {
        let crowned = crowned(&shape);
        let ball = crowned.rolling_ball();
        prop_assert!(n.dot(crowned.support(m)) <= height(&crowned, n) + 1e-13 * crowned.size());
        let inner = |n: DVec2| crowned.support(n) - n * ball;
        prop_assert!(n.dot(inner(m)) <= n.dot(inner(n)) + 1e-13 * crowned.size());
    }
}

/// With the support function `((a·√(c_x² + η²))ᵖ + (b·√(c_y² + η²))ᵖ)^(1/p)`, p = n/(n − 1), rescaled to the extents a and b, the radius of
/// curvature in the middle of a side is `aᵖ·η^(p−2)·h^(−p)` with b = 1 and `h = (1 + (aη)ᵖ)^(1/p)`, to the order of η: for large n its half
/// length over η.
#[test]
fn sides_have_the_radius_of_their_extent_over_the_crown() {
    for n in [4.0, 40.0, 1000.0] {
        let side = crowned(&Superellipse::new(DVec2::new(3.0, 1.0), n).unwrap().into()).jet(DVec2::Y);
        let p = n / (n - 1.0);
        let height = (1.0 + (3.0 * CROWN).powf(p)).powf(1.0 / p);
        let expected = 3_f64.powf(p) * CROWN.powf(p - 2.0) * height.powf(-p);
        // The ball that is added has a radius of 10 η.
        assert!((side.hessian.trace() / expected - 1.0).abs() < 5.0 * CROWN, "{n} {side:?} {expected}");
    }
}

#[test]
fn curved_figures_get_none() {
    let shapes: [Figure; 2] =
        [Ellipse::new(DVec2::ONE).unwrap().into(), Superellipse::new(DVec2::ONE, 2.5).unwrap().into()];
    assert!(shapes.iter().all(|shape| Crowned::of(shape, CROWN).is_none()));
}

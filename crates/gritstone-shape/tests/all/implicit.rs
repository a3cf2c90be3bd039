//! Inside-outside functions: eq. (1) as it is printed, its derivatives, and the gauge that underlies them.

use crate::common::{any_direction, any_superellipsoid, derivative, oblique_direction};
use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Implicit;
use gritstone_shape::space::{Ellipsoid, Sphere, Superellipsoid};
use proptest::prelude::*;

/// [wellmann2008] eq. (1).
fn printed(s: &Superellipsoid, x: DVec3) -> f64 {
    let ([e1, e2], v) = (s.exponents(), (x / s.radii()).abs());
    (v.x.powf(2.0 / e1) + v.y.powf(2.0 / e1)).powf(e1 / e2) + v.z.powf(2.0 / e2)
}

/// The gradient is that of the value, the curvature is that of the gradient, and the gauge has the same gradient up to
/// length.
fn check_derivatives(s: &impl Implicit<Space>, x: DVec3) -> Result<(), TestCaseError> {
    let (gradient, curvature) = (s.gradient(x), s.curvature(x));
    for i in 0..3 {
        let slope = derivative(|x| DVec3::splat(s.inside_outside(x)), x, i, 1e-3).x;
        prop_assert!((slope - gradient[i]).abs() < 1e-8 * gradient.length(), "{slope} {gradient}");
        let slope = derivative(|x| s.gradient(x), x, i, 1e-3);
        let row = curvature * DVec3::AXES[i];
        prop_assert!((slope - row).length() < 1e-7 * curvature.trace(), "{slope} {row}");
    }
    let (gauge, slope) = s.gauge_with_gradient(x);
    prop_assert!((gauge - s.gauge(x)).abs() < 1e-15 * gauge);
    prop_assert!((slope.dot(x) - gauge).abs() < 1e-14 * gauge, "Euler's identity");
    let (value, first, second) = s.gauge_jet(x);
    prop_assert!((value - gauge).abs() < 1e-15 * gauge && (first - slope).length() < 1e-15 * slope.length());
    for i in 0..3 {
        let slope = derivative(|x| s.gauge_with_gradient(x).1, x, i, 1e-3);
        let row = second * DVec3::AXES[i];
        prop_assert!((slope - row).length() < 1e-7 * (second.trace() + first.length()), "{slope} {row}");
    }
    prop_assert!((slope.normalize() - s.normal(x)).length() < 1e-15);
    prop_assert!((gradient.normalize() - s.normal(x)).length() < 1e-15);
    Ok(())
}

proptest! {
    #[test]
    fn the_function_is_the_printed_one(s in any_superellipsoid(), v in any_direction(), k in 0.8..1.2) {
        let x = v * (k / s.gauge(v));
        prop_assert!((s.inside_outside(x) / printed(&s, x) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn derivatives_of_superellipsoids(s in any_superellipsoid(), v in oblique_direction(), k in 0.8..1.2) {
        check_derivatives(&s, v * s.radii() * (k / s.gauge(v * s.radii())))?;
    }

    #[test]
    fn derivatives_of_ellipsoids(r in (0.1..10.0, 0.1..10.0, 0.1..10.0), v in oblique_direction()) {
        let s = Ellipsoid::new(DVec3::from(r)).unwrap();
        check_derivatives(&s, v * s.radii())?;
        check_derivatives(&Sphere::new(r.0).unwrap(), v)?;
    }

    #[test]
    fn the_gauge_scales_with_the_point(s in any_superellipsoid(), v in any_direction(), k in 1e-9..1e9_f64) {
        prop_assert!((s.gauge(v * k) - k * s.gauge(v)).abs() < 1e-14 * k * s.gauge(v));
    }
}

#[test]
fn the_origin_has_finite_answers() {
    let s = Superellipsoid::new(DVec3::ONE, [0.3, 1.7]).unwrap();
    assert_eq!((s.inside_outside(DVec3::ZERO), s.gauge(DVec3::ZERO)), (0.0, 0.0));
    assert_eq!(s.gradient(DVec3::ZERO), DVec3::ZERO);
    assert_eq!(s.normal(DVec3::ZERO).length(), 1.0);
    assert_eq!(s.curvature(DVec3::ZERO).trace(), 0.0);
    let jets = [
        s.gauge_jet(DVec3::ZERO),
        Ellipsoid::new(DVec3::ONE).unwrap().gauge_jet(DVec3::ZERO),
        Sphere::new(1.0).unwrap().gauge_jet(DVec3::ZERO),
    ];
    for (gauge, gradient, hessian) in jets {
        assert!(gauge == 0.0 && gradient.is_finite() && hessian.trace() == 0.0);
    }
}

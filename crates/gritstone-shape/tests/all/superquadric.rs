//! Superquadrics with three exponents: against superellipsoids, the thesis' formulas, and derivatives.

use crate::common::{any_direction, any_superquadric, derivative, oblique_direction, superquadric};
use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_shape::space::{PrincipalRadii, Superellipsoid, Superquadric};
use gritstone_shape::{Body, Implicit, Support};
use proptest::prelude::*;

fn magnitude(m: &Sym3) -> f64 {
    [m.xx, m.yy, m.zz, m.xy, m.xz, m.yz].into_iter().fold(0.0, |a, b| b.abs().max(a))
}

fn difference(a: &Sym3, b: &Sym3) -> f64 {
    magnitude(&(*a + *b * -1.0)) / magnitude(a).max(magnitude(b))
}

/// [martinez2003] eq. (C.2): radius of curvature of the curve f(x, y) = 0 from its derivatives.
fn printed_radius([f_x, f_y]: [f64; 2], [f_xx, f_xy, f_yy]: [f64; 3]) -> f64 {
    (f_x * f_x + f_y * f_y).powf(1.5) / (f_xx * f_y * f_y - 2.0 * f_xy * f_x * f_y + f_yy * f_x * f_x)
}

/// [martinez2003] eq. (C.3), for equal exponents and off the axes.
fn printed_radius_c3(a: f64, b: f64, n: f64, x: f64, y: f64) -> f64 {
    let slope = (x / a).powf(2.0 * n) / (x * x) + (y / b).powf(2.0 * n) / (y * y);
    let bend = (n - 1.0) / ((a * b).powf(n) * (x * y).powi(2));
    slope.powf(1.5) / (bend * ((x * y * y / b).powf(n) + (x * x * y / a).powf(n)))
}

proptest! {
    #[test]
    fn with_equal_exponents_it_is_a_superellipsoid(
        radii in (0.1..10.0, 0.1..10.0, 0.1..10.0), e in 0.1..1.9, n in any_direction(),
    ) {
        let radii = DVec3::from(radii);
        let a = Superquadric::new(radii, [2.0 / e; 3]).unwrap();
        let b = Superellipsoid::new(radii, [e, e]).unwrap();
        let (jet_a, jet_b) = (a.jet(n), b.jet(n));
        prop_assert!((jet_a.point - jet_b.point).length() < 2e-14 * radii.max_element());
        prop_assert!(difference(&jet_a.hessian, &jet_b.hessian) < 1e-12);
        let x = n * radii;
        let ((gauge_a, slope_a, bend_a), (gauge_b, slope_b, bend_b)) = (a.gauge_jet(x), b.gauge_jet(x));
        prop_assert!((gauge_a / gauge_b - 1.0).abs() < 1e-14);
        prop_assert!((slope_a - slope_b).length() < 1e-13 * slope_a.length());
        prop_assert!(difference(&bend_a, &bend_b) < 1e-12);
        prop_assert!((a.inside_outside(x) / b.inside_outside(x) - 1.0).abs() < 1e-12);
        prop_assert!((a.size() / b.size() - 1.0).abs() < 1e-14);
        prop_assert!((a.mass().volume / b.mass().volume - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_function_is_the_printed_one(s in any_superquadric(), v in any_direction()) {
        // [martinez2003] eq. (2.11), where F + 1 is our inside-outside function.
        let (x, [n1, n2, n3]) = ((v / s.gauge(v) / s.semi_axes()).abs(), s.blockiness());
        prop_assert!((x.x.powf(n1) + x.y.powf(n2) + x.z.powf(n3) - 1.0).abs() < 1e-13);
        prop_assert!((s.inside_outside(v / s.gauge(v)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn derivatives_are_those_of_the_values(s in any_superquadric(), v in oblique_direction(), k in 0.8..1.2_f64) {
        let x = v * s.semi_axes() * (k / s.gauge(v * s.semi_axes()));
        let (gradient, curvature) = (s.gradient(x), s.curvature(x));
        let (gauge, first, second) = s.gauge_jet(x);
        prop_assert!((gauge - k).abs() < 1e-14 && (first.dot(x) - gauge).abs() < 1e-14 * gauge, "Euler's identity");
        // On a flat face the second derivative is what is left of terms of the gradient's size.
        prop_assert!((second * x).length() < 1e-13 * (magnitude(&second) * x.length() + first.length()));
        for i in 0..3 {
            let slope = derivative(|x| DVec3::splat(s.inside_outside(x)), x, i, 1e-3).x;
            prop_assert!((slope - gradient[i]).abs() < 1e-8 * gradient.length());
            let slope = derivative(|x| s.gradient(x), x, i, 1e-3);
            prop_assert!((slope - curvature * DVec3::AXES[i]).length() < 1e-7 * curvature.trace());
            let slope = derivative(|x| DVec3::splat(s.gauge(x)), x, i, 1e-3).x;
            prop_assert!((slope - first[i]).abs() < 1e-8 * first.length());
            let slope = derivative(|x| s.gauge_with_gradient(x).1, x, i, 1e-3);
            let error = (slope - second * DVec3::AXES[i]).length();
            prop_assert!(error < 1e-7 * (second.trace() + first.length()), "{error}");
        }
    }

    #[test]
    fn sections_bend_as_appendix_c_says(
        s in superquadric(0.1, 1.9), axis in 0..3_usize, angle in 0.15..1.4_f64,
    ) {
        // A coordinate plane cuts the surface at right angles, so the section's curvature is a principal one.
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut v = DVec3::ZERO;
        (v[i], v[j]) = (s.semi_axes()[i] * angle.cos(), s.semi_axes()[j] * angle.sin());
        let x = v / s.gauge(v);
        let (g, h) = (s.gradient(x), s.curvature(x).full());
        let expected = printed_radius([g[i], g[j]], [h.col(i)[i], h.col(i)[j], h.col(j)[j]]);
        let n = s.normal(x);
        let tangent = DVec3::AXES[axis].cross(n);
        // Along the section: from the gauge at the point, and from the support function at the normal.
        let (_, slope, bend) = s.gauge_jet(x);
        let at_point = slope.length() / tangent.dot(bend * tangent);
        prop_assert!((at_point / expected - 1.0).abs() < 1e-10, "{at_point} {expected}");
        let at_normal = tangent.dot(s.jet(n).hessian * tangent);
        // Below the floor of derivatives the normal of a flat face says nothing.
        let lean = n[i].abs().min(n[j].abs());
        prop_assert!(lean < 1e-9 || (at_normal / expected - 1.0).abs() < 1e-9, "{at_normal} {expected}");
        let radii = PrincipalRadii::at_point(&s, x).radii;
        prop_assert!(radii.iter().any(|r| (r / expected - 1.0).abs() < 1e-9), "{radii:?} {expected}");
    }

    #[test]
    fn equal_exponents_bend_as_equation_c3_says(
        a in 0.2..5.0, b in 0.2..5.0, n in 1.1..8.0, angle in 0.2..1.3_f64,
    ) {
        let s = Superquadric::new(DVec3::new(a, b, 1.0), [n; 3]).unwrap();
        let v = DVec3::new(a * angle.cos(), b * angle.sin(), 0.0);
        let x = v / s.gauge(v);
        let expected = printed_radius_c3(a, b, n, x.x, x.y);
        let tangent = DVec3::Z.cross(s.normal(x));
        let (_, slope, bend) = s.gauge_jet(x);
        prop_assert!((slope.length() / tangent.dot(bend * tangent) / expected - 1.0).abs() < 1e-10);
    }

    #[test]
    fn tiny_components_keep_their_digits(s in any_superquadric(), tiny in -13.0..-3.0) {
        let n = DVec3::new(10.0_f64.powf(tiny), 0.0, 1.0);
        let ([k, _, m], a, x) = (s.blockiness(), s.semi_axes(), s.support(n));
        // In the section y = 0 the normal is the gradient of eq. (2.11).
        let y = x / a;
        let lean = k * y.x.powf(k - 1.0) / a.x / (m * y.z.powf(m - 1.0) / a.z);
        prop_assert!((lean / n.x - 1.0).abs() < 1e-12, "{lean} {}", n.x);
        prop_assert_eq!(s.jet(n).point, x);
    }

    #[test]
    fn the_size_holds_the_body_and_is_tight(s in any_superquadric(), v in any_direction()) {
        // The support point along x is no nearer than x: climbing finds the farthest point, or a local one.
        let mut x = v / s.gauge(v);
        for _ in 0..100 {
            x = s.support(x);
        }
        prop_assert!(x.length() <= s.size() * (1.0 + 1e-14));
        // Starts near every corner and axis find the global one; the size is right, or up to 7 % too large where
        // exponents lie on both sides of two.
        let starts = (1..27).map(|i| DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64) * s.semi_axes());
        let climb = |start: DVec3| (0..300).fold(start, |x, _| s.support(x)).length();
        let farthest = starts.map(climb).fold(0.0, f64::max);
        let [sharp, flat] = [s.blockiness().iter().any(|n| *n < 2.0), s.blockiness().iter().any(|n| *n > 2.0)];
        let slack = if sharp && flat { 1.07 } else { 1.0 + 1e-6 };
        prop_assert!(s.size() <= slack * farthest, "{} {farthest}", s.size());
    }
}

#[test]
fn coordinate_planes_are_exact() {
    let a = DVec3::new(1.0, 2.0, 3.0);
    for n in [[1.001, 2.0, 1000.0], [2.0, 2.0, 2.0], [20.0, 1.05, 4.0]] {
        let s = Superquadric::new(a, n).unwrap();
        for axis in DVec3::AXES {
            assert_eq!(s.support(axis), axis * a);
            assert_eq!(s.support(-axis), -axis * a);
            let jet = s.jet(axis);
            assert_eq!((jet.point, jet.hessian * axis), (axis * a, DVec3::ZERO));
            assert!(jet.hessian.full().is_finite());
        }
    }
}

#[test]
fn extremes_give_numbers() {
    let (lengths, exponents) = ([1e-25, 1.0, 1e25], [1.001, 2.0, 20.0, 2000.0]);
    let parts = [0.0, -0.0, 1e-300, 1e-17, -1e-5, 1.0];
    for (i, j, k) in (0..27).map(|i| (i % 3, i / 3 % 3, i / 9)) {
        let semi_axes = DVec3::new(lengths[i], lengths[j], lengths[k]);
        for e in (0..64).map(|i| [exponents[i % 4], exponents[i / 4 % 4], exponents[i / 16]]) {
            let s = Superquadric::new(semi_axes, e).unwrap();
            for n in (0..216).map(|i| DVec3::new(parts[i % 6], parts[i / 6 % 6], parts[i / 36])) {
                check_numbers(&s, n.normalize_or(DVec3::Y));
            }
        }
    }
}

fn check_numbers(s: &Superquadric, n: DVec3) {
    let (jet, x) = (s.jet(n), s.support(n));
    assert!(jet.point.is_finite() && x.is_finite() && jet.hessian.full().is_finite(), "{s:?} {n} {jet:?}");
    for x in [x, 2.0 * x, DVec3::ZERO] {
        let (gauge, gradient, hessian) = s.gauge_jet(x);
        assert!(gauge.is_finite() && gradient.is_finite() && hessian.full().is_finite(), "{s:?} {x}");
        assert!((s.normal(x).length() - 1.0).abs() < 1e-14, "{s:?} {x}");
        assert!(!s.gradient(x).is_nan() && !s.curvature(x).full().is_nan(), "{s:?} {x}");
    }
}

#[test]
fn bad_exponents_are_named() {
    for bad in [1.0, 0.5, -2.0, f64::NAN, f64::INFINITY] {
        for i in 0..3 {
            let mut n = [2.0; 3];
            n[i] = bad;
            let error = Superquadric::new(DVec3::ONE, n).unwrap_err().to_string();
            assert_eq!(error, format!("blockiness[{i}] is {bad:?}, but must lie in (1, inf)"));
            let mut axes = DVec3::ONE;
            axes[i] = -1.0;
            let error = Superquadric::new(axes, [2.0; 3]).unwrap_err().to_string();
            assert_eq!(error, format!("semi_axes[{i}] is -1.0, but must be positive (1e-30 to 1e30)"));
        }
    }
}

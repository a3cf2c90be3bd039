//! Support functions: maximal, differentiated rightly, dual to the gauge, exact where components vanish.

use crate::common::{
    angle, any_direction, any_superellipsoid, any_superquadric, derivative, oblique_direction,
};
use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid};
use gritstone_shape::{Implicit, Jet, Support};
use proptest::prelude::*;

fn any_solid() -> impl Strategy<Value = Solid> {
    prop_oneof![
        1 => (0.1..10.0).prop_map(|r| Sphere::new(r).expect("a length").into()),
        1 => (0.1..10.0, 0.1..10.0, 0.1..10.0)
            .prop_map(|(a, b, c)| Ellipsoid::new(DVec3::new(a, b, c)).expect("lengths").into()),
        3 => any_superellipsoid().prop_map(Solid::from),
        3 => any_superquadric().prop_map(Solid::from),
    ]
}

/// The inside-outside function, which all of these have.
fn implicit(solid: &Solid) -> &dyn Implicit<Space> {
    solid.implicit().expect("smooth shapes have one")
}

/// Largest entry in absolute value.
fn magnitude(m: &Sym3) -> f64 {
    [m.xx, m.yy, m.zz, m.xy, m.xz, m.yz].into_iter().fold(0.0, |a, b| b.abs().max(a))
}

/// Symmetric by its type; annihilates n and has no negative eigenvalue, to rounding.
fn check_hessian(hessian: &Sym3, n: DVec3) -> Result<(), TestCaseError> {
    let scale = magnitude(hessian);
    prop_assert!((*hessian * n).length() <= 1e-14 * scale, "{hessian:?} {n}");
    let m = hessian.full();
    let minors = [
        hessian.xx * hessian.yy - hessian.xy * hessian.xy,
        hessian.xx * hessian.zz - hessian.xz * hessian.xz,
        hessian.yy * hessian.zz - hessian.yz * hessian.yz,
    ];
    prop_assert!(hessian.xx >= 0.0 && hessian.yy >= 0.0 && hessian.zz >= 0.0);
    prop_assert!(minors.iter().all(|x| *x >= -1e-14 * scale * scale), "{hessian:?}");
    prop_assert!(m.determinant() >= -1e-14 * scale * scale * scale);
    Ok(())
}

proptest! {
    #[test]
    fn no_surface_point_lies_farther(s in any_solid(), n in any_direction(), v in any_direction()) {
        let x = v / implicit(&s).gauge(v);
        prop_assert!(n.dot(x) <= n.dot(s.support(n)) * (1.0 + 1e-14));
    }

    #[test]
    fn support_points_lie_on_the_surface(s in any_solid(), n in any_direction()) {
        prop_assert!((implicit(&s).gauge(s.support(n)) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_normal_at_the_support_point_is_the_direction(s in any_solid(), n in any_direction()) {
        prop_assert!(angle(implicit(&s).normal(s.support(n)), n) < 2e-14);
    }

    #[test]
    fn the_support_point_of_the_normal_is_the_point(s in any_solid(), v in any_direction()) {
        let x = v / implicit(&s).gauge(v);
        prop_assert!((s.support(implicit(&s).normal(x)) - x).length() < 2e-14 * s.size());
    }

    #[test]
    fn support_is_odd_and_blind_to_length(s in any_solid(), n in any_direction()) {
        prop_assert_eq!(s.support(-n), -s.support(n));
        prop_assert_eq!(s.jet(-n).hessian, s.jet(n).hessian);
        prop_assert!((s.support(n * 3e7) - s.support(n)).length() < 1e-14 * s.size());
    }

    #[test]
    fn the_jet_has_the_support_point(s in any_solid(), n in any_direction()) {
        prop_assert!((s.jet(n).point - s.support(n)).length() <= 1e-15 * s.size());
    }

    #[test]
    fn the_hessian_is_semi_definite_and_annihilates_the_normal(s in any_solid(), n in any_direction()) {
        check_hessian(&s.jet(n).hessian, n)?;
    }

    #[test]
    fn the_point_is_the_gradient_of_the_value(s in any_solid(), n in oblique_direction()) {
        let value = |n: DVec3| DVec3::splat(n.dot(s.support(n)));
        for i in 0..3 {
            let slope = derivative(value, n, i, 1e-3).x;
            prop_assert!((slope - s.support(n)[i]).abs() < 1e-9 * s.size());
        }
    }

    #[test]
    fn the_hessian_is_the_slope_of_the_point(s in any_solid(), n in oblique_direction()) {
        let hessian = s.jet(n).hessian;
        for i in 0..3 {
            let slope = derivative(|n| s.support(n), n, i, 1e-3);
            let error = (slope - hessian * DVec3::AXES[i]).length();
            prop_assert!(error < 1e-8 * (magnitude(&hessian) + s.size()), "{error}");
        }
    }

    #[test]
    fn the_third_derivative_is_the_slope_of_the_second(
        s in any_solid(),
        n in oblique_direction(),
        v in any_direction(),
    ) {
        let (jet, cubic) = s.cubic_jet(n);
        prop_assert_eq!(jet, s.jet(n));
        prop_assert_eq!(cubic.is_none(), matches!(s, Solid::Superquadric(_)));
        let Some(cubic) = cubic else { return Ok(()) };
        let along = (v - n * n.dot(v)).normalize_or(n.any_orthonormal_vector());
        let (third, change) = cubic.along(along);
        // Central differences of the second derivative along a line, extrapolated; steps short of any sign change.
        // The Hessian is homogeneous of degree −1.
        let second = |tau: f64| {
            let m = n + along * tau;
            along.dot(s.jet(m.normalize()).hessian * along) / m.length()
        };
        let central = |tau: f64| (second(tau) - second(-tau)) / (2.0 * tau);
        let step = 1e-3 / change.max(1.0);
        let slope = (4.0 * central(0.5 * step) - central(step)) / 3.0;
        let scale = second(0.0) * (change + 1.0) + s.size();
        prop_assert!((third - slope).abs() < 1e-7 * scale, "{third} is not {slope}");
    }

    #[test]
    fn a_superellipsoid_with_exponents_one_is_an_ellipsoid(
        radii in (0.1..10.0, 0.1..10.0, 0.1..10.0),
        n in any_direction(),
    ) {
        let radii = DVec3::from(radii);
        let a = Ellipsoid::new(radii).unwrap().jet(n);
        let b = Superellipsoid::new(radii, [1.0, 1.0]).unwrap().jet(n);
        prop_assert!((a.point - b.point).length() < 1e-14 * radii.max_element());
        prop_assert!(magnitude(&(a.hessian + b.hessian * -1.0)) < 1e-13 * magnitude(&a.hessian));
    }

    #[test]
    fn tiny_components_keep_their_digits(s in any_superellipsoid(), tiny in -13.0..-3.0) {
        // A face of a boxy shape: the support point is far from its middle although the normal hardly leans.
        let n = DVec3::new(10.0_f64.powf(tiny), 0.0, 1.0);
        let ([_, e2], r) = (s.exponents(), s.radii());
        // The section x2 = 0 is a superellipse: with w = r1 n1/(r3 n3), x1/x3 = (r1/r3) w^(q−1).
        let expected = r.x / r.z * (r.x * n.x / r.z).powf(e2 / (2.0 - e2));
        let x = s.support(n);
        prop_assert!((x.x / x.z / expected - 1.0).abs() < 1e-12);
        let jet: Jet<Space> = s.jet(n);
        prop_assert_eq!(jet.point, x);
    }
}

#[test]
fn coordinate_planes_are_exact() {
    let r = DVec3::new(1.0, 2.0, 3.0);
    for e1 in [1e-3, 0.1, 0.5, 1.0, 1.5, 1.9, 1.999] {
        for e2 in [1e-3, 0.1, 0.5, 1.0, 1.5, 1.9, 1.999] {
            let s = Superellipsoid::new(r, [e1, e2]).unwrap();
            for axis in DVec3::AXES {
                assert_eq!(s.support(axis), axis * r);
                assert_eq!(s.support(-axis), -axis * r);
                let jet = s.jet(axis);
                assert_eq!(jet.point, axis * r);
                assert_eq!(jet.hessian * axis, DVec3::ZERO);
                check_hessian(&jet.hessian, axis).unwrap();
            }
            for n in [DVec3::new(0.6, 0.8, 0.0), DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.0, 0.6, -0.8)] {
                let jet = s.jet(n);
                assert_eq!(jet.point, s.support(n));
                for i in (0..3).filter(|&i| n[i] == 0.0) {
                    assert_eq!(jet.point[i], 0.0);
                }
                check_hessian(&jet.hessian, n).unwrap();
            }
        }
    }
}

/// The product of a slope that vanishes and a curvature that is infinite was zero there.
#[test]
fn the_hessian_of_round_shapes_is_right_at_and_near_the_poles() {
    let radii = DVec3::new(1.0, 2.0, 3.0);
    let (round, sphere) = (Ellipsoid::new(radii).unwrap(), Superellipsoid::new(radii, [1.0, 1.0]).unwrap());
    for lean in [0.0, 1e-300, 1e-20, 1e-14, 1e-12, 1e-9] {
        let n = DVec3::new(lean, -2.0 * lean, 1.0);
        let difference = round.jet(n).hessian + sphere.jet(n).hessian * -1.0;
        assert!(magnitude(&difference) < 1e-11, "{lean}: {difference:?}");
    }
}

#[test]
fn flat_faces_are_flat_both_ways_at_the_pole() {
    let s = Superellipsoid::new(DVec3::ONE, [0.5, 0.5]).unwrap();
    let h = s.jet(DVec3::Z).hessian;
    assert!(h.xx * h.yy - h.xy * h.xy > 1e6, "{h:?}");
}

#[test]
fn extremes_give_numbers() {
    let lengths = [1e-25, 1.0, 1e25];
    let exponents = [1e-3, 0.1, 1.0, 1.9, 1.999];
    let parts = [0.0, -0.0, 1e-300, 1e-17, -1e-5, 1.0];
    for (i, j, k) in (0..27).map(|i| (i % 3, i / 3 % 3, i / 9)) {
        let radii = DVec3::new(lengths[i], lengths[j], lengths[k]);
        for e in (0..25).map(|i| [exponents[i % 5], exponents[i / 5]]) {
            let s = Superellipsoid::new(radii, e).unwrap();
            for n in (0..216).map(|i| DVec3::new(parts[i % 6], parts[i / 6 % 6], parts[i / 36])) {
                let n = n.normalize_or(DVec3::Y);
                check_numbers(&s, n);
                check_numbers(&Ellipsoid::new(radii).unwrap(), n);
            }
        }
    }
}

fn check_numbers<S: Support<Space> + Implicit<Space> + std::fmt::Debug>(s: &S, n: DVec3) {
    let Jet { point, hessian } = s.jet(n);
    let x = s.support(n);
    assert!(point.is_finite() && x.is_finite() && magnitude(&hessian).is_finite(), "{s:?} {n}");
    assert!(!hessian.full().is_nan(), "{s:?} {n}");
    for x in [x, 2.0 * x, DVec3::ZERO] {
        assert!(s.gauge(x).is_finite() && !s.inside_outside(x).is_nan(), "{s:?} {x}");
        assert!((s.normal(x).length() - 1.0).abs() < 1e-14, "{s:?} {x}");
        assert!(!s.gradient(x).is_nan() && !s.curvature(x).full().is_nan(), "{s:?} {x}");
        let (gauge, gradient) = s.gauge_with_gradient(x);
        assert!(gauge.is_finite() && gradient.is_finite(), "{s:?} {x}");
        let (gauge, gradient, hessian) = s.gauge_jet(x);
        assert!(gauge.is_finite() && gradient.is_finite() && hessian.full().is_finite(), "{s:?} {x}");
    }
}

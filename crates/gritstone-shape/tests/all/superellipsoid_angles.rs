//! Eqs (2), (3) and (4): they invert each other, and agree with the inside-outside and support functions.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::common::{angle, any_direction, any_superellipsoid, superellipsoid};
use glam::DVec3;
use gritstone_shape::space::Superellipsoid;
use gritstone_shape::{Implicit, Support};
use proptest::prelude::*;

/// Parameters off the coordinate planes, where angles resolve the surface.
fn any_angles() -> impl Strategy<Value = [f64; 2]> {
    (0..4, 0.01..1.56, -1.56..1.56).prop_map(|(quadrant, phi_1, phi_2): (i32, f64, f64)| {
        [phi_1 + FRAC_PI_2 * f64::from(quadrant - 2), phi_2]
    })
}

proptest! {
    #[test]
    fn points_lie_on_the_surface(s in any_superellipsoid(), phi in any_angles()) {
        prop_assert!((s.gauge(s.surface_point(phi)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn normals_belong_to_their_points(s in any_superellipsoid(), phi in any_angles()) {
        let n = s.surface_normal(phi);
        prop_assert!(angle(n, s.gradient(s.surface_point(phi))) < 1e-12);
    }

    #[test]
    fn point_and_normal_have_product_one(s in any_superellipsoid(), phi in any_angles()) {
        // x·n = C2² (C1² + S1²) + S2².
        prop_assert!((s.surface_point(phi).dot(s.surface_normal(phi)) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn angles_come_back_from_points(s in any_superellipsoid(), phi in any_angles()) {
        let back = s.angles_of_point(s.surface_point(phi));
        prop_assert!((back[0] - phi[0]).abs() < 2e-14 && (back[1] - phi[1]).abs() < 2e-14, "{phi:?} {back:?}");
    }

    #[test]
    fn angles_come_back_from_normals(s in any_superellipsoid(), phi in any_angles()) {
        let back = s.angles_of_normal(s.surface_normal(phi) * 7.0);
        prop_assert!((back[0] - phi[0]).abs() < 2e-14 && (back[1] - phi[1]).abs() < 2e-14, "{phi:?} {back:?}");
    }

    #[test]
    fn normals_come_back_from_angles(s in superellipsoid(0.1, 1.5), n in any_direction()) {
        // For ε near 2 doubles do not resolve the angles at which the normals turn.
        prop_assert!(angle(n, s.surface_normal(s.angles_of_normal(n))) < 1e-9);
    }

    #[test]
    fn points_agree_with_the_support_function(s in any_superellipsoid(), n in any_direction()) {
        let from_angles = s.surface_point(s.angles_of_normal(n));
        prop_assert!((from_angles - s.support(n)).length() < 1e-12 * s.size());
    }
}

#[test]
fn axes_are_exact() {
    for e in [0.01, 0.1, 1.0, 1.9, 1.99] {
        let r = DVec3::new(1.0, 2.0, 3.0);
        let s = Superellipsoid::new(r, [e, e]).unwrap();
        for n in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z] {
            let from_normal = s.angles_of_normal(n);
            assert_eq!(s.surface_point(from_normal), r * n);
            assert_eq!(s.surface_normal(from_normal), n / r);
            assert_eq!(s.angles_of_point(r * n), from_normal);
        }
    }
}

#[test]
fn the_seam_is_at_minus_pi() {
    let s = Superellipsoid::new(DVec3::ONE, [0.5, 1.5]).unwrap();
    for zero in [0.0, -0.0] {
        assert_eq!(s.angles_of_normal(DVec3::new(-1.0, zero, 0.0)), [-PI, 0.0]);
        assert_eq!(s.angles_of_point(DVec3::new(-1.0, zero, 0.0)), [-PI, 0.0]);
    }
}

#[test]
fn powers_do_not_overflow() {
    let r = DVec3::new(1e25, 1e-25, 1.0);
    for exponents in [[1e-3, 1.999], [1.999, 1e-3], [1.999, 1.999], [1e-3, 1e-3]] {
        let s = Superellipsoid::new(r, exponents).unwrap();
        for n in [DVec3::new(0.3, -0.5, 0.8), DVec3::new(1e-25, 1e25, 1.0), DVec3::new(1e-28, 0.0, 1.0)] {
            let phi = s.angles_of_normal(n);
            assert!(phi.iter().all(|a| a.is_finite()));
            assert!((s.gauge(s.surface_point(phi)) - 1.0).abs() < 1e-12, "{exponents:?} {n}");
        }
    }
}

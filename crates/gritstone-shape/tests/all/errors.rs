//! Bad parameters give errors that name the parameter, its value and what is allowed.

use glam::DVec3;
use gritstone_shape::ShapeError;
use gritstone_shape::space::{Ellipsoid, Sphere, Superellipsoid};

#[test]
fn bad_lengths_are_named() {
    for bad in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e-100, 1e100, f64::MAX] {
        let expected = |name: &str| format!("{name} is {bad:?}, but must be positive (1e-30 to 1e30)");
        assert_eq!(Sphere::new(bad).unwrap_err().to_string(), expected("radius"));
        for i in 0..3 {
            let mut radii = DVec3::ONE;
            radii[i] = bad;
            let name = format!("radii[{i}]");
            assert_eq!(Ellipsoid::new(radii).unwrap_err().to_string(), expected(&name));
            assert_eq!(Superellipsoid::new(radii, [1.0, 1.0]).unwrap_err().to_string(), expected(&name));
            let error = Superellipsoid::with_blockiness(radii, [2.0, 2.0]).unwrap_err();
            assert!(matches!(error, ShapeError::Length { .. }) && error.to_string() == expected(&name));
        }
    }
}

#[test]
fn lengths_of_any_usable_magnitude_are_taken() {
    assert!(Ellipsoid::new(DVec3::new(1e-25, 1.0, 1e25)).is_ok());
    assert!(Superellipsoid::new(DVec3::new(1e-30, 1.0, 1e30), [0.1, 1.9]).is_ok());
}

#[test]
fn bad_exponents_are_named() {
    for bad in [0.0, 2.0, 2.4, -1.0, f64::NAN, f64::INFINITY] {
        for i in 0..2 {
            let mut exponents = [1.0, 1.0];
            exponents[i] = bad;
            let error = Superellipsoid::new(DVec3::ONE, exponents).unwrap_err();
            assert_eq!(error.to_string(), format!("exponents[{i}] is {bad:?}, but must lie in (0, 2)"));
        }
    }
}

#[test]
fn bad_blockiness_is_named() {
    for bad in [1.0, 0.5, 0.0, -4.0, f64::NAN, f64::INFINITY] {
        for i in 0..2 {
            let mut blockiness = [2.0, 2.0];
            blockiness[i] = bad;
            let error = Superellipsoid::with_blockiness(DVec3::ONE, blockiness).unwrap_err();
            assert_eq!(error.to_string(), format!("blockiness[{i}] is {bad:?}, but must lie in (1, inf)"));
        }
    }
}

#[test]
fn blockiness_is_two_over_the_exponents_in_reverse_order() {
    let radii = DVec3::new(1.0, 2.0, 3.0);
    let s = Superellipsoid::with_blockiness(radii, [4.0, 8.0]).unwrap();
    assert_eq!(s, Superellipsoid::new(radii, [0.25, 0.5]).unwrap());
}

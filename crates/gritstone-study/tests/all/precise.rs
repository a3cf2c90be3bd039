//! Distances with more digits than f64 holds, against closed forms in arbitrary precision.

use astro_float_num::{BigFloat, Consts, RoundingMode};
use glam::DVec3;
use gritstone_core::Pose;
use gritstone_shape::Support;
use gritstone_shape::space::{Solid, Sphere, Superellipsoid};
use gritstone_study::generate::class;
use gritstone_study::truth::{Precise, bracket, precise};

const BITS: usize = 256;
const ROUNDING: RoundingMode = RoundingMode::ToEven;

/// An f64, exactly.
fn big(x: f64) -> BigFloat {
    BigFloat::from_f64(x, BITS)
}

/// `|distance + remainder − exact|`.
fn error(found: &Precise, exact: &BigFloat) -> f64 {
    let value = big(found.distance).add(&big(found.remainder), BITS, ROUNDING);
    let difference = value.sub(exact, BITS, ROUNDING).abs();
    difference.to_string().parse().unwrap()
}

#[test]
fn distance_of_spheres() {
    let (a, b) = (Solid::from(Sphere::new(0.7).unwrap()), Solid::from(Sphere::new(1.9).unwrap()));
    for offset in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(1.1, -1.2, 1.9), DVec3::new(0.7, 0.4, -0.3)] {
        let found = precise(&a, &Pose::at(DVec3::ZERO), &b, &Pose::at(offset)).unwrap();
        let square = |x: f64| big(x).mul(&big(x), BITS, ROUNDING);
        let [x, y, z] = offset.to_array().map(square);
        let length = x.add(&y, BITS, ROUNDING).add(&z, BITS, ROUNDING).sqrt(BITS, ROUNDING);
        let exact = length.sub(&big(0.7), BITS, ROUNDING).sub(&big(1.9), BITS, ROUNDING);
        assert!(error(&found, &exact) < 1e-21, "{found:?}");
    }
}

/// Distance of the point (x, z) above the superellipse `|x/a|^m + |z/c|^m = 1` from it, for x < a: by bisection for
/// the foot of the perpendicular.
fn distance_to_superellipse(x: f64, z: f64, [a, c]: [f64; 2], m: &BigFloat) -> BigFloat {
    let consts = &mut Consts::new().unwrap();
    let (a, c, one, half) = (big(a), big(c), big(1.0), big(0.5));
    let inverse = one.div(m, BITS, ROUNDING);
    let (mut low, mut high) = (big(0.0), a.clone());
    let mut offset = (big(0.0), big(0.0));
    for _ in 0..220 {
        let foot = low.add(&high, BITS, ROUNDING).mul(&half, BITS, ROUNDING);
        // Height of the curve: c (1 − t)^(1/m), t = (foot/a)^m; its slope is −c/foot · t (1 − t)^(1/m − 1).
        let t = foot.div(&a, BITS, ROUNDING).pow(m, BITS, ROUNDING, consts);
        let rest = one.sub(&t, BITS, ROUNDING);
        let height = rest.pow(&inverse, BITS, ROUNDING, consts).mul(&c, BITS, ROUNDING);
        let fall = height.mul(&t, BITS, ROUNDING).div(&rest, BITS, ROUNDING).div(&foot, BITS, ROUNDING);
        offset = (big(x).sub(&foot, BITS, ROUNDING), big(z).sub(&height, BITS, ROUNDING));
        // The offset from the foot is across the tangent (1, −fall).
        let along = offset.0.sub(&offset.1.mul(&fall, BITS, ROUNDING), BITS, ROUNDING);
        if along.is_positive() { low = foot } else { high = foot }
    }
    let square = |x: &BigFloat| x.mul(x, BITS, ROUNDING);
    square(&offset.0).add(&square(&offset.1), BITS, ROUNDING).sqrt(BITS, ROUNDING)
}

/// Two equal grains with the same orientation: their Minkowski difference is the grain twice as large, so the distance
/// is that of a point from a superellipse when one is shifted in the x–z plane only.
#[test]
fn distance_of_equal_grains_stacked_face_on_face() {
    for (exponent, shift) in [(0.1, 0.3), (0.1, 0.9), (0.2, 0.5), (0.5, 0.4)] {
        let radii = DVec3::new(1.3, 0.8, 0.9);
        let grain = Solid::from(Superellipsoid::new(radii, [exponent; 2]).unwrap());
        let m = big(2.0).div(&big(exponent), BITS, ROUNDING);
        let offset = DVec3::new(shift, 0.0, 1.801);
        let found = precise(&grain, &Pose::at(DVec3::ZERO), &grain, &Pose::at(offset)).unwrap();
        let exact = distance_to_superellipse(shift, 1.801, [2.6, 1.8], &m);
        assert!(error(&found, &exact) < 1e-20, "{exponent} {shift}: {found:?} {exact}");
    }
}

#[test]
fn f64_brackets_hold_the_precise_distances() {
    for name in ["iv3s2", "overlap-5", "deep", "pointy", "stack-0.1-0e0", "stack-0.1-1e-9", "stack-0.2-1e-3"]
    {
        let class = class(name).unwrap();
        for index in 0..8 {
            let case = class.case(3, index);
            let truth = bracket(&case.a, &case.pose_a, &case.b, &case.pose_b, 1e-12);
            let found = precise(&case.a, &case.pose_a, &case.b, &case.pose_b).unwrap();
            let slack = 1e-14 * case.a.size().max(case.b.size());
            let inside = truth.lower - slack < found.distance && found.distance < truth.upper + slack;
            assert!(inside, "{name} {index}: {truth:?} {found:?}");
        }
    }
}

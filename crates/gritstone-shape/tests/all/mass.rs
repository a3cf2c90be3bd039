//! Mass properties in closed form against quadrature of the gauge, 50-digit values and limits.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid, Superquadric};
use gritstone_shape::{Body, Implicit, Support};

/// Nodes and weights of the tanh-sinh rule on [0, 1]; singular ends do it no harm.
fn tanh_sinh() -> Vec<(f64, f64)> {
    let step = 1.0 / 32.0;
    (-112..=112)
        .map(|i| {
            let t = step * f64::from(i);
            let e = (-PI * t.sinh()).exp();
            let node = 1.0 / (1.0 + e);
            (node, step * PI * t.cosh() * e * node * node)
        })
        .collect()
}

/// Volume and `∫x_i²` in spherical coordinates about the centre: `∫ N^−3/3` and `∫ v_i² N^−5/5` over directions
/// v, which run over the faces of a cube, each cut into triangles where the first coordinate exceeds the others.
fn quadrature(shape: &dyn Implicit<Space>, scale: DVec3) -> (f64, DVec3) {
    let rule = tanh_sinh();
    let (mut volume, mut moments) = (0.0, DVec3::ZERO);
    for [a, b, c] in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for &(x, weight_x) in &rule {
            for &(s, weight_s) in &rule {
                let mut v = DVec3::ZERO;
                (v[a], v[b], v[c]) = (1.0, x, x * s);
                let v = v * scale;
                let weight = 8.0 * weight_x * weight_s * x * scale.element_product();
                let n = shape.gauge(v);
                volume += weight * n.powi(-3) / 3.0;
                moments += v * v * (weight * n.powi(-5) / 5.0);
            }
        }
    }
    (volume, moments)
}

fn check(shape: impl Into<Solid>, scale: DVec3) {
    let shape = shape.into();
    let (volume, moments) = quadrature(shape.implicit().unwrap(), scale);
    let mass = shape.body().unwrap().mass();
    let s = mass.second_moments;
    assert!((mass.volume / volume - 1.0).abs() < 1e-12, "{shape:?}: {} {volume}", mass.volume);
    let error = DVec3::new(s.xx, s.yy, s.zz) / moments - 1.0;
    assert!(error.abs().max_element() < 1e-12, "{shape:?}: {s:?} {moments}");
    assert_eq!((s.xy, s.xz, s.yz, mass.centroid), (0.0, 0.0, 0.0, DVec3::ZERO));
    // ∫(y² + z²) and its cyclic companions.
    let inertia = mass.inertia();
    let expected = DVec3::new(moments.y + moments.z, moments.z + moments.x, moments.x + moments.y);
    let error = DVec3::new(inertia.xx, inertia.yy, inertia.zz) / expected - 1.0;
    assert!(error.abs().max_element() < 1e-12);
}

#[test]
fn spheres_and_ellipsoids_agree_with_quadrature() {
    check(Sphere::new(0.7).unwrap(), DVec3::splat(0.7));
    for radii in [DVec3::new(1.0, 2.0, 3.0), DVec3::new(20.0, 1.0, 0.5)] {
        check(Ellipsoid::new(radii).unwrap(), radii);
    }
}

#[test]
fn superellipsoids_agree_with_quadrature() {
    let exponents =
        [[0.1, 0.1], [1.9, 1.9], [0.1, 1.9], [1.9, 0.1], [1.0, 1.0], [0.5, 1.3], [1.0, 0.2], [1.7, 1.0]];
    for e in exponents {
        let radii = DVec3::new(1.0, 3.0, 0.4);
        check(Superellipsoid::new(radii, e).unwrap(), radii);
    }
}

#[test]
fn superquadrics_agree_with_quadrature() {
    let radii = DVec3::new(1.0, 3.0, 0.4);
    for n in [[2.0, 2.0, 2.0], [1.05, 4.0, 20.0], [20.0, 1.05, 1.5], [3.0, 2.5, 1.2], [8.0, 8.0, 1.1]] {
        check(Superquadric::new(radii, n).unwrap(), radii);
    }
}

#[test]
fn an_ellipsoid_is_a_superellipsoid_with_exponents_one() {
    let radii = DVec3::new(0.3, 5.0, 1.1);
    let (a, b) =
        (Ellipsoid::new(radii).unwrap().mass(), Superellipsoid::new(radii, [1.0, 1.0]).unwrap().mass());
    assert!((a.volume / b.volume - 1.0).abs() < 2e-15);
    assert!((a.second_moments.yy / b.second_moments.yy - 1.0).abs() < 2e-15);
    assert!((a.second_moments.zz / b.second_moments.zz - 1.0).abs() < 2e-15);
}

/// Exponents, then volume, ∫x², ∫z² for unit radii, computed with gamma functions of 50 digits and rounded.
const FIFTY_DIGITS: [([f64; 2], [f64; 3]); 8] = [
    ([0.01, 0.01], [7.999022611428111, 2.665911720043449, 2.665911720043449]),
    ([0.1, 0.1], [7.910480555517491, 2.6015013892267382, 2.6015013892267382]),
    ([0.1, 1.9], [2.8621472466743616, 0.5852751514146839, 0.3071957671061781]),
    ([1.9, 0.1], [4.172450979615227, 0.7202239830561742, 1.372184274238366]),
    ([0.7, 1.3], [3.8428769727833534, 0.7897031037716745, 0.6271262246678022]),
    ([1.9, 1.9], [1.5096641726601432, 0.1620330484855067, 0.1620330484855067]),
    ([1.99, 1.99], [1.350094118699427, 0.13596900538502518, 0.13596900538502518]),
    ([1.99, 0.01], [4.019708441646933, 0.6726943082167653, 1.3396871550824287]),
];

#[test]
fn closed_forms_keep_all_digits() {
    for (exponents, expected) in FIFTY_DIGITS {
        let mass = Superellipsoid::new(DVec3::ONE, exponents).unwrap().mass();
        let s = mass.second_moments;
        for (value, expected) in [mass.volume, s.xx, s.zz].into_iter().zip(expected) {
            assert!((value / expected - 1.0).abs() < 5e-15, "{exponents:?}: {value} {expected}");
        }
    }
}

#[test]
fn limits_are_box_cylinder_and_octahedron() {
    let (tiny, two) = (1e-9, 2.0 - 1e-9);
    let radii = DVec3::new(1.0, 2.0, 3.0);
    let mass = |e| Superellipsoid::new(radii, e).unwrap().mass();
    let cases = [
        ([tiny, tiny], 8.0, 8.0 / 3.0),
        ([1.0, tiny], 2.0 * PI, PI / 2.0),
        ([two, two], 4.0 / 3.0, 2.0 / 15.0),
    ];
    for (exponents, volume, moment) in cases {
        let m = mass(exponents);
        assert!((m.volume / 6.0 - volume).abs() < 1e-7, "{exponents:?}");
        assert!((m.second_moments.yy / 24.0 - moment).abs() < 1e-7, "{exponents:?}");
    }
}

//! Shapes with edges, faces or straight sides: cylinders, capsules, triangles; and half-spaces, which have no end.

use std::collections::HashMap;
use std::f64::consts::PI;

use crate::common::{angle, any_direction, derivative, oblique_direction};
use glam::DVec3;
use gritstone_core::{Mesh, Space};
use gritstone_shape::space::{Capsule, Cylinder, HalfSpace, PrincipalRadii, Solid, Triangle};
use gritstone_shape::{Body, BoundingBall, Implicit, ShapeError, Support};
use proptest::prelude::*;

fn any_cylinder() -> impl Strategy<Value = Cylinder> {
    (0.1..5.0, 0.1..5.0).prop_map(|(r, h)| Cylinder::new(r, h).expect("lengths"))
}

fn any_capsule() -> impl Strategy<Value = Capsule> {
    (0.1..5.0, 0.1..5.0).prop_map(|(r, h)| Capsule::new(r, h).expect("lengths"))
}

fn any_triangle() -> impl Strategy<Value = Triangle> {
    let corner = || (-3.0..3.0, -3.0..3.0, -3.0..3.0).prop_map(DVec3::from);
    (corner(), corner(), corner()).prop_filter_map("in line", |(a, b, c)| {
        ((b - a).cross(c - a).length() > 0.1).then(|| Triangle::new([a, b, c]).expect("not in line").0)
    })
}

fn any_creased() -> impl Strategy<Value = Solid> {
    prop_oneof![any_cylinder().prop_map(Solid::from), any_capsule().prop_map(Solid::from)]
}

fn implicit(solid: &Solid) -> &dyn Implicit<Space> {
    solid.implicit().expect("these have one")
}

/// Distance from the axis and height of a point.
fn rho_z(x: DVec3) -> (f64, f64) {
    (x.truncate().length(), x.z.abs())
}

proptest! {
    #[test]
    fn gauges_say_what_lies_inside(r in 0.1..5.0, h in 0.1..5.0, v in any_direction(), k in 0.0..3.0) {
        let (cylinder, capsule) = (Cylinder::new(r, h).unwrap(), Capsule::new(r, h).unwrap());
        let x = v * (k * (r + h));
        let (rho, z) = rho_z(x);
        prop_assert_eq!(cylinder.gauge(x) <= 1.0, rho <= r && z <= h);
        // A capsule holds what lies within r of its segment.
        let from_segment = rho.hypot((z - h).max(0.0));
        if (from_segment - r).abs() > 1e-12 {
            prop_assert_eq!(capsule.gauge(x) <= 1.0, from_segment <= r);
        }
        let on_surface = x / capsule.gauge(x);
        let (rho, z) = rho_z(on_surface);
        prop_assert!((rho.hypot((z - h).max(0.0)) - r).abs() < 1e-14 * (r + h));
    }

    #[test]
    fn gauge_and_support_are_dual(s in any_creased(), n in any_direction(), v in any_direction()) {
        let (x, h) = (v / implicit(&s).gauge(v), n.dot(s.support(n)));
        prop_assert!(n.dot(x) <= h * (1.0 + 1e-14));
        prop_assert!((implicit(&s).gauge(s.support(n)) - 1.0).abs() < 1e-14);
        // No plane through a surface point is farther out than the one across its normal.
        let normal = implicit(&s).normal(x);
        prop_assert!((normal.dot(s.support(normal)) - normal.dot(x)).abs() < 1e-14 * s.size());
        prop_assert_eq!(s.support(-n), -s.support(n));
    }

    #[test]
    fn derivatives_are_those_of_the_values(s in any_creased(), n in oblique_direction()) {
        let value = |n: DVec3| DVec3::splat(n.dot(s.support(n)));
        let jet = s.jet(n);
        prop_assert_eq!(jet.point, s.support(n));
        prop_assert!((jet.hessian * n).length() < 1e-14 * jet.hessian.trace());
        for i in 0..3 {
            prop_assert!((derivative(value, n, i, 1e-3).x - jet.point[i]).abs() < 1e-9 * s.size());
            let slope = derivative(|n| s.support(n), n, i, 1e-3);
            prop_assert!((slope - jet.hessian * DVec3::AXES[i]).length() < 1e-7 * s.size());
        }
    }

    #[test]
    fn derivatives_of_gauges_are_those_of_the_values(s in any_creased(), x in oblique_direction()) {
        let s = implicit(&s);
        let (gauge, gradient, hessian) = s.gauge_jet(x);
        prop_assert!((gradient.dot(x) - gauge).abs() < 1e-14 * gauge, "Euler's identity");
        prop_assert!((hessian * x).length() < 1e-13 * gradient.length());
        prop_assert!(angle(gradient, s.normal(x)) < 1e-14);
        // Off the rim, where the gauge has a crease, or its curvature a jump.
        let crossing = |i: usize| {
            let d = DVec3::AXES[i] * (2e-3 * x[i]);
            let bend = |x: DVec3| s.gauge_jet(x).2.trace();
            (bend(x + d) - bend(x - d)).abs() > 0.05 * bend(x).abs()
        };
        for i in (0..3).filter(|&i| !crossing(i)) {
            let slope = derivative(|x| DVec3::splat(s.gauge(x)), x, i, 1e-3).x;
            prop_assert!((slope - gradient[i]).abs() < 1e-8 * gradient.length());
            let slope = derivative(|x| s.gauge_with_gradient(x).1, x, i, 1e-3);
            prop_assert!((slope - hessian * DVec3::AXES[i]).length() < 1e-7 * (hessian.trace() + gradient.length()));
        }
    }

    #[test]
    fn no_corner_of_a_triangle_lies_farther(t in any_triangle(), n in any_direction()) {
        let highest = t.corners().map(|p| n.dot(p)).into_iter().fold(f64::MIN, f64::max);
        prop_assert_eq!(n.dot(t.support(n)), highest);
        prop_assert!(t.corners().iter().sum::<DVec3>().length() < 1e-14 * t.size());
        prop_assert!(t.corners().iter().all(|p| p.length() <= t.size()));
        prop_assert!(t.corners().iter().all(|p| t.normal().dot(*p).abs() < 1e-13 * t.size()));
    }
}

#[test]
fn where_a_face_or_line_is_farthest_its_middle_is_returned() {
    let (cylinder, capsule) = (Cylinder::new(2.0, 3.0).unwrap(), Capsule::new(2.0, 3.0).unwrap());
    assert_eq!(cylinder.support(DVec3::Z), 3.0 * DVec3::Z);
    assert_eq!(cylinder.support(DVec3::NEG_X), -2.0 * DVec3::X);
    assert_eq!(capsule.support(DVec3::NEG_Y), -2.0 * DVec3::Y);
    assert_eq!(capsule.support(DVec3::NEG_Z), -5.0 * DVec3::Z);
    // Flat both ways on a cap, along the axis on a side; round around it.
    assert!(PrincipalRadii::at_normal(&cylinder, DVec3::Z).radii[0] > 1e9);
    for side in
        [PrincipalRadii::at_normal(&cylinder, DVec3::X), PrincipalRadii::at_normal(&capsule, DVec3::X)]
    {
        assert!((side.radii[0] - 2.0).abs() < 1e-14 && side.radii[1] > 1e9, "{side:?}");
    }
    for side in [
        PrincipalRadii::at_point(&cylinder, 2.0 * DVec3::X),
        PrincipalRadii::at_point(&capsule, 2.0 * DVec3::X),
    ] {
        assert!((side.radii[0] - 2.0).abs() < 1e-14 && side.radii[1] > 1e9, "{side:?}");
    }
    // A rim is sharp across, round along.
    let rim = PrincipalRadii::at_normal(&cylinder, DVec3::new(0.6, 0.0, 0.8));
    assert!(rim.radii[0] == 0.0 && (rim.radii[1] - 2.0 / 0.6).abs() < 1e-14, "{rim:?}");
    let cap = PrincipalRadii::at_normal(&capsule, DVec3::new(0.6, 0.0, 0.8));
    assert!(cap.radii.iter().all(|r| (r - 2.0).abs() < 1e-14));
}

#[test]
fn the_origin_has_finite_answers() {
    let (cylinder, capsule) = (Cylinder::new(2.0, 3.0).unwrap(), Capsule::new(2.0, 3.0).unwrap());
    for shape in [&cylinder as &dyn Implicit<Space>, &capsule] {
        let (gauge, gradient, hessian) = shape.gauge_jet(DVec3::ZERO);
        assert!(gauge == 0.0 && gradient.is_finite() && hessian.trace() == 0.0);
        assert_eq!(shape.normal(DVec3::ZERO).length(), 1.0);
        for x in [DVec3::Z, DVec3::NEG_X, DVec3::new(1e-300, 0.0, 1.0), DVec3::new(1e20, 0.0, -1e20)] {
            let (gauge, gradient, hessian) = shape.gauge_jet(x);
            assert!(gauge > 0.0 && gradient.is_finite() && hessian.full().is_finite(), "{x}");
        }
    }
}

/// Signed volume and second moments of the mesh, as sums over tetrahedra from the origin.
fn mesh_moments(mesh: &Mesh) -> (f64, DVec3) {
    mesh.triangles.iter().fold((0.0, DVec3::ZERO), |(volume, moments), t| {
        let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
        let part = a.dot(b.cross(c)) / 6.0;
        let sum = a + b + c;
        (volume + part, moments + (a * a + b * b + c * c + sum * sum) * (part / 20.0))
    })
}

#[test]
fn mass_is_that_of_fine_meshes() {
    let shapes = [
        Solid::from(Cylinder::new(2.0, 0.7).unwrap()),
        Solid::from(Capsule::new(0.6, 1.3).unwrap()),
        Solid::from(Capsule::new(1.1, 0.2).unwrap()),
    ];
    for shape in shapes {
        let (surface, mass) = (shape.surface().unwrap(), shape.body().unwrap().mass());
        let s = mass.second_moments;
        let [coarse, fine] = [40, 80].map(|detail| mesh_moments(&surface.tessellate(detail)));
        // Both errors are of second order: extrapolated, the fourth order remains.
        let limit = |coarse: f64, fine: f64| (4.0 * fine - coarse) / 3.0;
        assert!((limit(coarse.0, fine.0) / mass.volume - 1.0).abs() < 1e-8, "{shape:?}");
        for (i, expected) in [s.xx, s.yy, s.zz].into_iter().enumerate() {
            assert!((limit(coarse.1[i], fine.1[i]) / expected - 1.0).abs() < 1e-8, "{shape:?}");
        }
    }
    // Cylinder in closed form.
    let mass = Cylinder::new(2.0, 3.0).unwrap().mass();
    assert!((mass.volume - 24.0 * PI).abs() < 1e-13 && (mass.inertia().zz - 48.0 * PI).abs() < 1e-12);
}

#[test]
fn meshes_are_closed_and_lie_on_the_surface() {
    let triangle = Triangle::new([DVec3::X, DVec3::Y, DVec3::Z]).unwrap().0;
    let shapes =
        [Solid::from(Cylinder::new(2.0, 0.7).unwrap()), Solid::from(Capsule::new(0.6, 1.3).unwrap())];
    for detail in [0, 1, 2, 7] {
        for shape in shapes.iter().chain([&Solid::from(triangle)]) {
            let mesh = shape.surface().unwrap().tessellate(detail);
            check_closed(&mesh);
            for (x, n) in mesh.positions.iter().zip(&mesh.normals) {
                assert!((n.length() - 1.0).abs() < 1e-14);
                assert!((n.dot(shape.support(*n) - *x)).abs() < 1e-14 * shape.size(), "{shape:?} {x} {n}");
                assert!(shape.implicit().is_none_or(|s| (s.gauge(*x) - 1.0).abs() < 1e-14), "{shape:?} {x}");
            }
        }
    }
}

/// Vertices at the same place are one: then every edge runs once each way, and every triangle faces its normals.
fn check_closed(mesh: &Mesh) {
    let key = |x: DVec3| x.to_array().map(|c| (c * 1e12).round() as i64);
    let mut edges: HashMap<_, i32> = HashMap::new();
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|i| mesh.positions[i as usize]);
        let facet = (b - a).cross(c - a);
        assert!(t.iter().all(|&i| facet.dot(mesh.normals[i as usize]) > 0.0), "{a} {b} {c}");
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry((key(p), key(q))).or_default() += 1;
        }
    }
    for ((p, q), count) in &edges {
        assert_eq!((*count, edges.get(&(*q, *p))), (1, Some(&1)));
    }
}

#[test]
fn sizes_are_distances_of_the_farthest_points() {
    assert_eq!(Cylinder::new(3.0, 4.0).unwrap().size(), 5.0);
    assert_eq!(Capsule::new(3.0, 4.0).unwrap().size(), 7.0);
    let (triangle, centroid) = Triangle::new([DVec3::ZERO, 3.0 * DVec3::X, 3.0 * DVec3::Y]).unwrap();
    assert_eq!(centroid, DVec3::new(1.0, 1.0, 0.0));
    assert!((triangle.size() - 5.0_f64.sqrt()).abs() < 1e-15);
    let pose = gritstone_core::Pose::at(DVec3::ONE);
    assert_eq!(BoundingBall::of(&triangle, &pose).radius, triangle.size());
}

#[test]
fn what_shapes_offer_is_in_the_table() {
    let triangle = Solid::from(Triangle::new([DVec3::X, DVec3::Y, DVec3::Z]).unwrap().0);
    let floor = Solid::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    let cylinder = Solid::from(Cylinder::new(1.0, 1.0).unwrap());
    let offers =
        |s: &Solid| [s.is_bounded(), s.implicit().is_some(), s.body().is_some(), s.surface().is_some()];
    assert_eq!(offers(&cylinder), [true, true, true, true]);
    assert_eq!(offers(&triangle), [true, false, false, true]);
    assert_eq!(offers(&floor), [false, false, false, false]);
    assert_eq!([&cylinder, &triangle, &floor].map(Solid::word), ["cylinder", "triangle", "half-space"]);
}

#[test]
fn scaled_shapes_are_scaled() {
    let shapes = [
        Solid::from(Cylinder::new(2.0, 0.7).unwrap()),
        Solid::from(Capsule::new(0.6, 1.3).unwrap()),
        Solid::from(Triangle::new([DVec3::X, DVec3::Y, DVec3::new(3.0, 2.0, 1.0)]).unwrap().0),
    ];
    let n = DVec3::new(0.48, 0.6, 0.64);
    for shape in shapes {
        let small = shape.scaled(1e-6).unwrap();
        assert!((small.support(n) - shape.support(n) * 1e-6).length() < 1e-21);
        assert!(shape.scaled(0.0).is_err() && shape.scaled(1e40).is_err());
    }
    assert_eq!(HalfSpace::new(DVec3::Y, 3.0).unwrap().scaled(0.5).unwrap().offset(), 1.5);
}

#[test]
fn half_spaces_have_unit_normals_and_offsets() {
    let h = HalfSpace::new(DVec3::new(0.0, 3.0, 4.0), 10.0).unwrap();
    assert!((h.normal() - DVec3::new(0.0, 0.6, 0.8)).length() < 2e-16 && (h.offset() - 2.0).abs() < 1e-15);
    let h = HalfSpace::new(DVec3::new(0.0, 0.0, 1e-300), -1e-300).unwrap();
    assert_eq!((h.normal(), h.offset()), (DVec3::Z, -1.0));
    assert_eq!(h.support(2.0 * DVec3::Z), -DVec3::Z);
    assert!(!h.support(DVec3::X).is_finite());
    for bad in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY] {
        let error = HalfSpace::new(bad, 0.0).unwrap_err();
        assert_eq!(error.to_string(), "normal is zero or not finite, but must have a direction");
    }
    for bad in [f64::NAN, f64::INFINITY, 1e31] {
        assert!(matches!(HalfSpace::new(DVec3::X, bad), Err(ShapeError::Coordinate { .. })));
    }
}

#[test]
fn bad_triangles_are_refused() {
    let refused = |corners: [DVec3; 3]| Triangle::new(corners).unwrap_err();
    assert_eq!(refused([DVec3::ZERO, DVec3::ONE, 2.0 * DVec3::ONE]), ShapeError::InLine);
    assert_eq!(refused([DVec3::ZERO, DVec3::X, DVec3::X]), ShapeError::TooFew { count: 2, needed: 3 });
    assert_eq!(refused([DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1e-11, 0.0)]), ShapeError::InLine);
    assert_eq!(refused([DVec3::ONE; 3]), ShapeError::TooFew { count: 1, needed: 3 });
    let error = refused([DVec3::ZERO, DVec3::X, DVec3::NAN]).to_string();
    assert_eq!(error, "vertices[2] has the coordinate NaN, but must lie within 1e30 of the origin");
    assert!(Triangle::new([DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1e-8, 0.0)]).is_ok());
}

#[test]
fn bad_lengths_are_named() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let expected = |name: &str| format!("{name} is {bad:?}, but must be positive (1e-30 to 1e30)");
        assert_eq!(Cylinder::new(bad, 1.0).unwrap_err().to_string(), expected("radius"));
        assert_eq!(Cylinder::new(1.0, bad).unwrap_err().to_string(), expected("half_height"));
        assert_eq!(Capsule::new(bad, 1.0).unwrap_err().to_string(), expected("radius"));
        assert_eq!(Capsule::new(1.0, bad).unwrap_err().to_string(), expected("half_height"));
    }
}

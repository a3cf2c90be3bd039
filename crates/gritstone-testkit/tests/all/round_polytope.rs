//! `auto` on round bodies and polytopes: known distances, independent bounds, pairs followed through time.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
use gritstone_contact::{Answer, Query};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric, Triangle};
use gritstone_study::truth::Truth;
use gritstone_testkit::{Scene, runner};
use proptest::collection::vec;
use proptest::prelude::*;

fn warm(scene: &Scene, query: Query<Space>, memory: &mut Memory, scratch: &mut Scratch) -> Answer<Space> {
    let a = Placed { shape: &scene.a, pose: scene.pose_a };
    let b = Placed { shape: &scene.b, pose: scene.pose_b };
    Auto.solve_warm(a, b, query, memory, scratch).unwrap()
}

fn cold(scene: &Scene) -> Answer<Space> {
    warm(scene, Query::default(), &mut Memory::default(), &mut Scratch::default())
}

fn cube() -> Solid {
    let corner = |i: u32| DVec3::from_array([0, 1, 2].map(|k| if i >> k & 1 == 0 { -1.0 } else { 1.0 }));
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0.into()
}

/// The distance of a point from a cube is known, and with it that of a ball: to faces, edges and vertices, inside and out.
#[test]
fn balls_at_a_cube() {
    let radius = 0.4;
    let steps = [-1.7, -1.3, -1.0, -0.9, -0.3, 0.0, 0.2, 0.95, 1.0, 1.05, 1.6];
    let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.9));
    for (x, y, z) in steps.iter().flat_map(|&x| steps.iter().flat_map(move |&y| steps.map(|z| (x, y, z)))) {
        let at = DVec3::new(x, y, z);
        let beyond = at.abs() - 1.0;
        let outside = beyond.max(DVec3::ZERO).length();
        let distance = if outside > 0.0 { outside } else { beyond.max_element() } - radius;
        let scene = Scene {
            a: Sphere::new(radius).unwrap().into(),
            pose_a: Pose::new(turn * at, DQuat::IDENTITY),
            b: cube(),
            pose_b: Pose::new(DVec3::ZERO, turn),
        };
        for scene in [scene.clone(), scene.swapped()] {
            let answer = cold(&scene);
            assert!(answer.certified() && (answer.distance() - distance).abs() < 1e-12, "{at}: {answer:?}");
        }
    }
}

/// An ellipsoid above the middle of a face, above an edge and above a vertex of a cube. In the plane across the edge it is
/// the ellipse with half-axes 2 and 1, whose support function along a diagonal is √(5/2).
#[test]
fn ellipsoids_above_faces_edges_and_vertices() {
    let ellipsoid = Solid::from(Ellipsoid::new(DVec3::new(3.0, 2.0, 1.0)).unwrap());
    let above = |position: DVec3| Scene {
        a: cube(),
        pose_a: Pose::at(DVec3::ZERO),
        b: ellipsoid.clone(),
        pose_b: Pose::at(position),
    };
    for gap in [0.5, 1e-4, -1e-4, -0.1] {
        let face = *cold(&above(DVec3::new(0.2, -0.3, 2.0 + gap))).contact().unwrap();
        assert!((face.gap - gap).abs() < 1e-13 && (face.normal - DVec3::Z).length() < 1e-12, "{face:?}");
        // Radii of curvature 9 and 4.
        let [low, high] = face.curvature;
        assert!((low - 1.0 / 9.0).abs() < 1e-8 && (high - 0.25).abs() < 1e-8, "{face:?}");
        let c = DVec3::new(0.0, 1.0, 1.0).normalize();
        let n = ellipsoid.support(-c);
        let edge = *cold(&above(DVec3::new(0.1, 1.0, 1.0) - n + c * gap)).contact().unwrap();
        assert!((edge.gap - gap).abs() < 1e-12 && (edge.normal - c).length() < 1e-11, "{edge:?}");
        assert!(((-c).dot(n) - 2.5_f64.sqrt()).abs() < 1e-15 && edge.curvature[1].is_infinite());
        let c = DVec3::ONE.normalize();
        let vertex = *cold(&above(DVec3::ONE - ellipsoid.support(-c) + c * gap)).contact().unwrap();
        assert!(
            (vertex.gap - gap).abs() < 1e-12 && (vertex.point_a - DVec3::ONE).length() < 1e-11,
            "{vertex:?}"
        );
    }
}

fn round() -> impl Strategy<Value = Solid> {
    let radii = || (0.4..2.0_f64, 0.4..2.0_f64, 0.4..2.0_f64).prop_map(DVec3::from);
    let exponent = || prop_oneof![3 => 0.2..1.2_f64, 1 => 0.1..1.9_f64];
    prop_oneof![
        1 => (0.4..2.0_f64).prop_map(|r| Sphere::new(r).unwrap().into()),
        3 => radii().prop_map(|r| Ellipsoid::new(r).unwrap().into()),
        4 => (radii(), exponent(), exponent())
            .prop_map(|(r, e1, e2)| Superellipsoid::new(r, [e1, e2]).unwrap().into()),
        1 => (radii(), 1.5..8.0_f64, 1.5..8.0_f64, 1.5..8.0_f64)
            .prop_map(|(r, k, l, m)| Superquadric::new(r, [k, l, m]).unwrap().into()),
    ]
}

fn polytope() -> impl Strategy<Value = Solid> {
    let point = || (-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64).prop_map(DVec3::from);
    prop_oneof![
        1 => Just(cube()),
        2 => vec(point(), 4..30)
            .prop_filter_map("flat", |points| Some(Polyhedron::hull(&points).ok()?.0.into())),
        1 => (point(), point(), point())
            .prop_filter_map("in line", |(a, b, c)| Some(Triangle::new([a, b, c]).ok()?.0.into())),
    ]
}

/// A round body and a polytope whose support planes along some direction are a small way apart or overlap.
fn scenes() -> impl Strategy<Value = Scene> {
    let turn =
        || (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|v| DQuat::from_scaled_axis(DVec3::from(v) * 3.0));
    let gap = prop_oneof![
        2 => prop::sample::select(vec![0.0, 1e-9, -1e-9, 1e-5, -1e-5, 1e-3, -1e-3, 0.03, -0.03]),
        1 => -0.3..1.0_f64,
    ];
    (round(), polytope(), turn(), turn(), gap, any::<bool>()).prop_map(|(a, b, turn_a, along, gap, swap)| {
        let pose_a = Pose::new(DVec3::new(0.3, -1.0, 2.0), turn_a);
        let c = along * DVec3::X;
        let x_a = turn_a * a.support(turn_a.conjugate() * c);
        let position = pose_a.position + x_a - b.support(-c) + c * gap;
        let scene = Scene { a, pose_a, b, pose_b: Pose::at(position) };
        if swap { scene.swapped() } else { scene }
    })
}

#[test]
fn answers_lie_between_independent_bounds() {
    runner()
        .run(&scenes(), |scene| {
            let answer = cold(&scene);
            prop_assert!(answer.certified(), "{answer:?}");
            let contact = answer.contact().copied().unwrap_or_default();
            let Truth { lower, upper, .. } = scene.truth();
            let allowed = 1e-10 * scene.size();
            prop_assert!(
                (lower - allowed..=upper + allowed).contains(&contact.gap),
                "{answer:?} {lower} {upper}"
            );
            let closure = contact.point_b - contact.point_a - contact.normal * contact.gap;
            prop_assert!(closure.length() <= scene.rounding(), "{answer:?}");
            prop_assert!((scene.g(contact.normal) - contact.gap).abs() <= 2e-9 * scene.size(), "{answer:?}");
            Ok(())
        })
        .unwrap();
}

/// With the bounds of a certificate and with those of a simulation.
#[test]
fn pairs_followed_through_time_agree_with_fresh_solves() {
    let steps = vec(((-1.0..1.0, -1.0..1.0, -1.0..1.0), (-1.0..1.0, -1.0..1.0, -1.0..1.0)), 1..8);
    let pace = prop::sample::select(vec![1e-5, 1e-3, 1e-2, 0.1]);
    let scratch = std::cell::RefCell::new(Scratch::default());
    runner()
        .run(&(scenes(), steps, pace), |(mut scene, steps, pace)| {
            let [mut memory, mut loose] = [Memory::default(), Memory::default()];
            for (shift, turn) in steps {
                let scratch = &mut *scratch.borrow_mut();
                let followed = warm(&scene, Query::default(), &mut memory, scratch);
                let query = Query { slack: 1e-3, ..Query::default() };
                let simulated = warm(&scene, query, &mut loose, scratch);
                let fresh = cold(&scene);
                prop_assert!(followed.certified() && simulated.certified(), "{followed:?}");
                let off = (followed.distance() - fresh.distance()).abs();
                prop_assert!(off <= 1e-10 * scene.size(), "{off:e}: {followed:?} {fresh:?}");
                let off = (simulated.distance() - fresh.distance()).abs();
                prop_assert!(off <= simulated.tolerance, "{off:e}: {simulated:?} {fresh:?}");
                let turn = DQuat::from_scaled_axis(DVec3::from(turn) * pace);
                let shift = DVec3::from(shift) * (pace * scene.size());
                scene.pose_b = Pose::new(scene.pose_b.position + shift, turn * scene.pose_b.rotation);
            }
            Ok(())
        })
        .unwrap();
}

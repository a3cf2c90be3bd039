//! `auto` on polyhedra: pairs that were solved elsewhere, faces, edges and vertices facing each other, pairs followed
//! through time.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
use gritstone_contact::{Answer, Goal, Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Polyhedron, Polytope, Solid};
use gritstone_shape::{Implicit, Support};
use gritstone_study::truth::Truth;
use gritstone_testkit::reference::{PolyhedronReference, polyhedron_references};
use gritstone_testkit::{Scene, runner};
use proptest::collection::vec;
use proptest::prelude::*;

fn placed(scene: &Scene) -> [Placed<'_>; 2] {
    [Placed { shape: &scene.a, pose: scene.pose_a }, Placed { shape: &scene.b, pose: scene.pose_b }]
}

fn warm(scene: &Scene, memory: &mut Memory, scratch: &mut Scratch) -> Answer<Space> {
    let [a, b] = placed(scene);
    Auto.solve_warm(a, b, Query::default(), memory, scratch).unwrap()
}

fn cold(scene: &Scene) -> Answer<Space> {
    warm(scene, &mut Memory::default(), &mut Scratch::default())
}

#[test]
fn polyhedra_have_their_reference_answers() {
    let references = polyhedron_references().unwrap();
    assert_eq!(references.len(), 600);
    for PolyhedronReference { id, kind, scene, distance, normal, points } in &references {
        let answer = cold(scene);
        assert!(answer.certified(), "{id}: {answer:?}");
        let contact = answer.contact().unwrap();
        let allowed = 1e-13 + 1e-9 * distance.abs();
        assert!((contact.gap - distance).abs() <= allowed, "{id}: {contact:?}");
        // Between vertices and edges the normal is as exact as their distance.
        let turn = 1e-11 + 1e-15 / distance.abs();
        let judged = distance - allowed - turn * scene.size();
        assert!(scene.g(contact.normal) >= judged, "{id}: {contact:?}");
        let parallel = kind.contains("parallel");
        if !parallel {
            assert!(contact.normal.distance(*normal) <= turn, "{id} ({kind}): {contact:?}");
        }
        if let Some([a, b]) = points {
            let off = contact.point_a.distance(*a).max(contact.point_b.distance(*b));
            // Nearly parallel faces pass rounding on by the inverse of their angle.
            let allowed = if parallel { 1e-6 } else { 1e-11 };
            assert!(off <= allowed, "{id} ({kind}): points are off by {off}");
        }
        let [a, b] = placed(scene);
        let query = Query { goal: Goal::Detect, ..Query::default() };
        let detected = Auto.solve_warm(a, b, query, &mut Memory::default(), &mut Scratch::default()).unwrap();
        assert_eq!(detected.distance() > 0.0, *distance > 0.0, "{id}");
    }
}

/// Polyhedra that packings are made of, and hulls of random points.
fn polyhedron() -> impl Strategy<Value = Polyhedron> {
    let cube = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
    let cube: Vec<DVec3> = cube.collect();
    let tips = |height: f64| DVec3::AXES.into_iter().flat_map(move |a| [a * height, -a * height]);
    let with_tips = |height: f64| cube.iter().copied().chain(tips(height)).collect::<Vec<_>>();
    let tetrahedron = vec![cube[0], cube[3], cube[5], cube[6]];
    let pyramid: Vec<_> = cube[..4].iter().copied().chain([DVec3::Z * 0.6]).collect();
    let known = [cube.clone(), with_tips(0.75), with_tips(1.0), tips(1.0).collect(), tetrahedron, pyramid];
    let stretch = (0.2..3.0_f64, 0.2..3.0_f64, 0.2..3.0_f64).prop_map(DVec3::from);
    let coordinate = || -1.0..1.0_f64;
    let cloud = vec((coordinate(), coordinate(), coordinate()).prop_map(DVec3::from), 4..70);
    let points = prop_oneof![
        4 => prop::sample::select(known.to_vec()),
        2 => (prop::sample::select(known.to_vec()), stretch)
            .prop_map(|(points, by)| points.into_iter().map(|p| p * by).collect()),
        2 => cloud,
    ];
    points.prop_filter_map("flat", |points: Vec<DVec3>| Some(Polyhedron::hull(&points).ok()?.0))
}

/// The outward direction of a face, an edge or a vertex.
fn feature(p: &Polytope, kind: u8, index: usize) -> DVec3 {
    let face = |f: u32| p.face(f).normal;
    match kind {
        0 => p.faces()[index % p.faces().len()].normal,
        1 => p.edges()[index % p.edges().len()].faces.map(face).iter().sum::<DVec3>().normalize(),
        _ => {
            p.sectors((index % p.vertices().len()) as u32).iter().map(|&f| face(f)).sum::<DVec3>().normalize()
        }
    }
}

/// Two polyhedra with features towards each other, tilted a little or not, at a small gap or overlap; or anyhow.
fn scenes() -> impl Strategy<Value = Scene> {
    let turn = (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(|v| DQuat::from_scaled_axis(DVec3::from(v) * 3.0));
    let shift = (-0.5..0.5, -0.5..0.5, -0.5..0.5).prop_map(DVec3::from);
    let tilt = prop::sample::select(vec![0.0, 0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.3]);
    let gap = prop_oneof![
        3 => prop::sample::select(vec![0.0, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3, 0.05, -0.05]),
        2 => -0.4..1.0_f64,
    ];
    let features = (0..3_u8, any::<usize>(), 0..3_u8, any::<usize>(), 0.0..6.3_f64);
    (polyhedron(), polyhedron(), turn.clone(), turn, shift, (tilt, gap), features).prop_map(
        |(a, b, turn_a, axis, shift, (tilt, gap), (kind_a, i, kind_b, j, roll))| {
            let pose_a = Pose::new(DVec3::new(0.3, -1.0, 2.0), turn_a);
            let c = turn_a * feature(a.polytope(), kind_a, i);
            let facing = DQuat::from_rotation_arc(feature(b.polytope(), kind_b, j), -c);
            let lean = DQuat::from_axis_angle((axis * DVec3::X).normalize(), tilt);
            let turn_b = lean * DQuat::from_axis_angle(c, roll) * facing;
            let x_a = turn_a * a.support(turn_a.conjugate() * c);
            let x_b = turn_b * b.support(turn_b.conjugate() * -c);
            let across = shift - c * c.dot(shift);
            let position = pose_a.position + x_a - x_b + c * gap + across;
            Scene { a: a.into(), pose_a, b: b.into(), pose_b: Pose::new(position, turn_b) }
        },
    )
}

/// The answer is proven, lies within an independent bracket and is made as contacts are.
fn check(scene: &Scene, answer: &Answer<Space>) -> Result<(), TestCaseError> {
    prop_assert!(answer.certified(), "{answer:?}");
    let Verdict::Solved(contact) = answer.verdict else { return Err(TestCaseError::fail("not solved")) };
    let allowed = 1e-10 * scene.size();
    let Truth { lower, upper, .. } = scene.truth();
    prop_assert!(
        contact.gap >= lower - allowed && contact.gap <= upper + allowed,
        "{answer:?} {lower} {upper}"
    );
    let closure = contact.point_b - contact.point_a - contact.normal * contact.gap;
    prop_assert!(closure.length() <= scene.rounding());
    prop_assert!((scene.g(contact.normal) - contact.gap).abs() <= 2e-9 * scene.size());
    for (solid, pose, x) in
        [(&scene.a, &scene.pose_a, contact.point_a), (&scene.b, &scene.pose_b, contact.point_b)]
    {
        // Within a face that lies flat on another one to the certificate's tolerance.
        let Some(body) = solid.body() else { continue };
        let slack = 1e-8 * scene.size() / body.half_extents().min_element();
        let Solid::Polyhedron(polyhedron) = solid else { continue };
        let gauge = polyhedron.gauge(pose.to_body(x));
        prop_assert!(gauge <= 1.0 + slack && gauge >= 1.0 - 30.0 * slack, "gauge {gauge}: {answer:?}");
    }
    Ok(())
}

#[test]
fn features_that_face_each_other_are_solved() {
    runner().run(&scenes(), |scene| check(&scene, &cold(&scene))).unwrap();
}

#[test]
fn answers_do_not_depend_on_the_order_or_the_place() {
    let motion = Pose::new(DVec3::new(3.0, -20.0, 7.0), DQuat::from_scaled_axis(DVec3::new(0.4, 1.0, -2.0)));
    runner()
        .run(&scenes(), |scene| {
            let gap = cold(&scene).distance();
            for other in [scene.swapped(), scene.moved_by(&motion)] {
                let (answer, allowed) = (cold(&other), 1e-10 * scene.size() + other.rounding());
                prop_assert!((answer.distance() - gap).abs() <= allowed, "{gap} {answer:?}");
            }
            let small = cold(&scene.scaled_by(1e-6)).distance() * 1e6;
            prop_assert!((small - gap).abs() <= 1e-10 * scene.size(), "{gap} {small}");
            Ok(())
        })
        .unwrap();
}

#[test]
fn pairs_followed_through_time_agree_with_fresh_solves() {
    let steps = vec(((-1.0..1.0, -1.0..1.0, -1.0..1.0), (-1.0..1.0, -1.0..1.0, -1.0..1.0)), 1..12);
    let pace = prop::sample::select(vec![1e-5, 1e-3, 1e-2, 0.1]);
    let scratch = std::cell::RefCell::new(Scratch::default());
    runner()
        .run(&(scenes(), steps, pace), |(mut scene, steps, pace)| {
            let mut memory = Memory::default();
            for (shift, turn) in steps {
                let followed = warm(&scene, &mut memory, &mut scratch.borrow_mut());
                let fresh = cold(&scene);
                prop_assert!(followed.certified(), "{followed:?}");
                let off = (followed.distance() - fresh.distance()).abs();
                prop_assert!(off <= 1e-10 * scene.size(), "{off:e}: {followed:?} {fresh:?}");
                let turn = DQuat::from_scaled_axis(DVec3::from(turn) * pace);
                let shift = DVec3::from(shift) * (pace * scene.size());
                scene.pose_b = Pose::new(scene.pose_b.position + shift, turn * scene.pose_b.rotation);
            }
            Ok(())
        })
        .unwrap();
}

/// Where bodies are symmetric to each other, vertices and edges of the Minkowski difference pass through the origin itself.
#[test]
fn cubes_on_a_grid_are_solved() {
    let cube = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - 0.5);
    let cube = Solid::from(Polyhedron::hull(&cube.collect::<Vec<_>>()).unwrap().0);
    let steps = [0.0, 0.25, 0.5, 0.75, 1.0, 1.25];
    for (x, y, z) in steps.iter().flat_map(|&x| steps.iter().flat_map(move |&y| steps.map(|z| (x, y, z)))) {
        let offset = DVec3::new(x, y, z);
        let pose_b = Pose::at(offset);
        let scene = Scene { a: cube.clone(), pose_a: Pose::at(DVec3::ZERO), b: cube.clone(), pose_b };
        // Two boxes: apart by the part of the offset beyond their widths, else by the least of what they overlap.
        let beyond = offset - 1.0;
        let outside = beyond.max(DVec3::ZERO).length();
        let expected = if outside > 0.0 { outside } else { beyond.max_element() };
        let answer = cold(&scene);
        assert!(answer.certified() && (answer.distance() - expected).abs() < 1e-14, "{offset}: {answer:?}");
    }
}

/// A memory that belongs to another pair is no harm.
#[test]
fn foreign_memories_are_no_harm() {
    let mut memory = Memory::default();
    let mut scratch = Scratch::default();
    for reference in polyhedron_references().unwrap() {
        let answer = warm(&reference.scene, &mut memory, &mut scratch);
        let allowed = 1e-13 + 1e-9 * reference.distance.abs();
        assert!((answer.distance() - reference.distance).abs() <= allowed, "{}: {answer:?}", reference.id);
    }
}

#[test]
fn boxes_on_each_other_touch_in_the_middle_of_what_they_share() {
    let cube = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0);
    let cube = Solid::from(Polyhedron::hull(&cube.collect::<Vec<_>>()).unwrap().0);
    let scene = |offset: DVec3| Scene {
        a: cube.clone(),
        pose_a: Pose::at(DVec3::ZERO),
        b: cube.clone(),
        pose_b: Pose::at(offset),
    };
    let contact = *cold(&scene(DVec3::new(0.5, -0.8, 1.9))).contact().unwrap();
    assert!((contact.midpoint() - DVec3::new(0.25, -0.4, 0.95)).length() < 1e-14, "{contact:?}");
    assert!((contact.gap + 0.1).abs() < 1e-15 && contact.normal == DVec3::Z);
    assert_eq!(contact.curvature, [0.0, 0.0]);
    // An edge along a face: b is turned by 45° about x.
    let mut turned = scene(DVec3::new(1.2, 0.3, 1.0 + 2.0_f64.sqrt() - 0.1));
    turned.pose_b.rotation = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let contact = *cold(&turned).contact().unwrap();
    assert!((contact.midpoint() - DVec3::new(0.6, 0.3, 0.95)).length() < 1e-14, "{contact:?}");
    assert_eq!(contact.curvature, [0.0, f64::INFINITY]);
}

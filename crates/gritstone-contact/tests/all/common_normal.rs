//! `common-normal` against reference pairs that were solved elsewhere in high precision, and against closed forms.

use glam::{DQuat, DVec3};
use gritstone_contact::space::common_normal::{End, Shift};
use gritstone_contact::space::{CommonNormal, Method, Pair, Placed, Scratch};
use gritstone_contact::{Answer, Doubt, Goal, Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid};
use serde_json::Value;

const PAIRS: &str = include_str!("../../../../tests/data/public_superellipsoid_pairs.jsonl");

struct Reference {
    interval: u64,
    a: (Superellipsoid, Pose<Space>),
    b: (Superellipsoid, Pose<Space>),
    distance: f64,
    normal: DVec3,
}

fn references() -> impl Iterator<Item = Reference> {
    PAIRS.lines().map(|line| {
        let pair: Value = serde_json::from_str(line).unwrap();
        Reference {
            interval: pair["interval"].as_u64().unwrap(),
            a: placed(&pair["a"]),
            b: placed(&pair["b"]),
            distance: pair["expected"]["distance"].as_f64().unwrap(),
            normal: vector(&pair["expected"]["normal"]),
        }
    })
}

fn placed(body: &Value) -> (Superellipsoid, Pose<Space>) {
    let [e1, e2] = [0, 1].map(|i| body["exponents"][i].as_f64().unwrap());
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| body["quaternion"][i].as_f64().unwrap());
    let shape = Superellipsoid::new(vector(&body["radii"]), [e1, e2]).unwrap();
    (shape, Pose::new(vector(&body["center"]), DQuat::from_xyzw(x, y, z, w)))
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| value[i].as_f64().unwrap()))
}

fn solve(
    method: &CommonNormal,
    a: (impl Into<Solid>, Pose<Space>),
    b: (impl Into<Solid>, Pose<Space>),
    goal: Goal,
) -> Answer<Space> {
    let shapes = (a.0.into(), b.0.into());
    let (a, b) = (Placed { shape: &shapes.0, pose: a.1 }, Placed { shape: &shapes.1, pose: b.1 });
    method.solve(a, b, Query { goal, ..Query::default() }, &mut Scratch::default()).unwrap()
}

#[test]
fn detection_is_right_on_every_reference_pair_of_intervals_1_and_2() {
    for (i, pair) in references().enumerate().filter(|(_, pair)| pair.interval <= 2) {
        for shift in [Shift::Smallest, Shift::Spectral] {
            let method = CommonNormal { shift, ..CommonNormal::RELATIVE };
            let answer = solve(&method, pair.a, pair.b, Goal::Detect);
            match answer.verdict {
                Verdict::Apart { at_least, .. } => {
                    assert!(0.0 < at_least && at_least <= pair.distance, "{i}");
                }
                Verdict::Solved(contact) => {
                    assert!((contact.gap - pair.distance).abs() < 1e-6, "{i} {contact:?}");
                }
                Verdict::Unresolved { doubt, .. } => panic!("{i}: {}", doubt.describe()),
            }
            assert_eq!(matches!(answer.verdict, Verdict::Apart { .. }), pair.distance > 0.0);
            assert!(answer.lower <= pair.distance + 1e-13 && pair.distance <= answer.upper + 1e-13, "{i}");
        }
    }
}

#[test]
fn distances_and_normals_are_right_on_every_reference_pair() {
    for (i, pair) in references().enumerate() {
        let answer = solve(&CommonNormal::RELATIVE, pair.a, pair.b, Goal::Distance);
        let Verdict::Solved(contact) = answer.verdict else { panic!("{i}: {answer:?}") };
        assert!((contact.gap - pair.distance).abs() < 1e-6, "{i}: {} is not {}", contact.gap, pair.distance);
        assert!(contact.normal.cross(pair.normal).length() < 1e-3, "{i}: {contact:?}");
    }
}

/// On a coordinate axis every derivative of eq. (11) is indeterminate.
#[test]
fn spheres_on_an_axis_have_their_closed_form() {
    let (a, b) = (Sphere::new(1.5).unwrap(), Sphere::new(0.5).unwrap());
    for axis in [DVec3::X, -DVec3::Y, DVec3::Z] {
        for gap in [-0.3, -1e-3, 1e-9, 0.7] {
            let at = (b, Pose::at(axis * (2.0 + gap)));
            let answer = solve(&CommonNormal::RELATIVE, (a, Pose::default()), at, Goal::Distance);
            let Verdict::Solved(contact) = answer.verdict else { panic!("{axis} {gap}: {answer:?}") };
            assert!((contact.gap - gap).abs() < 1e-12 && contact.normal.distance(axis) < 1e-9, "{contact:?}");
        }
    }
}

/// Faces of boxes that look at each other: the normal is that of the face, where curvatures vanish.
#[test]
fn boxes_face_to_face_have_the_distance_of_their_faces() {
    let shape = Superellipsoid::new(DVec3::new(1.0, 2.0, 0.5), [0.3, 0.3]).unwrap();
    let at = (shape, Pose::at(DVec3::new(0.0, 0.0, 0.99)));
    let answer = solve(&CommonNormal::RELATIVE, (shape, Pose::default()), at, Goal::Detect);
    assert!((answer.distance() + 0.01).abs() < 1e-12, "{answer:?}");
    assert!(matches!(answer.verdict, Verdict::Solved(_)));
}

#[test]
fn answers_scale_with_the_grains() {
    for pair in references().take(400).step_by(7) {
        let here = solve(&CommonNormal::RELATIVE, pair.a, pair.b, Goal::Distance);
        for k in [0.5_f64.powi(20), 2.0_f64.powi(20)] {
            let scaled = |(s, at): (Superellipsoid, Pose<Space>)| {
                let shape = Superellipsoid::new(s.radii() * k, s.exponents()).unwrap();
                (shape, Pose { position: at.position * k, ..at })
            };
            let there = solve(&CommonNormal::RELATIVE, scaled(pair.a), scaled(pair.b), Goal::Distance);
            assert!((there.distance() - here.distance() * k).abs() < 1e-12 * k);
            assert_eq!(there.iterations, here.iterations);
        }
    }
}

/// With two iterations for each, most start points fail and new ones are drawn.
#[test]
fn restarts_depend_on_the_seed_alone() {
    let hasty = |seed| CommonNormal { seed, iterations: 2, ..CommonNormal::RELATIVE };
    let (mut drawn, mut differ) = (0, 0);
    for pair in references().filter(|pair| pair.distance < 0.0).step_by(10) {
        let pair = Pair::new(&pair.a.0, &pair.a.1, &pair.b.0, &pair.b.1);
        let [one, again, other] = [1, 1, 2].map(|seed| hasty(seed).outcome(&pair, Query::default()).unwrap());
        assert_eq!(one, again);
        assert_eq!(one.new_starts == 0, one.first.end == End::Accepted);
        drawn += u32::from(one.new_starts > 0);
        differ += u32::from(one != other);
    }
    assert!(drawn > 50);
    assert_eq!(differ, drawn);
}

#[test]
fn coincident_centres_are_unresolved_between_bounds() {
    let ellipsoid = Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
    let answer = solve(
        &CommonNormal::RELATIVE,
        (ellipsoid, Pose::default()),
        (ellipsoid, Pose::default()),
        Goal::Distance,
    );
    assert!(matches!(answer.verdict, Verdict::Unresolved { doubt: Doubt::CentresCoincide, .. }));
    // Separating the two takes a move of twice the smallest radius.
    assert!(answer.lower <= -2.0 && answer.upper >= -2.0);
}

/// The direction of the last time step is the start point: nothing is left to do.
#[test]
fn a_known_direction_needs_no_iteration() {
    for pair in references().filter(|pair| pair.interval == 1 && pair.distance < 0.0).take(50) {
        let (a, b) = (Pair::new(&pair.a.0, &pair.a.1, &pair.b.0, &pair.b.1), pair.normal);
        let outcome = CommonNormal::RELATIVE
            .outcome(&a, Query { goal: Goal::Detect, start: Some(b), ..Query::default() })
            .unwrap();
        assert_eq!((outcome.first.end, outcome.first.iterations), (End::Accepted, 0));
    }
}

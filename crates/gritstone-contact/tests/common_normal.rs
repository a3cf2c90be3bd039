//! `common-normal` against reference pairs that were solved elsewhere in high precision, and against closed forms.

use glam::{DQuat, DVec3};
use gritstone_contact::space::common_normal::{End, Shift};
use gritstone_contact::space::{CommonNormal, Method, Pair, Placed, Scratch};
use gritstone_contact::{Answer, Doubt, Goal, Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid};
use serde_json::Value;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");

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
    method.solve(a, b, Query { goal, start: None }, &mut Scratch::default()).unwrap()
}

#[test]
fn detection_is_right_on_every_reference_pair_of_intervals_1_and_2() {
    for (i, pair) in references().enumerate().filter(|(_, pair)| pair.interval <= 2) {
        for shift in [Shift::Smallest, Shift::Spectral] {
            let method = CommonNormal { shift, ..CommonNormal::RELATIVE };
            let answer = solve(&method, pair.a, pair.b, Goal::Detect);
            match answer.verdict {
                Verdict::Apart { at_least, .. } => {
                    assert!(0.0 < at_least && at_least <= pair.distance, "{i}")
                }
                Verdict::Solved(contact) => {
                    assert!((contact.gap - pair.distance).abs() < 1e-6, "{i} {contact:?}")
                }
                Verdict::Unresolved { doubt, .. } => panic!("{i}: {}", doubt.describe()),
            }
            assert_eq!(matches!(answer.verdict, Verdict::Apart { .. }), pair.distance > 0.0);
            assert!(answer.lower <= pair.distance + 1e-13 && pair.distance <= answer.upper + 1e-13, "{i}");
        }
    }
}

#[test]
fn distances_and_normals_are_right_on_every_solved_reference_pair() {
    let mut unresolved = 0;
    for (i, pair) in references().enumerate() {
        let answer = solve(&CommonNormal::RELATIVE, pair.a, pair.b, Goal::Distance);
        if let Verdict::Solved(contact) = answer.verdict {
            assert!(
                (contact.gap - pair.distance).abs() < 1e-6,
                "{i}: {} is not {}",
                contact.gap,
                pair.distance
            );
            assert!(contact.normal.cross(pair.normal).length() < 1e-3, "{i}: {contact:?}");
        } else {
            println!("{i} {answer:?}");
            unresolved += 1;
        }
    }
    assert_eq!(unresolved, 0);
}

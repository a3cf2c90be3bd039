//! The independent answers against published ones and closed forms.

use std::fs;

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Sphere, Superellipsoid};
use gritstone_study::generate::classes;
use gritstone_study::truth::{TOLERANCE, bracket, precise};
use serde_json::Value;

/// A pair whose answer was computed elsewhere, with 60 digits.
struct Reference {
    a: (Superellipsoid, Pose<Space>),
    b: (Superellipsoid, Pose<Space>),
    distance: f64,
}

fn references() -> Vec<Reference> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/public_superellipsoid_pairs.jsonl");
    let text = fs::read_to_string(path).unwrap();
    let reference = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let distance = value["expected"]["distance"].as_f64().unwrap();
        Reference { a: placed(&value["a"]), b: placed(&value["b"]), distance }
    };
    text.lines().map(reference).collect()
}

fn placed(value: &Value) -> (Superellipsoid, Pose<Space>) {
    let numbers =
        |key: &str| value[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
    let (radii, exponents, quaternion) = (numbers("radii"), numbers("exponents"), numbers("quaternion"));
    let shape = Superellipsoid::new(DVec3::from_slice(&radii), [exponents[0], exponents[1]]).unwrap();
    let rotation = DQuat::from_xyzw(quaternion[1], quaternion[2], quaternion[3], quaternion[0]);
    // As it is given: whoever uses it normalises it with his own digits.
    (shape, Pose { position: DVec3::from_slice(&numbers("center")), rotation })
}

#[test]
fn brackets_hold_the_reference_distances() {
    let references = references();
    assert_eq!(references.len(), 1200);
    for (i, Reference { a, b, distance }) in references.iter().enumerate() {
        let truth = bracket(&a.0, &a.1, &b.0, &b.1, 1e-13);
        assert!(truth.upper.is_finite(), "pair {i} is not proven");
        assert!((truth.lower - distance).abs() < 1e-12, "pair {i}: {} is not {distance}", truth.lower);
    }
}

#[test]
fn double_precision_gives_the_reference_distances_to_their_last_digits() {
    for Reference { a, b, distance } in references().iter().step_by(17) {
        let found = precise(&a.0.into(), &a.1, &b.0.into(), &b.1).unwrap();
        let scale = a.0.size() + b.0.size();
        assert!(
            (found.distance - distance).abs() < 2.0 * f64::EPSILON * scale,
            "{found:?} is not {distance}"
        );
    }
}

#[test]
fn spheres_are_as_far_apart_as_their_centres_less_their_radii() {
    let (a, b) = (Sphere::new(0.7).unwrap(), Sphere::new(1.9).unwrap());
    for x in [3.0, 2.6, 2.5, 1.0, 0.01] {
        let offset = DVec3::new(0.6, -0.64, 0.48) * x;
        let truth = bracket(&a, &Pose::at(DVec3::ONE), &b, &Pose::at(DVec3::ONE + offset), TOLERANCE);
        assert!((truth.lower - (x - 2.6)).abs() < 2e-12, "{truth:?}");
        assert!(truth.upper.is_finite() || x < 0.1);
    }
}

#[test]
fn constructed_distances_are_never_above_the_truth() {
    for class in classes() {
        for index in 0..20 {
            let case = class.case(1, index);
            let truth = bracket(&case.a, &case.pose_a, &case.b, &case.pose_b, 1e-11);
            assert!(truth.upper.is_finite(), "{} {index} is not proven", class.name);
            let Some(built) = case.built else { continue };
            let slack = 1e-11 * case.a.size().max(case.b.size());
            assert!(truth.upper > built.distance - slack, "{} {index}", class.name);
            if built.distance >= 0.0 {
                assert!(
                    (truth.lower - built.distance).abs() < slack,
                    "{} {index}: {truth:?} {built:?}",
                    class.name
                );
            }
        }
    }
}

//! The independent answers against published ones and closed forms.

use glam::DVec3;
use gritstone_core::Pose;
use gritstone_shape::Support;
use gritstone_shape::space::Sphere;
use gritstone_study::generate::classes;
use gritstone_study::truth::{TOLERANCE, bracket, precise};
use gritstone_testkit::Scene;
use gritstone_testkit::reference::{DISTANCE_TOLERANCE, references};

#[test]
fn brackets_hold_the_reference_distances() {
    let references = references().unwrap();
    assert_eq!(references.len(), 1200);
    for reference in &references {
        let Scene { a, pose_a, b, pose_b } = &reference.scene;
        let truth = bracket(a, pose_a, b, pose_b, 1e-13);
        assert!(truth.upper.is_finite(), "{} is not proven", reference.id);
        let error = (truth.lower - reference.distance).abs();
        assert!(error < DISTANCE_TOLERANCE, "{}: {truth:?}", reference.id);
    }
}

#[test]
fn double_double_gives_the_reference_distances_to_their_last_digits() {
    for reference in references().unwrap().iter().step_by(17) {
        let Scene { a, pose_a, b, pose_b } = &reference.scene;
        let found = precise(a, pose_a, b, pose_b).unwrap();
        let error = (found.distance - reference.distance).abs();
        assert!(error < 2.0 * f64::EPSILON * (a.size() + b.size()), "{}: {found:?}", reference.id);
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
    // Mixed pairs hold half-spaces, which have no support function, and are measured by their own survey.
    for class in classes().into_iter().filter(|class| class.name != "mixed") {
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

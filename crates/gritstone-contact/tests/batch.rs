//! Batches in lanes against reference pairs that were solved elsewhere in high precision, against closed forms, and
//! against themselves on every instruction set.

use glam::{DQuat, DVec3};
use gritstone_contact::space::batch::{
    BatchScratch, Ellipsoids, Grains, PairList, Settings, Superellipsoids, solve, solve_on,
};
use gritstone_contact::{Answer, Goal, Verdict};
use gritstone_core::lanes::Backend;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Ellipsoid, Superellipsoid};
use serde_json::Value;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");

const CERTIFY: Settings = Settings { goal: Goal::Distance, certify: true };

struct Reference {
    interval: u64,
    distance: f64,
    normal: DVec3,
    points: [DVec3; 2],
    /// How much input rounding of 1e-15 moves the normal and the points.
    normal_error: f64,
    point_error: f64,
}

fn vector(value: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| value[i].as_f64().unwrap()))
}

fn placed(body: &Value) -> (Superellipsoid, Pose<Space>) {
    let exponents = [0, 1].map(|i| body["exponents"][i].as_f64().unwrap());
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| body["quaternion"][i].as_f64().unwrap());
    let shape = Superellipsoid::new(vector(&body["radii"]), exponents).unwrap();
    (shape, Pose::new(vector(&body["center"]), DQuat::from_xyzw(x, y, z, w)))
}

/// Every reference pair as a batch; with `interval`, only those of it, and as ellipsoids.
fn references<G>(
    interval: Option<u64>,
    mut push: impl FnMut(&mut G, &Superellipsoid, &Pose<Space>),
) -> (G, PairList, Vec<Reference>)
where
    G: Grains + Default,
{
    let (mut grains, mut pairs, mut references) = (G::default(), PairList::default(), Vec::new());
    for line in PAIRS.lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        if interval.is_some_and(|i| pair["interval"].as_u64() != Some(i)) {
            continue;
        }
        let number = 2 * references.len() as u32;
        for body in ["a", "b"] {
            let (shape, pose) = placed(&pair[body]);
            push(&mut grains, &shape, &pose);
        }
        pairs.a.push(number);
        pairs.b.push(number + 1);
        let expected = &pair["expected"];
        let sensitivity = |name: &str| 1e-12 + 1e-15 * pair["meta"][name].as_f64().unwrap();
        references.push(Reference {
            interval: pair["interval"].as_u64().unwrap(),
            distance: expected["distance"].as_f64().unwrap(),
            normal: vector(&expected["normal"]),
            points: [vector(&expected["point_a"]), vector(&expected["point_b"])],
            normal_error: sensitivity("normal_sensitivity"),
            point_error: sensitivity("point_rotation_sensitivity"),
        });
    }
    (grains, pairs, references)
}

fn superellipsoids() -> (Superellipsoids, PairList, Vec<Reference>) {
    references(None, |grains: &mut Superellipsoids, shape, pose| grains.push(shape, pose))
}

fn ellipsoids() -> (Ellipsoids, PairList, Vec<Reference>) {
    references(Some(1), |grains: &mut Ellipsoids, shape, pose| {
        grains.push(&Ellipsoid::new(shape.radii()).unwrap(), pose);
    })
}

fn answers<G: Grains>(grains: &G, pairs: &PairList, settings: Settings) -> (Vec<Answer<Space>>, usize) {
    let (mut scratch, mut answers) = (BatchScratch::default(), Vec::new());
    solve(grains, pairs, settings, &mut scratch, &mut answers);
    (answers, scratch.handed_over())
}

fn check(references: &[Reference], answers: &[Answer<Space>]) {
    for (i, (reference, answer)) in references.iter().zip(answers).enumerate() {
        let Verdict::Solved(contact) = answer.verdict else { panic!("pair {i}: {answer:?}") };
        assert!((contact.gap - reference.distance).abs() < 1e-12, "pair {i}: {}", contact.gap);
        let turn = (contact.normal - reference.normal).length();
        assert!(turn < reference.normal_error, "pair {i}: normal off by {turn:e}");
        for (point, expected) in [contact.point_a, contact.point_b].iter().zip(reference.points) {
            let away = (point - expected).length();
            assert!(away < reference.point_error, "pair {i}: point off by {away:e}");
        }
        assert!(answer.lower <= reference.distance + 1e-12 && answer.upper >= reference.distance - 1e-12);
    }
}

#[test]
fn superellipsoids_agree_with_high_precision_and_are_certified() {
    let (grains, pairs, references) = superellipsoids();
    let (answers, handed_over) = answers(&grains, &pairs, CERTIFY);
    check(&references, &answers);
    assert!(answers.iter().all(Answer::certified));
    assert!(handed_over <= references.len() / 50, "{handed_over} pairs were left to the scalar code");
}

#[test]
fn ellipsoids_agree_with_high_precision_and_are_certified() {
    let (grains, pairs, references) = ellipsoids();
    let (answers, handed_over) = answers(&grains, &pairs, CERTIFY);
    check(&references, &answers);
    assert!(answers.iter().all(Answer::certified));
    assert_eq!(handed_over, 0);
}

#[test]
fn without_proof_of_overlaps_the_answers_are_the_same() {
    let (grains, pairs, references) = superellipsoids();
    let (answers, handed_over) = answers(&grains, &pairs, Settings::default());
    check(&references, &answers);
    assert_eq!(handed_over, 0);
    assert!(answers.iter().zip(&references).all(|(answer, r)| r.distance < 0.0 || answer.certified()));
}

#[test]
fn detection_stops_at_a_separating_plane() {
    let (grains, pairs, references) = superellipsoids();
    let detect = Settings { goal: Goal::Detect, ..Settings::default() };
    let mut iterations = [0; 2];
    for (answer, reference) in answers(&grains, &pairs, detect).0.iter().zip(&references) {
        match answer.verdict {
            Verdict::Apart { at_least, along } => {
                assert!(at_least > 0.0 && at_least <= reference.distance + 1e-12);
                assert!((along.length() - 1.0).abs() < 1e-14);
                iterations[0] += answer.iterations;
            }
            Verdict::Solved(contact) => {
                assert!((contact.gap - reference.distance).abs() < 1e-12);
                assert!(reference.distance <= 0.0);
                iterations[1] += answer.iterations;
            }
            Verdict::Unresolved { .. } => panic!("{answer:?}"),
        }
    }
    assert!(iterations[0] < iterations[1] / 4);
}

/// All numbers of an answer, bit by bit.
fn bits(answer: &Answer<Space>) -> [u64; 16] {
    let contact = answer.contact().unwrap();
    let vectors = [contact.point_a, contact.point_b, contact.normal].map(|v| v.to_array());
    let mut bits = [0; 16];
    let numbers = vectors.into_iter().flatten().chain(contact.curvature);
    let numbers = numbers.chain([contact.gap, answer.lower, answer.upper, answer.tolerance]);
    for (bits, number) in bits.iter_mut().zip(numbers) {
        *bits = number.to_bits();
    }
    bits[15] = u64::from(answer.iterations) << 32 | u64::from(answer.evaluations);
    bits
}

fn all_backends_agree<G: Grains>(grains: &G, pairs: &PairList) {
    let expected: Vec<_> = answers(grains, pairs, CERTIFY).0.iter().map(bits).collect();
    for backend in Backend::available() {
        let (mut scratch, mut answers) = (BatchScratch::default(), Vec::new());
        solve_on(backend, grains, pairs, CERTIFY, &mut scratch, &mut answers);
        assert!(answers.iter().map(bits).eq(expected.iter().copied()), "{}", backend.name());
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let (grains, pairs, _) = superellipsoids();
    all_backends_agree(&grains, &pairs);
    let (grains, pairs, _) = ellipsoids();
    all_backends_agree(&grains, &pairs);
}

#[test]
fn an_answer_does_not_depend_on_the_rest_of_the_batch() {
    let (grains, pairs, _) = superellipsoids();
    let together: Vec<_> = answers(&grains, &pairs, CERTIFY).0.iter().map(bits).collect();
    // Every third pair, last one first; and single pairs.
    let order: Vec<usize> = (0..pairs.len()).rev().step_by(3).collect();
    let few = PairList {
        a: order.iter().map(|&i| pairs.a[i]).collect(),
        b: order.iter().map(|&i| pairs.b[i]).collect(),
        start: Vec::new(),
    };
    for (answer, &i) in answers(&grains, &few, CERTIFY).0.iter().zip(&order) {
        assert_eq!(bits(answer), together[i], "pair {i}");
    }
    for i in [0, 500, 1100] {
        let one = PairList { a: vec![pairs.a[i]], b: vec![pairs.b[i]], start: Vec::new() };
        assert_eq!(bits(&answers(&grains, &one, CERTIFY).0[0]), together[i]);
    }
}

#[test]
fn a_good_start_saves_iterations() {
    let (grains, mut pairs, references) = superellipsoids();
    let cold = answers(&grains, &pairs, CERTIFY).0;
    pairs.start = references.iter().map(|reference| reference.normal).collect();
    let (warm, _) = answers(&grains, &pairs, CERTIFY);
    check(&references, &warm);
    let total = |answers: &[Answer<Space>]| answers.iter().map(|answer| answer.iterations).sum::<u32>();
    assert!(total(&warm) * 3 < total(&cold), "{} against {}", total(&warm), total(&cold));
    assert!(references.iter().any(|r| r.interval == 3));
}

#[test]
fn spheres_and_boxes_have_their_closed_forms() {
    let sphere = |radius| Superellipsoid::new(DVec3::splat(radius), [1.0; 2]).unwrap();
    let cube = Superellipsoid::new(DVec3::ONE, [0.1; 2]).unwrap();
    let mut grains = Superellipsoids::default();
    let mut pairs = PairList::default();
    let mut expected = Vec::new();
    // Flat faces on each other are left to the scalar code.
    for (a, b, offset, distance) in [
        (sphere(1.0), sphere(2.0), DVec3::new(0.0, 2.0, 3.0), 13.0_f64.sqrt() - 3.0),
        (sphere(1.0), sphere(0.5), DVec3::new(1.4, 0.0, 0.0), -0.1),
        (cube, cube, DVec3::new(0.0, 0.0, 2.0 + 1e-3), 1e-3),
        (cube, cube, DVec3::new(0.3, 0.2, 2.0 - 1e-3), -1e-3),
        (cube, sphere(1.0), DVec3::new(2.25, 0.0, 0.0), 0.25),
    ] {
        pairs.a.push(grains.len() as u32);
        grains.push(&a, &Pose::at(DVec3::new(5.0, 6.0, 7.0)));
        pairs.b.push(grains.len() as u32);
        grains.push(&b, &Pose::at(DVec3::new(5.0, 6.0, 7.0) + offset));
        expected.push(distance);
    }
    for (answer, expected) in answers(&grains, &pairs, CERTIFY).0.iter().zip(expected) {
        assert!(answer.certified());
        assert!((answer.distance() - expected).abs() < 1e-9, "{} is not {expected}", answer.distance());
    }
}

#[test]
fn coincident_centres_and_moved_grains_are_solved() {
    let shape = Superellipsoid::new(DVec3::new(1.0, 2.0, 3.0), [0.9, 0.7]).unwrap();
    let mut grains = Superellipsoids::default();
    grains.push(&shape, &Pose::at(DVec3::ZERO));
    grains.push(&shape, &Pose::at(DVec3::ZERO));
    let pairs = PairList { a: vec![0], b: vec![1], start: Vec::new() };
    // A body of central symmetry separates from its twin by twice its least support value; this one holds an ellipsoid.
    let (twins, _) = answers(&grains, &pairs, CERTIFY);
    assert!(twins[0].certified() && (twins[0].distance() + 2.0).abs() < 1e-9, "{:?}", twins[0]);
    grains.place(1, &Pose::at(DVec3::new(2.5, 0.0, 0.0)));
    let (apart, _) = answers(&grains, &pairs, CERTIFY);
    assert!(apart[0].certified() && (apart[0].distance() - 0.5).abs() < 1e-12);
    assert!(!grains.is_empty() && answers(&grains, &PairList::default(), CERTIFY).0.is_empty());
}

//! The narrow phase in lanes against reference pairs that were solved elsewhere in high precision, against the general
//! method, and against itself on every instruction set.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Method, Placed, Scratch, lanes};
use gritstone_contact::{Answer, Query, Verdict};
use gritstone_core::lanes::Backend;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Solid, Sphere, Superellipsoid};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;

const PAIRS: &str = include_str!("../../../../tests/data/public_superellipsoid_pairs.jsonl");

type Bodies = Vec<[(Solid, Pose<Space>); 2]>;

struct Reference {
    /// Of the exponents: 1 for ellipsoids, 2 for exponents below one, 3 for any.
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

fn placed(body: &Value) -> (Solid, Pose<Space>) {
    let exponents = [0, 1].map(|i| body["exponents"][i].as_f64().unwrap());
    let [w, x, y, z] = [0, 1, 2, 3].map(|i| body["quaternion"][i].as_f64().unwrap());
    let radii = vector(&body["radii"]);
    let shape = if exponents == [1.0; 2] {
        Ellipsoid::new(radii).unwrap().into()
    } else {
        Superellipsoid::new(radii, exponents).unwrap().into()
    };
    (shape, Pose::new(vector(&body["center"]), DQuat::from_xyzw(x, y, z, w)))
}

fn references() -> (Bodies, Vec<Reference>) {
    let read = |line: &str| {
        let pair: Value = serde_json::from_str(line).unwrap();
        let expected = &pair["expected"];
        let sensitivity = |name: &str| 1e-11 + 1e-15 * pair["meta"][name].as_f64().unwrap();
        let reference = Reference {
            interval: pair["interval"].as_u64().unwrap(),
            distance: expected["distance"].as_f64().unwrap(),
            normal: vector(&expected["normal"]),
            points: [vector(&expected["point_a"]), vector(&expected["point_b"])],
            normal_error: sensitivity("normal_sensitivity"),
            point_error: sensitivity("point_rotation_sensitivity"),
        };
        ([placed(&pair["a"]), placed(&pair["b"])], reference)
    };
    PAIRS.lines().map(read).unzip()
}

fn pairs(bodies: &Bodies) -> Vec<[Placed<'_>; 2]> {
    bodies
        .iter()
        .map(|[a, b]| [Placed { shape: &a.0, pose: a.1 }, Placed { shape: &b.0, pose: b.1 }])
        .collect()
}

fn in_lanes(backend: Backend, pairs: &[[Placed<'_>; 2]]) -> Vec<Option<Answer<Space>>> {
    let mut answers = vec![None; pairs.len()];
    lanes::solve(backend, pairs, &mut answers);
    answers
}

fn all(pairs: &[[Placed<'_>; 2]]) -> Vec<Answer<Space>> {
    let mut answers = Vec::new();
    Auto.solve_all(pairs, Query::default(), &mut Scratch::default(), &mut answers);
    answers.into_iter().map(Result::unwrap).collect()
}

#[test]
fn answers_agree_with_high_precision_and_are_certified() {
    let (bodies, references) = references();
    let pairs = pairs(&bodies);
    for (i, (reference, answer)) in references.iter().zip(all(&pairs)).enumerate() {
        let Verdict::Solved(contact) = answer.verdict else { panic!("pair {i}: {answer:?}") };
        assert!(answer.certified(), "pair {i}: {answer:?}");
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
fn most_pairs_are_solved_in_lanes() {
    let (bodies, references) = references();
    let answers = in_lanes(Backend::best(), &pairs(&bodies));
    for (interval, least) in [(1, 0.97), (2, 0.9), (3, 0.8)] {
        let of_interval = references.iter().zip(&answers).filter(|(r, _)| r.interval == interval);
        let (solved, all) = of_interval
            .fold((0, 0), |(solved, all), (_, answer)| (solved + u32::from(answer.is_some()), all + 1));
        let share = f64::from(solved) / f64::from(all);
        assert!(share >= least, "interval {interval}: {share}");
    }
}

/// All numbers of an answer, bit by bit.
fn bits(answer: &Answer<Space>) -> Vec<u64> {
    let contact = answer.contact().unwrap();
    let vectors = [contact.point_a, contact.point_b, contact.normal].map(|v| v.to_array());
    let numbers = vectors.into_iter().flatten().chain(contact.curvature);
    let numbers = numbers.chain([contact.gap, answer.lower, answer.upper, answer.tolerance]);
    let counts = [answer.iterations, answer.evaluations].map(u64::from);
    numbers.map(f64::to_bits).chain(counts).collect()
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let (mut bodies, _) = references();
    bodies.extend(random_pairs());
    let pairs = pairs(&bodies);
    let bits = |backend| -> Vec<_> {
        in_lanes(backend, &pairs).iter().map(|answer| answer.as_ref().map(bits)).collect()
    };
    let expected = bits(Backend::best());
    for backend in Backend::available() {
        assert!(bits(backend) == expected, "{}", backend.name());
    }
}

#[test]
fn an_answer_does_not_depend_on_the_other_pairs() {
    let (bodies, _) = references();
    let pairs = pairs(&bodies);
    let together = in_lanes(Backend::best(), &pairs);
    let order: Vec<usize> = (0..pairs.len()).rev().step_by(3).collect();
    let some: Vec<_> = order.iter().map(|&i| pairs[i]).collect();
    for (answer, &i) in in_lanes(Backend::best(), &some).iter().zip(&order) {
        assert_eq!(answer.as_ref().map(bits), together[i].as_ref().map(bits), "pair {i}");
    }
    for i in [0, 500, 1100] {
        let one = in_lanes(Backend::best(), &pairs[i..=i]);
        assert_eq!(one[0].as_ref().map(bits), together[i].as_ref().map(bits));
    }
}

/// Shapes of every class at random places near each other, half-spaces on either side.
fn random_pairs() -> Bodies {
    let mut random = Pcg64::seed_from_u64(5);
    let shapes: [Solid; 6] = [
        Sphere::new(0.7).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.5, 0.8, 1.1)).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.6, 0.8, 1.0), [0.5; 2]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.9, 0.8, 0.7), [0.8, 0.6]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.9, 0.8, 0.7), [1.2, 0.7]).unwrap().into(),
        HalfSpace::new(DVec3::new(0.0, 0.6, 0.8), -1.0).unwrap().into(),
    ];
    let mut body = |shape: usize| {
        let mut number = || random.random_range(-1.0..1.0);
        let position = DVec3::new(number(), number(), number()) * 1.2;
        let turn = DQuat::from_xyzw(number(), number(), number(), number()).normalize();
        (shapes[shape].clone(), Pose::new(position, turn))
    };
    let kinds = (0..6).flat_map(|i| (0..6).map(move |j| [i, j])).filter(|kinds| *kinds != [5, 5]);
    kinds.flat_map(|kinds| std::iter::repeat_n(kinds, 20)).map(|kinds| kinds.map(&mut body)).collect()
}

#[test]
fn answers_agree_with_the_general_method() {
    let bodies = random_pairs();
    let (pairs, mut scratch) = (pairs(&bodies), Scratch::default());
    let mut solved = 0;
    for (i, (&[a, b], answer)) in pairs.iter().zip(in_lanes(Backend::best(), &pairs)).enumerate() {
        let Some(answer) = answer else { continue };
        solved += 1;
        let alone = Auto.solve(a, b, Query::default(), &mut scratch).unwrap();
        assert!(answer.certified() && alone.certified(), "pair {i}");
        assert!((answer.distance() - alone.distance()).abs() <= alone.tolerance, "pair {i}");
        let [found, expected] = [answer, alone].map(|answer| *answer.contact().unwrap());
        let rest = found.point_b - found.point_a - found.normal * found.gap;
        assert!(rest.length() < 1e-14 && (found.normal.length() - 1.0).abs() < 1e-14, "pair {i}: {rest}");
        assert!(found.normal.distance(expected.normal) < 1e-8, "pair {i}: {found:?} {expected:?}");
        assert!(found.point_a.distance(expected.point_a) < 1e-7, "pair {i}: {found:?} {expected:?}");
        for (k, expected_k) in found.curvature.into_iter().zip(expected.curvature) {
            assert!((k - expected_k).abs() <= 1e-6 * (1.0 + expected_k.abs()), "pair {i}: {k} {expected_k}");
        }
    }
    assert!(solved * 10 > pairs.len() * 8, "{solved} of {}", pairs.len());
}

#[test]
fn coincident_centres_have_an_answer() {
    let shape: Solid = Superellipsoid::new(DVec3::new(1.0, 2.0, 3.0), [0.9, 0.7]).unwrap().into();
    let at = Placed { shape: &shape, pose: Pose::at(DVec3::new(5.0, 6.0, 7.0)) };
    // A body of central symmetry separates from its twin by twice its least support value.
    let twins = &all(&[[at; 2]])[0];
    assert!(twins.certified() && (twins.distance() + 2.0).abs() < 1e-9, "{twins:?}");
    let sphere: Solid = Sphere::new(1.0).unwrap().into();
    let at = Placed { shape: &sphere, ..at };
    assert_eq!(all(&[[at; 2]])[0].distance(), -2.0);
    assert!(all(&[]).is_empty());
}

//! Contacts followed by one evaluation against full solves, after random rigid moves of the reference overlaps.

use glam::{DQuat, DVec3};
use gritstone_contact::space::batch::{self, BatchScratch, Ellipsoids, Grains, PairList, Superellipsoids};
use gritstone_contact::space::{Followed, Memory, Pair, Scratch, certify, follow};
use gritstone_contact::{Query, Verdict};
use gritstone_core::lanes::Backend;
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Ellipsoid, Superellipsoid};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde_json::Value;

const PAIRS: &str = include_str!("../../../tests/data/public_superellipsoid_pairs.jsonl");
/// Moves of each pair.
const MOVES: usize = 20;
/// Length of a move as a fraction of the smaller size, and its angle (rad).
const STEP: f64 = 1e-3;
const TOLERANCE: f64 = 1e-9;

struct Moved {
    a: (Superellipsoid, Pose<Space>),
    b: (Superellipsoid, Pose<Space>),
    /// Where it was before the move.
    direction: DVec3,
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

fn direction(random: &mut Pcg64) -> DVec3 {
    loop {
        let x = DVec3::from_array([0; 3].map(|_| random.random_range(-1.0..1.0)));
        if (1e-3..1.0).contains(&x.length_squared()) {
            return x.normalize();
        }
    }
}

/// Overlaps of one interval, both bodies moved.
fn moved(interval: u64) -> Vec<Moved> {
    let mut random = Pcg64::seed_from_u64(interval);
    let pairs = PAIRS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let overlaps = pairs.filter(|pair| {
        pair["interval"].as_u64() == Some(interval) && pair["expected"]["distance"].as_f64().unwrap() < 0.0
    });
    overlaps
        .flat_map(|pair| std::iter::repeat_n(pair, MOVES))
        .map(|pair| {
            let [(a, pose_a), (b, pose_b)] = ["a", "b"].map(|body| placed(&pair[body]));
            let step = STEP * a.size().min(b.size());
            let mut moved = |pose: Pose<Space>| {
                let turn = DQuat::from_axis_angle(direction(&mut random), STEP);
                Pose::<Space>::new(pose.position + direction(&mut random) * step, turn * pose.rotation)
            };
            let (a, b) = ((a, moved(pose_a)), (b, moved(pose_b)));
            Moved { a, b, direction: vector(&pair["expected"]["normal"]) }
        })
        .collect()
}

impl Moved {
    fn size(&self) -> f64 {
        self.a.0.size().min(self.b.0.size())
    }

    /// The certified answer.
    fn truth(&self, scratch: &mut Scratch) -> Contact<Space> {
        let pair = Pair::new(&self.a.0, &self.a.1, &self.b.0, &self.b.1);
        let answer = certify(&pair, Query::default(), &mut Memory::default(), scratch);
        assert!(answer.certified());
        let Verdict::Solved(contact) = answer.verdict else { panic!("{answer:?}") };
        contact
    }
}

/// Checks followed contacts against certified ones, and how many evaluations they took.
fn check(moved: &[Moved], followed: &[Followed], most_evaluations: f64) {
    let mut scratch = Scratch::default();
    let (mut evaluations, mut inexact) = (0, 0);
    for (moved, followed) in moved.iter().zip(followed) {
        let (truth, size) = (moved.truth(&mut scratch), moved.size());
        let contact = &followed.contact;
        inexact += u32::from((contact.gap - truth.gap).abs() > 1e-9 * size);
        assert!((contact.gap - truth.gap).abs() < 1e-8 * size, "{} is not {}", contact.gap, truth.gap);
        assert!((contact.normal - truth.normal).length() < 1e-3);
        assert!((contact.point_a - truth.point_a).length() < 1e-4 * size);
        assert!((contact.point_b - truth.point_b).length() < 1e-4 * size);
        assert!(followed.error.is_finite() && (contact.normal.length() - 1.0).abs() < 1e-14);
        evaluations += followed.evaluations;
    }
    let count = moved.len() as f64;
    assert!(
        f64::from(inexact) <= 1e-3 * count,
        "{inexact} of {count} gaps are off by more than 1e-9 of the size"
    );
    let mean = f64::from(evaluations) / count;
    assert!(mean < most_evaluations, "{mean} evaluations");
}

fn list(moved: &[Moved]) -> PairList {
    let numbers = 0..moved.len() as u32;
    PairList {
        a: numbers.clone().map(|i| 2 * i).collect(),
        b: numbers.map(|i| 2 * i + 1).collect(),
        start: moved.iter().map(|moved| moved.direction).collect(),
    }
}

fn in_lanes<G: Grains>(backend: Backend, grains: &G, pairs: &PairList) -> Vec<Followed> {
    let (mut scratch, mut followed) = (BatchScratch::default(), Vec::new());
    batch::follow_on(backend, grains, pairs, TOLERANCE, &mut scratch, &mut followed);
    followed
}

fn superellipsoids(moved: &[Moved]) -> Superellipsoids {
    let mut grains = Superellipsoids::default();
    for (shape, pose) in moved.iter().flat_map(|moved| [&moved.a, &moved.b]) {
        grains.push(shape, pose);
    }
    grains
}

#[test]
fn scalar_follow_is_exact_enough_after_moves_of_a_thousandth() {
    for (interval, most_evaluations) in [(1, 1.05), (2, 1.1), (3, 1.3)] {
        let moved = moved(interval);
        let followed: Vec<_> = moved
            .iter()
            .map(|Moved { a, b, direction }| {
                follow(&Pair::new(&a.0, &a.1, &b.0, &b.1), *direction, TOLERANCE)
            })
            .collect();
        check(&moved, &followed, most_evaluations);
    }
}

#[test]
fn lanes_follow_alike() {
    for (interval, most_evaluations) in [(1, 1.05), (3, 1.3)] {
        let moved = moved(interval);
        let followed = in_lanes(Backend::best(), &superellipsoids(&moved), &list(&moved));
        check(&moved, &followed, most_evaluations);
    }
}

#[test]
fn ellipsoids_follow_alike() {
    let moved = moved(1);
    let mut grains = Ellipsoids::default();
    for (shape, pose) in moved.iter().flat_map(|moved| [&moved.a, &moved.b]) {
        grains.push(&Ellipsoid::new(shape.radii()).unwrap(), pose);
    }
    let followed = in_lanes(Backend::best(), &grains, &list(&moved));
    check(&moved, &followed, 1.05);
    for backend in Backend::available() {
        assert_eq!(in_lanes(backend, &grains, &list(&moved)), followed, "{}", backend.name());
    }
}

#[test]
fn every_instruction_set_follows_to_the_same_bits() {
    let moved = moved(3);
    let grains = superellipsoids(&moved);
    let expected = in_lanes(Backend::best(), &grains, &list(&moved));
    for backend in Backend::available() {
        // All numbers of a followed contact are numbers, so equality is equality of bits, but for zeros.
        assert_eq!(in_lanes(backend, &grains, &list(&moved)), expected, "{}", backend.name());
    }
}

//! `lower ≤ distance ≤ upper` in every answer: every method, every pair of shapes, distance and detection.

use std::time::{SystemTime, UNIX_EPOCH};

use gritstone_contact::{Goal, NarrowPhase, Placed, Query};
use gritstone_study::generate::{MIXED, classes};
use gritstone_testkit::reference::{
    ellipse_references, polygon_references, polyhedron_references, references,
};
use gritstone_testkit::{Plane, Scene, Space, World};

/// Asks every method, and returns how many answers there were.
fn check<D: NarrowPhase>(name: &str, a: Placed<'_, D>, b: Placed<'_, D>, scratch: &mut D::Scratch) -> u32 {
    let mut answers = 0;
    for method in D::methods() {
        for goal in [Goal::Distance, Goal::Detect] {
            let query = Query { goal, ..Query::default() };
            let Ok(answer) = method.solve(a, b, query, scratch) else { continue };
            let (lower, distance, upper) = (answer.lower, answer.distance(), answer.upper);
            let word = method.card().name;
            assert!(lower <= distance, "{name}, {word}, {goal:?}: {lower:?} > {distance:?}\n{a:?}\n{b:?}");
            assert!(distance <= upper, "{name}, {word}, {goal:?}: {distance:?} > {upper:?}\n{a:?}\n{b:?}");
            answers += 1;
        }
    }
    answers
}

fn check_scene<D: World>(name: &str, scene: &Scene<D>, scratch: &mut D::Scratch) -> u32 {
    let a = Placed { shape: &scene.a, pose: scene.pose_a };
    let b = Placed { shape: &scene.b, pose: scene.pose_b };
    check(name, a, b, scratch) + check(name, b, a, scratch)
}

#[test]
fn of_reference_pairs() {
    let scratch = &mut <Space as NarrowPhase>::Scratch::default();
    let mut answers = 0;
    for pair in references().unwrap() {
        answers += check_scene(&pair.id, &pair.scene, scratch);
    }
    for pair in polyhedron_references().unwrap() {
        answers += check_scene(&pair.id, &pair.scene, scratch);
    }
    let scratch = &mut <Plane as NarrowPhase>::Scratch::default();
    for pair in polygon_references().unwrap().into_iter().chain(ellipse_references().unwrap()) {
        answers += check_scene(&pair.id, &pair.scene, scratch);
    }
    println!("{answers} answers");
    assert!(answers > 10_000);
}

/// Every class of generated pairs, one of which has every shape against every other, from a seed that is new in each run.
#[test]
fn of_random_pairs() {
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("seed {seed}");
    let mut answers = 0;
    let scratch = &mut <Space as NarrowPhase>::Scratch::default();
    for class in classes() {
        for index in 0..if class.name == "mixed" { 1000 } else { 25 } {
            let case = class.case(seed, index);
            let name = format!("{}, seed {seed}, pair {index}", class.name);
            answers += check(&name, case.placed_a(), case.placed_b(), scratch);
        }
    }
    let scratch = &mut <Plane as NarrowPhase>::Scratch::default();
    for class in MIXED {
        for index in 0..200 {
            let case = class.case(seed, index);
            let name = format!("{}, seed {seed}, pair {index}", class.name);
            answers += check(&name, case.placed_a(), case.placed_b(), scratch);
        }
    }
    println!("{answers} answers");
    assert!(answers > 10_000);
}

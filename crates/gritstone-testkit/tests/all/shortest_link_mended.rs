//! `shortest-link-mended` has the properties that are asked of it: right and proven, cold and followed through time.

use glam::{DQuat, DVec3};
use gritstone_contact::polytopes::Polytopes;
use gritstone_contact::shortest_link_mended::MendedTrace;
use gritstone_contact::{Answer, Placed, Query, ShortestLinkMended};
use gritstone_core::{Pose, Vector};
use gritstone_testkit::reference::{polygon_references, polyhedron_references};
use gritstone_testkit::{Plane, Scene, Space, Tier, World, runner, scene};
use proptest::collection::vec;
use proptest::prelude::*;

mod plane {
    gritstone_testkit::conformance!(polytopes: Plane, "shortest-link-mended", gritstone_testkit::Tier::POLYTOPES);
}

mod space {
    gritstone_testkit::conformance!(polytopes: Space, "shortest-link-mended", gritstone_testkit::Tier::POLYTOPES);
}

fn solve<D: World + Polytopes>(scene: &Scene<D>, memory: &mut MendedTrace<D>) -> Answer<D> {
    let a = Placed { shape: &scene.a, pose: scene.pose_a };
    let b = Placed { shape: &scene.b, pose: scene.pose_b };
    let scratch = &mut D::Scratch::default();
    ShortestLinkMended.solve_warm(a, b, Query::default(), memory, scratch).unwrap()
}

fn check<D: World + Polytopes>(id: &str, scene: &Scene<D>, distance: f64, normal: D::Vec, parallel: bool) {
    // Cold, and from its own answer.
    let mut memory = MendedTrace::default();
    for _ in 0..2 {
        let answer = solve(scene, &mut memory);
        assert!(answer.certified(), "{id}: {answer:?}");
        let contact = answer.contact().unwrap();
        let allowed = 1e-13 + 1e-9 * distance.abs();
        assert!((contact.gap - distance).abs() <= allowed, "{id}: {contact:?}");
        assert!(scene.g(contact.normal) >= distance - allowed - 1e-14 * scene.size(), "{id}: {contact:?}");
        // Between vertices the normal is as exact as their distance.
        let turn = 1e-11 + 1e-15 / distance.abs();
        assert!(parallel || (contact.normal - normal).length() <= turn, "{id}: {contact:?}");
    }
}

#[test]
fn polygons_have_their_reference_answers() {
    for pair in polygon_references().unwrap() {
        check(&pair.id, &pair.scene, pair.distance, pair.normal, pair.kind.contains("parallel"));
    }
}

#[test]
fn polyhedra_have_their_reference_answers() {
    for pair in polyhedron_references().unwrap() {
        check(&pair.id, &pair.scene, pair.distance, pair.normal, pair.kind.contains("parallel"));
    }
}

/// Bodies that move a little in every step, from apart to touching and back: always what the independent search finds.
fn follow<D: World + Polytopes>(turn: fn(D::Rotation, DVec3) -> D::Rotation) {
    let part = || (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from);
    let pace = prop::sample::select(vec![1e-5, 1e-3, 1e-2, 0.1]);
    let steps = (vec((part(), part()), 1..10), pace);
    runner()
        .run(&(scene::<D>(&Tier::POLYTOPES), steps), |(mut scene, (steps, pace))| {
            let mut memory = MendedTrace::default();
            for (shift, spin) in steps {
                let answer = solve(&scene, &mut memory);
                prop_assert!(answer.certified(), "{answer:?}");
                let (truth, gap) = (scene.truth().lower, answer.distance());
                let allowed = 1e-11 * scene.size() + scene.rounding();
                prop_assert!((gap - truth).abs() <= allowed, "{gap} is not {truth}: {answer:?}");
                let shift = D::Vec::from_fn(|i| shift[i]) * (pace * scene.size());
                let rotation = turn(scene.pose_b.rotation, spin * pace);
                scene.pose_b = Pose::new(scene.pose_b.position + shift, rotation);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn polygons_followed_through_time_are_right() {
    follow::<Plane>(|angle, spin| angle + spin.z);
}

#[test]
fn polyhedra_followed_through_time_are_right() {
    follow::<Space>(|rotation, spin| DQuat::from_scaled_axis(spin) * rotation);
}

/// A memory that belongs to another pair is no harm.
#[test]
fn foreign_memories_are_no_harm() {
    let (mut plane, mut space) = (MendedTrace::default(), MendedTrace::default());
    let right = |found: f64, known: f64| (found - known).abs() <= 1e-13 + 1e-9 * known.abs();
    for pair in polygon_references().unwrap() {
        assert!(right(solve(&pair.scene, &mut plane).distance(), pair.distance), "{}", pair.id);
    }
    for pair in polyhedron_references().unwrap() {
        assert!(right(solve(&pair.scene, &mut space).distance(), pair.distance), "{}", pair.id);
    }
}

/// A simulation that was stopped goes on from what it had stored.
#[test]
fn memories_can_be_stored() {
    for pair in polyhedron_references().unwrap().into_iter().step_by(20) {
        let mut memory = MendedTrace::default();
        solve(&pair.scene, &mut memory);
        let stored = serde_json::to_string(&memory).unwrap();
        let mut again: MendedTrace<Space> = serde_json::from_str(&stored).unwrap();
        assert_eq!(solve(&pair.scene, &mut again), solve(&pair.scene, &mut memory), "{}", pair.id);
    }
}

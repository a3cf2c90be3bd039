//! Contacts that are followed through time: the memory of the last step must never make an answer wrong.

use glam::{DQuat, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Placed, Scratch};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_study::generate::class;

/// A small motion that differs from pair to pair and step to step: turned and shifted by about `amount` of `size`.
fn nudge(pose: &Pose<Space>, amount: f64, size: f64, index: u64, step: u32) -> Pose<Space> {
    let phase = index as f64 * 0.618 + f64::from(step) * 1.3;
    let along = DVec3::new(phase.sin(), (1.7 * phase).cos(), (2.3 * phase).sin()).normalize();
    let turn = DQuat::from_axis_angle(DVec3::new((3.1 * phase).cos(), along.x, along.y).normalize(), amount);
    Pose::new(pose.position + along * (amount * size), turn * pose.rotation)
}

/// Follows overlaps of one class; returns the mean number of evaluations per warm step.
fn follow(name: &str, amount: f64, pairs: u64) -> f64 {
    let class = class(name).unwrap();
    let (mut warm, mut cold) = (Scratch::default(), Scratch::default());
    let query = Query { slack: 1e-3, ..Query::default() };
    let (mut evaluations, mut steps) = (0, 0);
    for index in 0..pairs {
        let case = class.case(11, index);
        let size = case.a.size().min(case.b.size());
        let mut memory = Memory::default();
        let mut pose_b = case.pose_b;
        for step in 0..6 {
            let a = Placed { shape: &case.a, pose: case.pose_a };
            let b = Placed { shape: &case.b, pose: pose_b };
            let followed = Auto.solve_warm(a, b, query, &mut memory, &mut warm).unwrap();
            let fresh = Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut cold).unwrap();
            assert!(followed.certified() && fresh.certified(), "{name} {index} {step}");
            let error = (followed.distance() - fresh.distance()).abs();
            let allowed = followed.tolerance + fresh.tolerance;
            assert!(error <= allowed, "{name} {index} {step}: {error:e} > {allowed:e}");
            let rounding = 1e-14 * case.a.size().max(case.b.size());
            let crossed = (followed.lower - fresh.upper).max(fresh.lower - followed.upper);
            assert!(crossed <= rounding, "{name} {index} {step}: bounds cross by {crossed:e}");
            if step > 0 {
                evaluations += followed.evaluations;
                steps += 1;
            }
            pose_b = nudge(&pose_b, amount, size, index, step);
        }
    }
    f64::from(evaluations) / f64::from(steps)
}

#[test]
fn followed_contacts_agree_with_fresh_solves() {
    for name in ["iv3s2", "overlap-1", "overlap-5", "pointy", "boxy", "near-face"] {
        for amount in [1e-4, 1e-3, 1e-2] {
            follow(name, amount, 40);
        }
    }
}

/// Four ring points and one at the back, at least, make a certificate: fewer evaluations than that in the mean, Newton's
/// own included, show that the moved one is used.
#[test]
fn moved_certificates_are_used() {
    let evaluations = follow("iv3s2", 1e-4, 200);
    assert!(evaluations < 5.0, "{evaluations}");
}

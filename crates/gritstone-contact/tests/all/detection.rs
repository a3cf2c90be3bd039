//! Detection stops at a separating plane: what it proves is a lower bound.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory};
use gritstone_contact::{Goal, Placed, Query, Verdict};
use gritstone_core::Pose;
use gritstone_shape::space::{Polyhedron, Solid};

/// The signs of the corners of a cube.
fn cube() -> Solid {
    let signs = [-1.0, 1.0];
    let corners = signs.map(|x| signs.map(|y| signs.map(|z| DVec3::new(x, y, z))));
    Polyhedron::hull(corners.as_flattened().as_flattened()).unwrap().0.into()
}

#[test]
fn the_plane_between_two_cubes_is_the_lower_bound() {
    let cube = cube();
    for i in 1..200 {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.1) * f64::from(i));
        let away = turn * DVec3::Z * (3.6 + 0.01 * f64::from(i)); // farther than two circumscribed spheres
        let a = Placed { shape: &cube, pose: Pose::at(DVec3::ZERO) };
        let b = Placed { shape: &cube, pose: Pose::new(away, turn) };
        let ask = |goal| {
            let query = Query { goal, ..Query::default() };
            Auto.solve_warm(a, b, query, &mut Memory::default(), &mut Default::default()).unwrap()
        };
        let (detected, exact) = (ask(Goal::Detect), ask(Goal::Distance).distance());
        assert!(detected.lower > 0.0 && detected.upper >= exact * (1.0 - 1e-12), "{detected:?}, {exact}");
        if let Verdict::Apart { at_least, .. } = detected.verdict {
            assert!(detected.lower == at_least && at_least <= exact * (1.0 + 1e-12), "{detected:?}, {exact}");
        }
    }
}

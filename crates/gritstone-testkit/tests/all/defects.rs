//! Pairs that were answered wrongly once.

use gritstone_contact::Query;
use gritstone_contact::space::{self, Scratch};
use gritstone_study::{generate, truth};

/// Corners that touch exactly: without curvature, a Newton step beyond the last direction made gaps of any size.
#[test]
fn corners_that_touch_have_no_gap() {
    let (auto, class) = (space::method("auto").unwrap(), generate::class("aligned-touching").unwrap());
    let mut scratch = Scratch::default();
    for index in 0..4000 {
        let case = class.case(1, index);
        let answer = auto.solve(case.placed_a(), case.placed_b(), Query::default(), &mut scratch).unwrap();
        if answer.certified() {
            let truth = truth::bracket(&case.a, &case.pose_a, &case.b, &case.pose_b, truth::TOLERANCE);
            let error = (answer.distance() - truth.lower).abs();
            assert!(error <= 1e-9 * case.size(), "{index}: {answer:?} against {truth:?}");
        }
    }
}

//! Other ways to ask, and scenes without a centre line.

use gritstone_contact::{Goal, Method, Query, Verdict};
use gritstone_core::Pose;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::{Tier, World, scene};

/// Detection finds a separating plane when the bodies are apart, and the contact when they are not.
pub fn detection<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &scene::<D>(tier), |scene| {
        let answer = scene.ask(method, Query { goal: Goal::Detect, ..Query::default() })?;
        let (truth, slack) = (scene.truth(), judge::tolerance(&scene, tier));
        match answer.verdict {
            Verdict::Apart { at_least, along } => {
                prop_assert!(
                    at_least > 0.0 && at_least <= truth.upper + slack,
                    "{at_least} against {truth:?}"
                );
                prop_assert!(
                    (scene.g(along) - at_least).abs() <= slack,
                    "the plane does not leave {at_least}"
                );
            }
            Verdict::Solved(contact) => {
                prop_assert!((contact.gap - truth.lower).abs() <= slack, "{contact:?}");
            }
            Verdict::Unresolved { .. } if tier.may_give_up => return Err(TestCaseError::reject("gave up")),
            Verdict::Unresolved { .. } => return Err(TestCaseError::fail(format!("unresolved: {answer:?}"))),
        }
        Ok(())
    });
}

/// A proven answer does not depend on where the search begins.
pub fn start<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &(scene::<D>(tier), D::direction(tier)), |(scene, start)| {
        let answer = scene.ask(method, Query { start: Some(start), ..Query::default() })?;
        if tier.certified && !tier.may_give_up {
            prop_assert!(answer.certified(), "not certified: {answer:?}");
        }
        if answer.certified() {
            let truth = scene.truth().lower;
            let gap = answer.distance();
            prop_assert!((gap - truth).abs() <= judge::tolerance(&scene, tier), "gap {gap} is not {truth}");
        }
        Ok(())
    });
}

/// Where the centres coincide, or nearly, the answer may be unresolved, but its bounds hold.
pub fn coincident<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    let shift = prop::sample::select(vec![0.0, 1e-300, 1e-15, 1e-9, 1e-3]);
    check(runner, &(scene::<D>(tier), D::direction(tier), shift), |(mut scene, along, shift)| {
        let position = scene.pose_a.position + along * (shift * scene.size());
        scene.pose_b = Pose { position, ..scene.pose_b };
        let answer = scene.ask(method, Query::default())?;
        let (truth, slack) = (scene.truth(), judge::tolerance(&scene, tier));
        prop_assert!(
            answer.lower <= truth.upper + slack && answer.upper >= truth.lower - slack,
            "{answer:?}"
        );
        prop_assert!(answer.distance() <= truth.upper + slack, "{answer:?} against {truth:?}");
        if answer.certified() {
            prop_assert!(answer.distance() >= truth.lower - slack, "{answer:?} against {truth:?}");
        }
        Ok(())
    });
}

//! The answer itself: its bounds, its value, its points.

use gritstone_contact::{Method, Query};
use gritstone_core::{Linear, Pose, Vector};
use gritstone_shape::Support;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::{Tier, World, scene};

/// The bounds hold the truth and the gap, whatever the verdict.
pub fn bounds<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &scene::<D>(tier), |scene| {
        let answer = scene.ask(method, Query::default())?;
        let (truth, rounding) = (scene.truth(), scene.rounding());
        prop_assert!(answer.lower <= truth.upper + rounding, "{} is above {}", answer.lower, truth.upper);
        prop_assert!(answer.upper >= truth.lower - rounding, "{} is below {}", answer.upper, truth.lower);
        let gap = answer.distance();
        let slack = judge::tolerance(&scene, tier);
        prop_assert!(
            answer.lower <= gap + slack && gap <= answer.upper + slack,
            "gap outside bounds: {answer:?}"
        );
        Ok(())
    });
}

/// The gap is the signed distance.
pub fn truth<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &scene::<D>(tier), |scene| {
        let gap = scene.solve(method, tier)?.gap;
        let truth = scene.truth().lower;
        prop_assert!((gap - truth).abs() <= judge::tolerance(&scene, tier), "gap {gap} is not {truth}");
        Ok(())
    });
}

/// `point_b − point_a = gap · normal`, the normal has length one, and the points lie on the surfaces where these face
/// each other.
pub fn witness<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &scene::<D>(tier), |scene| {
        let contact = scene.solve(method, tier)?;
        let allowed = tier.witness * scene.size() + scene.rounding();
        prop_assert!((contact.normal.length() - 1.0).abs() < 1e-14, "normal {:?}", contact.normal);
        let closure = contact.point_b - contact.point_a - contact.normal * contact.gap;
        prop_assert!(closure.length() <= allowed, "points are off by {}", closure.length());
        on_surface::<D>(&scene.a, &scene.pose_a, contact.point_a, contact.normal, allowed)?;
        on_surface::<D>(&scene.b, &scene.pose_b, contact.point_b, -contact.normal, allowed)
    });
}

/// Checks that a point of the world lies in a body, and on its supporting plane with this outward normal.
fn on_surface<D: World>(
    shape: &D::Shape,
    pose: &Pose<D>,
    point: D::Vec,
    normal: D::Vec,
    allowed: f64,
) -> Result<(), TestCaseError> {
    let (x, n) = (pose.to_body(point), D::unrotate(pose.rotation, normal));
    let below = n.dot(shape.support(n) - x);
    prop_assert!(below.abs() <= allowed, "{below} below the surface of {shape:?}");
    D::check_on(shape, x, allowed)
}

/// All methods give the same answer as the first of them, each to the digits of `tier`.
pub fn agreement<D: World>(runner: &mut TestRunner, methods: &[&dyn Method<D>], tier: &Tier) {
    let [first, others @ ..] = methods else { return };
    check(runner, &scene::<D>(tier), |scene| {
        let known = scene.solve(*first, tier)?;
        for method in others {
            let found = scene.solve(*method, tier)?;
            judge::same(&scene, tier, &known, &found)?;
        }
        Ok(())
    });
}

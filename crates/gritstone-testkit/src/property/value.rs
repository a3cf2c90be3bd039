//! The answer itself: its bounds, its value, its points.

use gritstone_contact::Query;
use gritstone_contact::space::Method;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::Solid;
use gritstone_shape::{Body, Implicit, Support};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::{Tier, scene};

/// The bounds hold the truth and the gap, whatever the verdict.
pub fn bounds(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    check(runner, &scene(tier), |scene| {
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
pub fn truth(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    check(runner, &scene(tier), |scene| {
        let gap = scene.solve(method, tier)?.gap;
        let truth = scene.truth().lower;
        prop_assert!((gap - truth).abs() <= judge::tolerance(&scene, tier), "gap {gap} is not {truth}");
        Ok(())
    });
}

/// `point_b − point_a = gap · normal`, the normal has length one, and the points lie on the surfaces where these face
/// each other.
pub fn witness(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    check(runner, &scene(tier), |scene| {
        let contact = scene.solve(method, tier)?;
        let allowed = tier.witness * scene.size() + scene.rounding();
        prop_assert!((contact.normal.length() - 1.0).abs() < 1e-14, "normal {}", contact.normal);
        let closure = contact.point_b - contact.point_a - contact.gap * contact.normal;
        prop_assert!(closure.length() <= allowed, "points are off by {}", closure.length());
        on_surface(&scene.a, &scene.pose_a, contact.point_a, contact.normal, allowed)?;
        on_surface(&scene.b, &scene.pose_b, contact.point_b, -contact.normal, allowed)
    });
}

/// Checks that a point of the world lies in a body, and on its supporting plane with this outward normal.
fn on_surface(
    solid: &Solid,
    pose: &Pose<Space>,
    point: glam::DVec3,
    normal: glam::DVec3,
    allowed: f64,
) -> Result<(), TestCaseError> {
    let (x, n) = (pose.to_body(point), pose.rotation.conjugate() * normal);
    let below = n.dot(solid.support(n) - x);
    prop_assert!(below.abs() <= allowed, "{below} below the surface of {solid:?}");
    // A third of the smallest half-extent is inside even the sharpest shapes, so gauges change no faster than this.
    let gauge = solid.gauge(x);
    let slack = 3.0 * allowed / solid.half_extents().min_element();
    prop_assert!((gauge - 1.0).abs() <= slack, "gauge {gauge} at {x} of {solid:?}");
    Ok(())
}

/// All methods give the same answer as the first of them, each to the digits of `tier`.
pub fn agreement(runner: &mut TestRunner, methods: &[&dyn Method], tier: &Tier) {
    let [first, others @ ..] = methods else { return };
    check(runner, &scene(tier), |scene| {
        let known = scene.solve(*first, tier)?;
        for method in others {
            let found = scene.solve(*method, tier)?;
            judge::same(&scene, tier, &known, &found)?;
        }
        Ok(())
    });
}

//! When two answers are the same.

use gritstone_contact::space::Pair;
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;
use proptest::prelude::*;

use crate::{Scene, Tier};

/// What a gap may be off by.
pub(crate) fn tolerance(scene: &Scene, tier: &Tier) -> f64 {
    tier.accuracy * scene.size() + scene.rounding()
}

/// Checks that `found` answers `scene` as well as `known` does: the gap is the same, and the normal proves it. Where
/// the surfaces determine the points, these are the same, too.
pub(crate) fn same(
    scene: &Scene,
    tier: &Tier,
    known: &Contact<Space>,
    found: &Contact<Space>,
) -> Result<(), TestCaseError> {
    let tolerance = 2.0 * tolerance(scene, tier);
    prop_assert!((found.gap - known.gap).abs() <= tolerance, "gap {} is not {}", found.gap, known.gap);
    let proven = scene.g(found.normal);
    prop_assert!(proven >= known.gap - tolerance, "normal proves {proven}, not {}", known.gap);
    if scene.g(known.normal + found.normal) < proven.min(known.gap) - scene.rounding() {
        // A valley lies between the two: different optima, equally good.
        return Ok(());
    }
    if let Some(stiffness) = stiffness(scene, known) {
        // d_t is off by the witness tolerance, the direction by that over the radii of curvature.
        let turn = 4.0 * tier.witness * scene.size() / stiffness;
        let apart = found.normal.distance(known.normal);
        prop_assert!(apart <= turn, "normal {} is not {}", found.normal, known.normal);
        let slip = (found.point_a - known.point_a).length().max((found.point_b - known.point_b).length());
        let reach = scene.a.size() + scene.b.size();
        prop_assert!(slip <= 100.0 * turn * reach, "points are off by {slip}");
    }
    Ok(())
}

/// Smallest radius of curvature of g at a contact, if neither surface is nearly flat or sharp there.
fn stiffness(scene: &Scene, contact: &Contact<Space>) -> Option<f64> {
    let pair = Pair::new(&scene.a, &scene.pose_a, &scene.b, &scene.pose_b);
    let jet = pair.jet(contact.normal);
    let ((radii, _), (model, _)) = ((jet.h_a + jet.h_b).eigen(), jet.model().eigen());
    let reach = scene.a.size() + scene.b.size();
    (model[0] > 0.1 * scene.size() && radii[1] < 10.0 * reach).then_some(model[0])
}

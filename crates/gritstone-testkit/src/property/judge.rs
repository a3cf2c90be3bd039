//! When two answers are the same.

use gritstone_core::{Contact, Vector};
use gritstone_shape::Support;
use proptest::prelude::*;

use crate::{Scene, Tier, World};

/// What a gap may be off by.
pub(crate) fn tolerance<D: World>(scene: &Scene<D>, tier: &Tier) -> f64 {
    tier.accuracy * scene.size() + scene.rounding()
}

/// Checks that `found` answers `scene` as well as `known` does: the gap is the same, and the normal proves it. Where
/// the surfaces determine the points, these are the same, too.
pub(crate) fn same<D: World>(
    scene: &Scene<D>,
    tier: &Tier,
    known: &Contact<D>,
    found: &Contact<D>,
) -> Result<(), TestCaseError> {
    let tolerance = 2.0 * tolerance(scene, tier);
    prop_assert!((found.gap - known.gap).abs() <= tolerance, "gap {} is not {}", found.gap, known.gap);
    let proven = scene.g(found.normal);
    prop_assert!(proven >= known.gap - tolerance, "normal proves {proven}, not {}", known.gap);
    if scene.g(known.normal + found.normal) < proven.min(known.gap) - scene.rounding() {
        // A valley lies between the two: different optima, equally good.
        return Ok(());
    }
    if let Some(stiffness) = D::stiffness(scene, known) {
        // d_t is off by the witness tolerance, the direction by that over the radii of curvature.
        let turn = 4.0 * tier.witness * scene.size() / stiffness;
        let apart = (found.normal - known.normal).length();
        prop_assert!(apart <= turn, "normal {:?} is not {:?}", found.normal, known.normal);
        let slip = (found.point_a - known.point_a).length().max((found.point_b - known.point_b).length());
        let reach = scene.a.size() + scene.b.size();
        prop_assert!(slip <= 100.0 * turn * reach, "points are off by {slip}");
    }
    Ok(())
}

//! Pairs whose signed distance is known in closed form, or as the root of one equation.

use gritstone_contact::Method;
use gritstone_core::{Pose, Vector};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::{Scene, Tier, World, oracle};

/// Spheres or circles: centre distance less radii, at any overlap.
pub fn balls<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    let strategy = (0.2..3.0, 0.2..3.0, D::direction(tier), -1.0..1.0, D::position());
    check(runner, &strategy, |(r_a, r_b, c, gap, at): (f64, f64, D::Vec, f64, D::Vec)| {
        let gap = if gap < 0.0 { gap * r_a.min(r_b) } else { gap };
        let centre_b = at + c * (r_a + r_b + gap);
        let (pose_a, pose_b) = (Pose::at(at), Pose::at(centre_b));
        let scene = Scene::<D> { a: D::ball(r_a), pose_a, b: D::ball(r_b), pose_b };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        let off = (contact.normal - c).length() * (r_a + r_b + gap);
        prop_assert!(off <= 4.0 * tier.witness * scene.size(), "normal {:?} is not {c:?}", contact.normal);
        let off = |found: D::Vec, known: D::Vec| (found - known).length();
        let surface = off(contact.point_a, at + c * r_a).max(off(contact.point_b, centre_b - c * r_b));
        prop_assert!(surface <= 4.0 * tier.witness * scene.size(), "points are off by {surface}");
        Ok(())
    });
}

/// Two ellipsoids with the same axes, one along a principal axis of the other: centre distance less semi-axes, when apart
/// or at an overlap that is small against the semi-axes and the radii of curvature at the tips.
pub fn aligned_ellipsoids<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    let strategy = (D::radii(tier.aspect), D::radii(tier.aspect), 0..D::N, -0.5..1.0, D::rotation(tier));
    check(runner, &strategy, |(radii_a, radii_b, axis, u, turn): (D::Vec, D::Vec, usize, f64, _)| {
        // Radii of curvature at the tip of semi-axis r_i are r_j²/r_i; an overlap well below their sum leaves g concave.
        let tip = |r: D::Vec| {
            let across = (0..D::N).filter(|&j| j != axis).map(|j| r.component(j).powi(2) / r.component(axis));
            across.fold(f64::MAX, f64::min)
        };
        let least = |r: D::Vec| (0..D::N).map(|j| r.component(j)).fold(f64::MAX, f64::min);
        let small = least(radii_a).min(least(radii_b)).min(tip(radii_a) + tip(radii_b));
        let depth = small * tier.deepest.min(0.02);
        let gap = if u < 0.0 { 2.0 * u * depth } else { u };
        let along = D::rotate(turn, D::Vec::axis(axis));
        let centre_b = along * (radii_a.component(axis) + radii_b.component(axis) + gap);
        let (pose_a, pose_b) = (Pose::new(D::Vec::default(), turn), Pose::new(centre_b, turn));
        let scene = Scene::<D> { a: D::ellipsoid(radii_a), pose_a, b: D::ellipsoid(radii_b), pose_b };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        prop_assert!(
            scene.g(contact.normal) >= gap - judge::tolerance(&scene, tier),
            "normal {:?}",
            contact.normal
        );
        Ok(())
    });
}

/// An ellipsoid and a sphere: the distance of the sphere's centre from the ellipsoid, less the radius. The same for an
/// ellipse and a circle.
pub fn ellipsoid_and_ball<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    let deepest = tier.deepest;
    let strategy = (D::radii(tier.aspect), 0.1..2.0, D::direction(tier), 0.0..1.0, D::rotation(tier));
    check(runner, &strategy, |(radii, radius, c, u, turn): (D::Vec, f64, D::Vec, f64, _)| {
        // Along c from the centre to beyond the surface, by more than the radius or a little less.
        let surface = 1.0 / D::Vec::from_fn(|i| c.component(i) / radii.component(i)).length();
        let centre = c * (surface + radius * (1.0 + u - deepest.min(0.9)));
        let gap = oracle::distance_to_ellipsoid(radii, centre) - radius;
        let (pose_a, pose_b) = (Pose::new(D::Vec::default(), turn), Pose::at(D::rotate(turn, centre)));
        let scene = Scene::<D> { a: D::ellipsoid(radii), pose_a, b: D::ball(radius), pose_b };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        Ok(())
    });
}

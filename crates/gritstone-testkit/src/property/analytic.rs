//! Pairs whose signed distance is known in closed form, or as the root of one equation.

use glam::DVec3;
use gritstone_contact::space::Method;
use gritstone_core::Pose;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::scene::{direction, ellipsoid, position, radii, rotation, sphere};
use crate::{Scene, Tier, oracle};

/// Spheres: centre distance less radii, at any overlap.
pub fn spheres(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    let strategy = (0.2..3.0, 0.2..3.0, direction(tier), -1.0..1.0, position());
    check(runner, &strategy, |(r_a, r_b, c, gap, at): (f64, f64, DVec3, f64, DVec3)| {
        let gap = if gap < 0.0 { gap * r_a.min(r_b) } else { gap };
        let centre_b = at + c * (r_a + r_b + gap);
        let scene =
            Scene { a: sphere(r_a), pose_a: Pose::at(at), b: sphere(r_b), pose_b: Pose::at(centre_b) };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        let off = contact.normal.distance(c) * (r_a + r_b + gap);
        prop_assert!(off <= 4.0 * tier.witness * scene.size(), "normal {} is not {c}", contact.normal);
        let surface =
            contact.point_a.distance(at + r_a * c).max(contact.point_b.distance(centre_b - r_b * c));
        prop_assert!(surface <= 4.0 * tier.witness * scene.size(), "points are off by {surface}");
        Ok(())
    });
}

/// Two ellipsoids with the same axes, one along a principal axis of the other: centre distance less semi-axes, when apart
/// or at an overlap that is small against the semi-axes and the radii of curvature at the tips.
pub fn aligned_ellipsoids(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    let strategy = (radii(tier.aspect), radii(tier.aspect), 0..3_usize, -0.5..1.0, rotation(tier));
    check(runner, &strategy, |(radii_a, radii_b, axis, u, turn): (DVec3, DVec3, usize, f64, _)| {
        // Radii of curvature at the tip of semi-axis r_i are r_j²/r_i; an overlap well below their sum leaves g concave.
        let tip =
            |r: DVec3| (0..3).filter(|&j| j != axis).map(|j| r[j] * r[j] / r[axis]).fold(f64::MAX, f64::min);
        let small = radii_a.min(radii_b).min_element().min(tip(radii_a) + tip(radii_b));
        let depth = small * tier.deepest.min(0.02);
        let gap = if u < 0.0 { 2.0 * u * depth } else { u };
        let along = turn * DVec3::AXES[axis];
        let centre_b = along * (radii_a[axis] + radii_b[axis] + gap);
        let (pose_a, pose_b) = (Pose::new(DVec3::ZERO, turn), Pose::new(centre_b, turn));
        let scene = Scene { a: ellipsoid(radii_a), pose_a, b: ellipsoid(radii_b), pose_b };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        prop_assert!(
            scene.g(contact.normal) >= gap - judge::tolerance(&scene, tier),
            "normal {}",
            contact.normal
        );
        Ok(())
    });
}

/// An ellipsoid and a sphere: the distance of the sphere's centre from the ellipsoid, less the radius.
pub fn ellipsoid_and_sphere(runner: &mut TestRunner, method: &dyn Method, tier: &Tier) {
    let deepest = tier.deepest;
    let strategy = (radii(tier.aspect), 0.1..2.0, direction(tier), 0.0..1.0, rotation(tier));
    check(runner, &strategy, |(radii, radius, c, u, turn): (DVec3, f64, DVec3, f64, _)| {
        // Along c from the centre to beyond the surface, by more than the radius or a little less.
        let surface = 1.0 / (c / radii).length();
        let centre = c * (surface + radius * (1.0 + u - deepest.min(0.9)));
        let gap = oracle::distance_to_ellipsoid(radii, centre) - radius;
        let (pose_a, pose_b) = (Pose::new(DVec3::ZERO, turn), Pose::at(turn * centre));
        let scene = Scene { a: ellipsoid(radii), pose_a, b: sphere(radius), pose_b };
        let contact = scene.solve(method, tier)?;
        prop_assert!(
            (contact.gap - gap).abs() <= judge::tolerance(&scene, tier),
            "{} is not {gap}",
            contact.gap
        );
        Ok(())
    });
}

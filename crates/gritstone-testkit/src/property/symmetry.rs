//! The same pair seen from elsewhere.

use gritstone_contact::Method;
use gritstone_core::Pose;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::judge;
use crate::run::check;
use crate::{Tier, World, scene};

/// With a and b exchanged the gap is the same, the normal turns round, and the points change places.
pub fn swap<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &scene::<D>(tier), |scene| {
        let contact = scene.solve(method, tier)?;
        let swapped = scene.swapped().solve(method, tier)?.swapped();
        judge::same(&scene, tier, &contact, &swapped)
    });
}

/// A rigid motion of the world moves the contact with it.
pub fn motion<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &(scene::<D>(tier), D::position(), D::rotation(tier)), |(scene, shift, turn)| {
        let contact = scene.solve(method, tier)?;
        let motion = Pose::<D>::new(shift, turn);
        let moved_scene = scene.moved_by(&motion);
        let mut moved = contact;
        moved.point_a = motion.to_world(contact.point_a);
        moved.point_b = motion.to_world(contact.point_b);
        moved.normal = D::rotate(motion.rotation, contact.normal);
        judge::same(&moved_scene, tier, &moved, &moved_scene.solve(method, tier)?)
    });
}

/// Grains of dust and mountains: all lengths scale with the scene.
pub fn scaling<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &(scene::<D>(tier), prop::sample::select(vec![1e-6, 1e6])), |(scene, factor)| {
        let contact = scene.solve(method, tier)?;
        let scaled_scene = scene.scaled_by(factor);
        let mut scaled = contact;
        scaled.point_a = contact.point_a * factor;
        scaled.point_b = contact.point_b * factor;
        scaled.gap *= factor;
        judge::same(&scaled_scene, tier, &scaled, &scaled_scene.solve(method, tier)?)
    });
}

/// Moving b along the normal by t opens the gap by t, for any t up to contact: the plane across the normal moves with b,
/// and so does the point of the Minkowski difference (or the ball in it) that closes the bound from above.
pub fn translation<D: World>(runner: &mut TestRunner, method: &dyn Method<D>, tier: &Tier) {
    check(runner, &(scene::<D>(tier), -0.2..0.2), |(scene, t): (_, f64)| {
        let contact = scene.solve(method, tier)?;
        let t = (t * scene.size()).max(-contact.gap.max(0.0));
        let moved_scene = scene.shifted_by(contact.normal * t);
        if t > tier.deepest * scene.size() && !tier.certified {
            return Ok(());
        }
        let mut moved = contact;
        moved.gap += t;
        moved.point_b = contact.point_b + contact.normal * t;
        judge::same(&moved_scene, tier, &moved, &moved_scene.solve(method, tier)?)
    });
}

//! Overlaps in the plane that curvature alone certifies.

use glam::DVec2;
use gritstone_contact::plane::{Auto, Placed, Scratch};
use gritstone_contact::{Method, Query};
use gritstone_core::Pose;
use gritstone_shape::plane::{Ellipse, Figure};

/// Where an overlap is shallow, the balls within two ellipses prove it: the second step of a motion needs one evaluation for
/// the answer, and one for where the last direction was.
#[test]
fn shallow_overlaps_need_no_ring() {
    let [a, b] = [DVec2::new(2.0, 1.0), DVec2::new(1.0, 1.5)]
        .map(|axes| Figure::from(Ellipse::new(axes).expect("lengths")));
    let mut scratch = Scratch::default();
    for k in 0..100_u32 {
        let turn = 0.3 * f64::from(k);
        let from = Placed { shape: &a, pose: Pose::new(DVec2::ZERO, turn) };
        // Moved towards each other until they overlap by a hundredth.
        let along = DVec2::from_angle(1.7 * turn);
        let other = |way: f64| Placed { shape: &b, pose: Pose::new(along * way, 0.7 - 2.0 * turn) };
        let mut distance = |way: f64, start| {
            let query = Query { start, ..Query::default() };
            Auto.solve(from, other(way), query, &mut scratch).expect("ellipses are taken")
        };
        let far = distance(5.0, None).contact().copied().expect("a distance was asked for");
        let mut way = 5.0;
        for _ in 0..60 {
            way -= (distance(way, Some(far.normal)).distance() + 0.01) / 1.001;
        }
        let first = distance(way, None);
        let contact = first.contact().expect("they overlap");
        assert!(first.certified() && (contact.gap + 0.01).abs() < 1e-3, "{contact:?}");
        let next = distance(way + 1e-6, Some(contact.normal));
        assert!(next.certified() && next.evaluations <= 3, "{}", next.evaluations);
    }
}

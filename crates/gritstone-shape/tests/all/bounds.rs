//! Bounds hold the body, and cannot be smaller.

use crate::common::{any_direction, any_superellipsoid};
use glam::{DMat3, DQuat, DVec3};
use gritstone_core::Pose;
use gritstone_shape::space::{Ellipsoid, Superellipsoid};
use gritstone_shape::{AlignedBox, BoundingBall, Implicit, OrientedBox, Support};
use proptest::prelude::*;

fn any_pose() -> impl Strategy<Value = Pose<gritstone_core::Space>> {
    ((-5.0..5.0, -5.0..5.0, -5.0..5.0), any_direction(), 0.0..3.1)
        .prop_map(|(p, axis, angle)| Pose::new(DVec3::from(p), DQuat::from_axis_angle(axis, angle)))
}

/// Directions spread over the sphere, about two degrees apart.
fn sphere() -> impl Iterator<Item = DVec3> {
    let count = 10_000;
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
        let (s, c) = (2.399_963_229_728_653 * f64::from(i)).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * c, r * s, z)
    })
}

/// The farthest surface point that samples find, after they climbed: the support point along x is no nearer than x.
fn farthest(s: &Superellipsoid) -> f64 {
    let start = sphere().map(|v| v / s.gauge(v)).max_by(|a, b| a.length().total_cmp(&b.length()));
    let mut x = start.expect("there are samples");
    for _ in 0..500 {
        x = s.support(x);
    }
    x.length()
}

#[test]
fn the_size_is_the_distance_of_the_farthest_point() {
    let exponents = [0.1, 0.5, 0.95, 1.0, 1.4, 1.9];
    for radii in
        [DVec3::ONE, DVec3::new(1.0, 2.0, 3.0), DVec3::new(20.0, 1.0, 4.0), DVec3::new(2.0, 2.0, 1.0)]
    {
        for e in (0..36).map(|i| [exponents[i % 6], exponents[i / 6]]) {
            let s = Superellipsoid::new(radii, e).unwrap();
            let found = farthest(&s);
            assert!(found <= s.size() * (1.0 + 1e-14), "{radii} {e:?}");
            assert!(found >= s.size() * (1.0 - 1e-6), "{radii} {e:?}: {found} {}", s.size());
        }
    }
}

proptest! {
    #[test]
    fn the_sphere_holds_the_body(s in any_superellipsoid(), pose in any_pose(), v in any_direction()) {
        let sphere = BoundingBall::of(&s, &pose);
        let x = pose.to_world(v / s.gauge(v));
        prop_assert!(x.distance(sphere.centre) <= sphere.radius * (1.0 + 1e-14) + 1e-15 * x.length());
    }

    #[test]
    fn the_aligned_box_holds_the_body_and_touches_it(
        s in any_superellipsoid(), pose in any_pose(), v in any_direction(),
    ) {
        let (bounds, slack) = (AlignedBox::of(&s, &pose), 1e-14 * (s.size() + pose.position.length()));
        let x = pose.to_world(v / s.gauge(v));
        prop_assert!(x.cmpge(bounds.min - slack).all() && x.cmple(bounds.max + slack).all());
        for i in 0..3 {
            for (sign, face) in [(1.0, bounds.max[i]), (-1.0, bounds.min[i])] {
                let n = pose.rotation.conjugate() * (DVec3::AXES[i] * sign);
                prop_assert!((pose.to_world(s.support(n))[i] - face).abs() <= slack);
            }
        }
    }

    #[test]
    fn the_aligned_box_of_an_ellipsoid_has_its_closed_form(
        r in (0.1..10.0, 0.1..10.0, 0.1..10.0), pose in any_pose(),
    ) {
        // Half the edge along i is √(Σ_j (R_ij r_j)²).
        let s = Ellipsoid::new(DVec3::from(r)).unwrap();
        let scaled = pose.frame() * DMat3::from_diagonal(s.radii());
        let half = DVec3::from_array([0, 1, 2].map(|i| scaled.row(i).length()));
        let bounds = AlignedBox::of(&s, &pose);
        let slack = 1e-14 * (s.size() + pose.position.length());
        prop_assert!((bounds.max - pose.position - half).abs().max_element() < slack);
        prop_assert!((pose.position - bounds.min - half).abs().max_element() < slack);
    }

    #[test]
    fn the_oriented_box_holds_the_body_and_touches_it(
        s in any_superellipsoid(), pose in any_pose(), v in any_direction(),
    ) {
        let bounds = OrientedBox::of(&s, &pose);
        let x = pose.to_world(v / s.gauge(v)) - bounds.centre;
        let slack = 1e-14 * (s.size() + pose.position.length());
        prop_assert!((bounds.frame.transpose() * x).abs().cmple(bounds.half_extents + slack).all());
        for axis in DVec3::AXES {
            prop_assert_eq!(s.support(axis).dot(axis), bounds.half_extents.dot(axis));
        }
    }
}

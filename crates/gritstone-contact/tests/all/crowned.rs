//! Crowned bodies against each other and against everything else: certified, and nowhere is a direction that says more.

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Pair, Placed, Scratch};
use gritstone_contact::{Query, Verdict};
use gritstone_core::Pose;
use gritstone_shape::space::{
    Capsule, Crowned, Cylinder, Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid, Triangle,
};
use proptest::prelude::*;

fn crowned() -> Vec<Solid> {
    let exact: [Solid; 5] = [
        Capsule::new(0.4, 1.0).unwrap().into(),
        Cylinder::new(0.5, 0.8).unwrap().into(),
        Cylinder::new(1.0, 0.2).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.7, 0.7, 0.8), [0.2, 0.2]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.4, 0.4, 1.0), [1.0, 0.1]).unwrap().into(),
    ];
    exact.iter().map(|shape| Crowned::of(shape, 0.003).unwrap().into()).collect()
}

fn others() -> Vec<Solid> {
    let corners: Vec<DVec3> = (0..8)
        .map(|i| {
            DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)) * 2.0 - DVec3::ONE
        })
        .collect();
    let (triangle, _) = Triangle::new([DVec3::X, DVec3::Y * 2.0, DVec3::NEG_X]).unwrap();
    vec![
        Sphere::new(0.6).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.3, 0.6, 1.0)).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.5, 0.6, 0.7), [0.8, 1.3]).unwrap().into(),
        Polyhedron::hull(&corners).unwrap().0.into(),
        triangle.into(),
    ]
}

fn direction() -> impl Strategy<Value = DVec3> {
    (-1.0..1.0_f64, 0.0..std::f64::consts::TAU).prop_map(|(z, angle)| {
        let (across, (sine, cosine)) = ((1.0 - z * z).sqrt(), angle.sin_cos());
        DVec3::new(across * cosine, across * sine, z).normalize()
    })
}

/// Turned at random, or by little from lying on each other.
fn rotation() -> impl Strategy<Value = DQuat> {
    let quarter = std::f64::consts::FRAC_PI_2;
    prop_oneof![
        (direction(), 0.0..3.0_f64).prop_map(|(axis, angle)| DQuat::from_axis_angle(axis, angle)),
        (direction(), prop_oneof![Just(0.0), 1e-6..1e-2_f64], 0..3_u8).prop_map(
            move |(axis, angle, lying)| {
                DQuat::from_axis_angle(axis, angle) * DQuat::from_rotation_x(quarter * f64::from(lying))
            }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn crowned_pairs_are_certified_and_global(
        first in 0..5_usize, second in 0..10_usize, turns in (rotation(), rotation()), to in direction(),
        overlap in prop_oneof![1e-5..2e-3_f64, -0.5..-1e-3_f64],
        looks in proptest::collection::vec(direction(), 200),
    ) {
        let shapes = [crowned(), others()].concat();
        let (a, b) = (&crowned()[first], &shapes[second]);
        let origin = Pose::new(DVec3::ZERO, turns.0);
        let at = |position| Pose::new(position, turns.1);
        let (mut memory, mut scratch) = (Memory::default(), Scratch::default());
        let mut position = to * 4.0;
        // Moved together along their normal, from afar.
        for _ in 0..8 {
            let place = [Placed { shape: a, pose: origin }, Placed { shape: b, pose: at(position) }];
            let answer = Auto.solve_warm(place[0], place[1], Query::default(), &mut memory, &mut scratch).unwrap();
            let Verdict::Solved(contact) = answer.verdict else { return Err(TestCaseError::fail("unresolved")) };
            position -= contact.normal * (contact.gap + overlap);
        }
        let place = [Placed { shape: a, pose: origin }, Placed { shape: b, pose: at(position) }];
        for memory in [&mut memory, &mut Memory::default()] {
            let answer = Auto.solve_warm(place[0], place[1], Query::default(), memory, &mut scratch).unwrap();
            prop_assert!(matches!(answer.verdict, Verdict::Solved(_)), "{answer:?}");
            let contact = *answer.contact().unwrap();
            let pair = Pair::new(a, &origin, b, &place[1].pose);
            prop_assert!((pair.sample(contact.normal).g - contact.gap).abs() < 1e-9, "{contact:?}");
            for &look in &looks {
                prop_assert!(pair.sample(look).g <= contact.gap + 2e-9, "{look} {contact:?}");
            }
        }
    }
}

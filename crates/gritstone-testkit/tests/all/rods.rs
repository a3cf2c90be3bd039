//! Cylinders, capsules and spheres: what is found case by case is what the general search finds.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Memory, Pair, Placed, Scratch, certify};
use gritstone_contact::{Answer, Goal, Query, Verdict};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Capsule, Cylinder, Solid, Sphere};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn solids() -> [Solid; 5] {
    [
        Sphere::new(0.7).unwrap().into(),
        Capsule::new(0.5, 1.0).unwrap().into(),
        Capsule::new(0.9, 0.1).unwrap().into(),
        Cylinder::new(0.5, 1.0).unwrap().into(),
        Cylinder::new(1.0, 0.2).unwrap().into(),
    ]
}

fn rotation() -> impl Strategy<Value = DQuat> {
    (0.0..TAU, -1.0..1.0_f64, 0.0..TAU).prop_map(|(turn, z, around)| {
        let r = (1.0 - z * z).sqrt();
        DQuat::from_axis_angle(DVec3::new(r * around.cos(), r * around.sin(), z).normalize(), turn)
    })
}

/// Two rods whose support planes across some direction lie apart by `gap`.
fn bodies() -> impl Strategy<Value = [(Solid, Pose<Space>); 2]> {
    let gap = prop_oneof![-0.02..0.0, -1e-3..0.0, -0.5..0.0, 0.0..0.3];
    let beside = (-0.5..0.5, -0.5..0.5);
    (0..5_usize, 0..5_usize, rotation(), rotation(), rotation(), gap, beside).prop_filter_map(
        "two spheres have a closed form of their own",
        |(i, j, turn_a, turn_b, look, gap, (x, y))| {
            let (a, b) = (solids()[i].clone(), solids()[j].clone());
            let c = look * DVec3::Z;
            let reach = |s: &Solid, turn: DQuat, c: DVec3| (turn * s.support(turn.conjugate() * c)).dot(c);
            let aside = look * DVec3::new(x, y, 0.0);
            let position = c * (reach(&a, turn_a, c) + reach(&b, turn_b, -c) + gap) + aside;
            (i + j > 0).then(|| [(a, Pose::new(DVec3::ZERO, turn_a)), (b, Pose::new(position, turn_b))])
        },
    )
}

fn searched([(a, at_a), (b, at_b)]: &[(Solid, Pose<Space>); 2]) -> Answer<Space> {
    let pair = Pair::new(a, at_a, b, at_b);
    certify(&pair, Query::default(), &mut Memory::default(), &mut Scratch::default())
}

fn found(bodies: &[(Solid, Pose<Space>); 2], start: Option<DVec3>, goal: Goal) -> Answer<Space> {
    let [a, b] = [&bodies[0], &bodies[1]].map(|(shape, pose)| Placed { shape, pose: *pose });
    let query = Query { start, goal, ..Query::default() };
    Auto.solve_warm(a, b, query, &mut Memory::default(), &mut Scratch::default()).unwrap()
}

fn contact(answer: &Answer<Space>) -> Contact<Space> {
    let Verdict::Solved(contact) = answer.verdict else { panic!("{answer:?}") };
    contact
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn cases_are_what_the_search_finds(bodies in bodies()) {
        let expected = searched(&bodies);
        prop_assume!(expected.certified());
        let answer = found(&bodies, None, Goal::Distance);
        prop_assert!(answer.certified(), "{answer:?}");
        let (want, got) = (contact(&expected), contact(&answer));
        prop_assert!((want.gap - got.gap).abs() < 4e-9, "{want:?} {got:?}");
        let warm = contact(&found(&bodies, Some(want.normal), Goal::Distance));
        prop_assert!((want.gap - warm.gap).abs() < 4e-9, "{want:?} {warm:?}");
        // Two normals may be as good where an overlap is deep; one that is as good as the other is the same at small ones.
        if want.gap.abs() < 1e-3 && want.normal.dot(warm.normal) > 0.999 {
            let [p, q] = [want, warm].map(|contact| contact.curvature[0].min(1e3));
            prop_assert!((p - q).abs() <= 1e-3 * p.max(1e-3), "{want:?} {warm:?}");
        }
        let detected = found(&bodies, Some(want.normal), Goal::Detect);
        match detected.verdict {
            Verdict::Apart { at_least, .. } => prop_assert!(at_least <= want.gap + 4e-9),
            _ => prop_assert!((want.gap - contact(&detected).gap).abs() < 4e-9),
        }
    }
}

/// Contacts of a bed, which overlap by a hundredth at most, seldom need the search.
#[test]
fn most_contacts_are_cases() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut all, mut searches) = (0, 0);
    while all < 4000 {
        let bodies = bodies().new_tree(&mut runner).unwrap().current();
        let expected = searched(&bodies);
        let Verdict::Solved(Contact { gap, normal, .. }) = expected.verdict else { continue };
        if (-0.01..0.0).contains(&gap) {
            let answer = found(&bodies, Some(normal), Goal::Detect);
            all += 1;
            searches += usize::from(answer.evaluations > 1);
        }
    }
    assert!(searches * 50 <= all, "{searches} of {all}");
}

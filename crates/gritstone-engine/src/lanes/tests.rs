//! Lanes against the general contacts.

use glam::{DQuat, DVec3};
use gritstone_contact::{NarrowPhase as _, Placed, Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_force::{Interaction, Interactions};
use gritstone_shape::Support as _;
use gritstone_shape::space::{Ellipsoid, HalfSpace, Solid, Sphere, Superellipsoid};

use crate::contacts::BodyPair;
use crate::contacts::batch::{ContactBatch, GapBound, InactivePair};
use crate::{FlatRule, Grain, RadiusRule, Rules, Setup, Wall, World};

/// Ellipsoids and spheres.
pub(super) fn round() -> Vec<Solid> {
    vec![
        Ellipsoid::new(DVec3::new(1.0, 1.2, 2.0) * 1e-3).unwrap().into(),
        Sphere::new(1.3e-3).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.5, 1.0, 0.8) * 1e-3).unwrap().into(),
    ]
}

/// Superellipsoids, and an ellipsoid among them.
pub(super) fn boxy() -> Vec<Solid> {
    vec![
        Superellipsoid::new(DVec3::new(1.0, 1.2, 1.8) * 1e-3, [0.5, 0.5]).unwrap().into(),
        Superellipsoid::new(DVec3::new(1.2, 1.0, 0.9) * 1e-3, [0.6, 0.7]).unwrap().into(),
        Ellipsoid::new(DVec3::new(1.5, 1.0, 0.8) * 1e-3).unwrap().into(),
    ]
}

/// Boxes with round edges, of fourth powers.
fn quartic() -> Vec<Solid> {
    [[1.0, 1.2, 1.8], [1.2, 1.0, 0.9], [0.7, 1.5, 1.5]]
        .map(|radii| Superellipsoid::new(DVec3::from_array(radii) * 1e-3, [0.5; 2]).unwrap().into())
        .into()
}

/// A few grains of two materials in a box with a tilted floor.
pub(super) fn heap(shapes: Vec<Solid>, rules: Rules) -> Setup<Space> {
    let grains = (0..125_u32).map(|id| {
        let cell = DVec3::new(f64::from(id % 5), f64::from(id / 5 % 5), f64::from(id / 25));
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, 0.7, 0.2) * f64::from(id));
        Grain {
            id,
            shape: id % 3,
            material: (id % 2) as u16,
            pose: Pose::new((cell + DVec3::Z) * 3e-3, turn),
            velocity: DVec3::new(0.2, -0.1, -0.5) - cell * 0.05,
            spin: DVec3::new(30.0, -20.0, 10.0),
            frozen: false,
        }
    });
    let wall = |name: &str, normal: DVec3, offset: f64| {
        Wall::fixed(name, HalfSpace::new(normal, offset).unwrap().into(), 1)
    };
    let soft = Interaction::hertz(5e6, 1.4e6).with_restitution(0.4).with_friction(0.6);
    let hard = Interaction::linear(900.0, 600.0).with_restitution(0.7).with_friction(0.2);
    Setup {
        shapes,
        densities: vec![2500.0, 1200.0],
        interactions: Interactions::of_pairs(2, |i, _| if i == 0 { soft } else { hard }),
        method: None,
        rules,
        grains: grains.collect(),
        walls: vec![
            wall("floor", DVec3::new(0.1, 0.0, 1.0), 0.0),
            wall("left", DVec3::X, -1e-3),
            wall("right", -DVec3::X, -14e-3),
            wall("front", DVec3::Y, -1e-3),
            wall("back", -DVec3::Y, -14e-3),
        ],
        tools: Vec::new(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        time_step: 1e-5,
        domain: None,
        compounds: crate::Compounds::new(),
        cell: None,
        earlier: None,
    }
}

/// The largest difference that one step makes between contacts in lanes and the same contacts in the general list,
/// relative to the largest change of velocity.
fn difference(shapes: Vec<Solid>, rules: Rules) -> f64 {
    difference_in(&heap(shapes, rules))
}

/// The same of grains that lose nothing but by friction.
fn elastic_difference(shapes: Vec<Solid>, rules: Rules) -> f64 {
    let soft = Interaction::hertz(5e6, 1.4e6).with_friction(0.6);
    let hard = Interaction::linear(900.0, 600.0).with_friction(0.2);
    let interactions = Interactions::of_pairs(2, |i, _| if i == 0 { soft } else { hard });
    difference_in(&Setup { interactions, ..heap(shapes, rules) })
}

/// The same of grains that resist rolling and twisting.
fn resisting_difference(shapes: Vec<Solid>, rules: Rules) -> f64 {
    let soft = Interaction::hertz(5e6, 1.4e6).with_friction(0.6).with_rolling(0.1);
    let hard = Interaction::linear(900.0, 600.0).with_friction(0.2).with_rolling(0.02).with_twisting(0.1);
    let interactions = Interactions::of_pairs(2, |i, _| if i == 0 { soft } else { hard });
    difference_in(&Setup { interactions, ..heap(shapes, rules) })
}

fn difference_in(setup: &Setup<Space>) -> f64 {
    let mut world = World::new(setup).unwrap();
    let mut worst = 0.0_f64;
    for round in 0..40 {
        for _ in 0..100 {
            world.step().unwrap();
        }
        let mut general = world.clone();
        let mut taken = Vec::new();
        general
            .contacts
            .batches
            .hand_over_all(|pair, direction, history| taken.push((pair, direction, history)));
        assert!(round < 20 || taken.len() > 20, "there are contacts in lanes: {}", taken.len());
        for (pair, direction, history) in taken {
            general.contacts.general.push(pair, direction, history);
        }
        general.contacts.sort();
        general.contacts.sort_by_body(&general.bodies);
        let mut lanes = world.clone();
        lanes.step().unwrap();
        general.step().unwrap();
        let pairs = lanes.snapshot().bodies.into_iter().zip(general.snapshot().bodies);
        let before = world.snapshot().bodies;
        let change =
            before.iter().zip(lanes.snapshot().bodies).map(|(a, b)| (a.velocity - b.velocity).length());
        let scale = change.fold(0.0, f64::max);
        for (x, y) in pairs {
            worst = worst.max((x.velocity - y.velocity).length() / scale);
            worst = worst.max((x.spin - y.spin).length() * 1e-3 / scale);
        }
    }
    worst
}

#[test]
fn lanes_and_the_general_list_give_the_same_motion_of_spheres() {
    // Both have closed forms: what is left is rounding, of gaps that are small beside the radii.
    for radius in [RadiusRule::Volume, RadiusRule::BodyFunction, RadiusRule::Curvature] {
        let shapes = [0.8e-3, 1e-3, 1.2e-3].map(|radius| Sphere::new(radius).unwrap().into());
        let worst = difference(shapes.into(), Rules { radius, flat: FlatRule::Patch, crown: 0.0 });
        assert!(worst < 1e-9, "{radius:?}: {worst:e}");
    }
}

#[test]
fn lanes_and_the_general_list_give_the_same_motion() {
    // Lanes take the gap to second order, and the curvature where they evaluate, up to a thousandth of a radian from the
    // contact. Measured: 1.6e-7 and 8.3e-5.
    for (radius, allowed) in
        [(RadiusRule::Volume, 1e-6), (RadiusRule::BodyFunction, 3e-5), (RadiusRule::Curvature, 3e-4)]
    {
        for flat in [FlatRule::Point, FlatRule::Patch] {
            let worst = difference(round(), Rules { radius, flat, crown: 0.0 });
            assert!(worst < allowed, "{radius:?} {flat:?}: {worst:e}");
        }
    }
}

#[test]
fn lanes_and_the_general_list_give_the_same_motion_of_superellipsoids() {
    // Near faces a small turn moves the point far: the gap may be off by a ten-thousandth of the overlap before lanes look
    // again, and the curvature changes more on the way, on which dashpots against rocking depend. Measured: 9.4e-6 without them, 7.4e-4
    // with R* from the curvature.
    for (radius, allowed) in
        [(RadiusRule::Volume, 3e-5), (RadiusRule::BodyFunction, 3e-4), (RadiusRule::Curvature, 2e-3)]
    {
        for flat in [FlatRule::Point, FlatRule::Patch] {
            let rules = Rules { radius, flat, crown: 0.0 };
            let worst = elastic_difference(boxy(), rules);
            assert!(worst < allowed, "{radius:?} {flat:?}: {worst:e}");
            let damped = difference(boxy(), rules);
            assert!(damped < 2e-3, "{radius:?} {flat:?}, damped: {damped:e}");
        }
    }
}

#[test]
fn lanes_and_the_general_list_give_the_same_motion_of_quartic_boxes() {
    // Lanes and the general list both stop where their bounds agree to a thousandth of the overlap. Measured: 3.7e-4.
    for radius in [RadiusRule::Volume, RadiusRule::BodyFunction, RadiusRule::Curvature] {
        for flat in [FlatRule::Point, FlatRule::Patch] {
            let worst = difference(quartic(), Rules { radius, flat, crown: 0.0 });
            assert!(worst < 1e-3, "{radius:?} {flat:?}: {worst:e}");
        }
    }
}

#[test]
fn lanes_and_the_general_list_resist_rolling_and_twisting_alike() {
    // As without resistance.
    let rules = Rules { radius: RadiusRule::Volume, flat: FlatRule::Point, crown: 0.0 };
    let spheres = [0.8e-3, 1e-3, 1.2e-3].map(|radius| Sphere::new(radius).unwrap().into());
    for (shapes, allowed) in [(spheres.into(), 1e-9), (round(), 1e-6), (boxy(), 3e-5)] {
        let worst = resisting_difference(shapes, rules);
        assert!(worst < allowed, "{worst:e} but {allowed:e}");
    }
}

/// What resists rolling and twisting is in checkpoints, and stays with its contact when contacts are sorted and removed.
#[test]
fn springs_against_rolling_are_kept() {
    let rules = Rules { radius: RadiusRule::Volume, flat: FlatRule::Point, crown: 0.0 };
    let resisting = Interaction::hertz(5e6, 1.4e6).with_friction(0.6).with_rolling(0.1).with_twisting(0.1);
    let setup = Setup { interactions: Interactions::of_pairs(2, |_, _| resisting), ..heap(round(), rules) };
    let mut world = World::new(&setup).unwrap();
    for _ in 0..2000 {
        world.step().unwrap();
    }
    let status = world.status();
    assert!(status.contacts_in_lanes > 100 && status.solves.outside_lanes() < 0.01, "{status:?}");
    let histories = |world: &World<Space>| {
        let (mut world, mut all) = (world.clone(), Vec::new());
        world.contacts.batches.hand_over_all(|pair, _, history| all.push(((pair.a, pair.b), history)));
        all.sort_by_key(|(pair, _)| *pair);
        all
    };
    let kept = histories(&world);
    let rolled =
        kept.iter().filter(|(_, history)| history.roll.length() > 0.0 && history.twist != 0.0).count();
    assert!(rolled > 90, "{rolled} of {}", kept.len());
    let restored = World::restore(&setup, &world.save().unwrap()).unwrap();
    assert_eq!(histories(&restored), kept);
    world.contacts.sort();
    assert_eq!(histories(&world), kept);
}

/// The part of near pairs that lanes can look at; what they see is right.
fn seen(shapes: Vec<Solid>) -> f64 {
    let rules = Rules { radius: RadiusRule::Volume, flat: FlatRule::Point, crown: 0.0 };
    let mut world = World::new(&heap(shapes, rules)).unwrap();
    let (mut tested, mut all) = (0, 0);
    for _ in 0..20 {
        for _ in 0..200 {
            world.step().unwrap();
        }
        for list in [&world.grain_pairs, &world.wall_pairs] {
            let pairs = list.pairs.iter().zip(&list.directions);
            let candidates: Vec<_> = pairs
                .map(|(pair, &direction)| InactivePair { pair: BodyPair { a: pair.a, b: pair.b }, direction })
                .collect();
            let mut bounds_found = vec![None; candidates.len()];
            world.contacts.batches.test_candidates(&world.bodies, &candidates, &mut bounds_found);
            for (candidate, bound) in candidates.iter().zip(bounds_found) {
                let [a, b] = [candidate.pair.a, candidate.pair.b].map(|slot| world.bodies.placed(slot));
                let distance = distance(a, b);
                all += 1;
                let Some(GapBound { gap, direction }) = bound else { continue };
                tested += 1;
                let size = world.bodies.smaller_size(candidate.pair.a, candidate.pair.b);
                assert!((direction.length() - 1.0).abs() < 1e-9, "{direction}");
                if gap < 0.0 {
                    assert!((gap - distance).abs() < 1e-3 * -distance + 1e-9 * size, "{gap:e}, {distance:e}");
                } else {
                    // A lower bound, near the gap itself.
                    assert!(gap < distance + 1e-12 * size, "{gap:e}, {distance:e}");
                    assert!(gap > distance - 1e-6 * size, "{gap:e}, {distance:e}");
                }
            }
        }
    }
    tested as f64 / f64::from(all)
}

/// The signed distance, by the general method.
fn distance(a: Placed<'_, Space>, b: Placed<'_, Space>) -> f64 {
    let (mut memory, mut scratch) = Default::default();
    let answer = Space::solve_warm(a, b, Query::default(), &mut memory, &mut scratch);
    match answer.unwrap().verdict {
        Verdict::Solved(contact) => contact.gap,
        other => panic!("{other:?}"),
    }
}

#[test]
fn lanes_see_what_the_general_method_sees() {
    let spheres = [0.8e-3, 1e-3, 1.2e-3].map(|radius| Sphere::new(radius).unwrap().into());
    // Lanes take closed forms, and most others from where they were last tested at.
    for (shapes, least) in [(spheres.into(), 1.0), (round(), 0.99), (boxy(), 0.95), (quartic(), 0.9)] {
        let part = seen(shapes);
        assert!(part >= least, "{part}");
    }
}

/// Hertz's law with R* between its bounds, a 32nd and eight times the size.
#[test]
fn effective_radius_of_a_pointed_superellipsoid_has_bounds_in_lanes() {
    let shape = Superellipsoid::new(DVec3::splat(6e-3), [1.9, 0.1]).unwrap();
    let (size, young) = (shape.size(), 5e6);
    let force = |radius: f64, depth: f64| 4.0 / 3.0 * young * (radius * depth).sqrt() * depth;
    let mut contacts = 0;
    for turn in 0..40 {
        let turn = f64::from(turn);
        let setup = Setup {
            shapes: vec![shape.into()],
            densities: vec![2500.0],
            interactions: Interactions::of_pairs(1, |_, _| Interaction::hertz(young, 1.4e6)),
            grains: vec![Grain {
                id: 0,
                shape: 0,
                material: 0,
                pose: Pose::new(
                    DVec3::Z * 10.3e-3,
                    DQuat::from_euler(glam::EulerRot::ZXZ, turn, 0.4 * turn, 0.7),
                ),
                velocity: -DVec3::Z,
                spin: DVec3::ZERO,
                frozen: false,
            }],
            walls: vec![Wall::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0)],
            ..heap(Vec::new(), Rules { radius: RadiusRule::Curvature, flat: FlatRule::Point, crown: 0.0 })
        };
        let mut world = World::new(&setup).unwrap();
        for _ in 0..2000 {
            world.step().unwrap();
            assert!(world.status().contacts == world.status().contacts_in_lanes);
            for contact in world.snapshot().contacts {
                let (depth, push) = (contact.depth, contact.force.length());
                let (least, most) = (force(size / 32.0, depth), force(8.0 * size, depth));
                assert!((0.999 * least..1.001 * most).contains(&push), "{turn}: {push} N at {depth} m");
                contacts += 1;
            }
        }
    }
    assert!(contacts > 1000, "{contacts}");
}

//! Grains and walls that go, freeze, leave or move.

use crate::common::{G, SIZE, bed, ellipsoids, empty, go_on, grain, half_space, material, mixed, polyhedra};
use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::{Domain, Grain, Leaving, Setup, StepError, World};
use gritstone_force::{Interactions, Material};
use gritstone_shape::space::Sphere;

fn world(setup: &Setup<Space>) -> World<Space> {
    World::new(setup).unwrap()
}

/// One ball in free fall.
fn ball() -> Setup<Space> {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.grains = vec![grain(0, 0, DVec3::Z * 0.1)];
    setup
}

#[test]
fn removed_grains_are_gone_and_the_rest_goes_on() {
    let setup = bed(mixed(), 125);
    let mut world = world(&setup);
    go_on(&mut world, 1000);
    let energy = world.energies().balance();
    let before = world.snapshot();
    let gone = world.remove_where(|body| body.pose.position.x < 0.02);
    let after = world.snapshot();
    assert!(gone > 20 && after.bodies.len() == 125 - gone);
    assert!(after.bodies.iter().all(|body| body.pose.position.x >= 0.02));
    // Those that stay are where they were, with the ids that they had.
    for body in &after.bodies {
        let same = before.bodies.iter().find(|old| old.id == body.id).unwrap();
        assert_eq!((same.pose, same.velocity, same.spin), (body.pose, body.velocity, body.spin));
    }
    let ids: Vec<u32> = after.bodies.iter().map(|body| body.id).collect();
    assert!(after.contacts.iter().all(|c| ids.contains(&c.a) && (c.with_wall || ids.contains(&c.b))));
    // What they took with them is counted.
    let scale = world.energies().potential.abs();
    assert!((world.energies().balance() - energy).abs() < 1e-9 * scale && world.energies().taken_out > 0.0);
    go_on(&mut world, 100);
}

#[test]
fn frozen_grains_stay_and_hold_the_others() {
    let setup = bed(mixed(), 125);
    let mut world = world(&setup);
    go_on(&mut world, 1000);
    let count = world.freeze_where(|body| body.pose.position.z < 0.01);
    assert!(count > 10);
    let before = world.snapshot();
    assert!(world.remove_wall("floor"));
    go_on(&mut world, 1000);
    let after = world.snapshot();
    for (old, new) in before.bodies.iter().zip(&after.bodies) {
        if old.pose.position.z < 0.01 {
            assert_eq!((old.pose, new.velocity, new.spin), (new.pose, DVec3::ZERO, DVec3::ZERO));
        }
    }
    assert_eq!(world.freeze_where(|_| true), 125 - count);
}

#[test]
fn grains_fall_where_a_wall_was() {
    let mut setup = ball();
    setup.walls = vec![half_space("floor", DVec3::Z, 0.1 - SIZE), half_space("cellar", DVec3::Z, -0.2)];
    let mut world = world(&setup);
    go_on(&mut world, 2000);
    assert_eq!(world.status().contacts, 1);
    assert!(world.snapshot().bodies[0].velocity.length() < 1e-3);
    assert!(world.remove_wall("floor") && !world.remove_wall("floor") && !world.remove_wall("roof"));
    assert_eq!(world.status().contacts, 0);
    let (start, steps) = (world.snapshot().bodies[0].pose.position.z, 2000);
    go_on(&mut world, steps);
    let time = steps as f64 * setup.time_step;
    let fallen = start - world.snapshot().bodies[0].pose.position.z;
    assert!((fallen - 0.5 * G * time * time).abs() < 1e-3 * fallen, "{fallen}");
    go_on(&mut world, 80_000);
    assert!((world.snapshot().bodies[0].pose.position.z - (SIZE - 0.2)).abs() < 0.01 * SIZE);
}

#[test]
fn leaving_the_domain() {
    let mut setup = ball();
    setup.grains.push(Grain { frozen: true, ..grain(1, 0, DVec3::ZERO + DVec3::X) });
    let domain = |leaving| {
        let (low, high) = (DVec3::new(-1.0, -1.0, 0.05), DVec3::new(f64::INFINITY, 1.0, 1.0));
        Some(Domain { low, high, leaving })
    };
    // Half a metre per second and 0.05 m to go: it leaves after 0.1 s at most.
    setup.grains[1].pose.position.z = 0.5;
    setup.domain = domain(Leaving::Error);
    let mut failing = world(&setup);
    let error = (0..6000).find_map(|_| failing.step().err()).unwrap();
    assert!(matches!(error, StepError::Left { id: 0, .. }), "{error}");
    assert!(error.to_string().contains("grain 0 left the domain"));

    setup.domain = domain(Leaving::Remove);
    let mut shrinking = world(&setup);
    go_on(&mut shrinking, 6000);
    let status = shrinking.status();
    assert_eq!((status.grains, status.left), (1, 1));
    assert_eq!(shrinking.snapshot().bodies[0].id, 1);

    setup.domain = domain(Leaving::Keep);
    let mut going_on = world(&setup);
    go_on(&mut going_on, 6000);
    assert_eq!((going_on.status().grains, going_on.status().left), (2, 0));
    assert!(going_on.snapshot().bodies[0].pose.position.z < 0.05);
}

/// A grain outside from the start, or one whose numbers are none, is told about.
#[test]
fn flying_off_is_an_error() {
    let mut setup = ball();
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    setup.time_step = 1.0; // Far too long for the contact.
    setup.grains[0].velocity = DVec3::Z * -1e150;
    let mut world = world(&setup);
    let error = (0..100).find_map(|_| world.step().err());
    assert!(matches!(error, Some(StepError::NotFinite { id: 0, .. })), "{error:?}");
}

/// A wall that moves lifts what lies on it, and its work is counted.
#[test]
fn moving_walls_work() {
    let mut setup = ball();
    setup.walls = vec![half_space("lift", DVec3::Z, 0.1 - SIZE)];
    let mut world = world(&setup);
    go_on(&mut world, 5000);
    let (before, start) = (world.energies(), world.snapshot().bodies[0].pose.position.z);
    assert!(
        world.move_wall("lift", DVec3::Z * 0.05, DVec3::ZERO)
            && !world.move_wall("roof", DVec3::Z, DVec3::ZERO)
    );
    go_on(&mut world, 10_000);
    let (after, end) = (world.energies(), world.snapshot().bodies[0].pose.position.z);
    assert!((end - start - 0.01).abs() < 1e-5, "{}", end - start);
    let lifted = after.potential - before.potential;
    let work = after.wall_work - before.wall_work;
    assert!((after.balance() - before.balance()).abs() < 1e-3 * lifted);
    // A wall that starts at once gives the ball its speed, and as much again is lost in the bounces: m·v².
    let given = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * SIZE.powi(3) * 0.05 * 0.05;
    assert!((work - lifted - given).abs() < 0.01 * given, "{work} {lifted} {given}");
}

/// A published method finds the contacts of a whole bed: none is left to lanes, and grains move as with the default until
/// small differences have grown.
#[test]
fn a_published_method_drives_a_world() {
    let smooth = Material { rolling: 0.0, twisting: 0.0, ..material() };
    for (shapes, method) in [(ellipsoids(), "common-normal"), (polyhedra(), "gjk")] {
        let interactions = Interactions::mix(std::slice::from_ref(&smooth), &[]).unwrap();
        let setup = Setup { interactions, ..bed(shapes, 512) };
        let (mut default, mut chosen) = (World::new(&setup).unwrap(), World::new(&setup).unwrap());
        assert!(!chosen.set_method("no-such-method") && chosen.set_method(method));
        go_on(&mut default, 600);
        go_on(&mut chosen, 600);
        let (usual, status) = (default.status(), chosen.status());
        assert!(usual.contacts > 32 && status.contacts_in_lanes == 0, "{method}: {usual:?}, {status:?}");
        assert!(usual.contacts_in_lanes > 32 || method == "gjk", "{usual:?}");
        let height = |world: &World<Space>| -> f64 {
            let bodies = world.snapshot().bodies;
            bodies.iter().map(|body| body.pose.position.z).sum::<f64>() / bodies.len() as f64
        };
        let difference = (height(&chosen) - height(&default)).abs();
        assert!(difference < 1e-3 * SIZE, "{method}: {difference}");
    }
}

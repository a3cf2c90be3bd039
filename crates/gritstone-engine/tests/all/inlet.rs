//! Grains that come in at a rate and go out.

use std::collections::HashSet;

use crate::common::{G, SIZE, empty, figures, go_on, grain, half_space, material, mixed};
use glam::{DVec2, DVec3};
use gritstone_contact::{Goal, Placed, Query};
use gritstone_core::{Plane, Space};
use gritstone_engine::{
    Cell, Dimension, GrainClass, Inlet, InletState, Measure, Mixture, Outlet, OutletState, Region, Setup,
    SetupError, Side, Snapshot, World,
};
use gritstone_shape::AnyShape as _;

fn mix<D: Dimension>(setup: &Setup<D>) -> Mixture {
    let sort = |(i, shape): (usize, &D::Shape)| GrainClass {
        shape: i as u32,
        material: 0,
        mass: shape.mass_properties().unwrap().volume * setup.densities[0],
        share: 1.0 + i as f64,
    };
    Mixture::new(setup.shapes.iter().enumerate().map(sort).collect()).unwrap()
}

/// A layer of grains' height above everything.
fn inlet(setup: &Setup<Space>) -> Inlet<Space> {
    Inlet {
        name: "feed".into(),
        region: Region::Box { low: DVec3::new(0.0, 0.0, 0.1), high: DVec3::new(0.05, 0.05, 0.12) },
        mix: mix(setup),
        rotation: None,
        velocity: -DVec3::Z,
        spin: DVec3::ZERO,
        rate: 1000.0,
        by: Measure::Number,
        start: 0.01,
        end: 0.05,
        most: f64::INFINITY,
        every: 20,
        attempts: 200,
        seed: 4,
    }
}

/// No two grains overlap.
fn overlaps<D: Dimension>(setup: &Setup<D>, snapshot: &Snapshot<D>) -> usize {
    let query = Query { goal: Goal::Detect, ..Query::default() };
    let placed = |i: usize| {
        let body = &snapshot.bodies[i];
        Placed { shape: &setup.shapes[body.shape as usize], pose: body.pose }
    };
    let mut scratch = D::Scratch::default();
    let auto = D::method("auto").unwrap();
    let n = snapshot.bodies.len();
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .filter(|&(i, j)| auto.solve(placed(i), placed(j), query, &mut scratch).unwrap().distance() <= 0.0)
        .count()
}

#[test]
fn grains_come_at_the_rate_and_nothing_is_lost() {
    let setup = empty::<Space>(mixed(), material());
    let inlet = inlet(&setup);
    // What has fallen for 5 cm goes out.
    let outlet = Outlet {
        name: "drain".into(),
        region: Region::Beyond { point: DVec3::new(0.0, 0.0, 0.05), normal: -DVec3::Z },
        start: 0.0,
        end: f64::INFINITY,
        every: 20,
    };
    let (mut feed, mut drain) = (InletState::new(&inlet), OutletState::default());
    let mut world = World::new(&setup).unwrap();
    let mut ids = HashSet::new();
    for step in 0..=3600_u32 {
        inlet.feed(&mut feed, &mut world, &setup).unwrap();
        outlet.drain(&mut drain, &mut world, &setup);
        if step % 20 == 0 {
            let time = f64::from(step) * setup.time_step;
            let due = 1000.0 * (time.min(0.05) - 0.01).max(0.0);
            assert_eq!(feed.number, (due + 1e-6).floor() as u64, "at {time}");
            ids.extend(world.grains().map(|grain| grain.id));
        }
        world.step().unwrap();
    }
    assert_eq!((feed.number, inlet.waiting(&feed, world.time())), (40, 0));
    // An id is never given twice.
    assert_eq!(ids.len(), 40);
    let there = world.grains().count() as u64;
    assert!(drain.number > 10 && there > 5, "{drain:?} {there}");
    assert_eq!(there + drain.number, 40);
    let mass: f64 = world.grains().map(|grain| world.mass_of(&grain, &setup)).sum();
    assert!((mass + drain.mass - feed.mass).abs() < 1e-12 * feed.mass);
    // Energy that came and went is accounted for: beside it there is none, but for what integration adds.
    let scale = feed.mass * G * 0.1;
    assert!(world.energies().balance().abs() < 1e-6 * scale, "{:?}", world.energies());
}

#[test]
fn mass_comes_at_the_rate_and_no_grain_is_split() {
    let setup = empty::<Space>(mixed(), material());
    let inlet = Inlet { rate: 0.2, by: Measure::Mass, most: 0.006, ..inlet(&setup) };
    let heaviest = inlet.mix.classes().iter().map(|sort| sort.mass).fold(0.0, f64::max);
    let mut feed = InletState::new(&inlet);
    let mut world = World::new(&setup).unwrap();
    for step in 0..=2500_u32 {
        inlet.feed(&mut feed, &mut world, &setup).unwrap();
        if step % 20 == 0 {
            let due = (0.2 * (f64::from(step) * setup.time_step - 0.01).max(0.0)).min(0.006);
            assert!(feed.mass <= due * (1.0 + 1e-9) && feed.mass > due - heaviest, "{} {due}", feed.mass);
        }
        world.step().unwrap();
    }
    let there: f64 = world.grains().map(|grain| world.mass_of(&grain, &setup)).sum();
    assert!((there / feed.mass - 1.0).abs() < 1e-12 && feed.number > 10);
}

/// Nothing moves: the place fills up, without overlaps, and what finds no room waits and is told.
#[test]
fn what_finds_no_room_waits() {
    let mut setup = empty::<Space>(mixed(), material());
    setup.gravity = DVec3::ZERO;
    setup.walls = vec![half_space("side", DVec3::X, 0.02)];
    let inlet = Inlet { velocity: DVec3::ZERO, rate: 1e6, every: 1, start: 0.0, ..inlet(&setup) };
    let mut feed = InletState::new(&inlet);
    let mut world = World::new(&setup).unwrap();
    for _ in 0..40 {
        inlet.feed(&mut feed, &mut world, &setup).unwrap();
        world.step().unwrap();
    }
    let snapshot = world.snapshot();
    assert!(feed.number > 40, "{}", feed.number);
    assert_eq!(snapshot.contacts.len(), 0);
    assert_eq!(overlaps(&setup, &snapshot), 0);
    assert!(snapshot.bodies.iter().all(|body| body.pose.position.x > 0.02));
    let due = (1e6 * world.time()).round() as u64;
    assert_eq!(inlet.waiting(&feed, world.time()), due - feed.number);
}

#[test]
fn grains_come_in_the_plane_too() {
    let setup = empty::<Plane>(figures(), material());
    let inlet = Inlet {
        name: "feed".into(),
        region: Region::Ball { center: DVec2::ZERO, radius: 0.05 },
        mix: mix(&setup),
        rotation: None,
        velocity: DVec2::ZERO,
        spin: 1.0,
        rate: 1e5,
        by: Measure::Number,
        start: 0.0,
        end: f64::INFINITY,
        most: 60.0,
        every: 1,
        attempts: 1000,
        seed: 9,
    };
    let mut feed = InletState::new(&inlet);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 50);
    assert_eq!(inlet.feed(&mut feed, &mut world, &setup).unwrap(), 60);
    assert_eq!(overlaps(&setup, &world.snapshot()), 0);
    assert!(
        world.grains().all(|grain| grain.pose.position.length() < 0.05 && (grain.spin - 1.0).abs() < 1e-12)
    );
}

/// A grain that is added between steps moves as one that was there before.
#[test]
fn an_added_grain_falls_and_bounces_like_any_other() {
    let mut setup = empty::<Space>(mixed(), material());
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    let mut early = World::new(&{
        let mut setup = setup.clone();
        setup.grains = vec![grain(1, 6, DVec3::Z * 2.0 * SIZE)];
        setup
    })
    .unwrap();
    let mut late = World::new(&setup).unwrap();
    go_on(&mut late, 10);
    assert_eq!(late.add(&setup, &[grain(0, 6, DVec3::Z * 2.0 * SIZE)]).unwrap(), 1);
    go_on(&mut early, 3000);
    go_on(&mut late, 3000);
    let (a, b) = (early.snapshot().bodies[0], late.snapshot().bodies[0]);
    assert_eq!((a.pose, a.velocity, a.spin), (b.pose, b.velocity, b.spin));
}

#[test]
fn what_cannot_be_a_grain_is_refused() {
    let setup = empty::<Space>(mixed(), material());
    let mut world = World::new(&setup).unwrap();
    let wrong = world.add(&setup, &[grain(0, 99, DVec3::ZERO)]);
    assert!(matches!(wrong, Err(SetupError::NoShape { shape: 99, .. })));
    let wrong = world.add(&setup, &[grain(0, 0, DVec3::NAN)]);
    assert!(matches!(wrong, Err(SetupError::NotFinite { .. })));
    assert_eq!(world.status().grains, 0);
}

/// In a cell that repeats along x and y, grains that come in are clear of each other across its sides, too.
#[test]
fn nothing_touches_across_sides() {
    let mut setup = empty::<Space>(mixed(), material());
    setup.gravity = DVec3::ZERO;
    let side = |vector: DVec3| Some(Side { vector, velocity: DVec3::ZERO });
    let sides = [side(DVec3::X * 0.03), side(DVec3::Y * 0.03), None];
    setup.cell = Some(Cell { centre: DVec3::splat(0.015), sides, press: None });
    let region = Region::Box { low: DVec3::new(-0.005, -0.005, 0.0), high: DVec3::new(0.035, 0.035, 0.03) };
    let inlet = Inlet { region, velocity: DVec3::ZERO, rate: 1e6, every: 1, start: 0.0, ..inlet(&setup) };
    let mut feed = InletState::new(&inlet);
    let mut world = World::new(&setup).unwrap();
    for _ in 0..40 {
        inlet.feed(&mut feed, &mut world, &setup).unwrap();
        world.step().unwrap();
    }
    // All are at rest, so that nothing has come to touch since.
    assert!(feed.number > 15 && world.grains().count() as u64 == feed.number, "{}", feed.number);
    assert_eq!(world.status().contacts, 0);
    let saved = world.save().unwrap();
    let again = World::restore(&setup, &saved).unwrap();
    assert!(again.save().unwrap() == saved);
}

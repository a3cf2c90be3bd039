//! No contact is missed: in every step what the engine has found is what a search of all pairs finds.

use crate::common;
use std::collections::BTreeSet;

use crate::common::{Draw, SIZE, bed, empty, half_space, material, mixed, plane_bed, polyhedra};
use glam::DVec3;
use gritstone_contact::{Placed, Query, Verdict};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Dimension, Grain, Setup, World};

/// Overlaps below this fraction of a grain's size may go one way or the other.
const SHALLOW: f64 = 1e-9;

/// Pairs by id: a grain, whether the other is a wall, and the other.
type Pairs = BTreeSet<(u32, bool, u32)>;

/// All pairs that overlap, and those that perhaps do, by a method that knows nothing of the last step.
fn brute_force<D: Dimension>(setup: &Setup<D>, world: &World<D>) -> [Pairs; 2] {
    let auto = D::method("auto").unwrap();
    let mut scratch = D::Scratch::default();
    let (mut sure, mut perhaps) = (BTreeSet::new(), BTreeSet::new());
    let snapshot = world.snapshot();
    // As contacts have them.
    let crown = setup.rules.crown;
    let crowned =
        |shape: &D::Shape| D::crowned(shape, crown).map_or_else(|| shape.clone(), |(shape, _)| shape);
    let shapes: Vec<_> = setup.shapes.iter().map(crowned).collect();
    let placed = |i: usize| {
        let body = &snapshot.bodies[i];
        Placed::<D> { shape: &shapes[body.shape as usize], pose: body.pose }
    };
    let mut try_pair = |a: Placed<'_, D>, b: Placed<'_, D>, key| {
        let answer = auto.solve(a, b, Query::default(), &mut scratch).unwrap();
        let gap = match answer.verdict {
            Verdict::Apart { at_least, .. } => at_least,
            Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => contact.gap,
        };
        if gap < -SHALLOW * SIZE {
            sure.insert(key);
        }
        if gap < SHALLOW * SIZE {
            perhaps.insert(key);
        }
    };
    use gritstone_core::Vector as _;
    use gritstone_shape::Support as _;
    for i in 0..snapshot.bodies.len() {
        let (a, id) = (placed(i), snapshot.bodies[i].id);
        for j in i + 1..snapshot.bodies.len() {
            let b = placed(j);
            if (b.pose.position - a.pose.position).length() < a.shape.size() + b.shape.size() {
                try_pair(a, b, (id, false, snapshot.bodies[j].id));
            }
        }
        for (k, wall) in setup.walls.iter().enumerate() {
            try_pair(a, Placed { shape: &wall.shape, pose: wall.pose }, (id, true, k as u32));
        }
    }
    [sure, perhaps]
}

fn no_contact_is_missed<D: Dimension>(setup: &Setup<D>, steps: u64, every: u64) {
    let mut world = World::new(setup).unwrap();
    let mut seen = 0;
    for step in 0..steps {
        if step % every == 0 {
            let [sure, perhaps] = brute_force(setup, &world);
            let found: BTreeSet<_> = (world.snapshot().contacts.iter())
                .map(|c| if c.with_wall { (c.a, true, c.b) } else { (c.a.min(c.b), false, c.a.max(c.b)) })
                .collect();
            let missed: Vec<_> = sure.difference(&found).collect();
            assert!(missed.is_empty(), "step {step}: missed {missed:?}");
            let invented: Vec<_> = found.difference(&perhaps).collect();
            assert!(invented.is_empty(), "step {step}: invented {invented:?}");
            seen += sure.len();
        }
        world.step().unwrap();
    }
    assert!(seen > 300, "{seen} contacts only");
    assert_eq!(world.status().unresolved_since_start, 0);
}

#[test]
fn mixed_bed() {
    no_contact_is_missed(&bed(mixed(), 125), 600, 15);
}

#[test]
fn figures() {
    no_contact_is_missed(&plane_bed(144), 600, 15);
}

/// Small grains that fly and spin fast among grains ten times as large.
#[test]
fn fast_grains_of_many_sizes() {
    let mut shapes = mixed();
    let ordinary = shapes.len() as u32;
    shapes.extend(polyhedra().iter().chain(&mixed()[..2]).map(|shape| shape.scaled(0.1).unwrap()));
    let count = shapes.len() as u32;
    let mut setup: Setup<Space> = empty(shapes, material());
    setup.time_step = 2e-6;
    let mut draw = Draw(9);
    let width = 5.0 * 2.1 * SIZE;
    for i in 0..50 {
        let cell = DVec3::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)) + 0.5;
        setup.grains.push(Grain {
            pose: Pose::new(cell * (2.1 * SIZE), draw.rotation()),
            velocity: draw.vector(2.0),
            spin: draw.vector(500.0),
            ..common::grain(i, i % ordinary, DVec3::ZERO)
        });
    }
    // The small ones fill a layer above, and are shot down.
    for i in 0..400 {
        let cell = DVec3::new(f64::from(i % 20), f64::from(i / 20), 0.0) + 0.5;
        setup.grains.push(Grain {
            pose: Pose::new(cell * (width / 20.0) + DVec3::Z * (2.1 * 2.1 * SIZE), draw.rotation()),
            velocity: draw.vector(3.0) - DVec3::Z * 8.0,
            spin: draw.vector(5000.0),
            ..common::grain(100 + i, ordinary + i % (count - ordinary), DVec3::ZERO)
        });
    }
    setup.walls = vec![
        half_space("floor", DVec3::Z, 0.0),
        half_space("x-", DVec3::X, 0.0),
        half_space("x+", -DVec3::X, -width),
        half_space("y-", DVec3::Y, 0.0),
        half_space("y+", -DVec3::Y, -width),
    ];
    no_contact_is_missed(&setup, 1000, 20);
}

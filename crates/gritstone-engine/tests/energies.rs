//! The books balance: what is lost in contacts is what is missing.

mod common;

use common::{bed, boxes, ellipsoids, go_on, mixed, plane_bed, polyhedra};
use gritstone_core::Linear as _;
use gritstone_engine::{FlatRule, RadiusRule, Realm, Rules, Setup, World};

/// How far the balance is off after a fall, relative to what was lost.
fn off<D: Realm>(setup: &Setup<D>) -> f64 {
    let mut world = World::new(setup).unwrap();
    let start = world.energies();
    go_on(&mut world, 2000);
    let end = world.energies();
    // Kinetic and potential energy, independently of the engine.
    let snapshot = world.snapshot();
    let potential: f64 = (snapshot.bodies.iter())
        .map(|body| {
            let volume = D::mass(&setup.shapes[body.shape as usize]).unwrap().volume;
            -2500.0 * volume * setup.gravity.dot(body.pose.position)
        })
        .sum();
    assert!((potential - end.potential).abs() < 1e-9 * potential.abs());
    assert!(end.dissipated > 0.1 * start.kinetic(), "{start:?} {end:?}");
    (end.balance() - start.balance()).abs() / end.dissipated
}

#[test]
fn books_balance() {
    let volume = Rules { radius: RadiusRule::Volume, flat: FlatRule::Point };
    // Where the contact of a polyhedron jumps from one feature to another, the law has no potential: more is off there, and it
    // is another share in every bed.
    for (name, shapes, allowed) in [
        ("ellipsoids", ellipsoids(), 0.06),
        ("boxes", boxes(), 0.06),
        ("polyhedra", polyhedra(), 0.15),
        ("mixed", mixed(), 0.15),
    ] {
        let mut setup = bed(shapes, 64);
        let with_patches = off(&setup);
        assert!(with_patches < allowed, "{name} with patches: {with_patches}");
        setup.rules = volume;
        let with_points = off(&setup);
        assert!(with_points < allowed, "{name} with points: {with_points}");
    }
    let figures = off(&plane_bed(150));
    assert!(figures < 0.05, "figures: {figures}");
}

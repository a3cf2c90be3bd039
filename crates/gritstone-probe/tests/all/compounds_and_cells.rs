//! Probes of compounds and of cells that repeat, against configurations that are computed by hand.

use std::f64::consts::PI;

use crate::common::{body, near, rows, setup, touching};
use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{
    BodyState, Cell, Compound, ContactState, Grain, Part, Region, Setup, Side, Snapshot, Wall, World,
};
use gritstone_probe::{
    Along, ContactList, Coordination, Energies, Fabric, Flow, Gauge, GrainStress, Kind, Profile, Repose,
    SolidFraction, Stress, View,
};
use gritstone_shape::plane::{Circle, Figure};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid, Sphere};

const BALL: f64 = 4.0 / 3.0 * PI;

/// Two balls of radius 1, their centres as far from the origin along z.
fn dumbbells(apart: f64) -> Setup<Space> {
    let ball = Solid::from(Sphere::new(1.0).unwrap());
    let part = |z: f64| Part { shape: ball.clone(), pose: Pose::at(DVec3::Z * z) };
    let mut setup = setup::<Space>(vec![ball.clone()], DVec3::NEG_Z);
    setup.compounds.insert(0, Compound::new(vec![part(-apart), part(apart)]).unwrap().0);
    setup
}

fn one<D: gritstone_core::Dim>(bodies: Vec<BodyState<D>>) -> Snapshot<D> {
    Snapshot { bodies, ..Snapshot::default() }
}

#[test]
fn heights_of_a_compound_are_those_of_all_its_parts() {
    let setup = dumbbells(2.0);
    let (origin, up, along) = (DVec3::ZERO, DVec3::Z, Along::Line(DVec3::X));
    let profile = Profile { origin, up, along, range: [-1.0, 1.0], bins: 1 };
    let mut snapshot = one(vec![body(1, 0, DVec3::Z * 10.0)]);
    // Upright: centre, half the distance of the balls, a radius.
    near(&rows(profile, &setup, &snapshot)[0], &[0.0, 13.0]);
    // Lying down: centre and radius. By half: 2 cos 60° above the centre, and a radius.
    snapshot.bodies[0].pose.rotation = DQuat::from_rotation_x(0.5 * PI);
    near(&rows(profile, &setup, &snapshot)[0], &[0.0, 11.0]);
    snapshot.bodies[0].pose.rotation = DQuat::from_rotation_x(PI / 3.0);
    near(&rows(profile, &setup, &snapshot)[0], &[0.0, 12.0]);
    // The angle of a slope goes by the same heights: tops at 50, 40, 30, 20 and 10, of which 30 and 20 are on it.
    let place = |k: f64| DVec3::new(10.0 * k + 5.0, 0.0, 47.0 - 10.0 * k);
    let bodies = (0..5).map(|k| body(k + 1, 0, place(f64::from(k))));
    let profile = Profile { range: [0.0, 50.0], bins: 5, ..profile };
    near(&rows(Repose { profile }, &setup, &one(bodies.collect()))[0], &[45.0, 50.0, 55.0, 2.0]);
}

#[test]
fn a_compound_is_solid_where_its_parts_are() {
    let setup = dumbbells(2.0);
    let mut snapshot = one(vec![body(1, 0, DVec3::Z * 10.0)]);
    let fraction = |snapshot: &Snapshot<Space>, low: DVec3, high: DVec3| {
        let zone = Region::Box { low, high };
        rows(SolidFraction { zone }, &setup, snapshot)[0][0] * zone.volume()
    };
    let (low, high) = (DVec3::new(-3.0, -3.0, 8.5), DVec3::new(3.0, 3.0, 11.5));
    // Between the balls: two caps as high as half a radius, π h² (1 − h/3) each.
    let caps = 2.0 * PI * 0.25 * (1.0 - 0.5 / 3.0);
    near(&[fraction(&snapshot, low, high)], &[caps]);
    // One of the two balls, then both.
    near(&[fraction(&snapshot, DVec3::new(-3.0, -3.0, 10.0), DVec3::new(3.0, 3.0, 14.0))], &[BALL]);
    near(&[fraction(&snapshot, DVec3::new(-3.0, -3.0, 6.0), DVec3::new(3.0, 3.0, 14.0))], &[2.0 * BALL]);
    // Lying along y: two half balls below the centre.
    snapshot.bodies[0].pose.rotation = DQuat::from_rotation_x(0.5 * PI);
    near(&[fraction(&snapshot, DVec3::new(-4.0, -4.0, 6.0), DVec3::new(4.0, 4.0, 10.0))], &[BALL]);
}

/// Balls a radius apart have a lens of 5π/12 in common, which counts once. The grid's error is some parts in a thousand.
#[test]
fn parts_that_overlap_count_once() {
    let setup = dumbbells(0.5);
    let snapshot = one(vec![body(1, 0, DVec3::ZERO)]);
    let union = 2.0 * BALL - 5.0 * PI / 12.0;
    let inside = |zone: Region<Space>| rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume();
    let half = inside(Region::Box { low: DVec3::ZERO.with_x(-2.0).with_y(-2.0), high: DVec3::splat(2.0) });
    assert!((half / (0.5 * union) - 1.0).abs() < 5e-3, "{half} of {union}");
    let side = inside(Region::Box { low: DVec3::new(0.0, -2.0, -2.0), high: DVec3::splat(2.0) });
    assert!((side / (0.5 * union) - 1.0).abs() < 5e-3, "{side} of {union}");
    // All of it: the volume is that of the compound's mass, to some parts in a hundred million.
    let whole = inside(Region::Box { low: DVec3::splat(-2.0), high: DVec3::splat(2.0) });
    assert!((whole / union - 1.0).abs() < 1e-7, "{whole} of {union}");
}

/// Balls of radius 1 in a cell from 0 to 10 along x, and from 0 to 8 along y.
fn cell() -> Setup<Space> {
    let mut setup = setup::<Space>(vec![Sphere::new(1.0).unwrap().into()], DVec3::NEG_Z);
    let side = |vector: DVec3| Some(Side { vector, velocity: DVec3::ZERO });
    let sides = [side(DVec3::X * 10.0), side(DVec3::Y * 8.0), None];
    setup.cell = Some(Cell { centre: DVec3::new(5.0, 4.0, 0.0), sides, press: None });
    setup
}

#[test]
fn images_across_sides_are_solid() {
    let setup = cell();
    let snapshot = one(vec![body(1, 0, DVec3::new(0.5, 4.0, 0.0))]);
    let inside = |low: DVec3, high: DVec3| {
        let zone = Region::Box { low, high };
        rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume()
    };
    // All of the cell has all of the ball, wherever it begins, and two cells have it twice.
    near(&[inside(DVec3::new(0.0, 0.0, -2.0), DVec3::new(10.0, 8.0, 2.0))], &[BALL]);
    near(&[inside(DVec3::new(5.0, 0.0, -2.0), DVec3::new(15.0, 8.0, 2.0))], &[BALL]);
    near(&[inside(DVec3::new(0.0, 0.0, -2.0), DVec3::new(20.0, 8.0, 2.0))], &[2.0 * BALL]);
    // What reaches in over the far side: a cap as high as half a radius.
    near(&[inside(DVec3::new(5.0, 0.0, -2.0), DVec3::new(10.0, 8.0, 2.0))], &[PI * 0.25 * (1.0 - 0.5 / 3.0)]);
    // In a corner a part of it is at every corner.
    let snapshot = one(vec![body(1, 0, DVec3::ZERO)]);
    let zone = Region::Box { low: DVec3::new(0.0, 0.0, -2.0), high: DVec3::new(10.0, 8.0, 2.0) };
    let all = rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume();
    assert!((all / BALL - 1.0).abs() < 5e-3, "{all}");
}

/// Grain 1 at 0.5 touches grain 2 at 8.5 across the side; the contact is at −0.5, and at 9.5.
fn pair_across() -> Snapshot<Space> {
    let at = |x: f64| DVec3::new(x, 4.0, 0.0);
    let contact = ContactState {
        across: DVec3::X * -10.0,
        ..touching::<Space>(1, 2, at(-0.5), DVec3::NEG_X, DVec3::NEG_X * 6.0)
    };
    let bodies = vec![body(1, 0, at(0.5)), body(2, 0, at(8.5))];
    Snapshot { bodies, contacts: vec![contact], ..Snapshot::default() }
}

#[test]
fn contacts_and_grains_belong_to_a_zone_with_any_image() {
    let (setup, snapshot) = (cell(), pair_across());
    let boxed = |low: f64, high: f64| Region::<Space>::Box {
        low: DVec3::new(low, 0.0, -2.0),
        high: DVec3::new(high, 8.0, 2.0),
    };
    // The contact: in the cell, on both sides of where it is, and not in the middle.
    for (low, high, count) in
        [(0.0, 10.0, 1), (9.0, 10.0, 1), (-1.0, 0.0, 1), (2.0, 8.0, 0), (-15.0, 25.0, 1)]
    {
        let zone = Some(boxed(low, high));
        assert_eq!(rows(ContactList { zone }, &setup, &snapshot).len(), count, "{low} to {high}");
        assert_eq!(rows(Fabric { zone }, &setup, &snapshot)[0][0], count as f64, "{low} to {high}");
    }
    // The grains: a zone around the side has both, and counts each once.
    for (low, high, count) in [(8.0, 11.0, 2.0), (9.0, 11.0, 1.0), (2.0, 8.0, 0.0), (-15.0, 25.0, 2.0)] {
        let zone = Some(boxed(low, high));
        assert_eq!(rows(Energies { zone }, &setup, &snapshot)[0][0], count);
        assert_eq!(rows(Coordination { zone }, &setup, &snapshot)[0][0], count);
        assert_eq!(rows(GrainStress { zone }, &setup, &snapshot).len() as f64, count);
    }
    // Where it has no end it is looked at in the cell alone.
    let beyond = Region::Beyond { point: DVec3::X * 5.0, normal: DVec3::X };
    assert_eq!(rows(Energies { zone: Some(beyond) }, &setup, &snapshot)[0][0], 1.0);
    // Stress: each grain has a moment of 1 m times 6 N; over 3 · 8 · 4 m³ around the side, or half of it.
    let stress = |low: f64, high: f64| rows(Stress { zone: boxed(low, high) }, &setup, &snapshot)[0].clone();
    near(&stress(8.0, 11.0)[..3], &[2.0, 12.0 / 96.0 / 3.0, 12.0 / 96.0]);
    near(&stress(9.0, 12.0)[..3], &[1.0, 6.0 / 96.0 / 3.0, 6.0 / 96.0]);
    // Two cells have twice as much in twice the room.
    near(&stress(0.0, 20.0)[..3], &[4.0, 24.0 / 640.0 / 3.0, 24.0 / 640.0]);
}

#[test]
fn heights_go_on_beyond_sides() {
    let (setup, snapshot) = (cell(), pair_across());
    let (origin, up, along) = (DVec3::NEG_Z, DVec3::Z, Along::Line(DVec3::X));
    let profile = Profile { origin, up, along, range: [6.0, 14.0], bins: 4 };
    let heights = |profile: Profile<Space>| -> Vec<f64> {
        rows(profile, &setup, &snapshot).iter().map(|row| row[1]).collect()
    };
    let found = heights(profile);
    near(&found[1..3], &[2.0, 2.0]);
    assert!(found[0].is_nan() && found[3].is_nan(), "{found:?}");
    // About an axis on the side the grain at 8.5 is 1.5 away.
    let origin = DVec3::new(0.0, 4.0, -1.0);
    let radial = Profile { origin, along: Along::Radius, range: [0.0, 3.0], bins: 3, ..profile };
    let found = heights(radial);
    near(&found[..2], &[2.0, 2.0]);
    assert!(found[2].is_nan(), "{found:?}");
}

/// A grain goes round: what it passes, planes on the sides and beyond them included.
#[test]
fn coming_home_is_no_passage() {
    let mut setup = cell();
    let grain = |id: u32, x: f64, v: DVec3| Grain {
        id,
        shape: 0,
        material: 0,
        pose: Pose::at(DVec3::new(x, 4.0, 3.0 * f64::from(id))),
        velocity: v,
        spin: DVec3::ZERO,
        frozen: false,
    };
    // 25 m along x in 1 s; another one 15 m back.
    setup.grains = vec![grain(1, 2.0, DVec3::X * 25.0), grain(2, 8.0, DVec3::X * -15.0)];
    setup.gravity = DVec3::ZERO;
    let flow = |x: f64, normal: DVec3| Kind::<Space>::from(Flow::new(DVec3::new(x, 0.0, 0.0), normal, None));
    // From 2 to 27 it passes 5 at 5, 15 and 25; 0 at 10 and 20; 9 at 9 and 19. From 8 to -7 the other one passes 5 at 5 and
    // -5, 0 at 0, and 9 at -1.
    let slanted = DVec3::new(1.0, 0.0, 1.0).normalize();
    let expected = [
        (5.0, DVec3::X, [3.0, 2.0]),
        (0.0, DVec3::X, [2.0, 1.0]),
        (10.0, DVec3::X, [2.0, 1.0]),
        (9.0, DVec3::X, [2.0, 1.0]),
        (-31.0, DVec3::X, [2.0, 1.0]),
        (5.0, DVec3::NEG_X, [2.0, 3.0]),
        (5.0, DVec3::Y, [0.0, 0.0]),
    ];
    let mut flows: Vec<_> = expected.iter().map(|(x, normal, _)| flow(*x, *normal)).collect();
    let mut oblique = Kind::from(Flow::new(DVec3::new(5.0, 4.0, 3.0), slanted, None));
    let mut world = World::new(&setup).unwrap();
    for step in 0..1000 {
        if step % 10 == 0 {
            flows.iter_mut().for_each(|flow| flow.get_mut().look(&world, &setup));
            oblique.get_mut().look(&world, &setup);
        }
        world.step().unwrap();
    }
    let (snapshot, lattice, gauge) = (world.snapshot(), world.lattice(), Gauge::new(&setup));
    let view = View { setup: &setup, gauge: &gauge, snapshot: &snapshot, lattice: &lattice };
    for (flow, (x, normal, [forth, back])) in flows.iter().zip(expected) {
        let row = &flow.get().rows(&view)[0];
        assert_eq!([row[0], row[2], row[4]], [forth - back, forth, back], "{x} {normal}");
    }
    // Grain 1 is at z = 3, and passes it where x is 5, three times; grain 2 is at z = 6, where it is at x = 2: once.
    let row = &oblique.get().rows(&view)[0];
    assert_eq!([row[2], row[4]], [3.0, 1.0]);
}

/// A ball on the seam of a compound of two half cubes on a floor: each of the two grains has one contact with the other, and
/// the compound one with the floor, although two halves touch each of them.
#[test]
fn several_parts_that_touch_are_one_contact() {
    let half = |x: f64| {
        let corner = |k: usize| DVec3::new([-0.5, 0.5][k & 1], [-1.0, 1.0][k >> 1 & 1], [-1.0, 1.0][k >> 2]);
        let shape: Solid = Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0.into();
        Part { shape, pose: Pose::at(DVec3::X * x) }
    };
    let ball = Solid::from(Sphere::new(0.5).unwrap());
    let mut setup = setup::<Space>(vec![half(0.0).shape, ball], DVec3::ZERO);
    setup.compounds.insert(0, Compound::new(vec![half(-0.5), half(0.5)]).unwrap().0);
    setup.walls = vec![Wall::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0)];
    let grain = |id: u32, shape: u32, z: f64| Grain {
        id,
        shape,
        material: 0,
        pose: Pose::at(DVec3::Z * z),
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        frozen: false,
    };
    setup.grains = vec![grain(1, 0, 0.999), grain(2, 1, 2.498)];
    let snapshot = World::new(&setup).unwrap().snapshot();
    assert_eq!(snapshot.contacts.len(), 4, "{:?}", snapshot.contacts);
    assert_eq!(snapshot.bodies.iter().map(|body| body.coordination).collect::<Vec<_>>(), [2, 1]);
    // One grain has a contact, one has two: 3/2 in the mean, one of them with a grain.
    let row = &rows(Coordination { zone: None }, &setup, &snapshot)[0];
    near(&row[..6], &[2.0, 1.5, 1.0, 0.0, 1.0, 1.0]);
    let fabric = &rows(Fabric { zone: None }, &setup, &snapshot)[0];
    assert_eq!(fabric[0], 1.0);
    let each = rows(GrainStress { zone: None }, &setup, &snapshot);
    assert_eq!([each[0][14], each[1][14]], [2.0, 1.0]);
}

/// Two dumbbells touch with two pairs of parts, obliquely, one dumbbell being the first in one contact and the second in the
/// other, and a third touches the second at a single point. Two contacts: the normals of the first are along (0.6, 0, ±0.8), in
/// the mean with n nᵀ = diag(0.36, 0, 0.64), that of the other is along y.
#[test]
fn fabric_of_compounds_has_each_pair_once() {
    let setup = dumbbells(2.0);
    let contact = |a, b, x: DVec3, n: DVec3| touching::<Space>(a, b, x, n, n * 5.0);
    let contacts = vec![
        contact(1, 2, DVec3::new(1.0, 0.0, 2.0), DVec3::new(0.6, 0.0, 0.8)),
        contact(2, 1, DVec3::new(1.0, 0.0, -2.0), DVec3::new(-0.6, 0.0, 0.8)),
        contact(2, 3, DVec3::new(2.0, 1.0, 0.0), DVec3::Y),
    ];
    let bodies =
        vec![body(1, 0, DVec3::ZERO), body(2, 0, DVec3::X * 2.0), body(3, 0, DVec3::new(2.0, 2.0, 0.0))];
    let snapshot = Snapshot { contacts, ..one(bodies) };
    let both = [2.0, 0.18, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.32];
    near(&rows(Fabric { zone: None }, &setup, &snapshot)[0], &both);
    let each = rows(GrainStress { zone: None }, &setup, &snapshot);
    near(&each[0][14..], &[1.0, 0.36, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.64]);
    near(&each[1][14..], &both);
    near(&rows(Coordination { zone: None }, &setup, &snapshot)[0][..3], &[3.0, 4.0 / 3.0, 4.0 / 3.0]);
    // Of the upper half one of the two points is left, with its own direction.
    let upper = Some(Region::Beyond { point: DVec3::Z, normal: DVec3::Z });
    near(
        &rows(Fabric { zone: upper }, &setup, &snapshot)[0],
        &[1.0, 0.36, 0.0, 0.48, 0.0, 0.0, 0.0, 0.48, 0.0, 0.64],
    );
}

/// A dumbbell touches another one and that one's image across a side: those are two.
#[test]
fn images_are_others() {
    let mut setup = dumbbells(2.0);
    let side = Side { vector: DVec3::X * 4.0, velocity: DVec3::ZERO };
    setup.cell = Some(Cell { sides: [Some(side), None, None], ..Cell::default() });
    let contact = |a, b, x: f64, z: f64, across: f64| ContactState {
        across: DVec3::X * across,
        ..touching::<Space>(a, b, DVec3::new(x, 0.0, z), DVec3::X * x.signum(), DVec3::X * x.signum())
    };
    // Both ends of the dumbbells touch, on both sides. The last one is told from the other's side.
    let mut contacts: Vec<_> = [-2.0, 2.0].map(|z| contact(1, 2, 1.0, z, 0.0)).into();
    contacts.extend([contact(1, 2, -1.0, 2.0, -4.0), contact(2, 1, 3.0, -2.0, 4.0)]);
    let bodies = vec![body(1, 0, DVec3::ZERO), body(2, 0, DVec3::X * 2.0)];
    let snapshot = Snapshot { contacts, ..one(bodies) };
    near(&rows(Coordination { zone: None }, &setup, &snapshot)[0][..3], &[2.0, 2.0, 2.0]);
    assert_eq!(rows(Fabric { zone: None }, &setup, &snapshot)[0][0], 2.0);
}

/// In the plane: half a dumbbell of discs, and a disc across a side.
#[test]
fn the_same_in_the_plane() {
    let disc = Figure::from(Circle::new(1.0).unwrap());
    let part = |y: f64| Part { shape: disc.clone(), pose: Pose::at(DVec2::Y * y) };
    let mut setup = setup::<Plane>(vec![disc.clone(), disc.clone()], DVec2::NEG_Y);
    setup.compounds.insert(0, Compound::new(vec![part(-2.0), part(2.0)]).unwrap().0);
    let side = Side { vector: DVec2::X * 10.0, velocity: DVec2::ZERO };
    setup.cell = Some(Cell { sides: [Some(side), None, None], ..Cell::default() });
    let zone = Region::Box { low: DVec2::new(-5.0, -4.0), high: DVec2::new(5.0, 0.0) };
    let fraction = |body| rows(SolidFraction { zone }, &setup, &one(vec![body]))[0][0] * zone.volume();
    near(&[fraction(body::<Plane>(1, 0, DVec2::ZERO))], &[PI]);
    near(&[fraction(body::<Plane>(1, 1, DVec2::new(-5.0, -2.0)))], &[PI]);
    let (origin, up, along) = (DVec2::ZERO, DVec2::Y, Along::Line(DVec2::X));
    let profile = Profile { origin, up, along, range: [-1.0, 1.0], bins: 1 };
    near(&rows(profile, &setup, &one(vec![body::<Plane>(1, 0, DVec2::Y)]))[0], &[0.0, 4.0]);
}

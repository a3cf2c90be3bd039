//! Every probe against a configuration that is computed by hand.
//!
//! Most of them look at snapshots that are written down here: nothing has to move for that.

use std::f64::consts::PI;

use crate::common::{body, near, rows, setup, touching};
use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{
    BodyState, ContactState, Grain, Lattice, Region, Setup, Snapshot, Wall, WallState, World,
};
use gritstone_probe::{
    Along, ContactList, Coordination, Energies, Fabric, Flow, Gauge, GrainStress, Kind, Profile, Repose,
    SolidFraction, Stress, View, WallForces,
};
use gritstone_shape::plane::{Circle, Figure};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere};

/// Three spheres of radius 1 in a row along x at 0, 2 and 4, pressed together with 8 N, with a wall at the right end.
fn row_of_three() -> (Setup<Space>, Snapshot<Space>) {
    let setup = setup::<Space>(vec![Sphere::new(1.0).unwrap().into()], DVec3::new(0.0, 0.0, -10.0));
    let x = |x: f64| DVec3::X * x;
    let with_wall = ContactState { with_wall: true, ..touching::<Space>(3, 0, x(5.0), DVec3::X, x(8.0)) };
    let contacts = vec![
        touching::<Space>(1, 2, x(1.0), DVec3::X, x(8.0)),
        touching::<Space>(2, 3, x(3.0), DVec3::X, x(8.0)),
        with_wall,
    ];
    let bodies = vec![body(1, 0, x(0.0)), body(2, 0, x(2.0)), body(3, 0, x(4.0))];
    (setup, Snapshot { step: 7, time: 0.5, bodies, walls: Vec::new(), contacts })
}

const EVERYWHERE: Region<Space> =
    Region::Box { low: DVec3::new(-1.0, -1.0, -1.0), high: DVec3::new(5.0, 1.0, 1.0) };

#[test]
fn energies_of_a_moving_ball() {
    let (setup, mut snapshot) = row_of_three();
    // A ball of 1000 kg/m³ and radius 1: m = 4188.79 kg, I = 2/5 m.
    let m = 1000.0 * 4.0 / 3.0 * PI;
    snapshot.bodies[1].velocity = DVec3::new(0.0, 3.0, 4.0);
    snapshot.bodies[1].spin = DVec3::new(2.0, 0.0, 0.0);
    snapshot.bodies[1].pose.position.z = 0.5;
    let row = &rows(Energies { zone: None }, &setup, &snapshot)[0];
    near(row, &[3.0, 3.0 * m, 0.5 * m * 25.0, 0.5 * 0.4 * m * 4.0, m * 10.0 * 0.5, 0.0, 1.0, 4.0 / 3.0]);
    let right = Region::Beyond { point: DVec3::X * 3.0, normal: DVec3::X };
    near(
        &rows(Energies { zone: Some(right) }, &setup, &snapshot)[0],
        &[1.0, m, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
}

#[test]
fn coordination_of_a_row() {
    let (setup, snapshot) = row_of_three();
    let row = &rows(Coordination { zone: None }, &setup, &snapshot)[0];
    // The first touches one, the others two; four of the five are grains.
    near(&row[..3], &[3.0, 5.0 / 3.0, 4.0 / 3.0]);
    near(&row[3..7], &[0.0, 1.0, 2.0, 0.0]);
    assert_eq!(row[3..].iter().sum::<f64>(), 3.0);
}

#[test]
fn solid_fraction_of_cut_spheres() {
    let (setup, snapshot) = row_of_three();
    let ball = 4.0 / 3.0 * PI;
    let fraction = |zone: Region<Space>| rows(SolidFraction { zone }, &setup, &snapshot)[0][0];
    near(&[fraction(EVERYWHERE)], &[3.0 * ball / 24.0]);
    // From the middle of the first to the middle of the third: two halves and a whole.
    let inner = Region::Box { low: DVec3::new(0.0, -1.0, -1.0), high: DVec3::new(4.0, 1.0, 1.0) };
    near(&[fraction(inner)], &[2.0 * ball / 16.0]);
    // A ball of radius 1 about where two of them touch: twice a lens of 5π/12.
    let lens = Region::Ball { center: DVec3::X, radius: 1.0 };
    near(&[fraction(lens)], &[2.0 * 5.0 * PI / 12.0 / ball]);
    let pipe = Region::Cylinder { base: DVec3::ZERO, axis: DVec3::X, length: 2.0, radius: 1.0 };
    near(&[fraction(pipe)], &[ball / (2.0 * PI)]);
}

/// A brick of 2 by 3 by 4, turned by 45 degrees about z, cut in two by a plane through its centre; and an ellipsoid. The
/// quadrature's error is some parts in a thousand.
#[test]
fn solid_fraction_of_other_shapes() {
    let corners: Vec<DVec3> = (0..8)
        .map(|k| DVec3::new([-1.0, 1.0][k & 1], [-1.5, 1.5][k >> 1 & 1], [-2.0, 2.0][k >> 2]))
        .collect();
    let brick = Polyhedron::hull(&corners).unwrap().0;
    let egg = Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0)).unwrap();
    let setup = setup::<Space>(vec![brick.into(), egg.into()], DVec3::ZERO);
    let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(PI / 4.0));
    let mut snapshot = Snapshot {
        bodies: vec![BodyState { id: 1, pose: turned, ..BodyState::default() }],
        ..Snapshot::default()
    };
    let zone = Region::Box { low: DVec3::new(0.0, -5.0, -5.0), high: DVec3::splat(5.0) };
    let half = rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume();
    assert!((half - 12.0).abs() < 0.1, "{half}");
    snapshot.bodies[0].shape = 1;
    let half = rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume();
    let egg = 4.0 / 3.0 * PI * 6.0;
    assert!((half - 0.5 * egg).abs() < 0.005 * egg, "{half} of {egg}");
}

#[test]
fn stress_of_a_row() {
    let (setup, snapshot) = row_of_three();
    // Moments about the centres: 8 for the first (one contact), 16 for the others; over 24 m³.
    let row = &rows(Stress { zone: EVERYWHERE }, &setup, &snapshot)[0];
    let pull = 40.0 / 24.0;
    near(row, &[3.0, pull / 3.0, pull, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let each = rows(GrainStress { zone: None }, &setup, &snapshot);
    let ball = 4.0 / 3.0 * PI;
    near(&each[1][..6], &[2.0, 2.0, 0.0, 0.0, 16.0 / ball / 3.0, 16.0 / ball]);
    near(&[each[0][5]], &[8.0 / ball]);
    // In summaries: moments of 8, 16 and 16 over a ball, a third of them as means; five contacts of three grains.
    let digest = Kind::<Space>::from(GrainStress { zone: None }).get().digest(&each);
    near(&digest, &[3.0, 40.0 / 9.0 / ball, 16.0 / 3.0 / ball, 5.0 / 3.0]);
}

/// Shear: a force along y at a contact along x gives a component that is not on the diagonal.
#[test]
fn stress_has_rows_of_branches_and_columns_of_forces() {
    let (setup, mut snapshot) = row_of_three();
    snapshot.contacts.truncate(1);
    snapshot.contacts[0].force = DVec3::Y * 6.0;
    let row = &rows(Stress { zone: EVERYWHERE }, &setup, &snapshot)[0];
    // Two moments of 1 m times 6 N over 24 m³, in the place xy.
    near(row, &[3.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn fabric_of_three_contacts() {
    let (setup, mut snapshot) = row_of_three();
    snapshot.contacts[1].normal = DVec3::new(0.0, 0.6, 0.8);
    let row = &rows(Fabric { zone: None }, &setup, &snapshot)[0];
    near(row, &[2.0, 0.5, 0.0, 0.0, 0.0, 0.18, 0.24, 0.0, 0.24, 0.32]);
}

/// Each grain by itself: the one in the middle touches along x and obliquely, the last one obliquely and a wall, and one that is
/// alone has no fabric.
#[test]
fn fabric_of_each_grain() {
    let (setup, mut snapshot) = row_of_three();
    snapshot.contacts[1].normal = DVec3::new(0.0, 0.6, 0.8);
    snapshot.bodies.push(body(4, 0, DVec3::X * 9.0));
    let each = rows(GrainStress { zone: None }, &setup, &snapshot);
    let fabric = |grain: usize| &each[grain][14..];
    near(fabric(0), &[1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    near(fabric(1), &[2.0, 0.5, 0.0, 0.0, 0.0, 0.18, 0.24, 0.0, 0.24, 0.32]);
    near(fabric(2), fabric(1));
    assert!(fabric(3)[0] == 0.0 && fabric(3)[1..].iter().all(|x| x.is_nan()), "{:?}", fabric(3));
    let names = Kind::from(GrainStress::<Space> { zone: None }).get().columns(&setup);
    assert_eq!((names[14].name.as_str(), names[15].name.as_str()), ("contacts", "fxx"));
}

#[test]
fn what_does_not_exist_is_no_number() {
    let (setup, snapshot) = row_of_three();
    let nowhere = Some(Region::Ball { center: DVec3::splat(50.0), radius: 1.0 });
    let fabric = &rows(Fabric { zone: nowhere }, &setup, &snapshot)[0];
    assert!(fabric[0] == 0.0 && fabric[1..].iter().all(|x| x.is_nan()), "{fabric:?}");
    let coordination = &rows(Coordination { zone: nowhere }, &setup, &snapshot)[0];
    assert!(
        coordination[0] == 0.0 && coordination[1].is_nan() && coordination[3..].iter().all(|n| *n == 0.0)
    );
    let energies = &rows(Energies { zone: nowhere }, &setup, &snapshot)[0];
    assert!(energies[..5].iter().all(|x| *x == 0.0) && energies[5..].iter().all(|v| v.is_nan()));
    // One bin is no slope.
    let (origin, up, along) = (DVec3::NEG_Z, DVec3::Z, Along::Line(DVec3::X));
    let profile = Profile { origin, up, along, range: [-1.0, 1.0], bins: 1 };
    let repose = &rows(Repose { profile }, &setup, &snapshot)[0];
    assert!(repose[0].is_nan() && repose[2].is_nan() && repose[1] == 2.0, "{repose:?}");
    // Nor is there a mean of no contacts.
    let none = Kind::<Space>::from(ContactList { zone: nowhere }).get().digest(&[]);
    assert!(none[0] == 0.0 && none[1].is_nan() && none[2].is_nan());
}

#[test]
fn contacts_are_listed_with_their_forces() {
    let (setup, mut snapshot) = row_of_three();
    snapshot.contacts[0].force = DVec3::new(8.0, -2.0, 0.0);
    let all = rows(ContactList { zone: None }, &setup, &snapshot);
    assert_eq!(all.len(), 3);
    near(&all[0], &[1.0, 2.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1e-3, 8.0, 0.0, -2.0, 0.0]);
    near(&all[2][..3], &[3.0, 0.0, 1.0]);
    snapshot.contacts[1].force = DVec3::X * 2.0;
    let all = rows(ContactList { zone: None }, &setup, &snapshot);
    near(&Kind::<Space>::from(ContactList { zone: None }).get().digest(&all), &[3.0, 6.0, 8.0]);
    let left = Region::Beyond { point: DVec3::X * 2.0, normal: -DVec3::X };
    assert_eq!(rows(ContactList { zone: Some(left) }, &setup, &snapshot).len(), 1);
}

#[test]
fn forces_on_walls() {
    let (mut setup, mut snapshot) = row_of_three();
    let wall = |name: &str| Wall::fixed(name, HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0);
    setup.walls = vec![wall("floor"), wall("side")];
    let state = |f: f64| WallState {
        present: true,
        force: DVec3::Z * f,
        torque: DVec3::new(1.0, 2.0, f),
        ..WallState::default()
    };
    snapshot.walls = vec![state(3.0), state(4.0)];
    near(&rows(WallForces::new(vec![1]), &setup, &snapshot)[0], &[0.0, 0.0, 4.0, 1.0, 2.0, 4.0]);
    let kind = Kind::from(WallForces::new(vec![0, 1]));
    let names: Vec<_> = kind.get().columns(&setup).into_iter().map(|column| column.name).collect();
    assert_eq!(names[..4], ["floor fx", "floor fy", "floor fz", "floor tx"]);
}

/// One of two balls falls through a plane 1 m below, the other starts beyond it and flies back up.
#[test]
fn flow_counts_what_passes_both_ways() {
    let mut setup = setup::<Space>(vec![Sphere::new(0.1).unwrap().into()], DVec3::ZERO);
    let grain = |id: u32, z: f64, v: f64| Grain {
        id,
        shape: 0,
        material: 0,
        pose: Pose::at(DVec3::new(f64::from(id), 0.0, z)),
        velocity: DVec3::Z * v,
        spin: DVec3::ZERO,
        frozen: false,
    };
    setup.grains = vec![grain(1, 0.5, -1.0), grain(2, -0.5, 2.0), grain(3, 5.0, -1.0), grain(4, 0.2, -1.0)];
    let mut world = World::new(&setup).unwrap();
    let mut flow = Kind::from(Flow::new(DVec3::ZERO, -DVec3::Z, None));
    let near_first = Region::Ball { center: DVec3::new(1.0, 0.0, 0.0), radius: 0.8 };
    let mut beside = Kind::from(Flow::new(DVec3::ZERO, -DVec3::Z, Some(near_first)));
    for step in 0..1000 {
        if step % 10 == 0 {
            flow.get_mut().look(&world, &setup);
            beside.get_mut().look(&world, &setup);
        }
        if step == 500 {
            // A stop in between: what is saved goes on.
            let saved = flow.get().save().unwrap();
            flow = Flow::new(DVec3::ZERO, -DVec3::Z, None).into();
            assert!(flow.get_mut().restore(&saved));
        }
        world.step().unwrap();
    }
    let m = 1000.0 * 4.0 / 3.0 * PI * 1e-3;
    let (snapshot, lattice) = (world.snapshot(), world.lattice());
    let view = View { setup: &setup, gauge: &Gauge::new(&setup), snapshot: &snapshot, lattice: &lattice };
    let row = flow.get().rows(&view).remove(0);
    near(&row[..6], &[1.0, m, 2.0, 2.0 * m, 1.0, m]);
    near(&beside.get().rows(&view)[0][..6], &[1.0, m, 1.0, m, 0.0, 0.0]);
    // There is no rate in the first row. The rate in the next one is that since then, also from a checkpoint.
    assert!(row[6].is_nan() && row[7].is_nan(), "{row:?}");
    flow.get_mut().note(&view);
    let saved = flow.get().save().unwrap();
    flow = Flow::new(DVec3::ZERO, -DVec3::Z, None).into();
    assert!(flow.get_mut().restore(&saved));
    // The third ball reaches the plane after 5 s.
    let start = world.time();
    while world.time() < 5.5 {
        flow.get_mut().look(&world, &setup);
        (0..10).for_each(|_| world.step().unwrap());
    }
    flow.get_mut().look(&world, &setup);
    let snapshot = world.snapshot();
    let view = View { snapshot: &snapshot, ..view };
    let interval = world.time() - start;
    near(&flow.get().rows(&view)[0], &[2.0, 2.0 * m, 3.0, 3.0 * m, 1.0, m, 1.0 / interval, m / interval]);
}

/// Between two looks a ball goes 3 cm along x and 4 cm down. It passes the plane z = 0 at x = 0.15, where it is not seen: before
/// it is at x = 0.135 and z = 0.02, after it at x = 0.165 and z = −0.02.
#[test]
fn flow_counts_where_grains_pass() {
    let mut setup = setup::<Space>(vec![Sphere::new(0.01).unwrap().into()], DVec3::ZERO);
    setup.grains = vec![Grain {
        id: 1,
        shape: 0,
        material: 0,
        pose: Pose::at(DVec3::new(0.0, 0.0, 0.2)),
        velocity: DVec3::new(3.0, 0.0, -4.0),
        spin: DVec3::ZERO,
        frozen: false,
    }];
    let boxed = |x: [f64; 2], z: [f64; 2]| Region::Box {
        low: DVec3::new(x[0], -1.0, z[0]),
        high: DVec3::new(x[1], 1.0, z[1]),
    };
    let (wide, thin) = ([-1.0, 1.0], [-2e-4, 2e-4]);
    // A plane that leans by 30 degrees, through where it passes as well, and what is on either side of it.
    let (sin, cos) = (PI / 6.0).sin_cos();
    let (place, lean) = (DVec3::new(0.15, 0.0, 0.0), DVec3::new(sin, 0.0, -cos));
    let down = DVec3::NEG_Z;
    let cases = [
        (down, boxed(wide, thin), 1.0),
        // On either side, up to the plane.
        (down, boxed(wide, [0.0, 1.0]), 1.0),
        (down, boxed(wide, [-1.0, 0.0]), 1.0),
        (down, boxed(wide, [1e-6, 1.0]), 0.0),
        // About the place, and about where it was seen before and after.
        (down, boxed([0.149, 0.151], wide), 1.0),
        (down, boxed([0.134, 0.136], wide), 0.0),
        (down, boxed([0.164, 0.166], wide), 0.0),
        (lean, Region::Beyond { point: place, normal: lean }, 1.0),
        (lean, Region::Beyond { point: place, normal: -lean }, 1.0),
        (lean, Region::Beyond { point: place + lean * 1e-6, normal: lean }, 0.0),
    ];
    let mut flows = cases.map(|(normal, zone, _)| Kind::from(Flow::new(place, normal, Some(zone))));
    let mut world = World::new(&setup).unwrap();
    for step in 0..100 {
        // At 0.035, 0.045 and 0.055 s, say.
        if step % 10 == 5 {
            flows.iter_mut().for_each(|flow| flow.get_mut().look(&world, &setup));
        }
        world.step().unwrap();
    }
    let (snapshot, lattice) = (world.snapshot(), world.lattice());
    let view = View { setup: &setup, gauge: &Gauge::new(&setup), snapshot: &snapshot, lattice: &lattice };
    for (flow, (normal, zone, expected)) in flows.iter().zip(cases) {
        assert_eq!(flow.get().rows(&view)[0][0], expected, "{normal} {zone:?}");
    }
}

/// A heap of balls whose tops are on a slope of 30 degrees on both sides of a peak of 1 m.
#[test]
fn the_angle_of_a_slope() {
    let setup = setup::<Space>(vec![Sphere::new(0.01).unwrap().into()], DVec3::NEG_Z);
    let slant = (PI / 6.0).tan();
    let bodies: Vec<_> = (0..200)
        .map(|k| {
            // The middles of bins of 2 cm, all around.
            let r = 0.01 + 0.02 * f64::from(k % 100);
            let around = DVec2::from_angle(f64::from(k)) * r;
            body(k + 1, 0, DVec3::new(around.x, around.y, 1.0 - slant * r - 0.01))
        })
        .collect();
    let snapshot = Snapshot { bodies, ..Snapshot::default() };
    let origin = DVec3::ZERO;
    let profile = Profile { origin, up: DVec3::Z, along: Along::Radius, range: [0.0, 2.0], bins: 100 };
    let heights = rows(profile, &setup, &snapshot);
    near(&heights[10], &[0.21, 1.0 - slant * 0.21]);
    near(&Kind::from(profile).get().digest(&heights)[1..], &[1.0 - slant * 0.01]);
    let row = &rows(Repose { profile }, &setup, &snapshot)[0];
    // Heights fall from 0.994 to below zero; bins between a fifth and four fifths of that.
    assert!((row[0] - 30.0).abs() < 1e-9 && (row[2] - 1.0 / slant).abs() < 1e-9, "{row:?}");
    let top = 1.0 - slant * 0.01;
    let on_slope = (0..100).filter(|k| {
        let h = 1.0 - slant * (0.01 + 0.02 * f64::from(*k));
        h < 0.8 * top && h > 0.2 * top
    });
    near(&[row[1], row[3]], &[top, on_slope.count() as f64]);
}

/// A wedge of five layers of balls, each in the hollows of the layer below: the tops fall by √3/2 of a diameter over half a diameter,
/// 60 degrees. Single balls lie around it, higher than a fifth of the heap; they are not on the slope.
#[test]
fn the_angle_of_a_small_heap() {
    let setup = setup::<Space>(vec![Sphere::new(0.5).unwrap().into()], DVec3::NEG_Z);
    let rise = 0.75_f64.sqrt();
    let wedge = (0..5).flat_map(|layer| {
        let (left, z) = (-0.5 * f64::from(4 - layer), 0.5 + rise * f64::from(layer));
        (0..5 - layer).map(move |k| DVec3::new(left + f64::from(k), 0.0, z))
    });
    let around = (3..20).map(|k| DVec3::new(f64::from(k), 0.0, 0.5));
    let bodies = wedge.chain(around).zip(1..).map(|(x, id)| body(id, 0, x)).collect();
    let snapshot = Snapshot { bodies, ..Snapshot::default() };
    let along = Along::Line(DVec3::X);
    let profile = Profile { origin: DVec3::ZERO, up: DVec3::Z, along, range: [-0.25, 24.75], bins: 50 };
    let row = &rows(Repose { profile }, &setup, &snapshot)[0];
    near(row, &[60.0, 1.0 + 4.0 * rise, 0.5 * (1.0 + 4.0 * rise) / rise, 2.0]);
}

/// Why there is no angle.
#[test]
fn the_reason_of_no_angle_is_told() {
    let setup = setup::<Space>(vec![Sphere::new(0.5).unwrap().into()], DVec3::NEG_Z);
    let (gauge, lattice) = (Gauge::new(&setup), Lattice::new(None));
    let told = |places: &[DVec3], bins: usize| {
        let bodies = places.iter().zip(1..).map(|(x, id)| body(id, 0, *x)).collect();
        let snapshot = Snapshot { bodies, ..Snapshot::default() };
        let along = Along::Line(DVec3::X);
        let profile = Profile { origin: DVec3::ZERO, up: DVec3::Z, along, range: [-0.5, 9.5], bins };
        let view = View { setup: &setup, gauge: &gauge, snapshot: &snapshot, lattice: &lattice };
        (Kind::from(Repose { profile }).get().remark(&view), rows(Repose { profile }, &setup, &snapshot))
    };
    let at = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    for (places, bins, words) in [
        (vec![at(100.0, 0.5)], 10, "no grains in the range"),
        (vec![at(0.0, 0.5), at(1.0, 0.5)], 10, "too few layers of grains"),
        (vec![at(0.0, 9.5), at(1.0, 5.5), at(2.0, 0.5)], 10, "1 of 10 bins on the slope"),
    ] {
        let (remark, rows) = told(&places, bins);
        assert!(remark.as_ref().is_some_and(|text| text.contains(words)), "{remark:?} instead of {words}");
        assert!(rows[0][0].is_nan());
    }
    let (remark, rows) = told(&[at(0.0, 9.5), at(1.0, 6.5), at(2.0, 3.5), at(3.0, 0.5)], 10);
    assert!(
        remark.is_none() && (rows[0][0] - 3.0_f64.atan().to_degrees()).abs() < 1e-9,
        "{remark:?} {rows:?}"
    );
}

/// Balls of radius 1 with tops 3 m above the origin, 2 m and 5 m below it, and nothing in the fourth of four bins.
#[test]
fn heights_below_the_origin_and_of_nothing() {
    let setup = setup::<Space>(vec![Sphere::new(1.0).unwrap().into()], DVec3::NEG_Z);
    let tops = [3.0, -2.0, -5.0];
    let bodies =
        tops.iter().zip(0..).map(|(top, k)| body(k + 1, 0, DVec3::new(f64::from(k) + 0.5, 0.0, top - 1.0)));
    let snapshot = Snapshot { bodies: bodies.collect(), ..Snapshot::default() };
    let (up, along) = (DVec3::Z, Along::Line(DVec3::X));
    let profile = Profile { origin: DVec3::ZERO, up, along, range: [0.0, 4.0], bins: 4 };
    let all = rows(profile, &setup, &snapshot);
    near(&[all[0][1], all[1][1], all[2][1]], &tops);
    assert!(all[3][1].is_nan(), "{all:?}");
    // What does not exist counts for no mean.
    near(&Kind::<Space>::from(profile).get().digest(&all), &[-4.0 / 3.0, 3.0]);
    // Seen from above the largest height is negative, and there is no slope; without grains there is not even that.
    let above = Profile { origin: DVec3::Z * 10.0, ..profile };
    let repose = &rows(Repose { profile: above }, &setup, &snapshot)[0];
    assert!(repose[0].is_nan() && repose[1] == -7.0 && repose[2].is_nan() && repose[3] == 0.0, "{repose:?}");
    let beside = Profile { range: [10.0, 14.0], ..profile };
    let repose = &rows(Repose { profile: beside }, &setup, &snapshot)[0];
    assert!(repose[..3].iter().all(|x| x.is_nan()) && repose[3] == 0.0, "{repose:?}");
    assert!(
        Kind::<Space>::from(beside).get().digest(&rows(beside, &setup, &snapshot)).iter().all(|x| x.is_nan())
    );
}

/// In the plane: two discs on each other, stress per metre of depth, a profile along x.
#[test]
fn the_same_in_the_plane() {
    let setup = setup::<Plane>(vec![Figure::from(Circle::new(1.0).unwrap())], DVec2::new(0.0, -10.0));
    let contact = touching::<Plane>(1, 2, DVec2::Y, DVec2::Y, DVec2::Y * 5.0);
    let snapshot = Snapshot {
        bodies: vec![body(1, 0, DVec2::ZERO), body(2, 0, DVec2::Y * 2.0)],
        contacts: vec![contact],
        ..Snapshot::default()
    };
    let zone = Region::Box { low: DVec2::new(-1.0, -1.0), high: DVec2::new(1.0, 3.0) };
    near(&rows(Stress { zone }, &setup, &snapshot)[0], &[2.0, 10.0 / 8.0 / 2.0, 0.0, 0.0, 0.0, 10.0 / 8.0]);
    near(&rows(SolidFraction { zone }, &setup, &snapshot)[0], &[2.0 * PI / 8.0]);
    let lower = Region::Box { low: DVec2::new(-1.0, 0.0), high: DVec2::new(1.0, 2.0) };
    near(&rows(SolidFraction { zone: lower }, &setup, &snapshot)[0], &[PI / 4.0]);
    near(&rows(Fabric { zone: None }, &setup, &snapshot)[0], &[1.0, 0.0, 0.0, 0.0, 1.0]);
    let along = Along::Line(DVec2::X);
    let profile = Profile { origin: DVec2::ZERO, up: DVec2::Y, along, range: [-1.5, 1.5], bins: 3 };
    let heights: Vec<f64> = rows(profile, &setup, &snapshot).iter().map(|row| row[1]).collect();
    assert!(heights[0].is_nan() && heights[1] == 3.0 && heights[2].is_nan(), "{heights:?}");
}

#[test]
fn solids_of_all_kinds_have_a_volume_inside() {
    // A sphere that is cut by two planes at once is counted on the grid: a quarter of it.
    let sphere = Solid::from(Sphere::new(1.0).unwrap());
    let setup = setup::<Space>(vec![sphere], DVec3::ZERO);
    let snapshot = Snapshot { bodies: vec![body(1, 0, DVec3::ZERO)], ..Snapshot::default() };
    let zone = Region::Box { low: DVec3::new(0.0, 0.0, -2.0), high: DVec3::splat(2.0) };
    let quarter = rows(SolidFraction { zone }, &setup, &snapshot)[0][0] * zone.volume();
    assert!((quarter / (PI / 3.0) - 1.0).abs() < 5e-3, "{quarter}");
}

//! Crowned bodies in the engine: what they get, what keeps its exact shape, and how friction holds a cap.

use crate::common::{G, SIZE, empty, go_on, grain, half_space, material, wall};
use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, World};
use gritstone_force::{Damping, Friction, Material};
use gritstone_shape::space::{Capsule, Cylinder, Solid, Superellipsoid};

/// A capsule that lies along y on a floor, without anything that moves it.
fn lying(crown: f64, tilt: f64) -> Setup<Space> {
    let capsule = Capsule::new(0.5 * SIZE, 1.5 * SIZE).unwrap();
    let mut setup = empty::<Space>(vec![capsule.into()], material());
    setup.rules.crown = crown;
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    let turn = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2 + tilt);
    let pose = Pose::new(DVec3::Z * (0.499 * SIZE), turn);
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec3::ZERO) }];
    setup
}

fn lever(setup: &Setup<Space>) -> f64 {
    let mut world = World::new(setup).unwrap();
    go_on(&mut world, 1);
    world.snapshot().contacts[0].point.y
}

/// The contact of a crowned capsule wanders along its line as it tilts: H θ/√(θ² + η²). That of the exact one jumps to its end.
#[test]
fn the_contact_of_a_crowned_capsule_wanders() {
    let half = 1.5 * SIZE;
    for tilt in [1e-4, 1e-3, 3e-3] {
        let crown = 0.003;
        let expected = half * tilt / f64::hypot(tilt, crown);
        let found = lever(&lying(crown, tilt)).abs();
        assert!((found / expected - 1.0).abs() < 0.02, "{tilt}: {found} {expected}");
        let exact = lever(&lying(0.0, tilt)).abs();
        assert!((exact / half - 1.0).abs() < 0.01, "{tilt}: {exact}");
    }
}

/// Without damping of rolling nothing else would stop a capsule that rocks on its crown.
#[test]
fn a_capsule_that_rocks_comes_to_rest() {
    let mut world = World::new(&lying(0.003, 2e-3)).unwrap();
    go_on(&mut world, 50_000);
    let body = world.snapshot().bodies[0];
    let speed = body.velocity.length() + 1.5 * SIZE * body.spin.length();
    assert!(speed < 1e-11 * (G * SIZE).sqrt(), "{speed:e}");
}

/// Walls that are cylinders keep their flat caps: a very flat box stands on one as on a plane.
#[test]
fn caps_of_walls_stay_flat() {
    let cube = Superellipsoid::new(DVec3::splat(0.5 * SIZE), [0.2, 0.2]).unwrap();
    let mut setup = empty::<Space>(vec![cube.into()], material());
    setup.rules.crown = 0.003;
    let pose = Pose::new(DVec3::new(5.0, 0.0, 0.5) * SIZE, DQuat::from_rotation_z(0.3));
    setup.grains = vec![Grain { pose, ..grain(0, 0, DVec3::ZERO) }];
    let table: Solid = Cylinder::new(20.0 * SIZE, 10.0 * SIZE).unwrap().into();
    let mut table = wall::<Space>("table", table);
    table.pose.position.z = -10.0 * SIZE;
    let heights = [vec![table], vec![half_space("floor", DVec3::Z, 0.0)]].map(|walls| {
        let mut world = World::new(&Setup { walls, ..setup.clone() }).unwrap();
        go_on(&mut world, 20_000);
        world.snapshot().bodies[0].pose.position
    });
    assert!((heights[0] - heights[1]).length() < 1e-6 * SIZE, "{heights:?}");
}

/// On a slope friction stays where it holds as a box rocks: were it to wander with the contact point, the box would begin to shake
/// by itself where it is damped little, and creep downhill.
#[test]
fn a_box_that_is_damped_little_rests_on_a_slope() {
    const HALF: f64 = 5e-3;
    const SLOPE: f64 = 0.2618;
    let cube = Superellipsoid::new(DVec3::splat(HALF), [0.2, 0.2]).unwrap();
    let smooth = Material {
        damping: Damping::Restitution(0.8),
        friction: Friction::Coefficient(0.54),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    };
    let mut setup = empty::<Space>(vec![cube.into()], smooth);
    setup.gravity = DVec3::new(SLOPE.sin(), 0.0, -SLOPE.cos()) * G;
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    setup.grains =
        vec![Grain { pose: Pose::new(DVec3::Z * (1.12 * HALF), turn), ..grain(0, 0, DVec3::ZERO) }];
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 100_000);
    let body = world.snapshot().bodies[0];
    let speed = body.velocity.length() + HALF * body.spin.length();
    assert!(speed < 1e-9 * (G * HALF).sqrt(), "{speed:e}");
}

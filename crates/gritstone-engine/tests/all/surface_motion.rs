//! Surfaces that move along themselves, against closed forms: conveyor belts and turntables.

use crate::common::{Corners, G, SIZE, empty, go_on, grain, half_space, material, mesh_wall, wall};
use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{Setup, Sides, SurfaceMotion, Wall, World};
use gritstone_force::{Damping, Friction, Material, Stiffness};
use gritstone_shape::plane::Circle;
use gritstone_shape::space::{Polyhedron, Solid, Sphere};

const FRICTION: f64 = 0.5;
const STIFFNESS: f64 = 1e5;

/// Stiff, and so damped that nothing rocks; without rolling and twisting resistance.
fn plain() -> Material {
    Material {
        stiffness: Stiffness::Linear { kn: STIFFNESS, ks: STIFFNESS },
        damping: Damping::Restitution(0.2),
        friction: Friction::Coefficient(FRICTION),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    }
}

/// A square of this half-width at z = 0, turned by a rotation.
fn square(half: f64, rotation: DQuat) -> Vec<Corners> {
    let at = |x: f64, y: f64| rotation * DVec3::new(x * half, y * half, 0.0);
    let [a, b, c, d] = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
    vec![[a, b, c], [a, c, d]]
}

fn slab(half: f64) -> Solid {
    let corner = |i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 0 { -half } else { half };
        DVec3::new(sign(0), sign(1), 0.1 * sign(2))
    };
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0.into()
}

/// A floor at z = 0 of each kind that moves like this.
fn floors(motion: SurfaceMotion<Space>) -> Vec<Wall<Space>> {
    let moving = |wall: Wall<Space>| Wall { surface_motion: motion, ..wall };
    let block = Wall { pose: Pose::at(DVec3::Z * -0.05), ..wall("slab", slab(0.5)) };
    let sheet = mesh_wall("sheet", &square(0.5, DQuat::IDENTITY), Sides::Both);
    [half_space("plane", DVec3::Z, 0.0), block, sheet].map(moving).into()
}

fn ball_on(floor: Wall<Space>) -> Setup<Space> {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], plain());
    let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * SIZE.powi(3);
    setup.grains = vec![grain(1, 0, DVec3::Z * (SIZE - mass * G / STIFFNESS))];
    setup.walls = vec![floor];
    setup.time_step = 1e-5;
    setup
}

/// A ball that is laid on a belt slides until its lowest point is as fast as the belt, U: friction gives that point 7/2 of the
/// velocity that it gives the centre, which ends with 2/7 U after 2U/(7μg).
#[test]
fn a_ball_on_a_belt_rolls_at_two_sevenths() {
    let speed = 0.2;
    for floor in floors(SurfaceMotion { velocity: DVec3::X * speed, spin: DVec3::ZERO }) {
        let (name, pose) = (floor.name.clone(), floor.pose);
        let mut world = World::new(&ball_on(floor)).unwrap();
        let until = 2.0 * speed / (7.0 * FRICTION * G);
        let start = world.energies().balance();
        go_on(&mut world, (0.5 * until / 1e-5) as u64);
        let slides = world.snapshot().bodies[0].velocity.x;
        assert!((slides / (FRICTION * G * world.time()) - 1.0).abs() < 0.01, "{name}: {slides}");
        go_on(&mut world, (1.5 * until / 1e-5) as u64);
        let body = world.snapshot().bodies[0];
        assert!((body.velocity.x / (2.0 / 7.0 * speed) - 1.0).abs() < 0.01, "{name}: {}", body.velocity);
        assert!((body.spin.y / (-5.0 / 7.0 * speed / SIZE) - 1.0).abs() < 0.01, "{name}: {}", body.spin);
        // What the belt has given is motion and heat.
        let energies = world.energies();
        assert!(energies.wall_work > energies.kinetic());
        let (gained, work) = (energies.balance() - start, energies.wall_work);
        assert!(gained.abs() < 0.01 * work, "{name}: {gained} of {work}");
        assert_eq!(world.snapshot().walls[0].pose, pose, "{name}");
        assert!((world.tools().next().unwrap().work - work).abs() < 1e-12 * work, "{name}");
    }
}

/// A ball that rolls on a table that turns with Ω goes round with 2/7 Ω: \[weltner1979\].
#[test]
fn a_ball_on_a_turntable_goes_round_at_two_sevenths() {
    let spin = 8.0;
    for floor in floors(SurfaceMotion { velocity: DVec3::ZERO, spin: DVec3::Z * spin }) {
        let name = floor.name.clone();
        let mut setup = ball_on(floor);
        let (place, velocity) = (DVec3::new(0.05, 0.02, 0.0), DVec3::new(0.06, 0.0, 0.0));
        // It rolls: v + ω × (−R z) = Ω z × x.
        let slip = velocity - spin * DVec3::Z.cross(place);
        let body = &mut setup.grains[0];
        body.pose.position += place;
        (body.velocity, body.spin) = (velocity, DVec3::Z.cross(slip) / SIZE);
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 50_000);
        let found = world.snapshot().bodies[0].velocity;
        let expected = DQuat::from_rotation_z(2.0 / 7.0 * spin * world.time()) * velocity;
        assert!((found - expected).length() < 0.01 * velocity.length(), "{name}: {found} {expected}");
    }
}

/// A cube climbs a belt that is inclined by less than the angle of friction: with `μ g cos θ − g sin θ`, until it is as fast.
#[test]
fn a_belt_carries_a_cube_uphill() {
    let (angle, speed) = (0.3_f64, 0.1);
    let tilt = DQuat::from_rotation_y(-angle);
    let [up, out] = [DVec3::X, DVec3::Z].map(|axis| tilt * axis);
    let mut belt = mesh_wall("belt", &square(0.3, tilt), Sides::Both);
    // What points across the belt does not count.
    belt.surface_motion.velocity = up * speed + out * 3.0;
    let edge = SIZE;
    let half = DVec3::splat(0.5 * edge);
    let corners: Vec<DVec3> = (0..8)
        .map(|i| DVec3::from_array([0, 1, 2].map(|bit| if i >> bit & 1 == 0 { -1.0 } else { 1.0 })) * half)
        .collect();
    let mut setup = empty::<Space>(vec![Polyhedron::hull(&corners).unwrap().0.into()], plain());
    let mass = 2500.0 * edge.powi(3);
    setup.grains = vec![grain(1, 0, out * (0.5 * edge - mass * G * angle.cos() / STIFFNESS))];
    setup.grains[0].pose.rotation = tilt;
    setup.walls = vec![belt];
    setup.time_step = 1e-5;
    let mut world = World::new(&setup).unwrap();
    let acceleration = G * (FRICTION * angle.cos() - angle.sin());
    let until = speed / acceleration;
    go_on(&mut world, (0.5 * until / 1e-5) as u64);
    let slides = world.snapshot().bodies[0].velocity.dot(up);
    assert!((slides / (acceleration * world.time()) - 1.0).abs() < 0.02, "{slides}");
    go_on(&mut world, (1.5 * until / 1e-5) as u64);
    let body = world.snapshot().bodies[0];
    assert!((body.velocity - up * speed).length() < 0.01 * speed, "{}", body.velocity);
}

/// A disc on a roller in the plane: a fixed circle whose surface turns drives it as a turning one does.
#[test]
fn a_roller_drives_a_disc() {
    let run = |motion: SurfaceMotion<Plane>, spin: f64| {
        let shapes = vec![Circle::new(SIZE).unwrap().into()];
        let mut setup = empty::<Plane>(shapes, plain());
        setup.gravity = DVec2::NEG_Y * G;
        setup.grains = vec![grain(1, 0, DVec2::Y * (5.0 * SIZE * 0.9999))];
        let roller = wall("roller", Circle::new(4.0 * SIZE).unwrap().into());
        setup.walls = vec![Wall { surface_motion: motion, spin, ..roller }];
        setup.time_step = 1e-5;
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 2000);
        let body = world.snapshot().bodies[0];
        (body.pose.position, body.velocity, body.spin, world.energies().wall_work)
    };
    let surface = run(SurfaceMotion { velocity: DVec2::ZERO, spin: 2.0 }, 0.0);
    let turning = run(SurfaceMotion::default(), 2.0);
    assert!((surface.0 - turning.0).length() < 1e-9 * SIZE, "{surface:?} {turning:?}");
    assert!((surface.1 - turning.1).length() < 1e-9, "{surface:?} {turning:?}");
    assert!((surface.2 / turning.2 - 1.0).abs() < 1e-9 && surface.2 != 0.0, "{surface:?} {turning:?}");
    assert!((surface.3 / turning.3 - 1.0).abs() < 1e-6 && surface.3 > 0.0, "{surface:?} {turning:?}");
}

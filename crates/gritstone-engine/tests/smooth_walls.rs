//! Surfaces of revolution without facets, against closed forms: drums, cones, hoppers, rims.

mod common;

use std::f64::consts::{PI, TAU};

use common::{Draw, G, empty, go_on, grain, material, wall};
use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{FlatRule, Rules, Setup, Sides, SmoothSurface, Surface, Wall, World};
use gritstone_force::{Adhesion, Damping, Friction, Material, Stiffness};
use gritstone_shape::space::{Capsule, Cylinder, Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid};

/// Radius of the drum, and of grains (m).
const DRUM: f64 = 0.05;
const RADIUS: f64 = 4e-3;

fn elastic() -> Material {
    Material {
        stiffness: Stiffness::Linear { kn: 2e5, ks: 2e5 },
        damping: Damping::Restitution(1.0),
        friction: Friction::Coefficient(0.0),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
        ..material()
    }
}

fn smooth(profile: &[[f64; 2]], sides: Sides) -> Wall<Space> {
    let surface = SmoothSurface::new(profile, sides).unwrap();
    let ball = Sphere::new(surface.mesh().size()).unwrap();
    Wall { surface: Some(Surface::Smooth(surface.into())), ..wall("smooth", ball.into()) }
}

/// A closed drum, grains inside; its axis is along y.
fn drum() -> Wall<Space> {
    let profile = [[0.0, -0.02], [DRUM, -0.02], [DRUM, 0.02], [0.0, 0.02]];
    let pose = Pose { rotation: DQuat::from_rotation_x(-0.25 * TAU), ..Pose::default() };
    Wall { pose, ..smooth(&profile, Sides::Inside) }
}

fn ball() -> Solid {
    Sphere::new(RADIUS).unwrap().into()
}

fn world(shape: Solid, material: Material, wall: Wall<Space>, position: DVec3) -> Setup<Space> {
    let mut setup = empty::<Space>(vec![shape], material);
    setup.grains = vec![grain(1, 0, position)];
    setup.walls = vec![wall];
    setup.time_step = 2e-6;
    setup
}

/// How deep a ball lies in a wall under its weight.
fn rest(force: f64) -> f64 {
    force / 2e5
}

fn mass_of_ball() -> f64 {
    2500.0 * 4.0 / 3.0 * PI * RADIUS.powi(3)
}

/// A ball in a drum is a pendulum: sliding with √(g/(R − r)), rolling with √(5g/7(R − r)); with an amplitude of 0.1 rad a
/// period longer by 1/16 of its square.
#[test]
fn a_ball_in_a_drum_is_a_pendulum() {
    let (length, amplitude) = (DRUM - RADIUS, 0.1_f64);
    for (friction, inertia) in [(0.0, 1.0), (5.0, 1.4)] {
        let material = Material { friction: Friction::Coefficient(friction), ..elastic() };
        let hanging = length + rest(mass_of_ball() * G * amplitude.cos());
        let start = DVec3::new(amplitude.sin(), 0.0, -amplitude.cos()) * hanging;
        let setup = world(ball(), material, drum(), start);
        let mut world = World::new(&setup).unwrap();
        let period = TAU * (inertia * length / G).sqrt() * (1.0 + amplitude * amplitude / 16.0);
        let balance = world.energies().balance();
        let mut crossings = Vec::new();
        let mut before = start.x;
        while crossings.len() < 5 {
            world.step().unwrap();
            let now = world.snapshot().bodies[0].pose.position.x;
            if now * before < 0.0 {
                crossings.push(world.time() - setup.time_step * now / (now - before));
            }
            before = now;
        }
        let found = 0.5 * (crossings[4] - crossings[0]);
        assert!((found / period - 1.0).abs() < 2e-4, "friction {friction}: {found} {period}");
        let gained = (world.energies().balance() - balance).abs();
        assert!(gained < 1e-4 * mass_of_ball() * G * length * amplitude * amplitude, "{gained}");
    }
}

/// Without friction a ball goes round in a cone at the same height if v² = g ρ / tan α, α from the axis: nothing in the wall
/// tells one direction from another.
#[test]
fn a_ball_goes_round_in_a_cone() {
    let slope = 1.5_f64; // Height over radius.
    let cone = smooth(&[[0.0, 0.0], [0.06, 0.06 * slope], [0.0, 0.06 * slope]], Sides::Inside);
    let sine = 1.0 / slope.hypot(1.0); // Of α.
    let cosine = slope * sine;
    let orbit = 0.03;
    let speed = (G * orbit * slope).sqrt();
    // The wall pushes with N sin α = m g; the centre is before it by the radius, less the overlap.
    let force = mass_of_ball() * G / sine;
    let before = RADIUS - rest(force);
    let height = (orbit + before * cosine) * slope + before * sine;
    let mut setup = world(ball(), elastic(), cone, DVec3::new(orbit, 0.0, height));
    setup.grains[0].velocity = DVec3::Y * speed;
    let mut world = World::new(&setup).unwrap();
    let turn = TAU * orbit / speed;
    go_on(&mut world, (3.0 * turn / setup.time_step) as u64);
    let body = world.snapshot().bodies[0];
    assert!((body.pose.position.z - height).abs() < 1e-3 * RADIUS, "{}", body.pose.position);
    assert!((body.velocity.length() / speed - 1.0).abs() < 1e-5);
    let angle = TAU * (world.time() / turn).fract();
    let expected = DVec3::new(angle.cos(), angle.sin(), 0.0) * orbit;
    let found = body.pose.position.with_z(0.0);
    assert!((found - expected).length() < 5e-3 * orbit, "{found} {expected}");
}

/// A ball that is larger than an orifice lies in it, a smaller one falls through; in a funnel it comes to rest on the axis.
#[test]
fn an_orifice_holds_what_is_larger() {
    let damped = Material { damping: Damping::Restitution(0.3), ..elastic() };
    let plate = |hole: f64| smooth(&[[hole, 0.0], [0.04, 0.0]], Sides::Both);
    let funnel = |hole: f64| smooth(&[[hole, 0.0], [0.04, 0.06]], Sides::Both);
    for (hole, holds) in [(0.8 * RADIUS, true), (1.05 * RADIUS, false)] {
        for wall in [plate(hole), funnel(hole)] {
            let start = DVec3::new(0.15, 0.1, 2.0) * RADIUS;
            let mut setup = world(ball(), damped.clone(), wall, start);
            setup.time_step = 5e-6;
            let mut world = World::new(&setup).unwrap();
            go_on(&mut world, 100_000);
            let body = world.snapshot().bodies[0];
            if !holds {
                assert!(body.pose.position.z < -10.0 * RADIUS, "{}", body.pose.position);
                continue;
            }
            let height = (RADIUS * RADIUS - hole * hole).sqrt();
            let place = body.pose.position;
            // In the funnel the ball touches the cone above the rim where that is steeper than the ball is there.
            assert!(place.truncate().length() < 0.01 * RADIUS, "{place}");
            assert!(place.z > height - 0.02 * RADIUS && place.z < 2.0 * RADIUS, "{place} {height}");
            assert!(body.velocity.length() < 1e-6, "{}", body.velocity);
        }
    }
}

/// Shapes of about the same size.
fn shapes() -> Vec<(&'static str, Solid)> {
    let cube = |half: f64| {
        let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -half } else { half };
        let corners: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
        Polyhedron::hull(&corners).unwrap().0
    };
    vec![
        ("sphere", ball()),
        ("ellipsoid", Ellipsoid::new(DVec3::new(1.0, 0.6, 0.4) * RADIUS).unwrap().into()),
        ("lens", Ellipsoid::new(DVec3::new(1.0, 1.0, 0.2) * RADIUS).unwrap().into()),
        ("box", Superellipsoid::new(DVec3::new(0.8, 0.6, 0.5) * RADIUS, [0.6, 0.6]).unwrap().into()),
        ("cube", cube(0.6 * RADIUS).into()),
        ("capsule", Capsule::new(0.3 * RADIUS, 0.7 * RADIUS).unwrap().into()),
        ("cylinder", Cylinder::new(0.6 * RADIUS, 0.6 * RADIUS).unwrap().into()),
    ]
}

/// Elastic impacts in all attitudes on the inside of a drum, on a cone from outside, and on the rim of an orifice: no energy is
/// created or lost, whatever touches.
#[test]
fn impacts_keep_their_energy() {
    let mut draw = Draw(7);
    let orifice = || smooth(&[[0.012, 0.0], [0.04, 0.03]], Sides::Both);
    let tip = || smooth(&[[0.0, -0.02], [0.03, -0.02], [0.0, 0.02]], Sides::Outside);
    for (name, shape) in shapes() {
        for place in ["drum", "orifice", "cone"] {
            let (mut worst, mut sum, mut hits) = (0.0_f64, 0.0, 0);
            for _ in 0..12 {
                let (wall, start) = match place {
                    "drum" => (drum(), DVec3::new(draw.uniform(-0.5, 0.5), 0.0, -1.0).normalize() * (DRUM - 1.3 * RADIUS)),
                    "orifice" => (orifice(), DVec3::new(0.012, 0.0, 2.0 * RADIUS)),
                    _ => (tip(), DVec3::new(0.012, 0.0, 0.004 + 2.0 * RADIUS)),
                };
                let mut setup = world(shape.clone(), elastic(), wall, start);
                setup.gravity = DVec3::ZERO;
                setup.grains[0].pose.rotation = draw.rotation();
                setup.grains[0].velocity = start.with_y(0.0).normalize() * 0.4;
                if place != "drum" {
                    setup.grains[0].velocity = DVec3::NEG_Z * 0.4;
                }
                // Fifty steps in a contact of a face.
                let stiffest = 2e5;
                let mass = 2500.0 * RADIUS.powi(3);
                setup.time_step = PI * (0.3 * mass / stiffest).sqrt() / 50.0;
                let mut world = World::new(&setup).unwrap();
                let before = world.energies().kinetic();
                let mut touched = false;
                for _ in 0..20_000 {
                    world.step().unwrap();
                    let contacts = world.status().contacts;
                    touched |= contacts > 0;
                    if touched && contacts == 0 {
                        break;
                    }
                }
                if touched {
                    let change = world.energies().kinetic() / before - 1.0;
                    (worst, sum, hits) = (if change.abs() > worst.abs() { change } else { worst }, sum + change, hits + 1);
                }
            }
            assert!(hits > 6, "{name} in {place}: {hits}");
            println!("{name} in {place}: worst {worst:.2e}, mean {:.2e}", sum / f64::from(hits));
            assert!(worst.abs() < 0.01, "{name} in {place}: {worst}");
            assert!((sum / f64::from(hits)).abs() < 3e-3, "{name} in {place}: {}", sum / f64::from(hits));
        }
    }
}

/// What falls askew into a drum comes to rest.
#[test]
fn grains_come_to_rest_in_a_drum() {
    let mut draw = Draw(8);
    let damped = Material {
        damping: Damping::Restitution(0.2),
        friction: Friction::Coefficient(0.4),
        rolling: 0.05,
        twisting: 0.05,
        ..elastic()
    };
    for (name, shape) in shapes() {
        let mut setup = world(shape, damped.clone(), drum(), DVec3::new(0.01, 0.0, -DRUM + 1.4 * RADIUS));
        setup.grains[0].pose.rotation = draw.rotation();
        setup.time_step = 4e-6;
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 500_000);
        let kinetic = world.energies().kinetic();
        println!("{name}: {:.2e}", kinetic / (mass_of_ball() * G * RADIUS));
        assert!(kinetic < 1e-12 * mass_of_ball() * G * RADIUS, "{name}: {kinetic}");
    }
}

/// A drum that turns about its axis takes a ball along as a conveyor does, without moving anything: lists last.
#[test]
fn a_turning_drum_needs_no_new_lists() {
    let mut setup = world(ball(), elastic(), drum(), DVec3::NEG_Z * (DRUM - RADIUS + rest(mass_of_ball() * G)));
    setup.walls[0].spin = DVec3::Y * 3.0;
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 20_000);
    let status = world.status();
    assert!(status.lists[1] <= 2, "{:?}", status.lists);
    // Without friction nothing has happened.
    assert!(world.snapshot().bodies[0].velocity.length() < 1e-9);
}

/// The finer the facets, the nearer a mesh is to the smooth surface: an ellipsoid at rest in both.
#[test]
fn meshes_converge_to_it() {
    let mut rules = Rules::default();
    rules.flat = FlatRule::Point;
    let at_rest = |wall: Wall<Space>| {
        let damped = Material { damping: Damping::Restitution(0.3), rolling: 0.1, ..elastic() };
        let shape = Ellipsoid::new(DVec3::new(1.0, 0.6, 0.4) * RADIUS).unwrap().into();
        let mut setup = world(shape, damped, wall, DVec3::new(0.0, 0.0, -DRUM + 0.41 * RADIUS));
        setup.rules = rules;
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 60_000);
        world.snapshot().bodies[0].pose.position.z
    };
    let profile = [[0.0, -0.02], [DRUM, -0.02], [DRUM, 0.02], [0.0, 0.02]];
    let smooth = at_rest(drum());
    for facets in [64, 256] {
        let triangles = gritstone_engine::revolved(&profile, facets);
        let mesh = common::mesh_wall("mesh", &triangles, Sides::Inside);
        let pose = drum().pose;
        // A facet is lowest, or an edge: between the two circles.
        let found = at_rest(Wall { pose, ..mesh });
        let sag = DRUM * (1.0 - (PI / f64::from(facets)).cos());
        assert!(found >= smooth - 1e-3 * sag && found <= smooth + 1.2 * sag, "{facets}: {found} {smooth} {sag}");
    }
}

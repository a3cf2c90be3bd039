//! Grains at the edges and corners of surfaces of triangles: plates, thin plates and sheets.

mod common;

use common::{
    Draw, G, SIZE, box_triangles, ellipsoids, empty, go_on, grain, half_space, material, mesh_wall, mixed,
    polyhedra,
};
use glam::{DQuat, DVec3};
use gritstone_contact::space::{Auto, Method as _, Placed, Scratch};
use gritstone_contact::{Goal, Query};
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, Setup, Sides, Wall, World};
use gritstone_force::{Damping, Friction, Material};
use gritstone_shape::space::{Polyhedron, Solid, Sphere};

/// How wide plates are, in both directions.
const WIDTH: f64 = 6.0 * SIZE;

fn corners(low: DVec3, high: DVec3) -> Vec<DVec3> {
    let pick = |i: u32, k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
    (0..8).map(|i| DVec3::new(pick(i, 0), pick(i, 1), pick(i, 2))).collect()
}

fn die() -> Solid {
    let half = DVec3::splat(0.6 * SIZE);
    Polyhedron::hull(&corners(-half, half)).unwrap().0.into()
}

/// A plate of triangles, and the same plate as a convex body with its place.
fn plate(thickness: f64) -> (Wall<Space>, Solid, DVec3) {
    let high = DVec3::new(WIDTH, WIDTH, thickness);
    let (hull, centre) = Polyhedron::hull(&corners(DVec3::ZERO, high)).unwrap();
    (mesh_wall("plate", &box_triangles(high, 2), Sides::Outside), hull.into(), centre)
}

/// A sheet of triangles, and a plate that is so thin that nobody can tell it from the sheet.
fn sheet() -> (Wall<Space>, Solid, DVec3) {
    let at = |x: f64, y: f64| DVec3::new(x * WIDTH, y * WIDTH, 0.0);
    let [a, b, c, d] = [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
    let high = DVec3::new(WIDTH, WIDTH, 1e-6 * SIZE);
    let (hull, centre) = Polyhedron::hull(&corners(DVec3::ZERO, high)).unwrap();
    (mesh_wall("sheet", &[[a, b, c], [a, c, d]], Sides::Both), hull.into(), centre)
}

fn depth(shape: &Solid, pose: Pose<Space>, body: &Solid, centre: DVec3, scratch: &mut Scratch) -> f64 {
    let (a, b) = (Placed { shape, pose }, Placed { shape: body, pose: Pose::at(centre) });
    let query = Query { goal: Goal::Distance, ..Query::default() };
    -Auto.solve(a, b, query, scratch).unwrap().distance()
}

/// A grain that overlaps a plate by little anywhere on its rim has a contact as deep as the least way that takes it out of the
/// plate as a convex body, and none that is much deeper.
#[test]
fn overlaps_at_a_rim_are_those_of_the_plate_as_a_body() {
    let plates = [plate(2.0 * SIZE), plate(0.3 * SIZE), sheet()];
    let shapes = [mixed(), vec![die()]].concat();
    let (mut draw, mut scratch) = (Draw(5), Scratch::default());
    let (mut bad, mut count) = (Vec::new(), 0);
    for (number, (wall, body, centre)) in plates.iter().enumerate() {
        for (kind, shape) in shapes.iter().enumerate() {
            let mut found = 0;
            while found < 60 {
                let mut at = *centre + draw.vector(0.5 * WIDTH + SIZE);
                at.z = draw.uniform(-SIZE, 2.0 * centre.z + SIZE);
                let pose: Pose<Space> = Pose::new(at, draw.rotation());
                let deep = depth(shape, pose, body, *centre, &mut scratch) / SIZE;
                // Grains that have come over a side of the plate with their middle are through it.
                let rim = at.x.min(at.y).min(WIDTH - at.x).min(WIDTH - at.y) < SIZE;
                if !rim || !(0.002..0.03).contains(&deep) {
                    continue;
                }
                found += 1;
                count += 1;
                let mut setup = empty::<Space>(vec![shape.clone()], material());
                setup.grains = vec![Grain { pose, ..grain(1, 0, DVec3::ZERO) }];
                setup.walls = vec![wall.clone()];
                let contacts = World::new(&setup).unwrap().snapshot().contacts;
                let depths: Vec<f64> = contacts.iter().map(|contact| contact.depth / SIZE).collect();
                let same = depths.iter().any(|d| (d - deep).abs() < 2e-3 * deep + 3e-6);
                let deepest = depths.iter().copied().fold(0.0, f64::max);
                if !same || deepest > 1.5 * deep {
                    bad.push((number, kind, deep, depths));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{} of {count}: {:?}", bad.len(), &bad[..bad.len().min(12)]);
}

/// Without friction and damping energy is kept where grains go over edges: it is the same just before and just after a grain
/// has left a face for an edge. Round grains keep it at corners, too; there the direction in which grains with corners of
/// their own are pushed changes at once, and how much of them is pushed.
#[test]
fn no_energy_comes_from_edges() {
    let smooth = Material {
        friction: Friction::Coefficient(0.0),
        damping: Damping::Restitution(1.0),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    };
    let shapes = [vec![Sphere::new(0.6 * SIZE).unwrap().into(), die()], ellipsoids(), polyhedra()].concat();
    let mut draw = Draw(11);
    for (wall, _, _) in [plate(0.5 * SIZE), sheet()] {
        for number in 0..28 {
            let shape = &shapes[number % shapes.len()];
            // Measured: 7e-6 for the ball, and else 0.007. The effective radius of an ellipsoid has no potential.
            let inset = if shape.polytope().is_none() { 0.0 } else { 1.5 * SIZE };
            let allowed = if number % shapes.len() == 0 { 1e-4 } else { 0.02 };
            let mut setup = empty::<Space>(vec![shape.clone()], smooth.clone());
            setup.time_step = 1e-5;
            // Along the rim, where it falls on the edge or close to it.
            let (x, y) = (draw.uniform(inset, WIDTH - inset), 0.1 * SIZE * draw.uniform(-1.0, 1.0));
            setup.grains = vec![Grain {
                pose: Pose::new(DVec3::new(x, y, 1.6 * SIZE), draw.rotation()),
                spin: draw.vector(30.0),
                ..grain(1, 0, DVec3::ZERO)
            }];
            setup.walls = vec![wall.clone()];
            let mut world = World::new(&setup).unwrap();
            let start = world.energies().balance();
            go_on(&mut world, 2500);
            let gained = (world.energies().balance() - start) / (mass(&setup) * G * SIZE);
            assert!(gained.abs() < allowed, "{}, grain {number}: {gained} of what it falls", wall.name);
        }
    }
}

fn mass(setup: &Setup<Space>) -> f64 {
    setup.shapes[0].body().map_or(0.0, |body| body.mass().volume) * setup.densities[0]
}

/// A die that lies flat on a plate with a part of it beyond the edge stays there while its middle is on the plate, and falls
/// off when it is not.
#[test]
fn a_die_over_an_edge_stays_or_tips() {
    for (wall, top) in [(plate(SIZE).0, SIZE), (sheet().0, 0.0)] {
        for (beyond, stays) in [(-0.12, true), (0.12, false)] {
            let mut setup = empty::<Space>(vec![die()], material());
            // Seen from above it is turned by no angle and by some.
            for angle in [0.0, 0.3] {
                let at = DVec3::new(WIDTH + beyond * SIZE, 0.5 * WIDTH, top + 0.599 * SIZE);
                let pose = Pose::new(at, DQuat::from_rotation_z(angle));
                setup.grains = vec![Grain { pose, ..grain(1, 0, DVec3::ZERO) }];
                setup.walls = vec![wall.clone(), half_space("floor", DVec3::Z, -20.0 * SIZE)];
                let mut world = World::new(&setup).unwrap();
                go_on(&mut world, 4000);
                let now = world.snapshot().bodies[0].pose.position;
                let off = (now - at).length() / SIZE;
                assert_eq!(off < 0.02, stays, "{}, {beyond}: {off} to {now}", wall.name);
            }
        }
    }
}

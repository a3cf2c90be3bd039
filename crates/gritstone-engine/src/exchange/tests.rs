//! A world that several processes share moves with the same bits as one world: threads stand for processes.

use std::sync::Arc;

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_force::{Damping, Friction, Material};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid};

use super::{Assignment, Communicator, Domain, threads};
use crate::bodies::compound::{Compound, Part};
use crate::insertion::random::RandomStream;
use crate::periodic::cell::{Cell, Side};
use crate::setup::{Grain, Setup, Wall};
use crate::world::World;

/// Who has which grains.
#[derive(Clone, Copy, Debug)]
enum Owners {
    /// As space is divided.
    ByPlace,
    /// Others after every rebuild of the lists.
    Changing,
}

/// What a world that so many processes share comes to after so many steps: the bytes of its state, how often lists were made, and
/// how many copies there are.
fn shared(setup: &Setup<Space>, processes: usize, steps: u64, owners: Owners) -> (Vec<u8>, u64, usize) {
    let run = |communicator: Arc<dyn Communicator>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let mut domain = Domain::new(communicator);
            if matches!(owners, Owners::Changing) {
                domain.assignment =
                    Assignment::Any(|id, size, rebuilds| (id as usize / 3 + rebuilds as usize) % size);
            }
            let mut world = World::new(setup).unwrap().shared(domain);
            (0..steps).for_each(|_| world.step().unwrap());
            let copies = world.bodies.wholes - world.bodies.owners;
            let whole = world.whole(world.remote.as_ref().unwrap());
            (whole.save().unwrap(), world.status().lists[0], copies)
        })
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = threads(processes)
            .into_iter()
            .map(|communicator| scope.spawn(move || run(communicator)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (lists, copies) = (parts[0].1, parts.iter().map(|part| part.2).sum());
    assert!(parts.iter().all(|part| part.0 == parts[0].0), "processes have different worlds");
    (parts.into_iter().next().unwrap().0, lists, copies)
}

fn bed(shapes: Vec<Solid>, across: u32) -> Setup<Space> {
    let material = Material {
        density: 2500.0,
        damping: Damping::Restitution(0.5),
        friction: Friction::Coefficient(0.5),
        ..Material::elastic("grains", 1e7, 0.3)
    };
    let mut setup = Setup::<Space>::of(shapes, &[material]).unwrap();
    (setup.gravity, setup.time_step) = (DVec3::Z * -9.81, 2e-5);
    let (pitch, kinds) = (2.05 * SIZE, setup.shapes.len() as u32);
    let mut random = RandomStream::new(1);
    setup.grains = (0..across.pow(3))
        .map(|i| {
            let place = [i % across, i / across % across, i / across / across].map(|n| f64::from(n) + 0.5);
            let position = DVec3::from_array(place) * pitch;
            Grain {
                pose: Pose::new(position, random.rotation()),
                velocity: random.rotation() * DVec3::Z * 0.3 - DVec3::Z * (25.0 * position.z),
                spin: random.rotation() * DVec3::Z * 100.0,
                ..Grain::at(7 * i + 3, i % kinds, position)
            }
        })
        .collect();
    let width = f64::from(across) * pitch;
    let wall =
        |normal: DVec3, offset: f64| Wall::fixed("wall", HalfSpace::new(normal, offset).unwrap().into(), 0);
    setup.walls = vec![
        wall(DVec3::Z, 0.0),
        wall(DVec3::X, 0.0),
        wall(-DVec3::X, -width),
        wall(DVec3::Y, 0.0),
        wall(-DVec3::Y, -width),
    ];
    setup
}

fn same_bits_in_parts(shapes: Vec<Solid>) {
    same_bits(&bed(shapes, 6), 1200);
}

fn same_bits(setup: &Setup<Space>, steps: u64) {
    let mut world = World::new(setup).unwrap();
    (0..steps).for_each(|_| world.step().unwrap());
    let expected = world.save().unwrap();
    let status = world.status();
    assert!(status.contacts > 32 && status.lists[0] > 2, "{status:?}: there is too little to compare");
    for (processes, owners) in [
        (1, Owners::ByPlace),
        (2, Owners::ByPlace),
        (2, Owners::Changing),
        (3, Owners::ByPlace),
        (3, Owners::Changing),
        (4, Owners::ByPlace),
        (4, Owners::Changing),
    ] {
        let (found, lists, copies) = shared(setup, processes, steps, owners);
        assert_eq!(lists, status.lists[0], "{processes} processes rebuild their lists at other steps");
        assert_eq!(copies > 20, processes > 1, "{copies} copies");
        let [expected, found] = [&expected, &found].map(|bytes| World::restore(setup, bytes).unwrap());
        same(&expected, &found, &format!("{processes} processes, {owners:?}"));
    }
}

/// Compares two worlds, what moves first.
fn same(expected: &World<Space>, found: &World<Space>, who: &str) {
    let [a, b] = [expected, found].map(World::body_states);
    let differs = a.iter().zip(&b).find(|(a, b)| a != b);
    assert!(differs.is_none() && a.len() == b.len(), "{who}: {differs:?}");
    let [a, b] = [expected, found].map(World::contact_states);
    let differs = a.iter().zip(&b).find(|(a, b)| a != b);
    assert!(differs.is_none() && a.len() == b.len(), "{who}: {differs:?}");
    assert_eq!(expected.wall_states(), found.wall_states(), "{who}: other forces on walls");
    assert_eq!(expected.energies(), found.energies(), "{who}: other energies");
    assert_eq!(expected.cell(), found.cell(), "{who}: another cell");
    assert_eq!(expected.status(), found.status(), "{who}: another status");
    assert!(expected.save().unwrap() == found.save().unwrap(), "{who}: other bytes");
}

const SIZE: f64 = 4e-3;

fn spheres() -> Vec<Solid> {
    vec![Sphere::new(0.9 * SIZE).unwrap().into(), Sphere::new(0.4 * SIZE).unwrap().into()]
}

fn ellipsoids() -> Vec<Solid> {
    vec![Ellipsoid::new(DVec3::new(0.5, 0.5, 1.0) * SIZE).unwrap().into()]
}

fn boxes() -> Vec<Solid> {
    vec![Superellipsoid::new(DVec3::new(0.65, 0.65, 0.8) * SIZE, [0.5, 0.5]).unwrap().into()]
}

fn polyhedra() -> Vec<Solid> {
    let mut random = RandomStream::new(3);
    let corners: Vec<DVec3> = (0..12).map(|_| random.rotation() * DVec3::Z * (0.9 * SIZE)).collect();
    vec![Polyhedron::hull(&corners).unwrap().0.into()]
}

#[test]
fn spheres_in_parts() {
    same_bits_in_parts(spheres());
}

#[test]
fn ellipsoids_in_parts() {
    same_bits_in_parts(ellipsoids());
}

#[test]
fn boxes_in_parts() {
    same_bits_in_parts(boxes());
}

#[test]
fn polyhedra_in_parts() {
    same_bits_in_parts(polyhedra());
}

#[test]
fn mixed_shapes_in_parts() {
    same_bits_in_parts([spheres(), ellipsoids(), boxes(), polyhedra()].concat());
}

/// Three balls in a bent row, and a ball with a polyhedron through it.
fn with_compounds(mut setup: Setup<Space>) -> Setup<Space> {
    let ball = |x: f64, y: f64| Part {
        shape: Sphere::new(0.4 * SIZE).unwrap().into(),
        pose: Pose::at(DVec3::new(x, y, 0.0) * SIZE),
    };
    let spiked = vec![ball(0.3, 0.0), Part { shape: polyhedra().remove(0), pose: Pose::default() }];
    for parts in [vec![ball(-0.5, 0.1), ball(0.0, -0.1), ball(0.45, 0.2)], spiked] {
        setup.add_compound(Compound::new(parts).unwrap().0);
    }
    let kinds = setup.shapes.len() as u32;
    setup.grains.iter_mut().zip(0..).for_each(|(grain, i)| grain.shape = i % kinds);
    setup
}

#[test]
fn compounds_in_parts() {
    same_bits(&with_compounds(bed(ellipsoids(), 6)), 1200);
}

/// Grains of one part and of several go through the sides of a cell that shrinks and is sheared.
#[test]
fn a_sheared_cell_in_parts() {
    let mut setup = with_compounds(bed([spheres(), polyhedra()].concat(), 6));
    (setup.walls, setup.gravity) = (Vec::new(), DVec3::ZERO);
    let width = 6.0 * 2.05 * SIZE;
    let centre = DVec3::splat(0.5 * width);
    let flow = |x: DVec3| x * -40.0 + DVec3::X * (60.0 * x.y);
    for grain in &mut setup.grains {
        grain.velocity = flow(grain.pose.position - centre) + grain.spin * 1e-3;
    }
    let side = |axis: usize| {
        let vector = DVec3::AXES[axis] * width;
        Some(Side { vector, velocity: flow(vector) })
    };
    setup.cell = Some(Cell { centre, sides: std::array::from_fn(side), press: None });
    same_bits(&setup, 500);
}

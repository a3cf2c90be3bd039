//! A world that several processes share moves with the same bits as one world: threads stand for processes.

use std::sync::{Arc, Barrier, Mutex};

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_force::{Damping, Friction, Material};
use gritstone_shape::space::{Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid};

use super::Communicator;
use crate::insertion::random::RandomStream;
use crate::setup::{Grain, Setup, Wall};
use crate::state::snapshot::BodyState;
use crate::world::World;

/// Mailboxes of all processes: what each has sent to each.
#[derive(Debug)]
struct Mail {
    boxes: Mutex<Vec<Vec<Vec<u8>>>>,
    barrier: Barrier,
}

/// A thread that stands for a process.
#[derive(Debug)]
struct Thread {
    rank: usize,
    size: usize,
    mail: Arc<Mail>,
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        self.mail.boxes.lock().unwrap()[self.rank] = messages;
        self.mail.barrier.wait();
        let come = self.mail.boxes.lock().unwrap().iter().map(|sent| sent[self.rank].clone()).collect();
        self.mail.barrier.wait();
        come
    }
}

/// The grains after so many steps of a world that so many processes share, in the order of their ids.
fn shared(setup: &Setup<Space>, processes: usize, steps: u64) -> (Vec<BodyState<Space>>, u64, usize) {
    let mail =
        Arc::new(Mail { boxes: Mutex::new(vec![Vec::new(); processes]), barrier: Barrier::new(processes) });
    let run = |rank: usize| {
        let communicator = Arc::new(Thread { rank, size: processes, mail: mail.clone() });
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let mut world = World::distributed(setup, communicator).unwrap();
            (0..steps).for_each(|_| world.step().unwrap());
            let copies = world.bodies.ghosts.list.len();
            (world.snapshot().bodies, world.status().lists[0], copies)
        })
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let run = &run;
        let threads: Vec<_> = (0..processes).map(|rank| scope.spawn(move || run(rank))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (lists, copies) = (parts[0].1, parts.iter().map(|part| part.2).sum());
    let mut bodies: Vec<_> = parts.into_iter().flat_map(|part| part.0).collect();
    bodies.sort_by_key(|body| body.id);
    (bodies, lists, copies)
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
    const STEPS: u64 = 1200;
    let setup = bed(shapes, 6);
    let mut world = World::new(&setup).unwrap();
    (0..STEPS).for_each(|_| world.step().unwrap());
    let expected = world.snapshot().bodies;
    let status = world.status();
    assert!(status.contacts > 32 && status.lists[0] > 2, "{status:?}: there is too little to compare");
    for processes in [1, 2, 3] {
        let (found, lists, copies) = shared(&setup, processes, STEPS);
        assert_eq!(lists, status.lists[0], "{processes} processes rebuild their lists at other steps");
        assert_eq!(copies > 20, processes > 1, "{copies} copies");
        let differs = expected.iter().zip(&found).find(|(a, b)| a != b);
        assert!(differs.is_none() && found.len() == expected.len(), "{processes} processes: {differs:?}");
    }
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

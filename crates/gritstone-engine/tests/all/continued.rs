//! Worlds that go on from the state of an earlier one.

use std::sync::Arc;

use crate::common::{
    G, SIZE, bed, box_triangles, cell_bed, compounds, ellipsoids, empty, go_on, grain, half_space, material,
    mesh_wall, mixed, plane_bed, plane_cell_bed, polyhedra,
};
use glam::DVec3;
use gritstone_core::{Dim, Space};
use gritstone_engine::{
    BodyState, Cell, ContactState, Dimension, Earlier, Grain, Setup, SetupError, Sides, Wall, World,
};
use gritstone_force::{Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{Polyhedron, Sphere};

/// The setup with the grains as they are in a world of it, which they go on from.
fn going_on<D: Dimension>(setup: &Setup<D>, world: &World<D>) -> Setup<D> {
    let mut next = setup.clone();
    next.grains = world.snapshot().bodies.iter().map(grain_of).collect();
    next.earlier = Some(Earlier {
        setup: Box::new(Setup { grains: Vec::new(), ..setup.clone() }),
        state: world.save().unwrap().into(),
        shapes: (0..setup.shapes.len() as u32).map(Some).collect(),
        materials: (0..setup.densities.len() as u16).map(Some).collect(),
    });
    next
}

fn grain_of<D: Dim>(body: &BodyState<D>) -> Grain<D> {
    let BodyState { id, shape, material, frozen, pose, velocity, spin, .. } = *body;
    Grain { id, shape, material, pose, velocity, spin, frozen }
}

/// Steps before and after.
const STEPS: u64 = 1000;

fn settled<D: Dimension>(setup: &Setup<D>) -> World<D> {
    let mut world = World::new(setup).unwrap();
    go_on(&mut world, STEPS);
    world
}

/// A world goes on with the same bits in another one that has the same walls.
fn goes_on_with_the_same_bits<D: Dimension>(name: &str, setup: &Setup<D>) {
    let mut world = settled(setup);
    let mut other = World::new(&going_on(setup, &world)).unwrap();
    let (status, before) = (other.status(), world.status());
    assert_eq!((status.step, status.time, status.grains), (0, 0.0, before.grains), "{name}");
    assert!(status.contacts == before.contacts && status.contacts > 10, "{name}: {status:?}");
    go_on(&mut world, STEPS);
    go_on(&mut other, STEPS);
    let (a, b) = (world.snapshot(), other.snapshot());
    assert!(a.bodies == b.bodies && a.contacts == b.contacts, "{name}");
    assert!(world.status().lists[0] > before.lists[0], "{name}: lists were rebuilt on the way");
    assert_eq!(other.status().lists[0], world.status().lists[0] - before.lists[0], "{name}");
}

#[test]
fn grains_go_on_with_the_same_bits() {
    goes_on_with_the_same_bits("mixed", &bed(mixed(), 125));
    goes_on_with_the_same_bits("ellipsoids", &bed(ellipsoids(), 125));
    goes_on_with_the_same_bits("polyhedra", &bed(polyhedra(), 64));
    goes_on_with_the_same_bits("plane", &plane_bed(100));
    let mut concave = bed(mixed(), 64);
    for compound in compounds() {
        let shape = concave.add_compound(compound);
        concave.grains.iter_mut().step_by(3).for_each(|grain| grain.shape = shape);
    }
    goes_on_with_the_same_bits("compounds", &concave);
    let mut meshes = bed(mixed(), 64);
    let container = box_triangles(DVec3::splat(0.04), 3);
    meshes.walls = vec![mesh_wall("box", &container, Sides::Inside)];
    goes_on_with_the_same_bits("meshes", &meshes);
}

/// In a cell as well: it goes on from where it is, with the motion that it has.
#[test]
fn cells_go_on_with_the_same_bits() {
    fn goes_on<D: Dimension>(name: &str, setup: &Setup<D>) {
        let mut world = World::new(setup).unwrap();
        go_on(&mut world, 300);
        // Until some touch, which takes beds of different shapes different times.
        for _ in 0..30 {
            if world.status().contacts < 5 {
                go_on(&mut world, 100);
            }
        }
        let mut next = going_on(setup, &world);
        next.cell = Some(Cell { press: None, ..world.cell().unwrap().cell });
        let mut other = World::new(&next).unwrap();
        assert!(other.status().contacts > 1, "{name}: {:?}", other.status());
        go_on(&mut world, 100);
        go_on(&mut other, 100);
        let (a, b) = (world.snapshot(), other.snapshot());
        assert!(a.bodies == b.bodies && a.contacts == b.contacts, "{name}");
        assert_eq!(other.cell().unwrap().cell, world.cell().unwrap().cell);
    }
    goes_on("space", &cell_bed(mixed(), compounds(), 64));
    goes_on("plane", &plane_cell_bed(64));
}

/// How far grains of two worlds are apart, relative to their size.
fn apart(a: &World<Space>, b: &World<Space>) -> f64 {
    let (a, b) = (a.snapshot().bodies, b.snapshot().bodies);
    let way = |(a, b): (&BodyState<Space>, &BodyState<Space>)| {
        assert_eq!(a.id, b.id);
        (a.pose.position - b.pose.position).length() / SIZE
    };
    a.iter().zip(&b).map(way).fold(0.0, f64::max)
}

/// With other slots, because a wall is new, lists are made anew; contacts are what they were.
#[test]
fn contacts_are_kept_where_slots_change() {
    let setup = bed(mixed(), 125);
    let mut world = settled(&setup);
    let mut next = going_on(&setup, &world);
    next.walls.insert(2, half_space("roof", -DVec3::Z, -1.0));
    next.walls.swap(0, 4);
    let mut other = World::new(&next).unwrap();
    let (a, b) = (world.snapshot().contacts, other.snapshot().contacts);
    assert!(a.len() == b.len() && a.len() > 30);
    let named = |walls: &[Wall<Space>], contact: &ContactState<Space>| {
        let wall = contact.with_wall.then(|| walls[contact.b as usize].name.clone());
        (contact.a, wall, if contact.with_wall { 0 } else { contact.b })
    };
    for a in &a {
        let same = |b: &&ContactState<Space>| named(&setup.walls, a) == named(&next.walls, b);
        let b = b.iter().find(same).unwrap();
        assert_eq!((a.force, a.point, a.depth), (b.force, b.point, b.depth));
    }
    go_on(&mut world, 200);
    go_on(&mut other, 200);
    assert!(apart(&world, &other) < 1e-9, "{:e}", apart(&world, &other));
}

/// The wall at one side is gone, and contacts with it; grains are added; others are left out.
#[test]
fn walls_and_grains_may_be_others() {
    let setup = bed(mixed(), 125);
    let world = settled(&setup);
    let mut next = going_on(&setup, &world);
    next.walls.retain(|wall| wall.name != "x+");
    next.grains.retain(|grain| grain.id != 3);
    let high = DVec3::new(0.02, 0.02, 0.2);
    next.grains.push(grain(0, 0, high));
    let mut other = World::new(&next).unwrap();
    let (before, after) = (world.snapshot(), other.snapshot());
    assert_eq!(after.bodies.len(), 125);
    assert_eq!((after.bodies[0].id, after.bodies[0].pose.position), (0, high));
    let gone = |contact: &&ContactState<Space>| {
        contact.a == 3 || if contact.with_wall { contact.b == 2 } else { contact.b == 3 }
    };
    assert_eq!(setup.walls[2].name, "x+");
    assert_eq!(after.contacts.len(), before.contacts.len() - before.contacts.iter().filter(gone).count());
    assert!(before.contacts.iter().filter(gone).count() > 0);
    // Ids go on as well.
    assert_eq!(other.add(&next, &[grain(0, 0, DVec3::Z * 0.3)]).unwrap(), 7 * 124 + 4);
    go_on(&mut other, 300);
}

/// Stiffness across a contact (N/m).
const KS: f64 = 800.0;

/// The linear law, which has the same springs whatever the overlap.
fn springs() -> Material {
    Material { stiffness: Stiffness::Linear { kn: 2e3, ks: KS }, rolling: 0.0, twisting: 0.0, ..material() }
}

fn block(theta: f64, friction: f64) -> Setup<Space> {
    let corner = |i: u32| DVec3::from_array([i, i >> 1, i >> 2].map(|bit| f64::from(bit & 1) - 0.5)) * SIZE;
    let cube = Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0;
    let friction = Friction::Coefficient(friction);
    let mut setup = empty::<Space>(vec![cube.into()], Material { friction, ..springs() });
    setup.gravity = DVec3::new(theta.sin(), 0.0, -theta.cos()) * G;
    setup.walls = vec![half_space("slope", DVec3::Z, 0.0)];
    setup.grains = vec![grain(1, 0, DVec3::Z * (0.5 * SIZE))];
    setup
}

/// A block rests on a slope. Where its friction springs go on, it stays where it is to the last bits. Where they do not, it slides
/// until new ones hold it, which stretch by m g sin θ / ks. It rocks a little on the way, which costs another per cent.
#[test]
fn a_block_on_a_slope_holds_with_its_springs_alone() {
    let theta = 4_f64.to_radians();
    let setup = block(theta, 0.5);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 20_000);
    let x = |world: &World<Space>| world.snapshot().bodies[0].pose.position.x;
    let start = x(&world);
    assert!(world.energies().kinetic() < 1e-20, "{:?}", world.energies());
    let mut with = World::new(&going_on(&setup, &world)).unwrap();
    let mut without = World::new(&Setup { earlier: None, ..going_on(&setup, &world) }).unwrap();
    let stretch = setup.densities[0] * SIZE.powi(3) * G * theta.sin() / KS;
    go_on(&mut with, 20_000);
    go_on(&mut without, 20_000);
    let [held, slid] = [&with, &without].map(|after| x(after) - start);
    assert!(held.abs() < 1e-9 * stretch, "{held:e} of {stretch:e}");
    assert!((slid / stretch - 1.0).abs() < 0.03, "{slid:e} of {stretch:e}");
    // The same in a world where nothing is in its old slot.
    let mut next = going_on(&setup, &world);
    next.walls.insert(0, half_space("roof", -DVec3::Z, -1.0));
    let mut moved = World::new(&next).unwrap();
    go_on(&mut moved, 20_000);
    let held = x(&moved) - start;
    assert!(held.abs() < 1e-6 * stretch, "{held:e} of {stretch:e}");
}

/// On a slope that friction does not hold any more, the block goes off with g (sin θ − μ cos θ).
#[test]
fn parameters_may_be_others() {
    let (theta, friction) = (20_f64.to_radians(), 0.2);
    let setup = block(theta, 0.5);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 20_000);
    let mut next = going_on(&setup, &world);
    let slippery = Material { friction: Friction::Coefficient(friction), ..springs() };
    next.interactions = Interactions::mix(&[slippery], &[]).unwrap();
    next.densities[0] *= 2.0;
    next.time_step *= 0.5;
    let mut other = World::new(&next).unwrap();
    go_on(&mut other, 20_000);
    let speed = other.snapshot().bodies[0].velocity.x;
    let expected = G * (theta.sin() - friction * theta.cos()) * 20_000.0 * next.time_step;
    // The heavier block sinks in first, and its spring gives back what it held.
    assert!((speed / expected - 1.0).abs() < 0.01, "{speed} {expected}");
}

/// Frozen grains stay frozen; energies count from the new start.
#[test]
fn books_start_again() {
    let setup = bed(mixed(), 125);
    let mut world = settled(&setup);
    world.freeze_where(|body| body.pose.position.z < 0.01);
    let mut other = World::new(&going_on(&setup, &world)).unwrap();
    let (a, b) = (world.energies(), other.energies());
    assert_eq!(
        (a.translation, a.rotation, a.potential, a.elastic),
        (b.translation, b.rotation, b.potential, b.elastic)
    );
    assert!(a.dissipated > 0.0);
    assert_eq!((b.dissipated, b.taken_out, b.wall_work), (0.0, 0.0, 0.0));
    let frozen = |world: &World<Space>| world.grains().filter(|body| body.frozen).count();
    assert!(frozen(&world) > 10 && frozen(&world) == frozen(&other));
    go_on(&mut world, 300);
    go_on(&mut other, 300);
    let [spent, spent_here] = [world.energies().dissipated - a.dissipated, other.energies().dissipated];
    assert!((spent / spent_here - 1.0).abs() < 1e-9, "{spent:e} {spent_here:e}");
}

/// Shapes in another order, and a new one before them.
#[test]
fn shapes_may_stand_elsewhere() {
    let setup = bed(mixed(), 125);
    let mut world = settled(&setup);
    let mut next = going_on(&setup, &world);
    next.shapes.insert(0, Sphere::new(0.1 * SIZE).unwrap().into());
    next.grains.iter_mut().for_each(|grain| grain.shape += 1);
    if let Some(earlier) = &mut next.earlier {
        earlier.shapes = (1..=setup.shapes.len() as u32).map(Some).collect();
    }
    let mut other = World::new(&next).unwrap();
    go_on(&mut world, STEPS);
    go_on(&mut other, STEPS);
    assert_eq!(apart(&world, &other), 0.0);
    let earlier = Earlier { shapes: Vec::new(), ..next.earlier.clone().unwrap() };
    assert!(matches!(World::new(&Setup { earlier: Some(earlier), ..next }), Err(SetupError::Earlier(_))));
}

/// A state that is not of the setup that it is said to be of, or of none, is refused.
#[test]
fn foreign_states_are_refused() {
    let setup = bed(polyhedra(), 64);
    let world = settled(&setup);
    let mut next = going_on(&setup, &world);
    let earlier = next.earlier.clone().unwrap();
    let bytes = Earlier { state: Arc::from(&earlier.state[..100]), ..earlier.clone() };
    next.earlier = Some(bytes);
    assert!(matches!(World::new(&next), Err(SetupError::Earlier(_))));
    let walls = Box::new(Setup { walls: Vec::new(), shapes: Vec::new(), ..setup.clone() });
    next.earlier = Some(Earlier { setup: walls, ..earlier });
    assert!(matches!(World::new(&next), Err(SetupError::Earlier(_))));
}

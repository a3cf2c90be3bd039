//! The same setup gives the same bits: on any number of threads, and after any number of stops.
//!
//! What is compared is all that the next step depends on: the saved state, byte by byte.

use crate::common::{
    Draw, SIZE, bed, boxes, cell_bed, compounds, ellipsoids, go_on, half_space, mixed, plane_bed,
    plane_cell_bed, polyhedra,
};
use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{
    Area, ConstantRate, CurveKind, Dimension, Drive, Free, MotionCurve, Move, Oscillation, Servo, Setup,
    Sides, Surface, Tool, TriangleMesh, Wall, World, revolved,
};
use gritstone_shape::space::Sphere;

const STEPS: u64 = 600;

/// The state after so many steps on so many threads.
fn state<D: Dimension>(setup: &Setup<D>, threads: usize) -> Vec<u8> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut world = World::new(setup).unwrap();
        go_on(&mut world, STEPS);
        let status = world.status();
        assert!(status.contacts > 32 && status.lists[0] > 1, "{status:?}: there is too little to share");
        world.save().unwrap()
    })
}

fn same_on_any_number_of_threads<D: Dimension>(setup: &Setup<D>) {
    let one = state(setup, 1);
    for threads in [2, 3] {
        assert!(state(setup, threads) == one, "{threads} threads give other bits");
    }
}

#[test]
fn ellipsoids_on_any_number_of_threads() {
    same_on_any_number_of_threads(&bed(ellipsoids(), 512));
}

#[test]
fn boxes_on_any_number_of_threads() {
    same_on_any_number_of_threads(&bed(boxes(), 512));
}

#[test]
fn polyhedra_on_any_number_of_threads() {
    same_on_any_number_of_threads(&bed(polyhedra(), 512));
}

#[test]
fn mixed_shapes_on_any_number_of_threads() {
    same_on_any_number_of_threads(&bed(mixed(), 512));
}

/// What can be told of a world after so many steps, whatever the order in which its grains are stored.
fn report<D: Dimension>(setup: &Setup<D>) -> String {
    let mut world = World::new(setup).unwrap();
    go_on(&mut world, STEPS);
    assert!(world.status().contacts > 32, "there is too little to compare");
    format!("{:?} {:?} {:?}", world.snapshot(), world.energies(), world.status())
}

/// The grains of a setup in another order, with the ids that they have.
fn shuffled<D: Dimension>(setup: &Setup<D>) -> Setup<D> {
    let mut shuffled = setup.clone();
    let count = shuffled.grains.len();
    for i in 0..count {
        shuffled.grains.swap(i, (7919 * i + 31) % count);
    }
    shuffled
}

fn same_for_any_order_of_grains<D: Dimension>(setup: &Setup<D>) {
    let shuffled = shuffled(setup);
    assert!(shuffled.grains.iter().zip(&setup.grains).filter(|(a, b)| a.id != b.id).count() > 100);
    assert!(report(&shuffled) == report(setup), "grains in another order move otherwise");
}

#[test]
fn ellipsoids_in_any_order() {
    same_for_any_order_of_grains(&bed(ellipsoids(), 512));
}

#[test]
fn boxes_in_any_order() {
    same_for_any_order_of_grains(&bed(boxes(), 512));
}

#[test]
fn polyhedra_in_any_order() {
    same_for_any_order_of_grains(&bed(polyhedra(), 512));
}

#[test]
fn mixed_shapes_in_any_order() {
    same_for_any_order_of_grains(&bed(mixed(), 512));
}

#[test]
fn driven_beds_in_any_order() {
    same_for_any_order_of_grains(&driven());
}

#[test]
fn figures_in_any_order() {
    same_for_any_order_of_grains(&plane_bed(512));
}

#[test]
fn cells_in_any_order() {
    same_for_any_order_of_grains(&cell_bed(mixed(), compounds(), 125));
    same_for_any_order_of_grains(&plane_cell_bed(512));
}

#[test]
fn compounds_in_any_order() {
    same_for_any_order_of_grains(&with_compounds(216));
}

/// A bed whose lid is held by a servo, beside a wall that swings and a floor that is free to give way a little.
fn driven() -> Setup<Space> {
    let mut setup = bed(ellipsoids(), 512);
    let top = 8.0 * 2.05 * SIZE;
    setup.walls.push(half_space("lid", -DVec3::Z, -top));
    let servo = Servo {
        axis: -DVec3::Z,
        target: 2e3,
        area: Area::Fixed(top * top),
        max_speed: 0.5,
        start: 0.0,
        end: f64::INFINITY,
    };
    let swing = CurveKind::Oscillation(Oscillation { amplitude: 0.2 * SIZE, frequency: 100.0, phase: 0.0 });
    let course = MotionCurve { start: 1e-3, end: 8e-3, kind: swing };
    let free = Free {
        mass: 0.02,
        along: [true; 3],
        moments: None,
        about: [false; 3],
        force: DVec3::Z * 0.5,
        start: 0.0,
    };
    let drives = [
        ("lid", 5, Drive::Moves(vec![Move::Servo(servo)])),
        ("side", 1, Drive::Moves(vec![Move::Along { axis: DVec3::X, course }])),
        ("floor", 0, Drive::Free(free)),
    ];
    setup.tools = drives
        .map(|(name, wall, drive)| Tool { name: name.into(), walls: vec![wall], origin: DVec3::ZERO, drive })
        .into();
    setup
}

/// A bed in a box of triangles that turns about its middle.
fn tumbled() -> Setup<Space> {
    let mut setup = bed(mixed(), 343);
    let side = 7.0 * 2.05 * SIZE;
    let radius = 0.75 * side;
    let profile = [[0.0, 0.0], [radius, 0.0], [radius, 1.2 * side], [0.0, 1.2 * side]];
    let mesh = TriangleMesh::new(&revolved(&profile, 24), Sides::Inside).unwrap();
    let ball = Sphere::new(mesh.size()).unwrap();
    let middle = DVec3::new(0.5, 0.5, 0.0) * side;
    setup.walls = vec![Wall {
        surface: Some(Surface::Mesh(mesh.into())),
        pose: Pose::at(middle),
        ..Wall::fixed("drum", ball.into(), 0)
    }];
    let course =
        MotionCurve { start: 0.0, end: 1.0, kind: CurveKind::ConstantRate(ConstantRate { rate: 3.0 }) };
    let drive = Drive::Moves(vec![Move::About { point: middle, axis: DVec3::X, course }]);
    setup.tools = vec![Tool { name: "drum".into(), walls: vec![0], origin: middle, drive }];
    setup
}

#[test]
fn meshes_on_any_number_of_threads() {
    same_on_any_number_of_threads(&tumbled());
}

#[test]
fn meshes_after_stops() {
    same_after_stops(&tumbled());
}

#[test]
fn tools_on_any_number_of_threads() {
    same_on_any_number_of_threads(&driven());
}

#[test]
fn tools_after_stops() {
    same_after_stops(&driven());
}

#[test]
fn figures_on_any_number_of_threads() {
    same_on_any_number_of_threads(&plane_bed(512));
}

#[test]
fn compounds_on_any_number_of_threads() {
    same_on_any_number_of_threads(&with_compounds(216));
}

#[test]
fn sheared_cell_on_any_number_of_threads() {
    same_on_any_number_of_threads(&cell_bed(mixed(), compounds(), 125));
}

#[test]
fn figures_in_a_cell_on_any_number_of_threads() {
    same_on_any_number_of_threads(&plane_cell_bed(512));
}

/// Ordinary grains and concave ones in a box.
fn with_compounds(count: u32) -> Setup<Space> {
    let mut setup = bed(mixed(), count);
    compounds().into_iter().for_each(|compound| {
        setup.add_compound(compound);
    });
    let kinds = setup.shapes.len() as u32;
    setup.grains.iter_mut().enumerate().for_each(|(i, grain)| grain.shape = i as u32 % kinds);
    setup
}

/// Stopped and restored at random moments, a world goes on as if it had not been; and saving changes nothing.
fn same_after_stops<D: Dimension>(setup: &Setup<D>) {
    let mut straight = World::new(setup).unwrap();
    go_on(&mut straight, STEPS);
    let mut draw = Draw(5);
    let mut world = World::new(setup).unwrap();
    while world.status().step < STEPS {
        let steps = (draw.bits() % 60).min(STEPS - world.status().step);
        go_on(&mut world, steps);
        let bytes = world.save().unwrap();
        assert!(world.save().unwrap() == bytes, "saving changes the state");
        world = World::restore(setup, &bytes).unwrap();
        assert!(world.save().unwrap() == bytes, "a restored world is not what was saved");
    }
    assert!(world.save().unwrap() == straight.save().unwrap(), "a world that was restored went another way");
    assert_eq!(format!("{:?}", world.snapshot().bodies), format!("{:?}", straight.snapshot().bodies));
    assert_eq!(world.energies(), straight.energies());

    let mut saved = World::new(setup).unwrap();
    for _ in 0..STEPS {
        saved.step().unwrap();
        drop(saved.save().unwrap());
    }
    assert!(saved.save().unwrap() == straight.save().unwrap(), "a world that was saved went another way");
}

#[test]
fn ellipsoids_after_stops() {
    same_after_stops(&bed(ellipsoids(), 216));
}

#[test]
fn boxes_after_stops() {
    same_after_stops(&bed(boxes(), 216));
}

#[test]
fn mixed_shapes_after_stops() {
    same_after_stops(&bed(mixed(), 216));
}

#[test]
fn figures_after_stops() {
    same_after_stops(&plane_bed(216));
}

#[test]
fn compounds_after_stops() {
    same_after_stops(&with_compounds(125));
}

#[test]
fn sheared_cell_after_stops() {
    same_after_stops(&cell_bed(mixed(), compounds(), 125));
}

#[test]
fn figures_in_a_cell_after_stops() {
    same_after_stops(&plane_cell_bed(216));
}

/// What was saved of one world is not taken for another, and what is torn is not taken at all.
#[test]
fn other_states_are_refused() {
    let setup = bed(ellipsoids(), 100);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 50);
    let bytes = world.save().unwrap();
    let mut other = setup.clone();
    other.walls.clear();
    other.shapes.clear();
    other.grains.clear();
    assert!(World::restore(&other, &bytes).is_err());
    for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        assert!(World::restore(&setup, &bytes[..cut]).is_err());
    }
}

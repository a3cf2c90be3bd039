//! PeriodicCell that repeat, are sheared and strained.

use crate::common::{
    Draw, SIZE, cell_bed, compounds, ellipsoids, empty, go_on, grain, half_space, material, mixed,
    plane_cell_bed, wall,
};
use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{Cell, Grain, Setup, SetupError, Side, StepError, World};
use gritstone_force::{Damping, Friction, Material, Stiffness};
use gritstone_shape::plane::{Circle, Ellipse};
use gritstone_shape::space::{Ellipsoid, Sphere};

/// A cell about the origin with sides along the axes that stand still.
fn still_cell(widths: DVec3) -> Cell<Space> {
    let side = |axis: usize| Side { vector: DVec3::AXES[axis] * widths[axis], velocity: DVec3::ZERO };
    Cell { centre: DVec3::ZERO, sides: std::array::from_fn(|axis| Some(side(axis))), press: None }
}

fn momentum(world: &World<Space>, setup: &Setup<Space>) -> DVec3 {
    let mass = |shape: u32| setup.volume(shape) * setup.densities[0];
    world.snapshot().bodies.iter().map(|body| body.velocity * mass(body.shape)).sum()
}

/// The shortest vector between two places that are the same up to sides of the cell, and the shift that it takes.
fn apart(cell: &Cell<Space>, x: DVec3) -> (DVec3, [f64; 3]) {
    let (mut best, mut shift) = (x, [0.0; 3]);
    for n in 0..1331 {
        let n = [n % 11, n / 11 % 11, n / 121].map(|n| f64::from(n) - 5.0);
        let moved = (0..3).fold(x, |x, k| x + cell.sides[k].unwrap().vector * n[k]);
        if moved.length() < best.length() {
            (best, shift) = (moved, n);
        }
    }
    (best, shift)
}

/// Two grains that meet across a corner of the cell, and the same two in its middle.
#[test]
fn pair_collides_across_sides_as_in_the_middle() {
    let mut setup =
        empty::<Space>(vec![Ellipsoid::new(DVec3::new(0.5, 0.7, 1.0) * SIZE).unwrap().into()], material());
    setup.gravity = DVec3::ZERO;
    setup.cell = Some(still_cell(DVec3::splat(8.0 * SIZE)));
    let meet = |at: DVec3| {
        let mut setup = setup.clone();
        let mut draw = Draw(6);
        let direction = DVec3::new(0.5, 0.6, 0.7);
        setup.grains = [-1.0, 1.0]
            .into_iter()
            .enumerate()
            .map(|(i, sign)| Grain {
                pose: Pose::new(at + direction * (sign * SIZE), draw.rotation()),
                velocity: direction * -sign + DVec3::X * 0.2,
                spin: draw.vector(100.0),
                ..grain(i as u32, 0, DVec3::ZERO)
            })
            .collect();
        let mut world = World::new(&setup).unwrap();
        let mut most = 0;
        for _ in 0..600 {
            world.step().unwrap();
            most = most.max(world.status().contacts);
        }
        assert_eq!(most, 1, "they have not met");
        world.snapshot().bodies
    };
    let middle = meet(DVec3::ZERO);
    let corner = meet(DVec3::new(3.9, -3.9, 4.0) * SIZE);
    for (a, b) in middle.iter().zip(&corner) {
        assert!((a.velocity - b.velocity).length() < 1e-9, "{} {}", a.velocity, b.velocity);
        assert!((a.spin - b.spin).length() < 1e-9 * a.spin.length());
        let way = b.pose.position - a.pose.position - DVec3::new(3.9, -3.9, 4.0) * SIZE;
        assert!(apart(&setup.cell.unwrap(), way).0.length() < 1e-9 * SIZE);
        assert!((a.velocity - DVec3::X * 0.2).length() > 0.1, "nothing has happened");
    }
}

/// A scene that is moved as a whole is the same scene: balls and clumps of them, whose contacts are found without iteration,
/// in a cell that shrinks and is sheared.
#[test]
fn moving_everything_changes_nothing() {
    let ball = Sphere::new(0.7 * SIZE).unwrap().into();
    let setup = cell_bed(vec![ball], compounds()[..1].to_vec(), 125);
    let cell = setup.cell.unwrap();
    let way = DVec3::new(0.37, -1.21, 2.83) * cell.sides[0].unwrap().vector.x;
    let mut moved = setup.clone();
    // Grains and cell are moved by different ways: what moves is the frame around them.
    moved.cell = Some(Cell { centre: cell.centre + way * 0.3, ..cell });
    for grain in &mut moved.grains {
        grain.pose.position += way;
    }
    let [mut world, mut other] = [&setup, &moved].map(|setup| World::new(setup).unwrap());
    for _ in 0..550 {
        world.step().unwrap();
        other.step().unwrap();
    }
    assert!(world.status().contacts > 20, "{:?}", world.status());
    let now = world.cell().unwrap().cell;
    let (mut off, mut faster) = (0.0_f64, 0.0_f64);
    for (a, b) in world.snapshot().bodies.iter().zip(&other.snapshot().bodies) {
        let (apart, shift) = apart(&now, b.pose.position - a.pose.position - way);
        let jump: DVec3 = (0..3).map(|k| now.sides[k].unwrap().velocity * shift[k]).sum();
        off = off.max(apart.length());
        faster = faster.max((b.velocity + jump - a.velocity).length());
    }
    assert!(off < 1e-8 * SIZE && faster < 1e-7, "{:e} {faster:e}", off / SIZE);
    assert_eq!(world.status().contacts, other.status().contacts);
}

/// Momentum, with what grains get where they go through a moving side, stays as it is.
#[test]
fn shear_keeps_momentum() {
    let setup = cell_bed(mixed(), compounds(), 64);
    let mut world = World::new(&setup).unwrap();
    let start = momentum(&world, &setup);
    let scale: f64 = setup.grains.iter().map(|grain| grain.velocity.length()).sum::<f64>() * 1e-3;
    for _ in 0..600 {
        world.step().unwrap();
        let off = momentum(&world, &setup) - world.cell().unwrap().jumps - start;
        assert!(off.length() < 1e-12 * scale, "{off}");
    }
    assert!(world.cell().unwrap().jumps != DVec3::ZERO, "nothing went through a moving side");
    assert_eq!(world.status().grains, 64);
}

/// The books of energy balance with the work of the sides in them: what is off falls with the step.
#[test]
fn work_of_the_sides_is_counted() {
    let off = |finer: u32| {
        let mut setup = cell_bed(ellipsoids(), compounds()[..1].to_vec(), 64);
        setup.time_step /= f64::from(finer);
        let mut world = World::new(&setup).unwrap();
        let before = world.energies();
        go_on(&mut world, 600 * u64::from(finer));
        let now = world.energies();
        assert!(now.wall_work.abs() > 0.1 * before.kinetic() && world.status().contacts > 15);
        ((now.balance() - before.balance()) / before.kinetic()).abs()
    };
    let (coarse, fine) = (off(1), off(4));
    assert!(coarse < 0.05 && fine < 0.5 * coarse, "{coarse} {fine}");
}

/// Discs in a cell with Lees and Edwards' shear flow with it: the mean profile of velocities is the one that was asked for,
/// and stress and work agree, for in the mean all work is done by the stress.
#[test]
fn sheared_discs_do_the_work_of_their_stress() {
    let rate = 2.0;
    let setup = sheared_discs(rate);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 15_000);
    // The mean settles at 0.94: fluctuations carry the rest of the stress.
    let (mut work, steps) = (0.0, 20_000);
    let before = world.energies();
    let jumps = world.cell().unwrap().jumps;
    for _ in 0..steps {
        world.step().unwrap();
        let cell = world.cell().unwrap();
        work += cell.stress[0][1] * cell.volume * -rate * setup.time_step;
    }
    let after = world.energies();
    let kinetic = after.kinetic() - before.kinetic();
    let lost = after.dissipated - before.dissipated + after.elastic - before.elastic;
    // What the sides put in is lost or kept.
    let put_in = after.wall_work - before.wall_work;
    assert!(((put_in - kinetic - lost) / put_in).abs() < 0.02, "{put_in} {kinetic} {lost}");
    assert!((work / lost - 1.0).abs() < 0.1, "{work} {lost}");
    assert!(world.cell().unwrap().jumps != jumps);
    // The cell has been sheared by more than its own width: its vectors were chosen anew.
    let side = world.cell().unwrap().cell.sides[1].unwrap().vector;
    assert!(side.x.abs() <= 0.51 * setup.cell.unwrap().sides[0].unwrap().vector.x);
    assert!(rate * world.time() > 1.0);
}

/// Discs and ellipses, densely packed after a while, in a sheared cell.
fn sheared_discs(rate: f64) -> Setup<Plane> {
    let shapes =
        vec![Circle::new(SIZE).unwrap().into(), Ellipse::new(DVec2::new(1.2, 0.7) * SIZE).unwrap().into()];
    let stiffness = Stiffness::Linear { kn: 5e5, ks: 2e5 };
    let mut setup = empty::<Plane>(
        shapes,
        Material { stiffness, rolling: 0.0, twisting: 0.0, damping: Damping::Restitution(0.3), ..material() },
    );
    setup.gravity = DVec2::ZERO;
    setup.time_step = 5e-5;
    let (across, pitch) = (8, 2.0 * SIZE);
    let width = f64::from(across) * pitch;
    let mut draw = Draw(9);
    setup.grains = (0..across * across)
        .map(|i| {
            let x = DVec2::new(f64::from(i % across) + 0.5, f64::from(i / across) + 0.5) * pitch;
            let y = x.y - 0.5 * width;
            Grain {
                // Rows that hardly moved across the flow would slide on each other for ever: about the velocity of a row.
                velocity: DVec2::new(rate * y, 0.0) + draw.vector(0.03).truncate(),
                ..grain(i as u32, i as u32 % 2, x)
            }
        })
        .collect();
    let sides = [DVec2::X, DVec2::Y].map(|axis| {
        let velocity = DVec2::X * (rate * width * axis.y);
        Some(Side { vector: axis * width, velocity })
    });
    setup.cell =
        Some(Cell { centre: DVec2::splat(0.5 * width), sides: [sides[0], sides[1], None], press: None });
    setup
}

/// A cubic lattice of balls that is compressed from all sides stays one, and carries what Hertz says.
#[test]
fn compressed_lattice_has_the_stress_of_its_contacts() {
    let young = 1e7;
    let plain = Material {
        stiffness: Stiffness::Hertz { young, poisson: 0.25 },
        damping: Damping::Restitution(1.0),
        friction: Friction::Coefficient(0.0),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    };
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], plain);
    setup.gravity = DVec3::ZERO;
    setup.time_step = 1e-5;
    let (across, pitch) = (3_u32, 2.0 * SIZE);
    let at = |i: u32| DVec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) - DVec3::ONE;
    setup.grains = (0..across.pow(3)).map(|i| grain(i, 0, at(i) * pitch)).collect();
    setup.cell = Some(still_cell(DVec3::splat(f64::from(across) * pitch)));
    let mut world = World::new(&setup).unwrap();
    let width = f64::from(across) * pitch;
    let steps = 1000;
    let rate = -0.01 / (f64::from(steps) * setup.time_step);
    assert!(world.drive_cell(&[[rate, 0.0, 0.0], [0.0, rate, 0.0], [0.0, 0.0, rate]]));
    go_on(&mut world, u64::try_from(steps).unwrap());
    let cell = world.cell().unwrap();
    assert!((cell.volume / (0.99 * width).powi(3) - 1.0).abs() < 1e-9);
    assert_eq!(world.status().contacts, 81);
    // F = 4/3·E*·√R*·δ^1.5 with E* = E/2(1 − ν²), R* = R/2, δ = 1 % of the pitch; each ball carries F on its square.
    let (depth, reduced) = (0.01 * pitch, young / (2.0 * (1.0 - 0.0625)));
    let stress = 4.0 / 3.0 * reduced * (0.5 * SIZE).sqrt() * depth.powf(1.5) / (0.99 * pitch).powi(2);
    for (i, row) in cell.stress.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            let expected = if i == j { stress } else { 0.0 };
            assert!((entry - expected).abs() < 1e-3 * stress, "{i}{j}: {entry} {expected}");
        }
    }
}

/// A grain that goes round meets a wall in the cell as one does that comes straight.
#[test]
fn walls_are_met_after_going_round() {
    let ball = || Sphere::new(SIZE).unwrap();
    let meet = |x: f64, cell: Option<Cell<Space>>| {
        let mut setup = empty::<Space>(vec![ball().into()], material());
        setup.gravity = DVec3::ZERO;
        setup.cell = cell;
        setup.walls = vec![wall("stone", ball().into())];
        setup.grains = vec![Grain { velocity: -DVec3::X, ..grain(0, 0, DVec3::new(x, 0.3, 0.2) * SIZE) }];
        let mut world = World::new(&setup).unwrap();
        for _ in 0..2000 {
            world.step().unwrap();
        }
        world.snapshot().bodies[0]
    };
    let (straight, round) = (meet(5.5, None), meet(-2.5, Some(still_cell(DVec3::splat(8.0 * SIZE)))));
    assert!(straight.velocity.x > 0.1, "nothing has happened: {}", straight.velocity);
    assert!((round.velocity - straight.velocity).length() < 1e-9, "{} {}", round.velocity, straight.velocity);
    let way = (round.pose.position - straight.pose.position).x / (8.0 * SIZE);
    assert!((way - way.round()).abs() < 1e-9, "{way}");
}

/// A grain that flies through its cell again and again is where it would be without one.
#[test]
fn free_flight_goes_round() {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.gravity = DVec3::ZERO;
    let mut cell = still_cell(DVec3::new(5.0, 6.0, 7.0) * SIZE);
    cell.sides[2] = None;
    setup.cell = Some(cell);
    setup.grains = vec![Grain { velocity: DVec3::new(3.0, -2.0, 1.0), ..grain(0, 0, DVec3::ZERO) }];
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 2000);
    let body = world.snapshot().bodies[0];
    assert_eq!(body.velocity, DVec3::new(3.0, -2.0, 1.0));
    let expected = body.velocity * world.time();
    let off = body.pose.position - expected;
    let turns = off / (DVec3::new(5.0, 6.0, f64::INFINITY) * SIZE);
    assert!((turns - turns.round()).length() < 1e-9 && off.z.abs() < 1e-12 && turns.x.abs() > 2.5);
    assert!(body.pose.position.x.abs() <= 2.5 * SIZE && body.pose.position.y.abs() <= 3.0 * SIZE);
}

/// Contacts across a side say where the other grain is that they touch.
#[test]
fn contacts_across_sides_say_so() {
    let setup = plane_cell_bed(100);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 2000);
    let snapshot = world.snapshot();
    let body = |id: u32| snapshot.bodies.iter().find(|body| body.id == id).unwrap();
    let across = snapshot.contacts.iter().filter(|contact| contact.across != DVec2::ZERO);
    assert!(across.clone().count() > 3);
    for contact in &snapshot.contacts {
        let a = body(contact.a).pose.position;
        assert!((contact.point - a).length() < 2.0 * SIZE);
        if !contact.with_wall {
            let b = body(contact.b).pose.position + contact.across;
            assert!((contact.point - b).length() < 2.0 * SIZE);
        }
    }
    // Third law and home: the forces on all grains are those of the ground alone.
    let sum: DVec2 = snapshot.bodies.iter().map(|body| body.force).sum();
    assert!((sum + snapshot.walls[0].force).length() < 1e-9 * snapshot.walls[0].force.length());
}

#[test]
fn narrow_cells_and_leaning_walls_are_refused() {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.grains = vec![grain(0, 0, DVec3::ZERO)];
    setup.cell = Some(still_cell(DVec3::new(6.0, 2.5, 6.0) * SIZE));
    assert!(matches!(World::new(&setup), Err(SetupError::Narrow { axis: 1, .. })));
    setup.cell = Some(still_cell(DVec3::splat(6.0 * SIZE)));
    setup.walls = vec![half_space("floor", DVec3::Z, -2.0)];
    assert!(matches!(World::new(&setup), Err(SetupError::LeaningWall { axis: 2, .. })));
    setup.walls.clear();
    let flat = Side { vector: DVec3::X * SIZE * 6.0, velocity: DVec3::ZERO };
    setup.cell = Some(Cell { centre: DVec3::ZERO, sides: [Some(flat), Some(flat), None], press: None });
    assert_eq!(World::new(&setup).unwrap_err(), SetupError::FlatCell);
}

#[test]
fn cell_that_shrinks_too_far_ends_the_run() {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.grains = vec![grain(0, 0, DVec3::ZERO)];
    setup.cell = Some(still_cell(DVec3::splat(4.0 * SIZE)));
    let mut world = World::new(&setup).unwrap();
    world.drive_cell(&[[-50.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
    let end = (0..1000).find_map(|_| world.step().err());
    assert!(matches!(end, Some(StepError::Narrow { axis: 0, .. })), "{end:?}");
}

//! Tools: walls that move by a plan, by a servo or freely, against closed forms.

use crate::common::{G, SIZE, bed, ellipsoids, empty, go_on, grain, half_space, material, wall};
use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_engine::{
    Area, ConstantRate, CurveKind, Drive, Free, Grain, MotionCurve, Move, Oscillation, Servo, Setup,
    SmoothStep, Tool, World,
};
use gritstone_force::{Damping, Friction, Material, Stiffness};
use gritstone_shape::space::{Polyhedron, Sphere};

fn tool(name: &str, walls: &[u32], drive: Drive<Space>) -> Tool<Space> {
    Tool { name: name.into(), walls: walls.to_vec(), origin: DVec3::ZERO, drive }
}

fn course(start: f64, end: f64, kind: CurveKind) -> MotionCurve {
    MotionCurve { start, end, kind }
}

fn cube(edge: f64) -> Polyhedron {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 0 { -0.5 * edge } else { 0.5 * edge };
    let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    Polyhedron::hull(&corners).unwrap().0
}

/// Two plates that are lifted smoothly, swing, and then turn together about a hinge that was lifted along.
#[test]
fn plates_are_where_the_plan_has_them() {
    let mut setup = empty::<Space>(ellipsoids(), material());
    setup.time_step = 1e-3;
    for (name, x) in [("left", -0.1), ("right", 0.2)] {
        let plate = wall(name, cube(0.05).into());
        setup.walls.push(gritstone_engine::Wall { pose: Pose::at(DVec3::new(x, 0.0, 0.0)), ..plate });
    }
    let hinge = DVec3::new(0.0, 0.0, -0.1);
    let turn = course(1.0, 3.0, CurveKind::ConstantRate(ConstantRate { rate: 0.5 }));
    let lift = course(0.0, 1.0, CurveKind::SmoothStep(SmoothStep { amount: 0.3 }));
    let shake =
        course(0.5, 2.0, CurveKind::Oscillation(Oscillation { amplitude: 0.01, frequency: 5.0, phase: 0.0 }));
    setup.tools = vec![tool(
        "bucket",
        &[0, 1],
        Drive::Moves(vec![
            Move::About { point: hinge, axis: DVec3::Y, course: turn },
            Move::Along { axis: DVec3::Z, course: lift },
            Move::Along { axis: DVec3::X, course: shake },
        ]),
    )];
    let mut world = World::new(&setup).unwrap();
    // The plan moves the plates, nobody else does.
    assert!(!world.move_wall("left", DVec3::X, DVec3::ZERO));
    go_on(&mut world, 1700);
    // At 1.7 s: lifted by all of 0.3, six whole swings done, turned by 0.5·0.7 rad about the hinge before that.
    let turned = DQuat::from_rotation_y(0.35);
    let walls = world.snapshot().walls;
    for (wall, x) in walls.iter().zip([-0.1, 0.2]) {
        let lever = turned * (DVec3::new(x, 0.0, 0.0) - hinge);
        let position = hinge + lever + DVec3::new(0.0, 0.0, 0.3);
        // Swings and turns are rounded as sines and cosines are.
        assert!((wall.pose.position - position).length() < 1e-14, "{:?} {position:?}", wall.pose);
        assert!(wall.pose.rotation.angle_between(turned) < 1e-7);
    }
    let bucket = world.tools().next().unwrap();
    let swinging = DVec3::X * (0.01 * std::f64::consts::TAU * 5.0);
    let carried = (DVec3::Y * 0.5).cross(turned * -hinge);
    assert!((bucket.velocity - (swinging + carried)).length() < 1e-12, "{bucket:?}");
    assert!((bucket.spin - DVec3::Y * 0.5).length() < 1e-15);
}

/// A cube on a belt is taken along with μ g until it is as fast as the belt.
#[test]
fn a_belt_takes_a_cube_along() {
    let friction = 0.3;
    let material = Material {
        stiffness: Stiffness::Linear { kn: 1e4, ks: 1e4 },
        friction: Friction::Coefficient(friction),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    };
    let mut setup = empty::<Space>(vec![cube(SIZE).into()], material);
    let mass = 2500.0 * SIZE.powi(3);
    let rest = mass * G / 1e4;
    setup.grains = vec![grain(1, 0, DVec3::Z * (0.5 * SIZE - rest))];
    setup.walls = vec![half_space("belt", DVec3::Z, 0.0)];
    let speed = 0.2;
    let steady = course(0.0, f64::INFINITY, CurveKind::ConstantRate(ConstantRate { rate: speed }));
    setup.tools =
        vec![tool("belt", &[0], Drive::Moves(vec![Move::Along { axis: DVec3::X, course: steady }]))];
    let mut world = World::new(&setup).unwrap();
    let slipping = speed / (friction * G);
    go_on(&mut world, (0.5 * slipping / setup.time_step) as u64);
    let velocity = world.snapshot().bodies[0].velocity.x;
    // The cube rocks a little at first: its friction acts below its centre.
    assert!((velocity / (friction * G * world.time()) - 1.0).abs() < 0.01, "{velocity}");
    go_on(&mut world, (1.5 * slipping / setup.time_step) as u64);
    let belt = world.tools().next().unwrap();
    // Half the work has become motion: m v²/2 of m v².
    assert!((belt.work / (mass * speed * speed) - 1.0).abs() < 0.02, "{belt:?}");
    assert!((belt.work - world.energies().wall_work).abs() < 1e-12 * belt.work);
}

/// A free plate falls as a stone does; one that may not move along z does not.
#[test]
fn a_free_plate_falls() {
    let mut setup = empty::<Space>(ellipsoids(), material());
    setup.walls = vec![wall("plate", cube(0.1).into()), wall("rail", cube(0.1).into())];
    let along = [true; 3];
    let free = Free { mass: 2.0, along, moments: None, about: [true; 3], force: DVec3::X * 4.0, start: 0.01 };
    setup.tools = vec![
        tool("plate", &[0], Drive::Free(free)),
        tool("rail", &[1], Drive::Free(Free { along: [true, true, false], ..free })),
    ];
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 1500);
    let since = 1000.0 * setup.time_step;
    let walls = world.snapshot().walls;
    let way = 0.5 * since * since;
    assert!((walls[0].pose.position - DVec3::new(2.0, 0.0, -G) * way).length() < 1e-12 * way);
    assert!((walls[1].pose.position - DVec3::new(2.0, 0.0, 0.0) * way).length() < 1e-12 * way);
}

/// A table that may move and tilt comes to rest on three balls, each of which bears its part.
#[test]
fn a_free_plate_is_carried_by_grains() {
    let radius = 0.01;
    let soft = Material { damping: Damping::Restitution(0.05), ..material() };
    let mut setup = empty::<Space>(vec![Sphere::new(radius).unwrap().into()], soft);
    let at = |x: f64, y: f64| DVec3::new(x, y, radius);
    let feet = [at(0.05, 0.0), at(-0.03, 0.04), at(-0.03, -0.04)];
    setup.grains = feet.iter().zip(1..).map(|(&foot, id)| grain(id, 0, foot)).collect();
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0), half_space("table", -DVec3::Z, -2.0 * radius)];
    let free = Free {
        mass: 0.3,
        along: [true; 3],
        moments: Some(DVec3::splat(1e-4)),
        about: [true; 3],
        force: DVec3::ZERO,
        start: 0.0,
    };
    let mut table = tool("table", &[1], Drive::Free(free));
    table.origin = DVec3::new(0.0, 0.0, 2.0 * radius);
    setup.tools = vec![table];
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 20_000);
    let table = world.tools().next().unwrap();
    // It has come to rest; each foot bears its part, by the levers: 3/8 and 5/16 twice of the weight.
    assert!((table.force.z / (0.3 * G) - 1.0).abs() < 1e-3, "{table:?}");
    assert!(table.torque.length() < 1e-3 * 0.3 * G * 0.05, "{table:?}");
    let contacts = world.snapshot().contacts;
    let bears: Vec<f64> =
        contacts.iter().filter(|contact| contact.with_wall && contact.b == 1).map(|c| c.force.z).collect();
    for (bears, part) in bears.iter().zip([3.0 / 8.0, 5.0 / 16.0, 5.0 / 16.0]) {
        assert!((bears / (0.3 * G) / part - 1.0).abs() < 5e-3, "{bears} {part}");
    }
}

/// A bed in a box whose lid is a servo.
fn pressed(target: f64) -> Setup<Space> {
    let mut setup = bed(ellipsoids(), 64);
    let top = 4.0 * 2.05 * SIZE;
    setup.walls.push(half_space("lid", -DVec3::Z, -top));
    let servo = Servo {
        axis: -DVec3::Z,
        target,
        area: Area::Fixed(top * top),
        max_speed: 0.5,
        start: 0.0,
        end: f64::INFINITY,
    };
    setup.tools = vec![tool("lid", &[5], Drive::Moves(vec![Move::Servo(servo)]))];
    setup
}

#[test]
fn a_servo_holds_its_stress() {
    let stress = 5e3;
    let setup = pressed(stress);
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 6000);
    let (mut sum, mut squares) = (0.0, 0.0);
    let steps = 2000;
    for _ in 0..steps {
        world.step().unwrap();
        let servo = world.tools().next().unwrap().servo.unwrap();
        let ratio = servo.force / servo.target;
        (sum, squares) = (sum + ratio, squares + ratio * ratio);
    }
    let (mean, spread) = (sum / f64::from(steps), (squares / f64::from(steps)).sqrt());
    assert!((mean - 1.0).abs() < 1e-3 && (spread - 1.0).abs() < 1e-3, "{mean} {spread}");
}

/// A lid that presses, and a plate that falls: neither moves before it is there.
#[test]
fn what_is_not_there_is_not_moved_by_forces() {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.grains = vec![grain(1, 0, DVec3::Z * SIZE)];
    setup.walls = vec![
        half_space("floor", DVec3::Z, 0.0),
        half_space("lid", -DVec3::Z, -10.0 * SIZE),
        half_space("plate", -DVec3::Z, -20.0 * SIZE),
    ];
    setup.walls[1].present = false;
    setup.walls[2].present = false;
    let (area, end) = (Area::Fixed(1.0), f64::INFINITY);
    let servo = Servo { axis: -DVec3::Z, target: 0.1, area, max_speed: 0.05, start: 0.0, end };
    let free = Free {
        mass: 1e-3,
        along: [true; 3],
        moments: None,
        about: [false; 3],
        force: DVec3::ZERO,
        start: 0.0,
    };
    setup.tools = vec![
        tool("lid", &[1], Drive::Moves(vec![Move::Servo(servo)])),
        tool("plate", &[2], Drive::Free(free)),
    ];
    let mut world = World::new(&setup).unwrap();
    let heights = |world: &World<Space>| {
        let walls = world.snapshot().walls;
        [1, 2].map(|wall: usize| walls[wall].pose.position.z)
    };
    let before = heights(&world);
    go_on(&mut world, 1000);
    assert_eq!(heights(&world), before);
    assert!(world.add_wall("lid") && world.add_wall("plate"));
    let steps = 100;
    go_on(&mut world, steps);
    let time = steps as f64 * setup.time_step;
    let [lid, plate] = heights(&world);
    assert!((before[0] - lid - 0.05 * time).abs() < 1e-9 * SIZE, "{lid}");
    assert!((before[1] - plate - 0.5 * G * time * time).abs() < 1e-9 * SIZE, "{plate}");
}

/// One ball between a floor and a lid that presses: steady to rounding at long steps and with strong dashpots. Beyond these the
/// ball's own dashpots are too strong for the step.
#[test]
fn a_servo_is_steady_on_one_ball() {
    let (kn, target) = (1e4, 0.4);
    for (restitution, part) in [(1.0, 0.09), (0.7, 0.09), (0.3, 0.09), (0.3, 0.05)] {
        let material = Material {
            stiffness: Stiffness::Linear { kn, ks: kn },
            damping: Damping::Restitution(restitution),
            ..material()
        };
        let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material);
        let mass = 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * SIZE.powi(3);
        setup.time_step = part * std::f64::consts::PI * (mass / kn).sqrt();
        setup.gravity = DVec3::ZERO;
        setup.grains = vec![grain(1, 0, DVec3::Z * SIZE)];
        setup.walls = vec![half_space("floor", DVec3::Z, 0.0), half_space("lid", -DVec3::Z, -2.01 * SIZE)];
        let (area, end) = (Area::Fixed(1.0), f64::INFINITY);
        let servo = Servo { axis: -DVec3::Z, target, area, max_speed: 0.05, start: 0.0, end };
        setup.tools = vec![tool("lid", &[1], Drive::Moves(vec![Move::Servo(servo)]))];
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, (400.0 / part) as u64);
        for _ in 0..200 {
            world.step().unwrap();
            let force = world.tools().next().unwrap().servo.unwrap().force;
            assert!((force / target - 1.0).abs() < 1e-6, "{restitution} {part}: {force}");
        }
    }
}

/// A plate is turned by a quarter before its servo acts, whose axis x points along y then since the rotation stands after it: a
/// ball between the plate and a wall across y bears the target.
#[test]
fn a_servo_pushes_and_measures_along_its_turned_axis() {
    let (kn, target) = (1e4, 0.5);
    let material = Material {
        stiffness: Stiffness::Linear { kn, ks: kn },
        damping: Damping::Restitution(0.3),
        ..material()
    };
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material);
    setup.gravity = DVec3::ZERO;
    setup.grains = vec![grain(1, 0, DVec3::ZERO)];
    setup.walls = vec![half_space("wall", -DVec3::Y, -SIZE), half_space("plate", DVec3::X, -1.1 * SIZE)];
    let (area, start, end) = (Area::Fixed(1.0), 0.01, f64::INFINITY);
    let servo = Servo { axis: DVec3::X, target, area, max_speed: 0.05, start, end };
    let quarter = CurveKind::SmoothStep(SmoothStep { amount: std::f64::consts::FRAC_PI_2 });
    let turn = Move::About { point: DVec3::ZERO, axis: DVec3::Z, course: course(0.0, start, quarter) };
    setup.tools = vec![tool("plate", &[1], Drive::Moves(vec![Move::Servo(servo), turn]))];
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, (0.1 / setup.time_step) as u64);
    let plate = world.tools().next().unwrap();
    assert!((plate.force + DVec3::Y * target).length() < 1e-6 * target, "{plate:?}");
    assert!((plate.servo.unwrap().force / target - 1.0).abs() < 1e-6, "{plate:?}");
}

/// Servos one after the other, with a pause and not in the order of time: the one that acts is reported, in a pause that before.
#[test]
fn the_servo_that_acts_is_reported() {
    let mut setup = empty::<Space>(ellipsoids(), material());
    setup.time_step = 1e-3;
    setup.walls = vec![half_space("lid", -DVec3::Z, -1.0)];
    let servo = |target, start, end| {
        let (axis, area) = (-DVec3::Z, Area::Fixed(1.0));
        Move::Servo(Servo { axis, target, area, max_speed: 1e-3, start, end })
    };
    let moves = vec![servo(3.0, 0.03, 0.04), servo(1.0, 0.005, 0.01), servo(2.0, 0.01, 0.02)];
    setup.tools = vec![tool("lid", &[0], Drive::Moves(moves))];
    let mut world = World::new(&setup).unwrap();
    for (steps, target) in [(2, 1.0), (5, 1.0), (8, 2.0), (10, 2.0), (10, 3.0), (20, 3.0)] {
        go_on(&mut world, steps);
        let reported = world.tools().next().unwrap().servo.unwrap().target;
        assert_eq!(reported, target, "at {} s", world.time());
    }
}

/// While the floor goes down under the bed, the lid follows at the same stress.
#[test]
fn a_servo_follows_what_gives_way() {
    let mut setup = pressed(5e3);
    let sink = course(0.1, f64::INFINITY, CurveKind::ConstantRate(ConstantRate { rate: -0.02 }));
    setup.tools.push(tool("floor", &[0], Drive::Moves(vec![Move::Along { axis: DVec3::Z, course: sink }])));
    let mut world = World::new(&setup).unwrap();
    go_on(&mut world, 7000);
    let before = world.snapshot().walls[5].pose.position.z;
    let (mut sum, steps) = (0.0, 3000);
    for _ in 0..steps {
        world.step().unwrap();
        let servo = world.tools().next().unwrap().servo.unwrap();
        sum += servo.force / servo.target;
    }
    let way = world.snapshot().walls[5].pose.position.z - before;
    let mean = sum / f64::from(steps);
    assert!((way / (-0.02 * 3000.0 * setup.time_step) - 1.0).abs() < 0.1, "{way}");
    assert!((mean - 1.0).abs() < 0.01, "{mean}");
}

/// A wall that is not there lets grains pass; when it comes, it holds those that are above it.
#[test]
fn walls_come_and_go() {
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    setup.grains = vec![
        grain(1, 0, DVec3::Z * 0.02),
        Grain { velocity: DVec3::Z * -1.0, ..grain(2, 0, DVec3::new(0.1, 0.0, 0.02)) },
    ];
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    setup.walls[0].present = false;
    let mut world = World::new(&setup).unwrap();
    assert!(!world.remove_wall("floor"));
    go_on(&mut world, 1500);
    let heights = |world: &World<Space>| world.snapshot().bodies.iter().map(|b| b.pose.position.z).collect();
    let before: Vec<f64> = heights(&world);
    assert!(before[0] > SIZE && before[1] < -SIZE, "{before:?}");
    world.remove_where(|body| body.pose.position.z < 0.0);
    assert!(world.add_wall("floor") && !world.add_wall("floor"));
    go_on(&mut world, 20_000);
    let after: Vec<f64> = heights(&world);
    assert!((after[0] - SIZE).abs() < 0.01 * SIZE, "{after:?}");
}

//! The scenes of the suite: every class of shapes, every kind of wall, everything that can be done between steps.

use glam::{DVec2, DVec3};
use gritstone_core::{Dim, Plane, Pose, Space};
use gritstone_engine::{
    Area, Cell, Compound, ConstantRate, CurveKind, Drive, Grain, GrainClass, Inlet, Measure, Mixture,
    MotionCurve, Move, Outlet, Part, RandomStream, Region, Servo, Setup, Side, Sides, StressControl, Surface,
    Tool, TriangleMesh, Wall, revolved,
};
use gritstone_force::{Damping, Friction, Interactions, Material};
use gritstone_shape::plane::{Circle, Figure, HalfPlane, Polygon, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
};

use super::{Act, Script};

/// Size of ordinary grains (m).
const SIZE: f64 = 4e-3;
/// From one place of the lattice to the next.
const PITCH: f64 = 2.05 * SIZE;
const G: f64 = 9.81;
const STEPS: u64 = 1500;

fn material(friction: f64) -> Material {
    Material {
        density: 2500.0,
        damping: Damping::Restitution(0.5),
        friction: Friction::Coefficient(friction),
        ..Material::elastic("grains", 1e7, 0.3)
    }
}

fn solid(shape: Result<impl Into<Solid>, gritstone_shape::ShapeError>) -> Vec<Solid> {
    vec![shape.expect("sizes are usable").into()]
}

fn spheres() -> Vec<Solid> {
    [solid(Sphere::new(0.6 * SIZE)), solid(Sphere::new(0.9 * SIZE))].concat()
}

fn ellipsoids() -> Vec<Solid> {
    solid(Ellipsoid::new(DVec3::new(0.5, 0.5, 1.0) * SIZE))
}

fn superellipsoids() -> Vec<Solid> {
    [
        solid(Superellipsoid::new(DVec3::new(0.65, 0.65, 0.8) * SIZE, [0.5, 0.5])),
        solid(Superellipsoid::new(DVec3::new(0.5, 0.7, 0.6) * SIZE, [0.8, 1.3])),
    ]
    .concat()
}

fn polyhedra() -> Vec<Solid> {
    let mut random = RandomStream::new(3);
    let mut hull = || {
        let corners: Vec<DVec3> = (0..10).map(|_| random.rotation() * DVec3::Z * (0.9 * SIZE)).collect();
        Polyhedron::hull(&corners).expect("random corners span a volume").0.into()
    };
    (0..4).map(|_| hull()).collect()
}

/// One shape of every class.
fn mixed() -> Vec<Solid> {
    [
        spheres(),
        ellipsoids(),
        superellipsoids(),
        polyhedra(),
        solid(Superquadric::new(DVec3::new(0.5, 0.6, 0.7) * SIZE, [2.5, 3.0, 4.0])),
        solid(Cylinder::new(0.5 * SIZE, 0.6 * SIZE)),
        solid(Capsule::new(0.4 * SIZE, 0.5 * SIZE)),
    ]
    .concat()
}

fn half_space(name: &str, normal: DVec3, offset: f64) -> Wall<Space> {
    Wall::fixed(name, HalfSpace::new(normal, offset).expect("the normal has a direction").into(), 0)
}

/// Grains on a lattice of `across`³ places that fall into a box, moving already.
fn bed(shapes: Vec<Solid>, across: u32) -> Setup<Space> {
    let mut setup = Setup::of(shapes, &[material(0.5)]).expect("the material is sound");
    (setup.gravity, setup.time_step) = (-DVec3::Z * G, 2e-5);
    let mut random = RandomStream::new(1);
    let kinds = setup.shapes.len() as u32;
    let mut any = |size: f64| random.rotation() * DVec3::Z * size;
    setup.grains = (0..across.pow(3))
        .map(|i| {
            let place = [i % across, i / across % across, i / across / across].map(|n| f64::from(n) + 0.5);
            let position = DVec3::from_array(place) * PITCH;
            Grain {
                pose: Pose::new(position, gritstone_core::angle::rotation(any(2.0))),
                // The higher, the faster: they meet soon.
                velocity: any(0.3) - DVec3::Z * (25.0 * position.z),
                spin: any(100.0),
                ..Grain::at(7 * i + 3, i % kinds, position)
            }
        })
        .collect();
    let width = f64::from(across) * PITCH;
    setup.walls = vec![
        half_space("floor", DVec3::Z, 0.0),
        half_space("x-", DVec3::X, 0.0),
        half_space("x+", -DVec3::X, -width),
        half_space("y-", DVec3::Y, 0.0),
        half_space("y+", -DVec3::Y, -width),
    ];
    setup
}

/// Beds of one class of shapes each, and of all of them.
pub fn beds() -> Vec<Script<Space>> {
    [
        ("spheres", spheres()),
        ("ellipsoids", ellipsoids()),
        ("superellipsoids", superellipsoids()),
        ("polyhedra", polyhedra()),
        ("cylinders and capsules", mixed().split_off(mixed().len() - 2)),
        ("all shapes", mixed()),
    ]
    .map(|(name, shapes)| {
        let mut script = Script::of(name, bed(shapes, 5), STEPS);
        // Pressure over flat faces is no gradient of an energy.
        script.energy_error = script
            .energy_error
            .filter(|_| !matches!(name, "polyhedra" | "cylinders and capsules" | "all shapes"));
        script
    })
    .into()
}

/// Concave grains: three spheres in a bent row, and a cross of a cylinder and a box.
pub fn compounds() -> Script<Space> {
    let mut setup = bed(ellipsoids(), 5);
    let ball = |x: f64, y: f64| Part {
        shape: solid(Sphere::new(0.4 * SIZE)).remove(0),
        pose: Pose::at(DVec3::new(x, y, 0.0) * SIZE),
    };
    let rod = Part { shape: solid(Cylinder::new(0.25 * SIZE, 0.8 * SIZE)).remove(0), pose: Pose::default() };
    let corners: Vec<DVec3> = (0..8)
        .map(|i| {
            DVec3::new(0.7, 0.3, 0.3)
                * DVec3::from([1, 2, 4].map(|bit| if i & bit == 0 { -SIZE } else { SIZE }))
        })
        .collect();
    let (brick, _) = Polyhedron::hull(&corners).expect("a box has a volume");
    let cross = vec![rod, Part { shape: brick.into(), pose: Pose::at(DVec3::Z * (0.2 * SIZE)) }];
    for parts in [vec![ball(-0.5, 0.1), ball(0.0, -0.1), ball(0.45, 0.2)], cross] {
        setup.add_compound(Compound::new(parts).expect("the parts hang together").0);
    }
    let kinds = setup.shapes.len() as u32;
    setup.grains.iter_mut().zip(0..).for_each(|(grain, i)| grain.shape = i % kinds);
    Script { energy_error: None, ..Script::of("compounds", setup, STEPS) }
}

/// A drum of triangles that a tool turns about its middle.
pub fn drum() -> Script<Space> {
    let mut setup = bed(mixed(), 5);
    let side = 5.0 * PITCH;
    let profile = [[0.0, 0.0], [0.75 * side, 0.0], [0.75 * side, 1.2 * side], [0.0, 1.2 * side]];
    let mesh = TriangleMesh::new(&revolved(&profile, 24), Sides::Inside).expect("the drum is closed");
    let ball = solid(Sphere::new(mesh.size())).remove(0);
    let middle = DVec3::new(0.5, 0.5, 0.0) * side;
    let surface = Some(Surface::Mesh(mesh.into()));
    setup.walls = vec![Wall { surface, pose: Pose::at(middle), ..Wall::fixed("drum", ball, 0) }];
    let kind = CurveKind::ConstantRate(ConstantRate { rate: 3.0 });
    let course = MotionCurve { start: 0.0, end: 1.0, kind };
    let drive = Drive::Moves(vec![Move::About { point: middle, axis: DVec3::X, course }]);
    setup.tools = vec![Tool { name: "drum".into(), walls: vec![0], origin: middle, drive }];
    Script { energy_error: None, ..Script::of("drum", setup, STEPS) }
}

/// A lid that a servo presses on a bed.
pub fn servo() -> Script<Space> {
    let mut setup = bed(ellipsoids(), 5);
    let top = 5.0 * PITCH;
    setup.walls.push(half_space("lid", -DVec3::Z, -top));
    let (area, max_speed) = (Area::Fixed(top * top), 0.5);
    let servo = Servo { axis: -DVec3::Z, target: 2e3, area, max_speed, start: 0.0, end: f64::INFINITY };
    let drive = Drive::Moves(vec![Move::Servo(servo)]);
    setup.tools = vec![Tool { name: "lid".into(), walls: vec![5], origin: DVec3::ZERO, drive }];
    Script::of("servo", setup, STEPS)
}

/// A periodic cell that shrinks and is sheared, and later sheared otherwise.
pub fn sheared_cell() -> Script<Space> {
    let mut setup = bed(mixed(), 5);
    setup.walls.clear();
    setup.gravity = DVec3::ZERO;
    let width = 5.0 * PITCH;
    let centre = DVec3::splat(0.5 * width);
    let flow = |x: DVec3| x * -33.0 + DVec3::X * (20.0 * x.y);
    for grain in &mut setup.grains {
        grain.velocity = flow(grain.pose.position - centre);
    }
    let side = |axis: usize| {
        let vector = DVec3::AXES[axis] * width;
        Some(Side { vector, velocity: flow(vector) })
    };
    setup.cell = Some(Cell { centre, sides: std::array::from_fn(side), press: None });
    // Longer, and the cell would have no width left.
    let mut script = Script::of("sheared cell", setup, 600);
    script.acts.push((400, Act::DriveCell([[0.0, 5.0, 0.0], [0.0; 3], [0.0, 0.0, -10.0]])));
    script.energy_error = None;
    script
}

/// Concave grains and others in a periodic cell whose sides are pressed, over a frozen grain.
pub fn pressed_cell() -> Script<Space> {
    let mut setup = compounds().setup;
    setup.walls.clear();
    setup.gravity = DVec3::ZERO;
    let width = 5.0 * PITCH;
    let centre = DVec3::splat(0.5 * width);
    for grain in &mut setup.grains {
        grain.velocity = (centre - grain.pose.position) * 30.0;
    }
    setup.grains[62].frozen = true;
    let side = |axis: usize| Some(Side { vector: DVec3::AXES[axis] * width, velocity: DVec3::ZERO });
    let press = StressControl { stress: [Some(2e3), Some(1e3), None], max_rate: 30.0 };
    setup.cell = Some(Cell { centre, sides: std::array::from_fn(side), press: Some(press) });
    Script { energy_error: None, ..Script::of("pressed cell", setup, 800) }
}

/// A bed on a belt that moves along itself, and a drum with a surface that does.
pub fn belts() -> Vec<Script<Space>> {
    let mut belt = servo();
    belt.name = "belt";
    belt.setup.walls[0].surface_motion.velocity = DVec3::X * 0.5;
    belt.energy_error = None;
    let mut turning = drum();
    turning.name = "drum with a moving surface";
    turning.setup.walls[0].surface_motion.spin = DVec3::X * -20.0;
    vec![belt, turning]
}

/// Grains that come in at the top and go out below.
pub fn stream() -> Script<Space> {
    let mut setup = bed(ellipsoids(), 3);
    let width = 3.0 * PITCH;
    setup.walls.remove(0);
    let mass = setup.volume(0) * setup.densities[0];
    let region =
        Region::Box { low: DVec3::new(0.0, 0.0, 4.0 * PITCH), high: DVec3::new(width, width, 6.0 * PITCH) };
    let inlet = Inlet {
        name: "top".into(),
        region,
        mix: Mixture::new(vec![GrainClass { shape: 0, material: 0, mass, share: 1.0 }]).expect("a share"),
        rotation: None,
        velocity: -DVec3::Z,
        spin: DVec3::ZERO,
        rate: 5000.0,
        by: Measure::Number,
        start: 0.0,
        end: f64::INFINITY,
        most: 60.0,
        every: 20,
        attempts: 50,
        seed: 9,
    };
    let region = Region::Beyond { point: DVec3::ZERO, normal: -DVec3::Z };
    let outlet = Outlet { name: "below".into(), region, start: 0.0, end: f64::INFINITY, every: 10 };
    let mut script = Script::of("stream", setup, STEPS);
    (script.inlets, script.outlets, script.contacts) = (vec![inlet], vec![outlet], 0);
    script
}

/// Everything that can be done between two steps.
pub fn changes() -> Script<Space> {
    let mut setup = bed([spheres(), ellipsoids(), polyhedra()].concat(), 5);
    setup.walls.push(Wall { present: false, ..half_space("lid", -DVec3::Z, -6.0 * PITCH) });
    let above = |i: u32| Grain {
        velocity: DVec3::Z * -0.5,
        ..Grain::at(0, i, DVec3::new(f64::from(i) + 0.5, 0.5, 7.0) * PITCH)
    };
    let ids = |from: u32| (from..from + 20).map(|i| 7 * i + 3).collect();
    let harder = Interactions::mix(&[material(0.1)], &[]).expect("the material is sound");
    let mut script = Script::of("changes between steps", setup, STEPS);
    script.acts.extend([
        (250, Act::Remove(ids(30))),
        (400, Act::Insert((0..4).map(above).collect())),
        (500, Act::Freeze(ids(0))),
        (501, Act::Observe),
        (600, Act::Kick(ids(60), DVec3::new(0.2, 0.0, 0.1), DVec3::Y)),
        (700, Act::MoveWall("x+", DVec3::X * -0.1, DVec3::ZERO)),
        (900, Act::SetInteractions(harder)),
        (901, Act::Observe),
        (1100, Act::AddWall("lid")),
        (1250, Act::RemoveWall("y-")),
        (1251, Act::SaveAndRestore),
    ]);
    script.energy_error = None;
    script
}

/// Figures in the plane.
pub fn plane() -> Script<Plane> {
    let triangle = [(-0.8, -0.5), (0.8, -0.5), (0.1, 0.8)].map(|(x, y)| DVec2::new(x, y) * SIZE);
    let shapes: Vec<Figure> = vec![
        Circle::new(0.7 * SIZE).expect("a radius").into(),
        Superellipse::new(DVec2::new(0.6, 0.9) * SIZE, 2.0).expect("semi-axes").into(),
        Superellipse::new(DVec2::new(0.5, 0.8) * SIZE, 6.0).expect("semi-axes").into(),
        Polygon::hull(&triangle).expect("a triangle").0.into(),
    ];
    let stiff = Material {
        stiffness: gritstone_force::Stiffness::Hertz { young: 1e9, poisson: 0.3 },
        ..material(0.5)
    };
    let mut setup = Setup::<Plane>::of(shapes, &[stiff]).expect("the material is sound");
    (setup.gravity, setup.time_step) = (-DVec2::Y * G, 1e-5);
    let (across, kinds) = (16, 4);
    let mut random = RandomStream::new(2);
    setup.grains = (0..across * across)
        .map(|i| {
            let position = DVec2::new(f64::from(i % across) + 0.5, f64::from(i / across) + 0.5) * PITCH;
            Grain {
                pose: Pose::new(position, random.angle()),
                velocity: Plane::rotate(random.angle(), DVec2::X * 0.3) - DVec2::Y * (25.0 * position.y),
                spin: 100.0 * (random.unit() - 0.5),
                ..Grain::at(7 * i + 3, i % kinds, position)
            }
        })
        .collect();
    let wall = |name: &str, normal: DVec2, offset: f64| {
        Wall::fixed(name, HalfPlane::new(normal, offset).expect("a direction").into(), 0)
    };
    let width = f64::from(across) * PITCH;
    setup.walls =
        vec![wall("ground", DVec2::Y, 0.0), wall("x-", DVec2::X, 0.0), wall("x+", -DVec2::X, -width)];
    Script::of("figures in the plane", setup, STEPS)
}

//! Compounds: their mass, and that they move like the bodies that they make up.

use crate::common;
use crate::common::{Draw, SIZE, empty, go_on, grain, half_plane, half_space, halves, material};
use glam::{DMat3, DQuat, DVec2, DVec3};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{Compound, CompoundError, Grain, Part, Setup, World};
use gritstone_force::{Damping, Friction, Material, Stiffness};
use gritstone_shape::plane::{Circle, Polygon};
use gritstone_shape::space::{Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere};

fn matrix(s: &Sym3) -> DMat3 {
    DMat3::from_cols_array(&[s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz])
}

/// Largest difference of entries, relative to the trace.
fn difference(a: DMat3, b: DMat3) -> f64 {
    let trace = a.x_axis.x + a.y_axis.y + a.z_axis.z;
    (a - b).to_cols_array().iter().fold(0.0_f64, |most, x| most.max(x.abs())) / trace
}

fn part(shape: impl Into<Solid>, pose: Pose<Space>) -> Part<Space> {
    Part { shape: shape.into(), pose }
}

/// ∫ f over [a, b], exact for polynomials up to degree five (Boole).
fn boole(a: f64, b: f64, f: impl Fn(f64) -> f64) -> f64 {
    let at = |i: f64| f(a + (b - a) * i / 4.0);
    (b - a) / 90.0 * (7.0 * at(0.0) + 32.0 * at(1.0) + 12.0 * at(2.0) + 32.0 * at(3.0) + 7.0 * at(4.0))
}

/// Spheres in a row have a radius at every height: the largest of their own. Its powers are polynomials between the heights
/// at which one sphere takes over from the next.
#[test]
fn row_of_spheres_has_the_mass_of_its_profile() {
    let (heights, radii) = ([0.0, 0.9, 1.7], [1.0, 0.8, 0.6]);
    let axis = DVec3::new(1.0, 2.0, 2.0) / 3.0;
    let parts = heights.iter().zip(radii).map(|(z, r)| part(Sphere::new(r).unwrap(), Pose::at(axis * *z)));
    let (compound, centre) = Compound::<Space>::new(parts.collect()).unwrap();

    let takes_over = |i: usize| {
        let d = heights[i + 1] - heights[i];
        heights[i] + 0.5 * d + (radii[i] * radii[i] - radii[i + 1] * radii[i + 1]) / (2.0 * d)
    };
    let ends = [heights[0] - radii[0], takes_over(0), takes_over(1), heights[2] + radii[2]];
    let moment = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        let square = |i: usize, z: f64| radii[i] * radii[i] - (z - heights[i]) * (z - heights[i]);
        (0..3).map(|i| boole(ends[i], ends[i + 1], |z| f(z, square(i, z)))).sum()
    };
    let pi = std::f64::consts::PI;
    let volume = moment(&|_, r2| pi * r2);
    let height = moment(&|z, r2| pi * r2 * z) / volume;
    let along = moment(&|z, r2| pi * r2 * (z - height) * (z - height));
    let across = moment(&|_, r2| 0.25 * pi * r2 * r2);

    let mass = compound.mass();
    assert!((mass.volume / volume - 1.0).abs() < 1e-7, "{} {volume}", mass.volume);
    assert!((centre - axis * height).length() < 1e-7);
    let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    let expected = DMat3::IDENTITY * across + outer * (along - across);
    assert!(difference(matrix(&mass.second_moments), expected) < 1e-7);
    assert_eq!(mass.centroid, DVec3::ZERO);
}

/// Lines that run through it another way find the same mass.
#[test]
fn mass_does_not_depend_on_how_the_compound_is_turned() {
    let mut draw = Draw(8);
    let corners: Vec<DVec3> = (0..12).map(|_| draw.vector(1.0).normalize()).collect();
    let parts = vec![
        part(Ellipsoid::new(DVec3::new(0.5, 0.9, 1.3)).unwrap(), Pose::new(DVec3::X, draw.rotation())),
        part(Cylinder::new(0.4, 1.2).unwrap(), Pose::new(draw.vector(0.3), draw.rotation())),
        part(Polyhedron::hull(&corners).unwrap().0, Pose::new(DVec3::Y, draw.rotation())),
    ];
    let (first, centre) = Compound::<Space>::new(parts.clone()).unwrap();
    let turn = Pose::new(draw.vector(2.0), draw.rotation());
    let turned = parts.iter().map(|part| Part { pose: part.pose.moved_by(&turn), ..part.clone() });
    let (second, turned_centre) = Compound::<Space>::new(turned.collect()).unwrap();
    assert!((second.mass().volume / first.mass().volume - 1.0).abs() < 1e-6);
    assert!((turned_centre - turn.to_world(centre)).length() < 1e-6);
    let frame = DMat3::from_quat(turn.rotation);
    let expected = frame * matrix(&first.mass().second_moments) * frame.transpose();
    assert!(difference(expected, matrix(&second.mass().second_moments)) < 1e-6);
}

#[test]
fn parts_that_touch_at_a_face_are_the_whole() {
    let half = DVec3::new(1.0, 2.0, 3.0);
    let (volume, moments) = (8.0 * half.element_product(), half * half / 3.0);
    let mass = *halves(half).mass();
    assert!((mass.volume / volume - 1.0).abs() < 1e-12);
    assert!(difference(matrix(&mass.second_moments), DMat3::from_diagonal(moments * volume)) < 1e-12);
}

/// An L of two rectangles that share their corner: by hand.
#[test]
fn angle_in_the_plane_has_its_area_once() {
    let rectangle = |low: DVec2, high: DVec2| {
        let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
        let (shape, centre) = Polygon::hull(&corners).unwrap();
        Part { shape: shape.into(), pose: Pose::at(centre) }
    };
    let parts =
        vec![rectangle(DVec2::ZERO, DVec2::new(3.0, 1.0)), rectangle(DVec2::ZERO, DVec2::new(1.0, 2.0))];
    let (compound, centre) = Compound::<Plane>::new(parts).unwrap();
    // 3×1 plus the 1×1 on top of its left end.
    assert!((compound.mass().volume - 4.0).abs() < 1e-6);
    assert!((centre - DVec2::new((3.0 * 1.5 + 0.5) / 4.0, (3.0 * 0.5 + 1.5) / 4.0)).length() < 1e-6);
    // ∫x² = 9 + 1/3, ∫y² = 1 + 7/3 about the corner.
    let polar = 9.0 + 1.0 / 3.0 + 1.0 + 7.0 / 3.0 - 4.0 * centre.length_squared();
    assert!((compound.mass().inertia() - polar).abs() < 1e-6);
}

#[test]
fn shapes_without_volume_are_refused() {
    assert_eq!(Compound::<Space>::new(Vec::new()).unwrap_err(), CompoundError::Empty);
    let half = HalfSpace::new(DVec3::Z, 0.0).unwrap();
    let parts = vec![part(Sphere::new(1.0).unwrap(), Pose::default()), part(half, Pose::default())];
    assert!(matches!(Compound::<Space>::new(parts), Err(CompoundError::NoVolume { part: 1, .. })));
}

/// In the plane the pressure on a face is Y*·depth/√2 whatever else touches: two halves are the whole, to rounding that
/// bouncing makes grow.
#[test]
fn two_half_squares_move_like_the_square() {
    let corners = |x: [f64; 2]| {
        let hull = [(0, -1.0), (1, -1.0), (1, 1.0), (0, 1.0)].map(|(i, y)| DVec2::new(x[i], y) * SIZE);
        let (shape, centre) = Polygon::hull(&hull).unwrap();
        Part::<Plane> { shape: shape.into(), pose: Pose::at(centre) }
    };
    let stiff = Stiffness::Hertz { young: 1e9, poisson: 0.3 };
    // Without dashpots, whose size is taken from the mass that meets at each patch, and without friction, whose springs
    // begin when each half touches.
    let damping = Damping::Restitution(1.0);
    let mut setup = empty::<Plane>(
        vec![corners([-1.0, 1.0]).shape, Circle::new(SIZE).unwrap().into()],
        Material {
            stiffness: stiff,
            damping,
            friction: Friction::Coefficient(0.0),
            rolling: 0.0,
            ..material()
        },
    );
    setup.time_step = 2e-6;
    setup.add_compound(Compound::new(vec![corners([-1.0, 0.0]), corners([0.0, 1.0])]).unwrap().0);
    setup.walls = vec![half_plane("ground", DVec2::Y, 0.0)];
    let mut ends = Vec::new();
    for shape in [0, 2] {
        let pose = Pose::new(DVec2::new(0.0, 1.2 * SIZE), 0.02);
        setup.grains = vec![Grain { pose, velocity: DVec2::new(0.1, -0.1), ..grain(0, shape, DVec2::ZERO) }];
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 20_000);
        ends.push(world.snapshot().bodies[0]);
    }
    let off = ends[0].pose.position - ends[1].pose.position;
    assert!(ends[0].pose.position.x > 0.5 * SIZE, "it has hardly moved");
    assert!(off.length() < 1e-7 * SIZE, "{:e}", off.length() / SIZE);
    assert!((ends[0].pose.rotation - ends[1].pose.rotation).abs() < 1e-6);
}

/// A cube and two half cubes that are one body, started alike on a floor. Largest distance of their centres, relative to half
/// an edge, and largest angle between them on the way.
fn strayed(material: Material, turn: DQuat, lift: f64, velocity: DVec3, steps: u64) -> (f64, f64) {
    let half = DVec3::splat(SIZE);
    let cube = Polyhedron::hull(&(0..8).map(|i| corner(i, half)).collect::<Vec<_>>()).unwrap().0;
    let mut setup: Setup<Space> = empty(vec![cube.into()], material);
    setup.add_compound(halves(half));
    setup.time_step = 1e-5;
    setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
    let lowest = (0..8).map(|i| (turn * corner(i, half)).z).fold(0.0, f64::min);
    let mut worlds = [0, 1].map(|shape| {
        let pose = Pose::new(DVec3::Z * (lift * SIZE - lowest), turn);
        setup.grains = vec![Grain { pose, velocity, ..grain(0, shape, DVec3::ZERO) }];
        World::new(&setup).unwrap()
    });
    let (mut off, mut angle) = (0.0_f64, 0.0_f64);
    for _ in 0..steps / 50 {
        worlds.iter_mut().for_each(|world| go_on(world, 50));
        let [a, b] = [&worlds[0], &worlds[1]].map(|world| world.snapshot().bodies[0].pose);
        off = off.max(a.position.distance(b.position) / SIZE);
        angle = angle.max(a.rotation.angle_between(b.rotation));
    }
    (off, angle)
}

fn materials(friction: f64) -> [Material; 2] {
    let linear = Stiffness::Linear { kn: 1e4, ks: 5e3 };
    [material().stiffness, linear].map(|stiffness| Material {
        stiffness,
        friction: Friction::Coefficient(friction),
        rolling: 0.0,
        twisting: 0.0,
        ..material()
    })
}

/// Two halves have the pressure of the whole face. Without friction they rock like the cube (measured: 5.4e-8 of half an edge), and
/// falling askew, from corner to corner, nearly so: 4.1e-5 with Hertz' law, 5.2e-3 with linear springs. That is no rounding: cubes
/// that start 1e-12 apart stay within 1e-11. Where the second half comes to touch something is not quite as in the cube.
#[test]
fn two_half_cubes_fall_and_rock_like_the_cube() {
    for (material, bound) in materials(0.0).into_iter().zip([1e-4, 1e-2]) {
        let askew = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.5));
        let (off, angle) = strayed(material.clone(), askew, 0.3, DVec3::ZERO, 8_000);
        assert!(off < bound && angle < bound, "askew: {off:e} {angle:e}");
        for rocking in [DVec3::X, DVec3::Y] {
            let turn = DQuat::from_scaled_axis(rocking * 0.1);
            let (off, angle) = strayed(material.clone(), turn, 0.0, DVec3::ZERO, 10_000);
            assert!(off < 1e-6 && angle < 1e-6, "rocking about {rocking}: {off:e} {angle:e}");
        }
    }
}

/// With friction each half has a spring of its own, which begins when the half touches: the same where both lie flat (measured:
/// 2.5e-5), off by 2.6e-3 rocking, and by some hundredths after bounces from corner to corner (0.029, and 0.056 rad).
#[test]
fn two_half_cubes_slide_like_the_cube() {
    for material in materials(0.5) {
        let flat = DQuat::from_rotation_z(0.3);
        let (off, angle) = strayed(material.clone(), flat, 0.0, DVec3::new(0.3, 0.1, 0.0), 10_000);
        assert!(off < 1e-4 && angle < 1e-4, "sliding: {off:e} {angle:e}");
        let askew = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.5));
        let (off, angle) = strayed(material.clone(), askew, 0.3, DVec3::new(0.2, 0.1, 0.0), 10_000);
        assert!(off < 0.05 && angle < 0.1, "askew: {off:e} {angle:e}");
        let rocking = DQuat::from_scaled_axis(DVec3::Y * 0.1);
        let (off, angle) = strayed(material, rocking, 0.0, DVec3::ZERO, 10_000);
        assert!(off < 5e-3 && angle < 5e-3, "rocking: {off:e} {angle:e}");
    }
}

fn corner(i: u32, half: DVec3) -> DVec3 {
    let sign = |bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
    DVec3::new(sign(0), sign(1), sign(2)) * half
}

/// Freely flying, a clump keeps momentum, angular momentum and energy: nothing pushes it but gravity.
#[test]
fn clump_tumbles_freely() {
    let mut setup = empty::<Space>(Vec::new(), material());
    let shapes: Vec<u32> = common::compounds().into_iter().map(|made| setup.add_compound(made)).collect();
    setup.gravity = DVec3::ZERO;
    let grains = [0, 1].map(|i| Grain {
        velocity: DVec3::X,
        spin: DVec3::new(30.0, 100.0, -50.0),
        ..grain(i, shapes[i as usize], DVec3::Y * (f64::from(i) * 4.0 * SIZE))
    });
    setup.grains = grains.to_vec();
    let mut world = World::new(&setup).unwrap();
    let before = world.energies();
    go_on(&mut world, 5_000);
    assert!((world.energies().rotation / before.rotation - 1.0).abs() < 1e-5);
    assert!((world.snapshot().bodies[0].pose.position - DVec3::X * 0.1).length() < 1e-12);
}

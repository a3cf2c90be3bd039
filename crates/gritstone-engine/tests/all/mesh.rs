//! Surfaces of triangles against the bodies that they are the surfaces of.

use crate::common;
use crate::common::{
    Draw, G, SIZE, bed, box_triangles, ellipsoids, empty, go_on, grain, half_space, material, mesh_wall,
    mixed,
};
use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Grain, MeshError, Setup, Sides, TriangleMesh, Wall, World};
use gritstone_force::{Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{Polyhedron, Solid, Sphere};

/// The inside of a box as planes.
fn planes(high: DVec3) -> Vec<Wall<Space>> {
    let axes = DVec3::AXES.into_iter().enumerate();
    axes.flat_map(|(i, axis)| [half_space("low", axis, 0.0), half_space("high", -axis, -high[i])]).collect()
}

fn thrown(shapes: &[Solid], number: u32, high: DVec3) -> Setup<Space> {
    let mut draw = Draw(u64::from(number));
    let shape = shapes[number as usize % shapes.len()].clone();
    let soft = Material { damping: Damping::Restitution(0.2), rolling: 0.1, ..material() };
    let mut setup = empty::<Space>(vec![shape], soft);
    let corner = DVec3::new(1.4, 1.4, 1.5) * SIZE + draw.vector(0.3 * SIZE);
    setup.grains = vec![Grain {
        pose: Pose::new(corner.min(high), draw.rotation()),
        velocity: DVec3::new(-0.2, -0.1, -0.2) + draw.vector(0.1),
        spin: draw.vector(20.0),
        ..grain(1, 0, DVec3::ZERO)
    }];
    setup
}

fn setup_mass(setup: &Setup<Space>) -> f64 {
    setup.shapes[0].body().map_or(0.0, |body| body.mass().volume) * setup.densities[0]
}

/// Grains of all shapes that are thrown into the corner of a box go the same way in one of six planes and in one of
/// triangles, until they rest.
#[test]
fn a_box_of_triangles_is_a_box() {
    let (shapes, high) = (mixed(), DVec3::new(4.0, 5.0, 6.0) * SIZE);
    let surface = mesh_wall("box", &box_triangles(high, 2), Sides::Inside);
    let mut resting = 0;
    for number in 0..100 {
        let mut setup = thrown(&shapes, number, high);
        setup.walls = planes(high);
        let mut plain = World::new(&setup).unwrap();
        setup.walls = vec![surface.clone()];
        let mut meshed = World::new(&setup).unwrap();
        for _ in 0..25 {
            go_on(&mut plain, 200);
            go_on(&mut meshed, 200);
            let [a, b] = [&plain, &meshed].map(|world| world.snapshot().bodies[0].pose);
            let off = a.position.distance(b.position) / SIZE;
            assert!(off < 1e-9, "grain {number}, a {:?}: {off:e} at {}", setup.shapes[0], plain.time());
            assert!(a.rotation.angle_between(b.rotation) < 1e-7);
        }
        // Slower than a hundredth of what gravity makes of a grain that falls its own size.
        let mass = setup_mass(&setup);
        resting += u32::from(plain.energies().kinetic() < 1e-4 * mass * G * SIZE);
    }
    assert!(resting > 50, "only {resting} rest");
}

/// What is round bounces off a plate of any thickness as off a plane, and rolls over it.
#[test]
fn a_plate_is_a_plane_for_what_is_round() {
    let high = DVec3::new(40.0, 40.0, 2.0) * SIZE;
    let corner = |i: u8| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) - 0.5;
    let corners: Vec<DVec3> = (0..8).map(|i| corner(i) * high).collect();
    let plate: Solid = Polyhedron::hull(&corners).unwrap().0.into();
    let round = mixed().into_iter().filter(|shape| {
        matches!(shape, Solid::Sphere(_) | Solid::Ellipsoid(_) | Solid::Capsule(_) | Solid::Superellipsoid(_))
    });
    for (number, shape) in round.enumerate() {
        let mut setup = thrown(&[shape], number as u32, DVec3::splat(4.0 * SIZE));
        setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
        let mut plain = World::new(&setup).unwrap();
        let mut wall = common::wall::<Space>("plate", plate.clone());
        wall.pose.position.z = -0.5 * high.z;
        setup.walls = vec![wall];
        let mut plated = World::new(&setup).unwrap();
        go_on(&mut plain, 3000);
        go_on(&mut plated, 3000);
        let [a, b] = [&plain, &plated].map(|world| world.snapshot().bodies[0].pose);
        let off = a.position.distance(b.position) / SIZE;
        assert!(off < 1e-9, "a {:?}: {off:e}", setup.shapes[0]);
    }
}

/// A ball that overlaps a cube of triangles anywhere touches it once, at the point of the cube that is nearest to its
/// centre: on a face, on an edge, or at a corner.
#[test]
fn a_ball_touches_a_cube_of_triangles_once() {
    let edge = 3.0 * SIZE;
    let surface = mesh_wall("cube", &box_triangles(DVec3::splat(edge), 2), Sides::Outside);
    let mut draw = Draw(4);
    let mut seen = [0; 4];
    while seen[1] < 40 || seen[2] < 40 || seen[3] < 20 {
        let centre = DVec3::splat(0.5 * edge) + draw.vector(0.5 * edge + SIZE);
        let nearest = centre.clamp(DVec3::ZERO, DVec3::splat(edge));
        let (out, distance) = ((centre - nearest) / SIZE, centre.distance(nearest) / SIZE);
        let beyond = out.abs().to_array();
        // Directions are known to a hundredth, as far as overlaps of a thousandth part tell them: not too near to where
        // a face becomes an edge and an edge a corner.
        let inside = (nearest / edge - 0.5).abs().to_array();
        let clear = (0..3).all(|i| beyond[i] > 0.05 || beyond[i] == 0.0 && inside[i] < 0.48);
        if !(0.9..0.99).contains(&distance) || !clear {
            continue;
        }
        seen[beyond.iter().filter(|out| **out > 0.0).count()] += 1;
        let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
        setup.grains = vec![grain(1, 0, centre)];
        setup.walls = vec![surface.clone()];
        let contacts = World::new(&setup).unwrap().snapshot().contacts;
        assert_eq!(contacts.len(), 1, "{out}: {contacts:?}");
        assert!((contacts[0].normal + out / distance).length() < 0.01, "{out}: {contacts:?}");
        let depth = contacts[0].depth / SIZE;
        assert!((depth / (1.0 - distance) - 1.0).abs() < 2e-3, "{out}: {depth} {}", 1.0 - distance);
    }
}

/// A ball in a corner of a box rests on three sides, and touches two bodies: the box, which is one, and another ball.
#[test]
fn a_wall_is_touched_once() {
    let surface = mesh_wall("box", &box_triangles(DVec3::splat(6.0 * SIZE), 2), Sides::Inside);
    let mut setup = empty::<Space>(vec![Sphere::new(SIZE).unwrap().into()], material());
    let corner = DVec3::splat(0.99 * SIZE);
    setup.grains = vec![grain(1, 0, corner), grain(2, 0, corner + DVec3::ONE.normalize() * 1.99 * SIZE)];
    setup.walls = vec![surface];
    let snapshot = World::new(&setup).unwrap().snapshot();
    assert_eq!(snapshot.contacts.iter().filter(|contact| contact.with_wall).count(), 3);
    assert_eq!(snapshot.bodies.iter().map(|body| body.coordination).collect::<Vec<_>>(), [2, 1]);
}

/// A grain that slides and rolls over the seams of a plane keeps its velocity, and is braked as on a plane.
#[test]
fn seams_of_a_plane_are_not_there() {
    let top = DVec3::new(40.0, 8.0, 2.0) * SIZE;
    let surface = mesh_wall("slab", &box_triangles(top, 16), Sides::Outside);
    let smooth = Material { friction: Friction::Coefficient(0.0), rolling: 0.0, twisting: 0.0, ..material() };
    let rough = Material { rolling: 0.0, twisting: 0.0, ..material() };
    let mut cube: Vec<DVec3> = Vec::new();
    for i in 0..8 {
        cube.push(DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * SIZE);
    }
    let ball: Solid = Sphere::new(SIZE).unwrap().into();
    let block: Solid = Polyhedron::hull(&cube).unwrap().0.into();
    for (shape, height, material) in [
        (ball.clone(), SIZE, smooth.clone()),
        (ball, SIZE, rough.clone()),
        (block.clone(), 0.5 * SIZE, smooth),
        (block, 0.5 * SIZE, rough),
    ] {
        let mut setup = empty::<Space>(vec![shape], material);
        let start = DVec3::new(6.0 * SIZE, 3.3 * SIZE, top.z + 0.999 * height);
        setup.grains = vec![Grain { velocity: DVec3::new(0.5, 0.07, 0.0), ..grain(1, 0, start) }];
        setup.walls = vec![half_space("floor", DVec3::Z, top.z)];
        let mut plain = World::new(&setup).unwrap();
        setup.walls = vec![surface.clone()];
        let mut meshed = World::new(&setup).unwrap();
        for _ in 0..20 {
            go_on(&mut plain, 250);
            go_on(&mut meshed, 250);
            let [a, b] = [&plain, &meshed].map(|world| world.snapshot().bodies[0]);
            assert!((a.velocity - b.velocity).length() < 1e-9, "{a:?} {b:?}");
            assert!((a.spin - b.spin).length() * SIZE < 1e-9);
        }
    }
}

/// Mean height of a bed, and the weight on its walls, in a box of planes and in one of triangles.
#[test]
fn a_bed_is_the_same_in_a_box_of_triangles() {
    let soft = Material { damping: Damping::Restitution(0.1), ..material() };
    let mut setup = bed(ellipsoids(), 125);
    setup.interactions = Interactions::mix(&[soft], &[]).unwrap();
    let side = 5.0 * 2.05 * SIZE;
    let outcome = |setup: &Setup<Space>| {
        let mut world = World::new(setup).unwrap();
        go_on(&mut world, 5000);
        let (mut heights, mut force, samples) = (0.0, 0.0, 200);
        for _ in 0..samples {
            go_on(&mut world, 10);
            let snapshot = world.snapshot();
            heights += snapshot.bodies.iter().map(|body| body.pose.position.z).sum::<f64>() / 125.0;
            force -= snapshot.walls.iter().map(|wall| wall.force.z).sum::<f64>();
        }
        (heights / f64::from(samples), force / f64::from(samples))
    };
    let plain = outcome(&setup);
    let high = DVec3::new(side, side, 3.0 * side);
    setup.walls = vec![mesh_wall("box", &box_triangles(high, 3), Sides::Inside)];
    let meshed = outcome(&setup);
    let mass: f64 = 125.0 * 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.25 * SIZE.powi(3);
    assert!((plain.0 / meshed.0 - 1.0).abs() < 0.01, "{plain:?} {meshed:?}");
    for force in [plain.1, meshed.1] {
        assert!((force / (mass * G) - 1.0).abs() < 0.01, "{force} {}", mass * G);
    }
}

#[test]
fn what_is_wrong_with_a_mesh_is_told() {
    let whole = box_triangles(DVec3::ONE, 1);
    let mut open = whole.clone();
    open.remove(4);
    let told = TriangleMesh::new(&open, Sides::Inside).unwrap_err();
    assert!(matches!(told, MeshError::Open { count: 3, .. }), "{told}");
    assert!(TriangleMesh::new(&open, Sides::Both).is_ok());
    let mut turned = whole.clone();
    turned[7].swap(0, 1);
    assert!(matches!(TriangleMesh::new(&turned, Sides::Outside), Err(MeshError::Crossed { .. })));
    // A triangle that has lost its area leaves a hole; numbers are those of the file, with a degenerate one before it.
    let mut thin = whole.clone();
    thin[2] = [DVec3::ZERO, DVec3::X, DVec3::X * 0.5];
    let told = TriangleMesh::new(&thin, Sides::Outside).unwrap_err();
    assert!(matches!(told, MeshError::Open { .. }), "{told}");
    let mut shifted = vec![[DVec3::ZERO; 3]];
    shifted.extend(&turned);
    let told = TriangleMesh::new(&shifted, Sides::Outside).unwrap_err();
    assert!(matches!(told, MeshError::Crossed { triangles: [a, b] } if a == 9 || b == 9), "{told}");
    let points = [[DVec3::ZERO, DVec3::X, DVec3::X * 0.5]];
    assert_eq!(TriangleMesh::new(&points, Sides::Both), Err(MeshError::Empty));
    assert_eq!(TriangleMesh::new(&[], Sides::Outside), Err(MeshError::Empty));
    let over: Vec<_> = whole.iter().map(|&[a, b, c]| [a, c, b]).collect();
    for sides in [Sides::Outside, Sides::Inside] {
        let told = TriangleMesh::new(&over, sides).unwrap_err();
        assert!(matches!(told, MeshError::TurnedOver { volume } if volume < 0.0), "{told}");
    }
    assert!(TriangleMesh::new(&over, Sides::Both).is_ok());
    let mut lost = whole;
    lost[5][1].x = f64::NAN;
    assert_eq!(TriangleMesh::new(&lost, Sides::Outside), Err(MeshError::NotFinite(6)));
}

/// A cube with the degenerate triangles that programs make: collapsed ones, and needles along edges, alone, back to back and
/// in a row. What is left is the cube: closed, with its volume, and with the count of what is gone.
#[test]
fn degenerate_triangles_are_left_out_and_counted() {
    let whole = box_triangles(DVec3::ONE, 1);
    let volume = |mesh: &TriangleMesh| {
        let corner = |v: &u32| mesh.points()[*v as usize];
        let six = |[a, b, c]: &[u32; 3]| corner(a).dot(corner(b).cross(corner(c)));
        mesh.triangles().iter().map(six).sum::<f64>() / 6.0
    };
    // A triangle is cut at a point of one of its sides, and a needle fills what lies between it and its neighbour.
    let cut = |triangles: &mut Vec<[DVec3; 3]>, which: usize, share: f64| {
        let [a, b, c] = triangles[which];
        let m = a.lerp(b, share);
        triangles[which] = [a, m, c];
        triangles.extend([[m, b, c], [a, b, m]]);
    };
    let mut needle = whole.clone();
    cut(&mut needle, 0, 0.25);
    let mut row = needle.clone();
    cut(&mut row, 0, 0.5);
    let mut several = whole.clone();
    (0..6).for_each(|which| cut(&mut several, 2 * which, 0.3));
    let mut collapsed = whole.clone();
    let [a, b, _] = collapsed[3];
    collapsed.extend([[a, a, a], [a, b, b + DVec3::X * 1e-8]]);
    for (name, triangles, dropped) in [
        ("needle", needle, 1),
        ("row", row, 2),
        ("several", several, 6),
        ("collapsed", collapsed, 2),
        ("none", whole.clone(), 0),
    ] {
        for (sides, sign) in [(Sides::Outside, 1.0), (Sides::Inside, -1.0)] {
            let mesh = TriangleMesh::new(&triangles, sides).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(mesh.dropped(), dropped, "{name}");
            assert!((sign * volume(&mesh) - 1.0).abs() < 1e-12, "{name}: {}", volume(&mesh));
        }
    }
}

/// A ball lies on a sheet, and another one hangs below it when gravity points up: a sheet has two sides, and an edge.
#[test]
fn a_sheet_has_two_sides() {
    let (w, h) = (4.0 * SIZE, 3.0 * SIZE);
    let [a, b, c, d] = [(-w, -h), (w, -h), (w, h), (-w, h)].map(|(x, y)| DVec3::new(x, y, 0.0));
    let sheet = mesh_wall("sheet", &[[a, b, c], [a, c, d]], Sides::Both);
    let ball: Solid = Sphere::new(SIZE).unwrap().into();
    for up in [1.0, -1.0] {
        let mut setup = empty::<Space>(vec![ball.clone()], material());
        setup.gravity *= up;
        setup.walls = vec![sheet.clone()];
        let at = |x: f64, y: f64| DVec3::new(x, y, 1.01 * SIZE * up);
        // One in the middle, one that falls over the edge.
        setup.grains = vec![grain(1, 0, at(0.0, 0.0)), grain(2, 0, at(w + 0.3 * SIZE, 0.0))];
        let mut world = World::new(&setup).unwrap();
        go_on(&mut world, 5000);
        let bodies = world.snapshot().bodies;
        assert!((bodies[0].pose.position.z * up / SIZE - 1.0).abs() < 0.01, "{bodies:?}");
        assert!(bodies[1].pose.position.z * up < -SIZE && bodies[1].velocity.x > 0.0, "{bodies:?}");
    }
}

/// A soft grain that goes a good part of its size into a solid block bounces off it as off a plane, and one that goes half
/// its size through a thin plate comes back to where it came from.
#[test]
fn a_block_holds_what_goes_deep_into_it() {
    for (number, shape) in mixed().into_iter().enumerate() {
        for thickness in [6.0, 0.4] {
            let high = DVec3::new(40.0, 40.0, thickness) * SIZE;
            let block: Vec<[DVec3; 3]> = box_triangles(high, 2)
                .into_iter()
                .map(|corners| corners.map(|x| x - DVec3::new(0.5 * high.x, 0.5 * high.y, high.z)))
                .collect();
            let mut setup = thrown(std::slice::from_ref(&shape), number as u32, DVec3::splat(4.0 * SIZE));
            setup.grains[0].velocity = DVec3::new(0.1, 0.0, -1.0) * 8.0;
            let soft = Material { stiffness: Stiffness::Hertz { young: 1e6, poisson: 0.3 }, ..material() };
            setup.interactions = Interactions::mix(&[soft], &[]).unwrap();
            setup.walls = vec![half_space("floor", DVec3::Z, 0.0)];
            let mut plain = World::new(&setup).unwrap();
            setup.walls = vec![mesh_wall("block", &block, Sides::Outside)];
            let mut meshed = World::new(&setup).unwrap();
            let mut deepest = 0.0_f64;
            for _ in 0..400 {
                go_on(&mut plain, 5);
                go_on(&mut meshed, 5);
                deepest = deepest.max(plain.status().deepest);
                let [a, b] = [&plain, &meshed].map(|world| world.snapshot().bodies[0].pose.position);
                let off = a.distance(b) / SIZE;
                assert!(off < 1e-6, "a {shape:?} on {thickness}: {off:e}, {a} and {b}, overlap {deepest}");
            }
            assert!(deepest > 1.0 / 3.0, "a {shape:?} is not deep: {deepest}");
        }
    }
}

//! Convex polyhedra: hulls, merged faces, adjacency, mass in closed form, bad input.

use crate::common::any_direction;
use glam::{DMat3, DQuat, DVec3, Vec3Swizzles};
use gritstone_shape::space::{Polyhedron, Polytope, Solid};
use gritstone_shape::{Body, Implicit, ShapeError, Support, Tessellate};
use proptest::collection::vec;
use proptest::prelude::*;

fn cube() -> Vec<DVec3> {
    (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - 1.0).collect()
}

/// A cube with a low pyramid on each face: 24 triangles.
fn tetrakis() -> Vec<DVec3> {
    let tips = DVec3::AXES.into_iter().flat_map(|a| [1.5 * a, -1.5 * a]);
    cube().into_iter().chain(tips).collect()
}

fn rhombic_dodecahedron() -> Vec<DVec3> {
    let tips = DVec3::AXES.into_iter().flat_map(|a| [2.0 * a, -2.0 * a]);
    cube().into_iter().chain(tips).collect()
}

fn hull(points: &[DVec3]) -> Polyhedron {
    Polyhedron::hull(points).unwrap().0
}

fn counts(p: &Polytope) -> [usize; 3] {
    [p.vertices().len(), p.edges().len(), p.faces().len()]
}

/// Everything that the lists say of each other is true, every vertex lies on its faces and inside all others.
fn check_surface(p: &Polytope) {
    let [v, e, f] = counts(p);
    assert_eq!(v + f, e + 2, "Euler");
    for (number, edge) in p.edges().iter().enumerate() {
        let [from, to] = edge.vertices;
        for (face, [x, y]) in edge.faces.into_iter().zip([[from, to], [to, from]]) {
            let corners = p.corners(face);
            let at = corners.iter().position(|&c| c == x).unwrap();
            assert_eq!(corners[(at + 1) % corners.len()], y);
            assert_eq!(p.sides(face)[at], number as u32);
        }
    }
    for vertex in 0..v as u32 {
        let (neighbours, spokes, sectors) = (p.neighbours(vertex), p.spokes(vertex), p.sectors(vertex));
        assert!(
            neighbours.len() >= 3 && spokes.len() == neighbours.len() && sectors.len() == neighbours.len()
        );
        for i in 0..neighbours.len() {
            let edge = p.edge(spokes[i]);
            assert!(edge.vertices.contains(&vertex) && edge.vertices.contains(&neighbours[i]));
            let next = p.edge(spokes[(i + 1) % spokes.len()]);
            assert!(edge.faces.contains(&sectors[i]) && next.faces.contains(&sectors[i]));
            let x = p.vertex(vertex);
            let turn = (p.vertex(neighbours[i]) - x).cross(p.vertex(next_neighbour(neighbours, i)) - x);
            assert!(turn.dot(p.face(sectors[i]).normal) > 0.0, "counter-clockwise");
        }
    }
    let size = p.vertices().iter().map(|v| v.length()).fold(0.0, f64::max);
    for (number, face) in p.faces().iter().enumerate() {
        assert!((face.normal.length() - 1.0).abs() < 1e-15);
        for (vertex, x) in p.vertices().iter().enumerate() {
            let height = face.normal.dot(*x) - face.offset;
            assert!(height < 1e-14 * size, "{height}");
            let on_face = p.corners(number as u32).contains(&(vertex as u32));
            assert!(!on_face || height > -1e-13 * size, "{height}");
        }
    }
}

fn next_neighbour(neighbours: &[u32], i: usize) -> u32 {
    neighbours[(i + 1) % neighbours.len()]
}

#[test]
fn known_solids_have_their_faces_in_any_position() {
    let solids = [(cube(), [8, 12, 6]), (tetrakis(), [14, 36, 24]), (rhombic_dodecahedron(), [14, 24, 12])];
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -2.0);
    for (points, expected) in solids {
        for shift in [0.0, 1.7, -300.0] {
            for scale in [1e-20, 1e-3, 1.0, 3e7] {
                let moved: Vec<_> =
                    points.iter().map(|&p| (turn * p + DVec3::splat(shift)) * scale).collect();
                let (solid, centre) = Polyhedron::hull(&moved).unwrap();
                assert_eq!(counts(solid.polytope()), expected);
                assert!((centre / scale - DVec3::splat(shift)).length() < 1e-13 * (1.0 + shift.abs()));
                for (vertex, point) in solid.polytope().vertices().iter().zip(&moved) {
                    assert!((*vertex + centre - *point).length() < 1e-14 * scale * (1.0 + shift.abs()));
                }
                if shift == 0.0 {
                    check_surface(solid.polytope());
                }
            }
        }
    }
}

#[test]
fn points_in_faces_edges_and_inside_are_no_vertices() {
    let grid = (0..125).map(|i| DVec3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64));
    let (solid, centre) = Polyhedron::hull(&grid.clone().collect::<Vec<_>>()).unwrap();
    assert_eq!(counts(solid.polytope()), [8, 12, 6]);
    assert_eq!(centre, DVec3::splat(2.0));
    check_surface(solid.polytope());
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -0.2, 0.4);
    let turned: Vec<_> = grid.map(|p| turn * p / 3.0).collect();
    let solid = hull(&turned);
    assert_eq!(counts(solid.polytope()), [8, 12, 6]);
    check_surface(solid.polytope());
}

#[test]
fn twins_are_one_vertex() {
    let mut points = cube();
    points.extend(cube().iter().map(|&p| p * (1.0 + f64::EPSILON)));
    points.extend(cube());
    let solid = hull(&points);
    assert_eq!(counts(solid.polytope()), [8, 12, 6]);
}

#[test]
fn slightly_bent_faces_stay_apart() {
    let mut points = cube();
    points[7] += DVec3::splat(1e-9);
    assert_eq!(counts(hull(&points).polytope()), [8, 15, 9]);
}

#[test]
fn mass_of_boxes_and_tetrahedra_is_that_of_closed_forms() {
    let edges = DVec3::new(1.0, 2.0, 5.0);
    let solid = hull(&cube().iter().map(|&p| 0.5 * p * edges).collect::<Vec<_>>());
    let mass = solid.mass();
    assert!((mass.volume - 10.0).abs() < 1e-14);
    let inertia = mass.inertia();
    for (value, expected) in [
        (inertia.xx, 10.0 * (4.0 + 25.0) / 12.0),
        (inertia.yy, 10.0 * (1.0 + 25.0) / 12.0),
        (inertia.zz, 10.0 * (1.0 + 4.0) / 12.0),
    ] {
        assert!((value / expected - 1.0).abs() < 1e-14);
    }
    // A corner of the unit cube: V = 1/6, ∫x² − V/16 = 1/60 − 1/96, ∫xy − V/16 = 1/120 − 1/96 about its centre.
    let corner = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|p| p + DVec3::splat(7.0));
    let (solid, centre) = Polyhedron::hull(&corner).unwrap();
    let mass = solid.mass();
    assert!((centre - DVec3::splat(7.25)).length() < 1e-14);
    assert!((mass.volume - 1.0 / 6.0).abs() < 1e-15);
    let moments = mass.second_moments;
    for value in [moments.xx, moments.yy, moments.zz] {
        assert!((value - (1.0 / 60.0 - 1.0 / 96.0)).abs() < 1e-16);
    }
    for value in [moments.xy, moments.xz, moments.yz] {
        assert!((value - (1.0 / 120.0 - 1.0 / 96.0)).abs() < 1e-16);
    }
}

/// Second moments turn like tensors, volume stays.
#[test]
fn mass_turns_with_the_body() {
    let points: Vec<_> = tetrakis().iter().map(|p| *p * DVec3::new(1.0, 0.6, 1.9) + p.yzx() * 0.2).collect();
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -2.0);
    let turned: Vec<_> = points.iter().map(|&p| turn * p).collect();
    let (before, after) = (hull(&points).mass(), hull(&turned).mass());
    assert!((before.volume / after.volume - 1.0).abs() < 1e-14);
    let expected = before.second_moments.rotated(&DMat3::from_quat(turn)).full();
    assert!((after.second_moments.full() - expected).abs().to_cols_array().iter().all(|x| *x < 1e-13));
}

#[test]
fn bad_points_are_named() {
    let refused = |points: &[DVec3]| Polyhedron::hull(points).unwrap_err();
    let mut points = cube();
    for bad in [f64::NAN, f64::INFINITY, -1e31] {
        points[3].y = bad;
        let expected =
            format!("vertices[3] has the coordinate {bad:?}, but must lie within 1e30 of the origin");
        assert_eq!(refused(&points).to_string(), expected);
    }
    for count in 0..4 {
        let repeated: Vec<_> = (0..9).map(|i| cube()[i % count.max(1)]).take(9 * count.min(1)).collect();
        assert_eq!(refused(&repeated), ShapeError::TooFew { count, needed: 4 });
    }
    let square = cube()[..4].to_vec();
    assert_eq!(refused(&square), ShapeError::Flat);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -0.2, 0.4);
    let tilted: Vec<_> = (0..25).map(|i| turn * DVec3::new((i % 5) as f64, (i / 5) as f64, 0.0)).collect();
    assert_eq!(refused(&tilted), ShapeError::Flat);
    let line: Vec<_> = (0..9).map(|i| DVec3::new(1.0, 2.0, 3.0) * i as f64).collect();
    assert_eq!(refused(&line), ShapeError::Flat);
    let tiny: Vec<_> = cube().iter().map(|&p| p * 1e-32).collect();
    assert!(matches!(refused(&tiny), ShapeError::Length { .. }));
}

#[test]
fn thin_plates_and_needles_are_bodies() {
    for thin in [1e-3, 1e-6, 1e-9] {
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -0.2, 0.4);
        for edges in [DVec3::new(1.0, 1.0, thin), DVec3::new(1.0, thin, thin)] {
            let points: Vec<_> = cube().iter().map(|&p| turn * (p * edges)).collect();
            let solid = hull(&points);
            assert_eq!(counts(solid.polytope()), [8, 12, 6], "{edges}");
            let volume = 8.0 * edges.element_product();
            assert!((solid.mass().volume / volume - 1.0).abs() < 1e-15 / (thin * thin), "{edges}");
        }
    }
}

#[test]
fn the_mesh_is_closed_and_encloses_the_volume() {
    let solid = hull(&rhombic_dodecahedron());
    let mesh = solid.tessellate(1);
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (48, 24));
    let volume: f64 = mesh
        .triangles
        .iter()
        .map(|t| {
            let [x, y, z] = t.map(|i| mesh.positions[i as usize]);
            let normal = mesh.normals[t[0] as usize];
            assert!((y - x).cross(z - x).normalize().dot(normal) > 1.0 - 1e-14);
            x.dot(y.cross(z)) / 6.0
        })
        .sum();
    assert!((volume - 16.0).abs() < 1e-13 && (solid.mass().volume - 16.0).abs() < 1e-13);
}

fn cloud() -> impl Strategy<Value = Vec<DVec3>> {
    let point = prop_oneof![
        any_direction(),
        (-1.0..1.0, -1.0..1.0, -1.0..1.0).prop_map(DVec3::from),
        // On a lattice many points share a plane or a line.
        (-2..3_i32, -2..3_i32, -2..3_i32).prop_map(|(x, y, z)| DVec3::new(x as f64, y as f64, z as f64)),
    ];
    vec(point, 4..120).prop_filter("not flat", |points| Polyhedron::hull(points).is_ok())
}

proptest! {
    #[test]
    fn hulls_hold_their_points(points in cloud(), n in any_direction()) {
        let (solid, centre) = Polyhedron::hull(&points).unwrap();
        check_surface(solid.polytope());
        let size = solid.size();
        for &p in &points {
            prop_assert!(solid.gauge(p - centre) <= 1.0 + 1e-12);
        }
        let highest = points.iter().map(|p| n.dot(*p - centre)).fold(f64::NEG_INFINITY, f64::max);
        prop_assert!((n.dot(solid.support(n)) - highest).abs() < 1e-14 * size);
    }

    #[test]
    fn climbing_finds_what_scanning_finds(directions in vec(any_direction(), 80..200), n in any_direction()) {
        let solid = hull(&directions);
        let p = solid.polytope();
        let highest = p.vertices().iter().map(|v| n.dot(*v)).fold(f64::NEG_INFINITY, f64::max);
        for start in [0, p.vertices().len() as u32 / 2] {
            prop_assert_eq!(n.dot(p.vertex(p.support_from(n, start))), highest);
        }
        prop_assert_eq!(n.dot(p.vertex(p.support(n))), highest);
    }

    #[test]
    fn the_gauge_is_dual_to_the_support(points in cloud(), n in any_direction(), v in any_direction()) {
        let solid = hull(&points);
        let x = v / solid.gauge(v);
        prop_assert!(n.dot(x) <= n.dot(solid.support(n)) * (1.0 + 1e-12) + 1e-14);
        prop_assert!((solid.gauge(solid.support(n)) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn copies_share_their_data() {
    let solid = Solid::from(hull(&cube()));
    let copy = solid.clone();
    let addresses = [&solid, &copy].map(|s| s.polytope().map(std::ptr::from_ref));
    assert_eq!(addresses[0], addresses[1]);
}

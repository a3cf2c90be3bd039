//! Tessellations are closed, even, and converge to the surface they stand for.

use crate::common;
use std::collections::HashSet;

use crate::common::{any_superellipsoid, any_superquadric};
use glam::DVec3;
use gritstone_core::Mesh;
use gritstone_shape::space::{Ellipsoid, Solid, Sphere, Superellipsoid, Superquadric};
use gritstone_shape::{Implicit, Support, Tessellate};
use proptest::prelude::*;

/// Round, boxy, pointed, mixed and slender shapes.
fn table() -> Vec<Solid> {
    let superellipsoids = [
        ([1.0, 1.0, 1.0], [0.1, 0.1]),
        ([1.0, 1.0, 1.0], [1.9, 1.9]),
        ([1.0, 1.0, 1.0], [0.1, 1.9]),
        ([1.0, 1.0, 1.0], [1.9, 0.1]),
        ([1.0, 2.0, 3.0], [0.5, 1.3]),
        ([1.0, 1.0, 20.0], [0.1, 0.1]),
        ([20.0, 1.0, 1.0], [0.1, 0.1]),
        ([20.0, 1.0, 1.0], [1.9, 1.9]),
        ([20.0, 1.0, 1.0], [1.9, 0.1]),
        ([1.0, 20.0, 20.0], [0.1, 1.9]),
    ];
    let ellipsoids = [[1.0, 2.0, 3.0], [1.0, 1.0, 20.0], [20.0, 1.0, 1.0], [1.0, 20.0, 20.0]];
    let mut shapes = vec![Solid::from(Sphere::new(0.5).unwrap())];
    shapes.extend(ellipsoids.map(|r| Solid::from(Ellipsoid::new(DVec3::from(r)).unwrap())));
    shapes.extend(superellipsoids.map(|(r, e)| Solid::from(Superellipsoid::new(DVec3::from(r), e).unwrap())));
    shapes
}

fn drawn(shape: &Solid, detail: u32) -> Mesh {
    shape.surface().expect("all of these can be drawn").tessellate(detail)
}

fn corners(mesh: &Mesh, triangle: [u32; 3]) -> [DVec3; 3] {
    triangle.map(|i| mesh.positions[i as usize])
}

/// Twice the area times the normal of each facet.
fn facets(mesh: &Mesh) -> impl Iterator<Item = ([u32; 3], DVec3)> {
    mesh.triangles.iter().map(|&t| {
        let [a, b, c] = corners(mesh, t);
        (t, (b - a).cross(c - a))
    })
}

fn volume(mesh: &Mesh) -> f64 {
    mesh.triangles.iter().map(|&t| corners(mesh, t)).map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

/// Every edge belongs to two triangles, which run along it in opposite directions; the surface has no handles; it is
/// seen from the middle without folds.
fn check_closed(mesh: &Mesh) -> Result<(), TestCaseError> {
    let edges: Vec<_> = mesh.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    let known: HashSet<_> = edges.iter().copied().collect();
    prop_assert_eq!(known.len(), edges.len(), "an edge is used twice in one direction");
    prop_assert!(edges.iter().all(|&(a, b)| known.contains(&(b, a))), "an edge has no other side");
    let used: HashSet<_> = mesh.triangles.iter().flatten().collect();
    prop_assert_eq!(used.len(), mesh.positions.len(), "a vertex is not used");
    prop_assert_eq!(mesh.positions.len() + mesh.triangles.len(), edges.len() / 2 + 2, "Euler's formula");
    for &t in &mesh.triangles {
        let [a, b, c] = corners(mesh, t);
        prop_assert!(a.dot(b.cross(c)) > 0.0, "a triangle is degenerate or faces inwards: {a} {b} {c}");
    }
    Ok(())
}

fn check_surface(shape: &dyn Implicit<gritstone_core::Space>, mesh: &Mesh) -> Result<(), TestCaseError> {
    prop_assert_eq!(mesh.normals.len(), mesh.positions.len());
    for (x, n) in mesh.positions.iter().zip(&mesh.normals) {
        prop_assert!((shape.gauge(*x) - 1.0).abs() < 1e-14);
        prop_assert!((n.length() - 1.0).abs() < 1e-14 && n.dot(*x) > 0.0);
        prop_assert_eq!(*n, shape.normal(*x));
    }
    Ok(())
}

#[test]
fn meshes_are_closed_and_lie_on_the_surface() {
    for shape in table() {
        for detail in [1, 2, 3, 16] {
            let mesh = drawn(&shape, detail);
            assert_eq!(mesh.triangles.len() as u32, 48 * detail * detail);
            check_closed(&mesh).unwrap_or_else(|e| panic!("{shape:?} {detail}: {e}"));
            check_surface(shape.implicit().unwrap(), &mesh)
                .unwrap_or_else(|e| panic!("{shape:?} {detail}: {e}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn meshes_of_any_shape_are_closed(s in any_superellipsoid(), detail in 1_u32..12) {
        let mesh = s.tessellate(detail);
        check_closed(&mesh)?;
        check_surface(&s, &mesh)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn meshes_of_any_superquadric_are_closed(s in any_superquadric(), detail in 1_u32..12) {
        let mesh = s.tessellate(detail);
        check_closed(&mesh)?;
        check_surface(&s, &mesh)?;
    }
}

#[test]
fn superquadrics_with_equal_exponents_are_drawn_as_superellipsoids() {
    let radii = DVec3::new(1.0, 2.0, 0.5);
    for e in [0.3, 1.0, 1.6] {
        let a = Superquadric::new(radii, [2.0 / e; 3]).unwrap().tessellate(5);
        let b = Superellipsoid::new(radii, [e; 2]).unwrap().tessellate(5);
        assert_eq!(a.triangles, b.triangles);
        assert!(a.positions.iter().zip(&b.positions).all(|(x, y)| x.distance(*y) < 1e-14));
    }
}

#[test]
fn details_and_shapes_at_their_limits_are_drawn() {
    for exponents in [[1e-3, 1e-3], [1.999, 1.999], [1e-3, 1.999], [1.999, 1e-3]] {
        let s = Superellipsoid::new(DVec3::new(1.0, 2.0, 0.5), exponents).unwrap();
        for detail in [0, 1, 8] {
            check_closed(&s.tessellate(detail)).unwrap_or_else(|e| panic!("{exponents:?} {detail}: {e}"));
        }
    }
    assert_eq!(Sphere::new(1.0).unwrap().tessellate(0).triangles.len(), 48);
}

#[test]
fn the_volume_converges_with_second_order() {
    for shape in table() {
        let exact = shape.body().unwrap().mass().volume;
        let [coarse, fine] = [16, 32].map(|detail| 1.0 - volume(&drawn(&shape, detail)) / exact);
        assert!(fine > 0.0 && coarse < 3e-3, "{shape:?}: {coarse} {fine}");
        assert!((3.6..5.5).contains(&(coarse / fine)), "{shape:?}: {coarse} {fine}");
    }
}

/// Largest and area-weighted mean square angle between facets and the normals at their vertices.
fn normal_error(mesh: &Mesh) -> (f64, f64) {
    let (mut largest, mut squares, mut area) = (0.0_f64, 0.0, 0.0);
    for (triangle, facet) in facets(mesh) {
        for i in triangle {
            let angle = common::angle(facet, mesh.normals[i as usize]);
            largest = largest.max(angle);
            squares += angle * angle * facet.length();
            area += facet.length();
        }
    }
    (largest, f64::sqrt(squares / area))
}

#[test]
fn facets_approach_the_normals() {
    for shape in table() {
        let ((coarse_largest, coarse), (fine_largest, fine)) =
            (normal_error(&drawn(&shape, 12)), normal_error(&drawn(&shape, 24)));
        assert!(fine < 0.6 * coarse && fine < 0.07, "{shape:?}: {coarse} {fine}");
        // The normals of pointed shapes turn within the first triangle, however small it is.
        let pointed = matches!(shape, Solid::Superellipsoid(s) if s.exponents().iter().any(|e| *e > 1.0));
        assert!(
            pointed || fine_largest < 0.75 * coarse_largest,
            "{shape:?}: {coarse_largest} {fine_largest}"
        );
    }
}

#[test]
fn triangles_are_even() {
    let detail = 16;
    for shape in table() {
        let mesh = drawn(&shape, detail);
        let mean = facets(&mesh).map(|(_, f)| f.length()).sum::<f64>() / mesh.triangles.len() as f64;
        let extents = shape.body().unwrap().half_extents();
        let slenderness = extents.max_element() / extents.min_element();
        for (triangle, facet) in facets(&mesh) {
            let [a, b, c] = corners(&mesh, triangle);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            assert!(longest < 3.0 * shape.size() / f64::from(detail), "{shape:?}: {longest}");
            // Height over base.
            assert!(facet.length() / (longest * longest) > 0.04 / slenderness, "{shape:?}: {a} {b} {c}");
            assert!((5e-3..25.0).contains(&(facet.length() / mean)), "{shape:?}: {a} {b} {c}");
        }
    }
}

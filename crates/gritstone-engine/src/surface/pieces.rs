//! The pieces of a mesh: its facets as half-spaces, its convex edges and corners as polyhedra.
//!
//! An edge is the tetrahedron of the two triangles that meet there, a corner the hull of all triangles around it: near the
//! edge or corner these are the body itself, and what they are elsewhere does not count. On a sheet both are triangles.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_core::{Pose, Space};
use gritstone_shape::Support as _;
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid, Triangle};

use super::Piece;
use super::facets::{Bend, Facets};
use super::gate::{Corner, Edge, Gate, Outline, Side};
use super::mesh::TriangleMesh;

/// Cosine, at most, of the angles between the axis of a corner and its edges, negative: sharper corners have contacts.
const POINTED: f64 = -1e-3;
/// How often an axis is looked for.
const TRIALS: usize = 200;

/// All pieces of a mesh.
pub(crate) fn of_mesh(mesh: &TriangleMesh) -> Vec<Piece<Space>> {
    let facets = Facets::of(mesh);
    let corners = corners(mesh, &facets);
    let mut pieces: Vec<Piece<Space>> =
        (0..facets.list.len()).filter_map(|facet| facet_piece(mesh, &facets, facet)).collect();
    for facet in 0..facets.list.len() {
        for (t, side, other) in facets.rim(mesh, facet) {
            if t < other && facets.bend(mesh, t, side) == Bend::Convex {
                pieces.extend(edge_piece(mesh, &facets, [t, side, other], &corners));
            }
        }
    }
    for (vertex, edges) in corners.iter().enumerate() {
        pieces.extend(edges.as_ref().and_then(|edges| corner_piece(mesh, vertex, edges)));
    }
    pieces
}

fn facet_piece(mesh: &TriangleMesh, facets: &Facets, number: usize) -> Option<Piece<Space>> {
    let facet = &facets.list[number];
    let corners = || facet.triangles.iter().flat_map(|&t| mesh.corners(t as usize));
    let [low, high] = bounds(corners());
    // The point of the plane that is nearest to the middle of the box.
    let middle = 0.5 * (low + high);
    let origin = middle - facet.normal * (facet.normal.dot(middle) - facet.offset);
    let tangent = Tangent::across(facet.normal);
    let axes = [tangent.lift(DVec2::X), tangent.lift(DVec2::Y)];
    let flat = |x: DVec3| DVec2::new(axes[0].dot(x - origin), axes[1].dot(x - origin));
    let side = |(t, side, other): (usize, usize, usize)| {
        let corners = mesh.corners(t);
        let beyond = &facets.list[facets.of[other] as usize];
        Side {
            ends: [flat(corners[side]), flat(corners[(side + 1) % 3])],
            bend: facets.bend(mesh, t, side),
            beyond: (beyond.normal, beyond.offset - beyond.normal.dot(origin)),
        }
    };
    let sides = facets.rim(mesh, number).map(side).collect();
    Some(Piece {
        shape: HalfSpace::new(facet.normal, 0.0).ok()?.into(),
        place: Pose::at(origin),
        gate: Gate::Facet(Outline { normal: facet.normal, offset: 0.0, axes, sides }),
        reach: 0.5 * (high - low).length(),
        low,
        high,
    })
}

fn edge_piece(
    mesh: &TriangleMesh,
    facets: &Facets,
    [t, side, other]: [usize; 3],
    corners: &[Option<Vec<DVec3>>],
) -> Option<Piece<Space>> {
    let triangle = mesh.triangles[t];
    let [from, to, tip] = [0, 1, 2].map(|i| triangle[(side + i) % 3]);
    let far = mesh.triangles[other].into_iter().find(|v| *v != from && *v != to)?;
    let points = [from, to, tip, far].map(|v| mesh.points[v as usize]);
    let (shape, centre) = body(&points)?;
    let edge = points[1] - points[0];
    let gate = Gate::Edge(Edge {
        from: points[0] - centre,
        along: edge.normalize(),
        length: edge.length(),
        normals: [t, other].map(|t| facets.list[facets.of[t] as usize].normal),
        ends: [from, to].map(|v| corners[v as usize].is_some()),
    });
    let [low, high] = bounds(points[..2].iter().copied());
    let reach = shape.size();
    Some(Piece { shape, place: Pose::at(centre), gate, reach, low, high })
}

fn corner_piece(mesh: &TriangleMesh, vertex: usize, edges: &[DVec3]) -> Option<Piece<Space>> {
    let point = mesh.points[vertex];
    let points: Vec<DVec3> = std::iter::once(point).chain(edges.iter().map(|edge| point + *edge)).collect();
    let (shape, centre) = body(&points)?;
    let edges = edges.iter().map(|edge| edge.normalize()).collect();
    let gate = Gate::Corner(Corner { point: point - centre, edges });
    let reach = shape.size();
    Some(Piece { shape, place: Pose::at(centre), gate, reach, low: point, high: point })
}

/// The hull of some points, a triangle where they lie in a plane; and its centre.
fn body(points: &[DVec3]) -> Option<(Solid, DVec3)> {
    if let Ok((hull, centre)) = Polyhedron::hull(points) {
        return Some((hull.into(), centre));
    }
    // On a sheet: the first point, and the two that are farthest apart as seen from there.
    let directions: Vec<DVec3> = points[1..].iter().map(|x| (*x - points[0]).normalize_or_zero()).collect();
    let mut widest = (f64::INFINITY, 0, 0);
    for (i, a) in directions.iter().enumerate() {
        for (j, b) in directions.iter().enumerate().skip(i + 1) {
            if a.dot(*b) < widest.0 {
                widest = (a.dot(*b), i, j);
            }
        }
    }
    let corners = [points[0], points[widest.1 + 1], points[widest.2 + 1]];
    Triangle::new(corners).ok().map(|(triangle, centre)| (triangle.into(), centre))
}

/// For every vertex at which the surface is pointed, the edges that leave it.
fn corners(mesh: &TriangleMesh, facets: &Facets) -> Vec<Option<Vec<DVec3>>> {
    let mut edges: Vec<Vec<u32>> = vec![Vec::new(); mesh.points.len()];
    let mut sharp = vec![false; mesh.points.len()];
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for side in 0..3 {
            let (from, to) = (triangle[side], triangle[(side + 1) % 3]);
            edges[from as usize].push(to);
            edges[to as usize].push(from);
            let other = mesh.beyond[t][side] as usize;
            if facets.of[other] != facets.of[t] && facets.bend(mesh, t, side) == Bend::Convex {
                (sharp[from as usize], sharp[to as usize]) = (true, true);
            }
        }
    }
    edges
        .into_iter()
        .enumerate()
        .map(|(vertex, mut ends)| {
            ends.sort_unstable();
            ends.dedup();
            let edges: Vec<DVec3> =
                ends.iter().map(|&end| mesh.points[end as usize] - mesh.points[vertex]).collect();
            (sharp[vertex] && is_pointed(&edges)).then_some(edges)
        })
        .collect()
}

/// Whether all edges lie on one side of some plane: there is a direction away from all of them.
fn is_pointed(edges: &[DVec3]) -> bool {
    let units: Vec<DVec3> = edges.iter().map(|edge| edge.normalize()).collect();
    let mut axis = -units.iter().sum::<DVec3>().normalize_or_zero();
    for _ in 0..TRIALS {
        let worst = units.iter().copied().max_by(|a, b| a.dot(axis).total_cmp(&b.dot(axis)));
        let Some(worst) = worst else { return false };
        if worst.dot(axis) < POINTED {
            return true;
        }
        axis = (axis - worst * 0.5).normalize_or_zero();
    }
    false
}

fn bounds(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

//! The features of a mesh: its facets as half-spaces, its convex edges and corners as the body near them.

use std::collections::HashMap;

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_core::{Pose, Space};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid, Triangle};
use rayon::prelude::*;

use super::MeshFeature;
use super::clearance::cone_normals;
use super::facet_filter::{Corner, Edge, End, FacetFilter, Outline, Rim, Side};
use super::facets::{Bend, Facets};
use super::local_body::{Flat, Near};
use super::mesh::TriangleMesh;

/// Cosine, at most, of the angles between the axis of a corner and its edges, negative: sharper corners have contacts.
const POINTED: f64 = -1e-3;
/// How often an axis is looked for.
const TRIALS: usize = 1000;
/// Cosine, at most, of the angle between two edges of which one is the other's continuation, negative.
const STRAIGHT: f64 = -0.999_999;
/// `tan(ψ/2)` for the angle ψ between normals up to which the way out through a facet is as good as the shortest: that is
/// longer than its share cos ψ, 0.92.
pub(super) const BLUNT: f64 = 0.2;
/// How far the body near a feature is looked at, relative to the largest grain.
const REACH: f64 = 4.0;

/// All features of a mesh for grains up to a size.
pub(crate) fn of_mesh(mesh: &TriangleMesh, largest: f64) -> Vec<MeshFeature<Space>> {
    let facets = Facets::of(mesh);
    let reach = REACH * largest;
    let peaks = peaks(mesh, &facets);
    let parts = Parts { mesh, facets: &facets, near: Near::new(mesh, &facets, reach), peaks, reach };
    let edges = parts.edges();
    let joints = parts.joints(&edges);
    let faces = (0..facets.list.len()).into_par_iter().map(|facet| parts.facet(facet));
    let sides = edges.par_iter().map(|edge| parts.edge(edge, &joints));
    let corners = (0..mesh.points.len()).into_par_iter().map(|vertex| parts.corner(vertex));
    faces.chain(sides).chain(corners).flatten_iter().collect()
}

/// A convex edge: where two facets meet, as far as it is straight.
#[derive(Clone, Copy, Debug)]
struct ConvexEdge {
    /// A side of a triangle that lies on it, and the triangle beyond.
    triangle: usize,
    side: usize,
    beyond: usize,
    /// Its vertices, in the direction of that side.
    ends: [u32; 2],
}

/// A vertex at which the surface is pointed: the unit vectors of all edges that leave it, and one away from all of them.
struct Peak {
    edges: Vec<DVec3>,
    axis: DVec3,
}

/// Directions of the edges that leave a vertex, by vertex and the two facets that meet there.
type Joints = HashMap<(u32, u32, u32), Vec<DVec3>>;

struct Parts<'m> {
    mesh: &'m TriangleMesh,
    facets: &'m Facets,
    near: Near<'m>,
    peaks: Vec<Option<Peak>>,
    reach: f64,
}

impl Parts<'_> {
    fn facet(&self, number: usize) -> Option<MeshFeature<Space>> {
        let (mesh, facets) = (self.mesh, self.facets);
        let facet = &facets.list[number];
        let vertices = self.near.vertices(number);
        let [low, high] = bounds(vertices.iter().map(|&v| mesh.points[v as usize]));
        // The point of the plane that is nearest to the middle of the box.
        let middle = 0.5 * (low + high);
        let origin = middle - facet.normal * (facet.normal.dot(middle) - facet.offset);
        let tangent = Tangent::across(facet.normal);
        let axes = [tangent.lift(DVec2::X), tangent.lift(DVec2::Y)];
        let flat = |x: DVec3| DVec2::new(axes[0].dot(x - origin), axes[1].dot(x - origin));
        let side = |(t, side, other): (usize, usize, usize)| {
            let [from, to] = [side, (side + 1) % 3].map(|i| mesh.corners(t)[i]);
            let beyond = facets.of[other] as usize;
            let shifted = |(normal, offset): Flat| (normal, offset - normal.dot(origin));
            let bend = facets.bend(mesh, t, side);
            let within = [from.min(to) - self.reach, from.max(to) + self.reach];
            let behind = if bend == Bend::Concave { self.near.planes(&[beyond], within) } else { Vec::new() };
            let out = (to - from).cross(facet.normal).normalize_or_zero();
            let flat_vector = |x: DVec3| DVec2::new(axes[0].dot(x), axes[1].dot(x));
            let along = (to - from).normalize();
            let limit = |corner: usize, along: DVec3| {
                let vertex = mesh.triangles[t][corner];
                flat_vector(self.near.limit(number, vertex, along, out))
            };
            Side {
                pair: [flat(from), flat(to)],
                out,
                bend,
                beyond: shifted(self.near.plane(beyond)),
                behind: behind.into_iter().map(shifted).collect(),
                limits: [limit(side, along), limit((side + 1) % 3, -along)],
            }
        };
        let sides: Vec<Side> = facets.rim(mesh, number).map(side).collect();
        let convex = sides.iter().any(|side| side.bend == Bend::Convex);
        let ground = convex.then(|| self.near.ground(&[number], vertices)).flatten();
        let rim = convex.then(|| self.near.body(&[number], vertices)).flatten();
        let rim = rim.filter(|body| body.widest > BLUNT).map(|body| Rim {
            body: body.shape,
            centre: body.centre - origin,
            widest: body.widest,
        });
        Some(MeshFeature {
            shape: HalfSpace::new(facet.normal, 0.0).ok()?.into(),
            place: Pose::at(origin),
            filter: FacetFilter::Facet(Box::new(Outline {
                normal: facet.normal,
                axes,
                sides,
                rim,
                ground: ground.map(|ground| ground.seen_from(origin)),
            })),
            reach: 0.5 * (high - low).length(),
            low,
            high,
        })
    }

    /// All convex edges, from one side of a triangle each or several that go on in a straight line between the same facets.
    fn edges(&self) -> Vec<ConvexEdge> {
        let facets = 0..self.facets.list.len();
        let sides = facets.flat_map(|facet| self.facets.rim(self.mesh, facet));
        let convex = |&(t, side, other): &(usize, usize, usize)| {
            self.facets.of[t] < self.facets.of[other] && self.facets.bend(self.mesh, t, side) == Bend::Convex
        };
        let single = |(triangle, side, beyond): (usize, usize, usize)| {
            let ends = [side, (side + 1) % 3].map(|i| self.mesh.triangles[triangle][i]);
            ConvexEdge { triangle, side, beyond, ends }
        };
        self.joined(&sides.filter(convex).map(single).collect::<Vec<_>>())
    }

    /// Edges that go on in a straight line become one: the first of them, with another end.
    fn joined(&self, single: &[ConvexEdge]) -> Vec<ConvexEdge> {
        let start = |edge: &ConvexEdge| (edge.ends[0], self.facets_at(edge));
        let starts: HashMap<_, usize> = single.iter().enumerate().map(|(i, edge)| (start(edge), i)).collect();
        let next = |edge: &ConvexEdge| {
            let next = *starts.get(&(edge.ends[1], self.facets_at(edge)))?;
            self.goes_straight_on(edge, &single[next]).then_some(next)
        };
        let followers: Vec<Option<usize>> = single.iter().map(next).collect();
        let mut is_follower = vec![false; single.len()];
        followers.iter().flatten().for_each(|&i| is_follower[i] = true);
        let mut is_joined = vec![false; single.len()];
        let mut joined: Vec<ConvexEdge> = Vec::with_capacity(single.len());
        let firsts = (0..single.len()).filter(|&i| !is_follower[i]);
        // Edges that follow each other all around have no first: any one is.
        for first in firsts.chain(0..single.len()) {
            if is_joined[first] {
                continue;
            }
            let mut last = first;
            is_joined[first] = true;
            while let Some(next) = followers[last].filter(|&next| !is_joined[next]) {
                (last, is_joined[next]) = (next, true);
            }
            joined.push(ConvexEdge { ends: [single[first].ends[0], single[last].ends[1]], ..single[first] });
        }
        joined
    }

    /// Whether an edge goes on as another one at its end, and nothing else is there.
    fn goes_straight_on(&self, edge: &ConvexEdge, next: &ConvexEdge) -> bool {
        let vertex = edge.ends[1];
        let along = |edge: &ConvexEdge| {
            let [from, to] = edge.ends.map(|v| self.mesh.points[v as usize]);
            (to - from).normalize()
        };
        self.near.facets_around(vertex).len() == 2 && along(edge).dot(along(next)) > -STRAIGHT
    }

    /// The facets that meet at an edge, that on its left first.
    fn facets_at(&self, edge: &ConvexEdge) -> [u32; 2] {
        [edge.triangle, edge.beyond].map(|t| self.facets.of[t])
    }

    /// Vertices and points of an edge, and the facets that meet there.
    fn pair(&self, edge: &ConvexEdge) -> ([u32; 2], [DVec3; 2], [u32; 2]) {
        (edge.ends, edge.ends.map(|v| self.mesh.points[v as usize]), self.facets_at(edge))
    }

    fn joints(&self, edges: &[ConvexEdge]) -> Joints {
        let mut joints = Joints::new();
        for edge in edges {
            let (vertices, [from, to], [a, b]) = self.pair(edge);
            let along = (to - from).normalize();
            for (vertex, direction) in vertices.into_iter().zip([along, -along]) {
                joints.entry((vertex, a.min(b), a.max(b))).or_default().push(direction);
            }
        }
        joints
    }

    fn edge(&self, edge: &ConvexEdge, joints: &Joints) -> Option<MeshFeature<Space>> {
        let (vertices, [from, to], [a, b]) = self.pair(edge);
        let along = (to - from).normalize();
        let end = |vertex: u32, leaving: DVec3| {
            let beside = &joints[&(vertex, a.min(b), a.max(b))];
            if self.peaks[vertex as usize].is_some() {
                End::Corner
            } else if beside.iter().any(|other| other.dot(leaving) < STRAIGHT) {
                End::Straight
            } else if [a, b].iter().all(|&facet| self.near.goes_on(facet as usize, vertex, -leaving)) {
                End::Body
            } else {
                End::Free
            }
        };
        // The front of a sheet has its back behind it.
        let is_rim = self.mesh.is_rim(edge.triangle, edge.side);
        let own = if is_rim { vec![a as usize] } else { vec![a as usize, b as usize] };
        let (shape, centre) = match self.near.body(&own, &vertices) {
            Some(body) => (body.shape, body.centre),
            None => body(&self.triangles_of(edge)?)?,
        };
        let ground = if is_rim { None } else { self.near.ground(&own, &vertices) };
        let filter = FacetFilter::Edge(Edge {
            ground: ground.map(|ground| ground.seen_from(centre)),
            from: from - centre,
            along,
            length: (to - from).length(),
            normals: [a, b].map(|facet| self.facets.list[facet as usize].normal),
            pair: [end(vertices[0], along), end(vertices[1], -along)],
            slack: self.near.slack(),
        });
        Some(MeshFeature {
            shape,
            place: Pose::at(centre),
            filter,
            reach: 0.0,
            low: from.min(to),
            high: from.max(to),
        })
    }

    /// The ends of an edge, and the corners of two triangles beside it.
    fn triangles_of(&self, edge: &ConvexEdge) -> Option<[DVec3; 4]> {
        let ConvexEdge { triangle, side, beyond, ends } = *edge;
        let [from, to, tip] = [0, 1, 2].map(|i| self.mesh.triangles[triangle][(side + i) % 3]);
        let far = self.mesh.triangles[beyond].into_iter().find(|v| *v != from && *v != to)?;
        Some([ends[0], ends[1], tip, far].map(|v| self.mesh.points[v as usize]))
    }

    fn corner(&self, vertex: usize) -> Option<MeshFeature<Space>> {
        let (point, peak) = (self.mesh.points[vertex], self.peaks[vertex].as_ref()?);
        let (shape, centre) = match self.near.body_at(vertex) {
            Some(body) => (body.shape, body.centre),
            None => self.cone(point, peak)?,
        };
        let filter = FacetFilter::Corner(Corner {
            ground: self.near.ground_at(vertex).map(|ground| ground.seen_from(centre)),
            point: point - centre,
            edges: peak.edges.clone(),
            normals: cone_normals(&peak.edges),
            slack: self.near.slack(),
        });
        Some(MeshFeature { shape, place: Pose::at(centre), filter, reach: 0.0, low: point, high: point })
    }

    /// What is between the edges of a corner.
    fn cone(&self, point: DVec3, peak: &Peak) -> Option<(Solid, DVec3)> {
        let pair = peak.edges.iter().map(|edge| point + *edge * self.reach);
        let mut points: Vec<DVec3> = std::iter::once(point).chain(pair.clone()).collect();
        // A blunt corner has its body well below it. That of a sheet is in its plane.
        points.extend(pair.map(|end| end - peak.axis * self.reach));
        body(&points)
    }
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

/// For every vertex whether the surface is pointed there.
fn peaks(mesh: &TriangleMesh, facets: &Facets) -> Vec<Option<Peak>> {
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
        .map(|(vertex, mut pair)| {
            pair.sort_unstable();
            pair.dedup();
            let edge = |end: &u32| (mesh.points[*end as usize] - mesh.points[vertex]).normalize();
            let edges: Vec<DVec3> = pair.iter().map(edge).collect();
            let axis = sharp[vertex].then(|| away_from(&edges)).flatten();
            axis.map(|axis| Peak { edges, axis })
        })
        .collect()
}

/// A direction away from all edges, if they lie on one side of some plane: away from the point of their hull that is nearest
/// to the vertex, looked for as Gilbert 1966 does.
fn away_from(edges: &[DVec3]) -> Option<DVec3> {
    let mut nearest = edges.iter().sum::<DVec3>() / edges.len() as f64;
    for _ in 0..TRIALS {
        let axis = -nearest.try_normalize()?;
        let worst = edges.iter().copied().max_by(|a, b| a.dot(axis).total_cmp(&b.dot(axis)))?;
        if worst.dot(axis) < POINTED {
            return Some(axis);
        }
        let way = worst - nearest;
        nearest += way * (-nearest.dot(way) / way.length_squared()).clamp(0.0, 1.0);
    }
    None
}

pub(super) fn bounds(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

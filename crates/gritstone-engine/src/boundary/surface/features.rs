//! The features of a mesh: its facets as half-spaces, its convex edges and corners as the body near them.
//!
//! **Idea.** Most features never have a grain near them. What is known of all of them are arrays of the mesh: points, facets, which of
//! them meet where. A feature is a number; its body and its filter are made of these arrays when a grain comes close enough to ask for
//! them, and dropped when no grain is near any more ([`super::MeshFeatures`]). They are the same whenever and by whichever thread they
//! are made.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid, Triangle};
use rayon::prelude::*;

use super::clearance::cone_normals;
use super::facet_filter::{Corner, Edge, End, FacetFilter, Ground, Outline, Rim, Side};
use super::facets::{Bend, Facets};
use super::grouped::Grouped;
use super::local_body::{Body, Flat, Near};
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

/// The features of a mesh, by number: facets, then convex edges, then pointed corners.
#[derive(Debug)]
pub struct Features {
    near: Near,
    edges: Vec<ConvexEdge>,
    /// The edges that end at each vertex.
    edges_at: Grouped<u32>,
    /// The vertices at which the surface is pointed, and what leaves them where that has been asked for.
    corners: Vec<u32>,
    stars: Vec<OnceLock<Box<Star>>>,
    is_pointed: Vec<bool>,
    /// Whether a facet has convex sides alone.
    is_convex: Vec<bool>,
    reach: f64,
}

/// What leaves a corner.
#[derive(Clone, Debug)]
pub(super) struct Star {
    /// Unit vectors along its edges.
    pub(super) edges: Vec<DVec3>,
    /// Outward normals of the sides of the cone that these span.
    pub(super) normals: Vec<DVec3>,
}

/// Which feature a number is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind<'f> {
    Facet(usize),
    Edge(&'f ConvexEdge),
    /// Which of the corners.
    Corner(usize),
}

/// What a feature touches grains with, and which contacts it owns.
#[derive(Clone, Debug)]
pub struct FeatureBody {
    /// About its centre; none for a facet, which is a half-space.
    pub(super) shape: Option<Solid>,
    /// In the frame of the feature.
    pub(super) centre: DVec3,
    pub(super) filter: FacetFilter,
}

/// A convex edge: where two facets meet, as far as it is straight.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvexEdge {
    /// A side of a triangle that lies on it, and the triangle beyond.
    triangle: u32,
    side: u32,
    beyond: u32,
    /// Its vertices, in the direction of that side.
    ends: [u32; 2],
}

impl Features {
    /// Of a mesh for grains up to a size.
    pub(super) fn new(mesh: &Arc<TriangleMesh>, largest: f64) -> Self {
        let reach = REACH * largest;
        let near = Near::new(Arc::clone(mesh), reach);
        let is_pointed = pointed(&near);
        let corners: Vec<u32> =
            (0..).zip(&is_pointed).filter(|(_, is)| **is).map(|(vertex, _)| vertex).collect();
        let stars = vec![OnceLock::new(); corners.len()];
        let is_convex = (0..near.facets.list.len()).map(|facet| near.is_convex_facet(facet)).collect();
        let (edges, edges_at) = (Vec::new(), Grouped::default());
        let mut features = Self { near, edges, edges_at, corners, stars, is_pointed, is_convex, reach };
        features.edges = features.convex_edges();
        let ends = (0..).zip(&features.edges).flat_map(|(i, edge)| edge.ends.map(|vertex| (vertex, i)));
        features.edges_at = Grouped::new(mesh.points.len(), ends);
        features
    }

    fn mesh(&self) -> &TriangleMesh {
        &self.near.mesh
    }

    fn facets(&self) -> &Facets {
        &self.near.facets
    }

    pub(super) fn count(&self) -> usize {
        self.facets().list.len() + self.edges.len() + self.corners.len()
    }

    pub(super) fn kind(&self, number: usize) -> Kind<'_> {
        let facets = self.facets().list.len();
        match number.checked_sub(facets) {
            None => Kind::Facet(number),
            Some(edge) => match self.edges.get(edge) {
                Some(edge) => Kind::Edge(edge),
                None => Kind::Corner(edge - self.edges.len()),
            },
        }
    }

    /// A box that holds what a feature touches grains with, in the frame of the mesh.
    pub(super) fn bounds(&self, number: usize) -> [DVec3; 2] {
        match self.kind(number) {
            Kind::Facet(facet) => self.near.bounds(facet),
            Kind::Edge(edge) => {
                let [from, to] = self.ends(edge);
                [from.min(to), from.max(to)]
            }
            Kind::Corner(corner) => [self.point(corner); 2],
        }
    }

    /// The origin of a feature's frame, in the frame of the mesh: the middle of its box, for a facet the point of its plane that is
    /// nearest to it.
    pub(super) fn origin(&self, number: usize) -> DVec3 {
        let [low, high] = self.bounds(number);
        let middle = 0.5 * (low + high);
        match self.kind(number) {
            Kind::Facet(facet) => {
                let facet = &self.facets().list[facet];
                middle - facet.normal * (facet.normal.dot(middle) - facet.offset)
            }
            Kind::Edge(_) | Kind::Corner(_) => middle,
        }
    }

    /// The half-space of a facet; none for other features.
    pub(super) fn half_space(&self, number: usize) -> Option<Solid> {
        match self.kind(number) {
            Kind::Facet(facet) => HalfSpace::new(self.facets().list[facet].normal, 0.0).ok().map(Solid::from),
            Kind::Edge(_) | Kind::Corner(_) => None,
        }
    }

    pub(super) fn normal(&self, facet: usize) -> DVec3 {
        self.facets().list[facet].normal
    }

    /// Whether a facet has convex sides alone.
    pub(super) fn is_convex(&self, facet: usize) -> bool {
        self.is_convex[facet]
    }

    /// The ends of an edge.
    pub(super) fn ends(&self, edge: &ConvexEdge) -> [DVec3; 2] {
        edge.ends.map(|v| self.mesh().points[v as usize])
    }

    /// The normals of the facets at an edge, that on its left first.
    pub(super) fn normals(&self, edge: &ConvexEdge) -> [DVec3; 2] {
        self.facets_at(edge).map(|facet| self.facets().list[facet as usize].normal)
    }

    /// How exact corners are.
    pub(super) fn slack(&self) -> f64 {
        self.near.slack()
    }

    /// The point of a corner.
    fn point(&self, corner: usize) -> DVec3 {
        self.mesh().points[self.corners[corner] as usize]
    }

    /// What leaves a corner.
    pub(super) fn star(&self, corner: usize) -> &Star {
        self.stars[corner].get_or_init(|| {
            let edges = edges_from(&self.near, self.corners[corner]);
            Box::new(Star { normals: cone_normals(&edges), edges })
        })
    }

    /// The body and the filter of a feature; none where it is too thin to have a body.
    pub(super) fn make(&self, number: usize) -> Option<FeatureBody> {
        let origin = self.origin(number);
        match self.kind(number) {
            Kind::Facet(facet) => Some(self.facet(facet, origin)),
            Kind::Edge(edge) => self.edge(edge, origin),
            Kind::Corner(corner) => self.corner(corner),
        }
    }

    /// What grains with flat faces overlap with at a feature, in its frame; none where a sheet ends.
    pub(super) fn ground(&self, number: usize) -> Option<Ground> {
        let origin = self.origin(number);
        let ground = match self.kind(number) {
            Kind::Facet(facet) => self.near.ground(&[facet], self.near.vertices(facet)),
            Kind::Edge(edge) if self.is_rim(edge) => None,
            Kind::Edge(edge) => self.near.ground(&self.own(edge), &edge.ends),
            Kind::Corner(corner) => self.near.ground_at(self.corners[corner] as usize),
        };
        ground.map(|Body { shape, centre }| (shape, centre - origin))
    }

    fn facet(&self, number: usize, origin: DVec3) -> FeatureBody {
        let (mesh, facets) = (self.mesh(), self.facets());
        let facet = &facets.list[number];
        let tangent = Tangent::across(facet.normal);
        let axes = [tangent.lift(DVec2::X), tangent.lift(DVec2::Y)];
        let flat = |x: DVec3| DVec2::new(axes[0].dot(x - origin), axes[1].dot(x - origin));
        let side = |(t, side, other): (usize, usize, usize)| {
            let [from, to] = [side, (side + 1) % 3].map(|i| mesh.corners(t)[i]);
            let beyond = facets.of[other] as usize;
            let shifted = |(normal, offset): Flat| (normal, offset - normal.dot(origin));
            let bend = facets.bend(mesh, t, side);
            let out = (to - from).cross(facet.normal).normalize_or_zero();
            let flat_vector = |x: DVec3| DVec2::new(axes[0].dot(x), axes[1].dot(x));
            let along = (to - from).normalize();
            let limit = |corner: usize, along: DVec3| {
                let vertex = mesh.triangles[t][corner];
                flat_vector(self.near.limit(number, vertex, along, out))
            };
            let (behind, limits) = if bend == Bend::Concave {
                let within = [from.min(to) - self.reach, from.max(to) + self.reach];
                let limits = [limit(side, along), limit((side + 1) % 3, -along)];
                (self.near.planes(&[beyond], within), limits)
            } else {
                Default::default()
            };
            Side {
                pair: [flat(from), flat(to)],
                out,
                bend,
                beyond: shifted(self.near.plane(beyond)),
                behind: behind.into_iter().map(shifted).collect(),
                limits,
            }
        };
        let sides: Vec<Side> = facets.rim(mesh, number).map(side).collect();
        let convex = sides.iter().any(|side| side.bend == Bend::Convex);
        let rim = convex.then(|| self.near.body_beside(number, BLUNT)).flatten();
        let rim = rim.map(|(body, widest)| Rim { body: body.shape, centre: body.centre - origin, widest });
        let outline = Outline { normal: facet.normal, axes, sides, rim, ground: OnceLock::new() };
        FeatureBody { shape: None, centre: DVec3::ZERO, filter: FacetFilter::Facet(Box::new(outline)) }
    }

    /// All convex edges, from one side of a triangle each or several that go on in a straight line between the same facets.
    fn convex_edges(&self) -> Vec<ConvexEdge> {
        let (mesh, facets) = (self.mesh(), self.facets());
        let sides = (0..facets.list.len()).flat_map(|facet| facets.rim(mesh, facet));
        let convex = |&(t, side, other): &(usize, usize, usize)| {
            facets.of[t] < facets.of[other] && facets.bend(mesh, t, side) == Bend::Convex
        };
        let single = |(t, side, beyond): (usize, usize, usize)| {
            let ends = mesh.side(t, side);
            ConvexEdge { triangle: t as u32, side: side as u32, beyond: beyond as u32, ends }
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
            let [from, to] = self.ends(edge);
            (to - from).normalize()
        };
        self.near.facets_around(vertex).len() == 2 && along(edge).dot(along(next)) > -STRAIGHT
    }

    /// The facets that meet at an edge, that on its left first.
    fn facets_at(&self, edge: &ConvexEdge) -> [u32; 2] {
        [edge.triangle, edge.beyond].map(|t| self.facets().of[t as usize])
    }

    /// Whether a sheet ends at an edge.
    fn is_rim(&self, edge: &ConvexEdge) -> bool {
        self.mesh().is_rim(edge.triangle as usize, edge.side as usize)
    }

    /// The facets that bound the body at an edge: the front of a sheet has its back behind it.
    fn own(&self, edge: &ConvexEdge) -> Vec<usize> {
        let facets = self.facets_at(edge).map(|facet| facet as usize);
        facets[..if self.is_rim(edge) { 1 } else { 2 }].to_vec()
    }

    /// What is at an end of an edge, which leaves that along this vector.
    fn end(&self, edge: &ConvexEdge, vertex: u32, leaving: DVec3) -> End {
        let facets = self.facets_at(edge);
        let is_beside = |other: &&ConvexEdge| {
            let [a, b] = self.facets_at(other);
            [a, b] == facets || [b, a] == facets
        };
        let beside = self.edges_at.of(vertex as usize).iter().map(|&i| &self.edges[i as usize]);
        let goes_on = beside.filter(is_beside).any(|other| {
            let [from, to] = self.ends(other);
            let along = (to - from).normalize();
            let starts_here = other.ends[0] == vertex && along.dot(leaving) < STRAIGHT;
            starts_here || other.ends[1] == vertex && -along.dot(leaving) < STRAIGHT
        });
        if self.is_pointed[vertex as usize] {
            End::Corner
        } else if goes_on {
            End::Straight
        } else if facets.iter().all(|&facet| self.near.goes_on(facet as usize, vertex, -leaving)) {
            End::Body
        } else {
            End::Free
        }
    }

    fn edge(&self, edge: &ConvexEdge, origin: DVec3) -> Option<FeatureBody> {
        let [from, to] = self.ends(edge);
        let along = (to - from).normalize();
        let (shape, centre) = match self.near.body(&self.own(edge), &edge.ends) {
            Some(body) => (body.shape, body.centre),
            None => body(&self.triangles_of(edge)?)?,
        };
        let filter = FacetFilter::Edge(Edge {
            ground: OnceLock::new(),
            from: from - origin,
            along,
            length: (to - from).length(),
            normals: self.normals(edge),
            pair: [self.end(edge, edge.ends[0], along), self.end(edge, edge.ends[1], -along)],
            slack: self.near.slack(),
        });
        Some(FeatureBody { shape: Some(shape), centre: centre - origin, filter })
    }

    /// The ends of an edge, and the corners of two triangles beside it.
    fn triangles_of(&self, edge: &ConvexEdge) -> Option<[DVec3; 4]> {
        let ConvexEdge { triangle, side, beyond, ends } = *edge;
        let mesh = self.mesh();
        let [from, to, tip] = [0, 1, 2].map(|i| mesh.triangles[triangle as usize][(side as usize + i) % 3]);
        let far = mesh.triangles[beyond as usize].into_iter().find(|v| *v != from && *v != to)?;
        Some([ends[0], ends[1], tip, far].map(|v| mesh.points[v as usize]))
    }

    fn corner(&self, corner: usize) -> Option<FeatureBody> {
        let (point, edges) = (self.point(corner), self.star(corner).edges.clone());
        let (shape, centre) = match self.near.body_at(self.corners[corner] as usize) {
            Some(body) => (body.shape, body.centre),
            None => self.cone(point, &edges)?,
        };
        let (ground, slack) = (OnceLock::new(), self.near.slack());
        let filter = FacetFilter::Corner(Corner { ground, point: DVec3::ZERO, edges, slack });
        Some(FeatureBody { shape: Some(shape), centre: centre - point, filter })
    }

    /// What is between the edges of a corner.
    fn cone(&self, point: DVec3, edges: &[DVec3]) -> Option<(Solid, DVec3)> {
        let axis = away_from(edges)?;
        let ends = edges.iter().map(|edge| point + *edge * self.reach);
        let mut points: Vec<DVec3> = std::iter::once(point).chain(ends.clone()).collect();
        // A blunt corner has its body well below it. That of a sheet is in its plane.
        points.extend(ends.map(|end| end - axis * self.reach));
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
fn pointed(near: &Near) -> Vec<bool> {
    let (mesh, facets) = (&*near.mesh, &near.facets);
    let mut sharp = vec![false; mesh.points.len()];
    for t in 0..mesh.triangles.len() {
        for side in 0..3 {
            let other = mesh.beyond[t][side] as usize;
            if facets.of[other] != facets.of[t] && facets.bend(mesh, t, side) == Bend::Convex {
                mesh.side(t, side).into_iter().for_each(|vertex| sharp[vertex as usize] = true);
            }
        }
    }
    let is_pointed =
        |(vertex, sharp): (usize, &bool)| *sharp && away_from(&edges_from(near, vertex as u32)).is_some();
    sharp.par_iter().enumerate().map(is_pointed).collect()
}

/// The unit vectors of the edges of triangles that leave a vertex, in the order of the vertices at their other ends.
fn edges_from(near: &Near, vertex: u32) -> Vec<DVec3> {
    let mesh = &*near.mesh;
    let around = near.fan(vertex).iter().flat_map(|&t| mesh.triangles[t as usize]);
    let mut ends: Vec<u32> = around.filter(|end| *end != vertex).collect();
    ends.sort_unstable();
    ends.dedup();
    let point = mesh.points[vertex as usize];
    ends.into_iter().map(|end| (mesh.points[end as usize] - point).normalize()).collect()
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

//! The body near a feature of a surface, as far as it is convex there.
//!
//! **Idea.** What is behind the planes of all facets that meet a facet, an edge or a corner over convex edges is the body
//! itself near the feature. The least way out of it decides which of the features a grain touches: a corner of a grain that
//! has come through a face close to an edge is as deep as it is below that face, however far it is from the other one.
//!
//! A sheet is a body, too, of next to no thickness, with a strip as its rim.

use std::f64::consts::PI;
use std::sync::Arc;

use glam::DVec3;
use gritstone_shape::space::{Polyhedron, Solid};

use super::clip_box::cut;
use super::facets::{Bend, FLAT, Facets};
use super::features::bounds;
use super::grouped::Grouped;
use super::mesh::TriangleMesh;

/// Thickness of a sheet, relative to the extent of the mesh.
const SHEET: f64 = 1e-7;

/// Cosine of the angle between a sheet and its back, negative.
const PARALLEL: f64 = 0.999_999;

/// Angle between a side and a ray that is the side itself.
const ALONG: f64 = 1e-4;

/// A plane `normal · x = offset`.
pub(super) type Flat = (DVec3, f64);

/// A facet that is no neighbour of a feature bounds the body near it only from the other side.
const OPPOSITE: f64 = 0.0;

/// What is needed to find the body near a feature.
#[derive(Debug)]
pub(super) struct Near {
    pub(super) mesh: Arc<TriangleMesh>,
    pub(super) facets: Facets,
    /// The triangles and the facets around each vertex, and the vertices at the rim of each facet.
    fans: Grouped<u32>,
    around: Grouped<u32>,
    vertices: Grouped<u32>,
    /// The sides at which a sheet ends, by facet: the planes of its strip.
    rims: Grouped<Flat>,
    /// A box around each facet.
    boxes: Vec<[DVec3; 2]>,
    extent: f64,
    /// How far the body is looked at.
    reach: f64,
}

/// The body near a feature.
pub(super) struct Body {
    /// About its centre.
    pub(super) shape: Solid,
    pub(super) centre: DVec3,
}

impl Near {
    /// For grains that reach this far.
    pub(super) fn new(mesh: Arc<TriangleMesh>, reach: f64) -> Self {
        let facets = Facets::of(&mesh);
        let [low, high] = bounds(mesh.points.iter().copied());
        let (points, count) = (mesh.points.len(), facets.list.len());
        let corners = || (0..).zip(&mesh.triangles).flat_map(|(t, triangle)| triangle.map(|v| (v, t)));
        let fans = Grouped::new(points, corners());
        let around = Grouped::new(points, corners().map(|(v, t): (u32, u32)| (v, facets.of[t as usize])));
        let sides = || (0..mesh.triangles.len()).flat_map(|t| (0..3).map(move |side| (t, side)));
        let outer = sides().filter(|&(t, side)| facets.of[mesh.beyond[t][side] as usize] != facets.of[t]);
        let vertices =
            Grouped::new(count, outer.flat_map(|(t, side)| mesh.side(t, side).map(|v| (facets.of[t], v))));
        let rims = Grouped::new(
            count,
            sides().filter(|&(t, side)| mesh.is_rim(t, side)).map(|(t, side)| {
                let facet = facets.of[t];
                let [from, to] = mesh.side(t, side).map(|v| mesh.points[v as usize]);
                let out = (to - from).cross(facets.list[facet as usize].normal).normalize_or_zero();
                (facet, (out, out.dot(from)))
            }),
        );
        let (around, vertices) = (around.sets(), vertices.sets());
        let of_facet = |facet| bounds(vertices.of(facet).iter().map(|&v| mesh.points[v as usize]));
        let boxes = (0..count).map(of_facet).collect();
        let extent = (high - low).length();
        Self { fans, around, vertices, rims, boxes, extent, reach, facets, mesh }
    }

    /// How exact corners are.
    pub(super) fn slack(&self) -> f64 {
        4.0 * FLAT * self.extent
    }

    /// The facets that meet at a vertex.
    pub(super) fn facets_around(&self, vertex: u32) -> &[u32] {
        self.around.of(vertex as usize)
    }

    /// The triangles that meet at a vertex.
    pub(super) fn fan(&self, vertex: u32) -> &[u32] {
        self.fans.of(vertex as usize)
    }

    /// The vertices at the rim of a facet.
    pub(super) fn vertices(&self, facet: usize) -> &[u32] {
        self.vertices.of(facet)
    }

    /// A box around a facet.
    pub(super) fn bounds(&self, facet: usize) -> [DVec3; 2] {
        self.boxes[facet]
    }

    /// Where a facet's plane leaves the body again beyond a side of it that is concave, at a vertex at which the side ends: a
    /// vector in the plane across that ray, to where the plane is in the body. `along` points into the side, `out` away from
    /// the facet.
    pub(super) fn limit(&self, facet: usize, vertex: u32, along: DVec3, out: DVec3) -> DVec3 {
        let first = self.crossings(facet, vertex).map(|ray| libm::atan2(out.dot(ray), along.dot(ray)));
        // A ray along the side itself is where the plane enters the body.
        let least = first.filter(|angle| *angle > ALONG).fold(PI, f64::min);
        along * libm::sin(least) - out * libm::cos(least)
    }

    /// Whether a facet's plane goes on in the body at a vertex of it in a direction of the plane: over a concave side there.
    pub(super) fn goes_on(&self, facet: usize, vertex: u32, direction: DVec3) -> bool {
        let (mesh, facets) = (&*self.mesh, &self.facets);
        let own = self.fan(vertex).iter().map(|&t| t as usize).filter(|&t| facets.of[t] as usize == facet);
        let sides = own.flat_map(|t| (0..3).map(move |side| (t, side)));
        sides.into_iter().any(|(t, side)| {
            let [from, to] = [side, (side + 1) % 3].map(|i| mesh.triangles[t][i]);
            let other = facets.of[mesh.beyond[t][side] as usize] as usize;
            let ends_here = from == vertex || to == vertex;
            if !ends_here || other == facet || facets.bend(mesh, t, side) == Bend::Convex {
                return false;
            }
            let along = (mesh.points[to as usize] - mesh.points[from as usize]).normalize();
            let out = along.cross(facets.list[facet].normal);
            let along = if from == vertex { along } else { -along };
            out.dot(direction) > 0.0 && self.limit(facet, vertex, along, out).dot(direction) > 0.0
        })
    }

    /// The rays from a vertex of a facet along which other triangles there cross the facet's plane, and those at which a sheet
    /// ends.
    fn crossings(&self, facet: usize, vertex: u32) -> impl Iterator<Item = DVec3> + '_ {
        let (normal, mesh) = (self.facets.list[facet].normal, &*self.mesh);
        let point = mesh.points[vertex as usize];
        let others = self.fan(vertex).iter().map(|&t| t as usize);
        let beside = others.filter(move |&t| {
            self.facets.of[t] as usize != facet && (t < mesh.fronts) == self.is_front(facet)
        });
        beside.flat_map(move |t| {
            let at = mesh.triangles[t].iter().position(|&v| v == vertex).unwrap_or(0);
            let [p, q] = [1, 2].map(|i| mesh.corners(t)[(at + i) % 3] - point);
            let [high, low] = [p, q].map(|x| normal.dot(x));
            let flat = move |x: DVec3| x.reject_from_normalized(normal);
            let slack = self.slack();
            let pair = [(mesh.is_rim(t, at), p), (mesh.is_rim(t, (at + 2) % 3), q)];
            let level = [high, low].into_iter().zip([p, q]).map(move |(h, x)| (h.abs() <= slack, x));
            let across = (high * low < 0.0 && high.abs().min(low.abs()) > slack)
                .then(|| flat(p * low.abs() + q * high.abs()));
            let edges = pair.into_iter().chain(level).filter(|(is, _)| *is).map(move |(_, x)| flat(x));
            across.into_iter().chain(edges)
        })
    }

    /// The body near a corner, if it is convex; of a sheet seen from either side.
    pub(super) fn body_at(&self, vertex: usize) -> Option<Body> {
        let side = |front: bool| {
            let around = self.around.of(vertex).iter().map(|&facet| facet as usize);
            let own: Vec<usize> = around.filter(|&facet| self.is_front(facet) == front).collect();
            let convex = !own.is_empty() && self.is_convex(&own);
            convex.then(|| self.body(&own, &[vertex as u32])).flatten()
        };
        side(true).or_else(|| side(false))
    }

    /// The body near a feature that some facets have in common: its vertices.
    pub(super) fn body(&self, own: &[usize], feature: &[u32]) -> Option<Body> {
        let within = self.around_feature(feature);
        between(within, &self.planes(own, within))
    }

    /// The body near a facet, and `tan(ψ/2)` for the largest angle ψ between its normal and others; none where that is not more
    /// than `blunt`.
    pub(super) fn body_beside(&self, facet: usize, blunt: f64) -> Option<(Body, f64)> {
        let within = self.around_feature(self.vertices(facet));
        let planes = self.planes(&[facet], within);
        let normal = self.facets.list[facet].normal;
        let least = planes.iter().map(|(other, _)| normal.dot(*other)).fold(1.0, f64::min);
        // tan²(ψ/2) = (1 − cos ψ)/(1 + cos ψ).
        let widest = ((1.0 - least) / (1.0 + least).max(f64::EPSILON)).sqrt();
        if widest > blunt { Some((between(within, &planes)?, widest)) } else { None }
    }

    /// The same for what a grain overlaps with: a sheet is as thick as grains reach behind it.
    pub(super) fn ground(&self, own: &[usize], feature: &[u32]) -> Option<Body> {
        let back = |(normal, offset): Flat| {
            let (front, level) = self.plane(own[0]);
            front.dot(normal) < -PARALLEL && (offset + level).abs() <= 2.0 * SHEET * self.extent
        };
        let within = self.around_feature(feature);
        let mut planes = self.planes(own, within);
        planes.retain(|plane| !back(*plane));
        between(within, &planes)
    }

    /// The same as [`Self::body_at`]; none where a sheet ends.
    pub(super) fn ground_at(&self, vertex: usize) -> Option<Body> {
        let own: Vec<usize> = self.around.of(vertex).iter().map(|&facet| facet as usize).collect();
        let whole = own.iter().all(|&facet| self.is_front(facet) && self.rims.of(facet).is_empty());
        (whole && self.is_convex(&own)).then(|| self.ground(&own, &[vertex as u32])).flatten()
    }

    /// How far grains reach around a feature.
    fn around_feature(&self, feature: &[u32]) -> [DVec3; 2] {
        let [low, high] = bounds(feature.iter().map(|&v| self.mesh.points[v as usize]));
        [low - self.reach, high + self.reach]
    }

    /// Whether some facets are those of a convex body as far as they go.
    fn is_convex(&self, own: &[usize]) -> bool {
        own.iter().all(|&facet| self.is_behind(own, self.plane(facet)))
    }

    /// Whether a facet has convex sides alone.
    pub(super) fn is_convex_facet(&self, facet: usize) -> bool {
        let (mesh, facets) = (&*self.mesh, &self.facets);
        facets.rim(mesh, facet).all(|(t, side, _)| facets.bend(mesh, t, side) == Bend::Convex)
    }

    pub(super) fn plane(&self, facet: usize) -> Flat {
        (self.facets.list[facet].normal, self.facets.list[facet].offset)
    }

    /// Whether facets lie behind a plane.
    fn is_behind(&self, facets: &[usize], (normal, offset): Flat) -> bool {
        let mut points = facets.iter().flat_map(|&f| self.vertices(f)).map(|&v| self.mesh.points[v as usize]);
        points.all(|x| normal.dot(x) - offset <= self.slack())
    }

    fn is_front(&self, facet: usize) -> bool {
        (self.facets.triangles(facet)[0] as usize) < self.mesh.fronts
    }

    /// Facets that share a vertex with one of these, on the same side of a sheet.
    fn neighbours(&self, of: &[usize]) -> Vec<usize> {
        let vertices = of.iter().flat_map(|&f| self.vertices(f));
        let mut found: Vec<usize> =
            vertices.flat_map(|&v| self.facets_around(v)).map(|&f| f as usize).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|f| self.is_front(*f) == self.is_front(of[0]));
        found
    }

    /// The planes that bound the body in a box: those of the facets themselves, of their neighbours there behind which they lie,
    /// and of the neighbours' neighbours on the other side of something thin.
    pub(super) fn planes(&self, own: &[usize], within: [DVec3; 2]) -> Vec<Flat> {
        let mut chosen = own.to_vec();
        let is_there = |&f: &usize| {
            let [low, high] = self.bounds(f);
            low.cmple(within[1]).all() && high.cmpge(within[0]).all()
        };
        let beside: Vec<usize> = self
            .neighbours(own)
            .into_iter()
            .filter(|f| is_there(f) && self.is_behind(own, self.plane(*f)))
            .collect();
        for &facet in beside.iter().filter(|facet| !own.contains(facet)) {
            chosen.push(facet);
            for other in self.neighbours(&[facet]).into_iter().filter(is_there) {
                let (normal, offset) = self.plane(other);
                let opposite = |f: &usize| self.facets.list[*f].normal.dot(normal) < OPPOSITE;
                if own.iter().any(opposite)
                    && self.is_behind(own, (normal, offset))
                    && self.is_behind(&[facet], (normal, offset))
                {
                    chosen.push(other);
                }
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        let mut planes: Vec<Flat> = chosen.iter().map(|&facet| self.plane(facet)).collect();
        let strips = own.iter().flat_map(|&facet| self.rims.of(facet));
        let before = planes.len();
        planes.extend(strips.filter(|&&plane| self.is_behind(own, plane)));
        if planes.len() > before {
            let (normal, offset) = self.plane(own[0]);
            planes.push((-normal, SHEET * self.extent - offset));
        }
        planes
    }
}

/// The part of a box that is behind some planes.
fn between(within: [DVec3; 2], planes: &[Flat]) -> Option<Body> {
    let (hull, centre) = Polyhedron::hull(&cut(within, planes)).ok()?;
    Some(Body { shape: hull.into(), centre })
}

//! The body near a feature of a surface, as far as it is convex there.
//!
//! **Idea.** What is behind the planes of all facets that meet a facet, an edge or a corner over convex edges is the body
//! itself near the feature. The least way out of it decides which of the features a grain touches: a corner of a grain that
//! has come through a face close to an edge is as deep as it is below that face, however far it is from the other one.
//!
//! A sheet is a body, too, of next to no thickness, with a strip as its rim.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_shape::space::{Polyhedron, Solid};

use super::clip_box::cut;
use super::facets::{Bend, FLAT, Facets};
use super::features::bounds;
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
pub(super) struct Near<'m> {
    mesh: &'m TriangleMesh,
    facets: &'m Facets,
    /// The triangles and the facets around each vertex, and the vertices at the rim of each facet.
    fans: Vec<Vec<u32>>,
    around: Vec<Vec<u32>>,
    vertices: Vec<Vec<u32>>,
    /// The sides at which a sheet ends, by facet: the planes of its strip.
    rims: Vec<Vec<Flat>>,
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
    /// `tan(ψ/2)` for the largest angle ψ between the normals of the first facet and of others.
    pub(super) widest: f64,
}

/// What grains with flat faces overlap with near a feature, in the frame of the mesh.
pub(super) struct Ground {
    pub(super) shape: Solid,
    pub(super) centre: DVec3,
}

impl Ground {
    /// In the frame of a feature that is there.
    pub(super) fn seen_from(self, origin: DVec3) -> (Solid, DVec3) {
        (self.shape, self.centre - origin)
    }
}

impl<'m> Near<'m> {
    /// For grains that reach this far.
    pub(super) fn new(mesh: &'m TriangleMesh, facets: &'m Facets, reach: f64) -> Self {
        let [low, high] = bounds(mesh.points.iter().copied());
        let (mut around, mut fans) =
            (vec![Vec::new(); mesh.points.len()], vec![Vec::new(); mesh.points.len()]);
        let (mut vertices, mut rims) =
            (vec![Vec::new(); facets.list.len()], vec![Vec::new(); facets.list.len()]);
        for (t, triangle) in mesh.triangles.iter().enumerate() {
            let (facet, corners) = (facets.of[t], mesh.corners(t));
            for side in 0..3 {
                around[triangle[side] as usize].push(facet);
                fans[triangle[side] as usize].push(t as u32);
                if facets.of[mesh.beyond[t][side] as usize] != facet {
                    let ends = [triangle[side], triangle[(side + 1) % 3]];
                    vertices[facet as usize].extend(ends);
                }
                if mesh.is_rim(t, side) {
                    let [from, to] = [corners[side], corners[(side + 1) % 3]];
                    let out = (to - from).cross(facets.list[facet as usize].normal).normalize_or_zero();
                    rims[facet as usize].push((out, out.dot(from)));
                }
            }
        }
        around.iter_mut().chain(&mut vertices).for_each(|list: &mut Vec<u32>| {
            list.sort_unstable();
            list.dedup();
        });
        let boxes =
            vertices.iter().map(|list| bounds(list.iter().map(|&v| mesh.points[v as usize]))).collect();
        Self { mesh, facets, fans, around, vertices, rims, boxes, extent: (high - low).length(), reach }
    }

    /// How exact corners are.
    pub(super) fn slack(&self) -> f64 {
        4.0 * FLAT * self.extent
    }

    /// The facets that meet at a vertex.
    pub(super) fn facets_around(&self, vertex: u32) -> &[u32] {
        &self.around[vertex as usize]
    }

    /// The vertices at the rim of a facet.
    pub(super) fn vertices(&self, facet: usize) -> &[u32] {
        &self.vertices[facet]
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
        let (mesh, facets) = (self.mesh, self.facets);
        let own = self.fans[vertex as usize]
            .iter()
            .map(|&t| t as usize)
            .filter(|&t| facets.of[t] as usize == facet);
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
        let (normal, mesh) = (self.facets.list[facet].normal, self.mesh);
        let point = mesh.points[vertex as usize];
        let others = self.fans[vertex as usize].iter().map(|&t| t as usize);
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
            let around = self.around[vertex].iter().map(|&facet| facet as usize);
            let own: Vec<usize> = around.filter(|&facet| self.is_front(facet) == front).collect();
            let convex = !own.is_empty() && self.is_convex(&own);
            convex.then(|| self.body(&own, &[vertex as u32])).flatten()
        };
        side(true).or_else(|| side(false))
    }

    /// The body near a feature that some facets have in common: its vertices.
    pub(super) fn body(&self, own: &[usize], feature: &[u32]) -> Option<Body> {
        let within = self.around_feature(feature);
        self.between(own, within, &self.planes(own, within))
    }

    /// The same for what a grain overlaps with: a sheet is as thick as grains reach behind it.
    pub(super) fn ground(&self, own: &[usize], feature: &[u32]) -> Option<Ground> {
        let back = |(normal, offset): Flat| {
            let (front, level) = self.plane(own[0]);
            front.dot(normal) < -PARALLEL && (offset + level).abs() <= 2.0 * SHEET * self.extent
        };
        let within = self.around_feature(feature);
        let mut planes = self.planes(own, within);
        planes.retain(|plane| !back(*plane));
        self.between(own, within, &planes).map(|Body { shape, centre, .. }| Ground { shape, centre })
    }

    /// The same as [`Self::body_at`]; none where a sheet ends.
    pub(super) fn ground_at(&self, vertex: usize) -> Option<Ground> {
        let own: Vec<usize> = self.around[vertex].iter().map(|&facet| facet as usize).collect();
        let whole = own.iter().all(|&facet| self.is_front(facet) && self.rims[facet].is_empty());
        (whole && self.is_convex(&own)).then(|| self.ground(&own, &[vertex as u32])).flatten()
    }

    /// How far grains reach around a feature.
    fn around_feature(&self, feature: &[u32]) -> [DVec3; 2] {
        let [low, high] = bounds(feature.iter().map(|&v| self.mesh.points[v as usize]));
        [low - self.reach, high + self.reach]
    }

    fn between(&self, own: &[usize], within: [DVec3; 2], planes: &[Flat]) -> Option<Body> {
        let corners = cut(within, planes);
        let (hull, centre) = Polyhedron::hull(&corners).ok()?;
        let normal = self.facets.list[own[0]].normal;
        let least = planes.iter().map(|(other, _)| normal.dot(*other)).fold(1.0, f64::min);
        // tan²(ψ/2) = (1 − cos ψ)/(1 + cos ψ).
        let widest = ((1.0 - least) / (1.0 + least).max(f64::EPSILON)).sqrt();
        Some(Body { shape: hull.into(), centre, widest })
    }

    /// Whether some facets are those of a convex body as far as they go.
    fn is_convex(&self, own: &[usize]) -> bool {
        own.iter().all(|&facet| self.is_behind(own, self.plane(facet)))
    }

    pub(super) fn plane(&self, facet: usize) -> Flat {
        (self.facets.list[facet].normal, self.facets.list[facet].offset)
    }

    /// Whether facets lie behind a plane.
    fn is_behind(&self, facets: &[usize], (normal, offset): Flat) -> bool {
        let mut points =
            facets.iter().flat_map(|&f| &self.vertices[f]).map(|&v| self.mesh.points[v as usize]);
        points.all(|x| normal.dot(x) - offset <= self.slack())
    }

    fn is_front(&self, facet: usize) -> bool {
        (self.facets.list[facet].triangles[0] as usize) < self.mesh.fronts
    }

    /// Facets that share a vertex with one of these, on the same side of a sheet.
    fn neighbours(&self, of: &[usize]) -> Vec<usize> {
        let vertices = of.iter().flat_map(|&f| &self.vertices[f]);
        let mut found: Vec<usize> =
            vertices.flat_map(|&v| &self.around[v as usize]).map(|&f| f as usize).collect();
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
            let [low, high] = self.boxes[f];
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
        let strips = own.iter().flat_map(|&facet| &self.rims[facet]);
        let before = planes.len();
        planes.extend(strips.filter(|&&plane| self.is_behind(own, plane)));
        if planes.len() > before {
            let (normal, offset) = self.plane(own[0]);
            planes.push((-normal, SHEET * self.extent - offset));
        }
        planes
    }
}

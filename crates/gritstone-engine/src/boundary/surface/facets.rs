//! Facets: triangles that lie in one plane and hang together, with what bounds them.
//!
//! A contact belongs to a facet rather than to a triangle, so that nothing happens where two triangles meet in a plane.

use glam::DVec3;

use super::grouped::Grouped;
use super::mesh::TriangleMesh;

/// How far a corner may be off a facet's plane, relative to the extent of the mesh: as exact as corners are.
pub(super) const FLAT: f64 = 2e-6;
/// Cosine of the largest angle between triangles of a facet.
const PARALLEL: f64 = 0.999;

/// All facets of a mesh.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    /// The facet of each triangle.
    pub(crate) of: Vec<u32>,
    pub(crate) list: Vec<Facet>,
    /// The triangles of each facet.
    triangles: Grouped<u32>,
}

/// A facet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Unit normal, to where grains are.
    pub(crate) normal: DVec3,
    /// Distance of its plane from the origin along the normal.
    pub(crate) offset: f64,
}

/// How two facets meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bend {
    /// As the edges of a box from outside.
    Convex,
    /// As those from inside.
    Concave,
}

impl Facets {
    /// Grows facets from the largest triangles: their planes are the best known.
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let count = mesh.triangles.len();
        let areas: Vec<DVec3> = (0..count).map(|t| mesh.area(t)).collect();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| areas[b].length().total_cmp(&areas[a].length()).then(a.cmp(&b)));
        let low = mesh.points.iter().fold(DVec3::INFINITY, |low, &x| low.min(x));
        let high = mesh.points.iter().fold(DVec3::NEG_INFINITY, |high, &x| high.max(x));
        let slack = FLAT * (high - low).length();
        let mut facets = Self { of: vec![u32::MAX; count], list: Vec::new(), triangles: Grouped::default() };
        let mut reached = Vec::with_capacity(count);
        for seed in order {
            if facets.of[seed] == u32::MAX {
                facets.grow(mesh, seed, &areas, slack, &mut reached);
            }
        }
        let of = &facets.of;
        facets.triangles = Grouped::new(facets.list.len(), reached.iter().map(|&t| (of[t as usize], t)));
        facets
    }

    /// Grows a facet from a triangle; those that it takes in are added to `reached`.
    fn grow(
        &mut self,
        mesh: &TriangleMesh,
        seed: usize,
        areas: &[DVec3],
        slack: f64,
        reached: &mut Vec<u32>,
    ) {
        let normal = areas[seed].normalize();
        let offset = normal.dot(mesh.corners(seed)[0]);
        let number = self.list.len() as u32;
        self.of[seed] = number;
        let mut next = reached.len();
        reached.push(seed as u32);
        while next < reached.len() {
            for other in mesh.beyond[reached[next] as usize].map(|t| t as usize) {
                let level = || mesh.corners(other).iter().all(|x| (normal.dot(*x) - offset).abs() <= slack);
                if self.of[other] == u32::MAX && areas[other].normalize().dot(normal) > PARALLEL && level() {
                    self.of[other] = number;
                    reached.push(other as u32);
                }
            }
            next += 1;
        }
        self.list.push(Facet { normal, offset });
    }

    /// The triangles of a facet, from the one that it was grown from.
    pub(crate) fn triangles(&self, facet: usize) -> &[u32] {
        self.triangles.of(facet)
    }

    /// The sides of a facet's triangles that bound it: triangle, side, and the triangle beyond.
    pub(crate) fn rim<'m>(
        &'m self,
        mesh: &'m TriangleMesh,
        facet: usize,
    ) -> impl Iterator<Item = (usize, usize, usize)> + 'm {
        let sides = self.triangles(facet).iter().flat_map(|&t| (0..3).map(move |s| (t as usize, s)));
        let beyond = move |(t, s): (usize, usize)| (t, s, mesh.beyond[t][s] as usize);
        sides.map(beyond).filter(move |&(_, _, other)| self.of[other] as usize != facet)
    }

    /// How a facet meets the one beyond a side of its rim.
    pub(crate) fn bend(&self, mesh: &TriangleMesh, t: usize, side: usize) -> Bend {
        let other = mesh.beyond[t][side] as usize;
        let [here, there] = [t, other].map(|t| &self.list[self.of[t] as usize]);
        let (from, to) = (mesh.corners(t)[side], mesh.corners(t)[(side + 1) % 3]);
        let turn = here.normal.cross(there.normal).dot(to - from);
        // The back of a sheet is beyond its edge: as sharp as an edge can be.
        let back = here.normal.dot(there.normal) < -PARALLEL;
        if back || turn > 0.0 { Bend::Convex } else { Bend::Concave }
    }
}

//! Polyhedra, for the common-plane methods.

mod nearest;
mod special;

use glam::{DMat3, DVec3};
use gritstone_core::Space;
use gritstone_core::linalg::Tangent;
use gritstone_shape::space::{Polytope, Solid};

use super::method::{Placed, Scratch};
use super::{Auto, Memory};
use crate::polytopes::{Blocks, Ends, Feature, Polytopes, Site, Trial};
use crate::{Answer, Query, Refusal};

/// Sine of the angle up to which directions count as parallel: rounding leaves half of the digits of their product.
const PARALLEL: f64 = 1e-8;

impl Polytopes for Space {
    type Hull = Polytope;
    type Tilts = [DVec3; 4];
    type WarmStart = Memory;
    const SHAPES: &'static str = "polyhedron";
    const CORNER: [f64; 2] = [f64::INFINITY; 2];

    fn word(shape: &Solid) -> &'static str {
        shape.word()
    }

    fn hull(shape: &Solid) -> Option<&Polytope> {
        shape.polytope()
    }

    #[inline]
    fn vertices(hull: &Polytope) -> &[DVec3] {
        hull.vertices()
    }

    fn has(hull: &Polytope, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(v) => (v as usize) < hull.vertices().len(),
            Feature::Edge(e) => (e as usize) < hull.edges().len(),
            Feature::Face(f) => (f as usize) < hull.faces().len(),
        }
    }

    #[inline]
    fn farthest(hull: &Polytope, n: DVec3) -> u32 {
        hull.support(n)
    }

    #[inline]
    fn relative(outer: &DMat3, inner: &DMat3) -> DMat3 {
        outer.transpose() * *inner
    }

    #[inline]
    fn out_of_frame(frame: &DMat3, v: DVec3) -> DVec3 {
        *frame * v
    }

    #[inline]
    fn into_frame(frame: &DMat3, v: DVec3) -> DVec3 {
        frame.transpose() * v
    }

    fn tilts(n: DVec3, angle: f64) -> [DVec3; 4] {
        let Tangent { u, v } = Tangent::across(n);
        let (sin, cos) = libm::sincos(angle);
        [u, -u, v, -v].map(|axis| n * cos + axis * sin)
    }

    fn candidates(blocks: &Blocks<'_, Self>, trial: &Trial<Self>, mut visit: impl FnMut(DVec3)) {
        let (ab, turn) = (trial.x_b - trial.x_a, blocks.turn);
        let [at_a, at_b] = trial.at;
        let spokes_a = spokes(blocks.a, at_a);
        let spokes_b = || spokes(blocks.b, at_b).map(|f| turn * f);
        visit(ab); // (a) the bisector
        // (b) parallel to a face
        blocks.a.sectors(at_a).iter().for_each(|&f| visit(blocks.a.face(f).normal));
        blocks.b.sectors(at_b).iter().for_each(|&f| visit(-(turn * blocks.b.face(f).normal)));
        let along = |n: DVec3| if n.dot(ab) < 0.0 { -n } else { n };
        for e in spokes_a.clone() {
            spokes_b().for_each(|f| visit(along(e.cross(f)))); // (c) parallel to two edges
        }
        for e in spokes_a.chain(spokes_b()) {
            visit(ab - e * (ab.dot(e) / e.length_squared())); // (d) parallel to one edge
        }
    }

    fn nearest(hull: &Polytope, start: Site<Self>, q: DVec3) -> Site<Self> {
        nearest::walk(hull, start, q)
    }

    fn special(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> Option<Ends<Self>> {
        special::next(blocks, ends)
    }

    fn normal(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> DVec3 {
        let link = blocks.between(ends);
        let across = |e: DVec3| link - e * (link.dot(e) / e.length_squared());
        let edge_a = |e| way(blocks.a, e);
        let edge_b = |f| blocks.turn * way(blocks.b, f);
        match ends.map(|end| end.feature) {
            [Feature::Face(f), _] => blocks.a.face(f).normal,
            [_, Feature::Face(f)] => -(blocks.turn * blocks.b.face(f).normal),
            [Feature::Edge(e), Feature::Edge(f)] => {
                let (e, f) = (edge_a(e), edge_b(f));
                let normal = e.cross(f);
                let parallel =
                    normal.length_squared() <= PARALLEL.powi(2) * e.length_squared() * f.length_squared();
                if parallel { across(e) } else { normal * normal.dot(link).signum() }
            }
            [Feature::Edge(e), Feature::Vertex(_)] => across(edge_a(e)),
            [Feature::Vertex(_), Feature::Edge(f)] => across(edge_b(f)),
            [Feature::Vertex(_), Feature::Vertex(_)] => link,
        }
    }

    fn exact(
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Self>,
        kept: &mut Memory,
        scratch: &mut Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        Auto.solve_warm(a, b, query, kept, scratch)
    }
}

/// The edges that leave a vertex.
fn spokes(hull: &Polytope, vertex: u32) -> impl Iterator<Item = DVec3> + Clone {
    hull.neighbours(vertex).iter().map(move |&w| hull.vertex(w) - hull.vertex(vertex))
}

/// An edge, from its first end to its second.
fn way(hull: &Polytope, edge: u32) -> DVec3 {
    let [v, w] = hull.edge(edge).vertices;
    hull.vertex(w) - hull.vertex(v)
}

/// The point of an edge at a part of its length, which ends at its vertices.
fn on_edge(hull: &Polytope, edge: u32, part: f64) -> Site<Space> {
    let [v, w] = hull.edge(edge).vertices;
    if part <= 0.0 {
        Site { feature: Feature::Vertex(v), point: hull.vertex(v) }
    } else if part >= 1.0 {
        Site { feature: Feature::Vertex(w), point: hull.vertex(w) }
    } else {
        Site { feature: Feature::Edge(edge), point: hull.vertex(v) + way(hull, edge) * part }
    }
}

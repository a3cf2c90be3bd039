//! Polygons, for the common-plane methods.

use glam::{DMat2, DVec2};
use gritstone_core::Plane;
use gritstone_shape::plane::{Figure, Polygon};

use super::Auto;
use super::method::{Placed, Scratch};
use crate::polytopes::{Blocks, Ends, Feature, Polytopes, Site, Trial};
use crate::shortest_link::shortest_link;
use crate::{Answer, Method, Query, Refusal};

impl Polytopes for Plane {
    type Hull = Polygon;
    type Tilts = [DVec2; 2];
    type WarmStart = ();
    const SHAPES: &'static str = "polygon";
    const CORNER: f64 = f64::INFINITY;

    fn word(shape: &Figure) -> &'static str {
        shape.word()
    }

    fn hull(shape: &Figure) -> Option<&Polygon> {
        match shape {
            Figure::Polygon(polygon) => Some(polygon),
            Figure::Circle(_)
            | Figure::Ellipse(_)
            | Figure::Superellipse(_)
            | Figure::Segment(_)
            | Figure::HalfPlane(_)
            | Figure::Crowned(_)
            | Figure::Custom(_) => None,
        }
    }

    #[inline]
    fn vertices(hull: &Polygon) -> &[DVec2] {
        hull.vertices()
    }

    fn has(hull: &Polygon, feature: Feature) -> bool {
        match feature {
            Feature::Vertex(i) | Feature::Edge(i) => (i as usize) < hull.vertices().len(),
            Feature::Face(_) => false,
        }
    }

    #[inline]
    fn farthest(hull: &Polygon, n: DVec2) -> u32 {
        hull.farthest(n) as u32
    }

    #[inline]
    fn relative(outer: &DMat2, inner: &DMat2) -> DMat2 {
        outer.transpose() * *inner
    }

    #[inline]
    fn out_of_frame(frame: &DMat2, v: DVec2) -> DVec2 {
        *frame * v
    }

    #[inline]
    fn into_frame(frame: &DMat2, v: DVec2) -> DVec2 {
        frame.transpose() * v
    }

    fn tilts(n: DVec2, angle: f64) -> [DVec2; 2] {
        let (sin, cos) = libm::sincos(angle);
        [n * cos + n.perp() * sin, n * cos - n.perp() * sin]
    }

    /// The bisector of AB, and the four edges at A and B.
    fn candidates(blocks: &Blocks<'_, Self>, trial: &Trial<Self>, mut visit: impl FnMut(DVec2)) {
        visit(trial.x_b - trial.x_a);
        edges_at(blocks.a, trial.at[0]).iter().for_each(|&e| visit(normal(blocks.a, e)));
        edges_at(blocks.b, trial.at[1]).iter().for_each(|&e| visit(-(blocks.turn * normal(blocks.b, e))));
    }

    /// Section 3.6: from a vertex on the two edges at it, from an edge on that edge.
    fn nearest(hull: &Polygon, start: Site<Self>, q: DVec2) -> Site<Self> {
        let mut here = start;
        let mut distance = here.point.distance_squared(q);
        loop {
            let edges = match here.feature {
                Feature::Vertex(v) => edges_at(hull, v),       // case 1
                Feature::Edge(e) | Feature::Face(e) => [e, e], // case 2
            };
            let before = distance;
            for edge in edges {
                let site = nearest_on_edge(hull, edge, q);
                let nearer = site.point.distance_squared(q);
                if nearer < distance {
                    (here, distance) = (site, nearer);
                }
            }
            // On an edge it would look at the same edge again.
            if distance == before || matches!(here.feature, Feature::Edge(_)) {
                return here;
            }
        }
    }

    /// Section 3.6: the shortest link of two edges.
    fn special(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> Option<Ends<Self>> {
        let [Feature::Edge(e), Feature::Edge(f)] = ends.map(|end| end.feature) else { return None };
        let cd = sides(blocks.b, f).map(|x| blocks.from_b(x));
        let [s, t] = shortest_link(sides(blocks.a, e), cd);
        Some([on_edge(blocks.a, e, s), on_edge(blocks.b, f, t)])
    }

    fn normal(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> DVec2 {
        match ends.map(|end| end.feature) {
            [Feature::Edge(e), _] => normal(blocks.a, e),
            [_, Feature::Edge(f)] => -(blocks.turn * normal(blocks.b, f)),
            _ => blocks.between(ends),
        }
    }

    fn exact(
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Self>,
        (): &mut (),
        scratch: &mut Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        Auto.solve(a, b, query, scratch)
    }
}

/// The edge that ends at a vertex, and the one that starts there.
fn edges_at(hull: &Polygon, vertex: u32) -> [u32; 2] {
    let count = hull.vertices().len() as u32;
    [(vertex + count - 1) % count, vertex]
}

fn normal(hull: &Polygon, edge: u32) -> DVec2 {
    hull.edges()[edge as usize].normal
}

/// The ends of an edge.
fn sides(hull: &Polygon, edge: u32) -> [DVec2; 2] {
    let vertices = hull.vertices();
    [vertices[edge as usize], vertices[(edge as usize + 1) % vertices.len()]]
}

fn nearest_on_edge(hull: &Polygon, edge: u32, q: DVec2) -> Site<Plane> {
    let [v, w] = sides(hull, edge);
    let way = w - v;
    on_edge(hull, edge, (q - v).dot(way) / way.length_squared())
}

/// The point of an edge at a part of its length, which ends at its vertices.
fn on_edge(hull: &Polygon, edge: u32, part: f64) -> Site<Plane> {
    let [v, w] = sides(hull, edge);
    let next = (edge + 1) % hull.vertices().len() as u32;
    if part <= 0.0 {
        Site { feature: Feature::Vertex(edge), point: v }
    } else if part >= 1.0 {
        Site { feature: Feature::Vertex(next), point: w }
    } else {
        Site { feature: Feature::Edge(edge), point: v + (w - v) * part }
    }
}

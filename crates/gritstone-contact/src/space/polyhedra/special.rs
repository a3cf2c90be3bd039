//! Links between edges and faces, by a construction in one plane (\[nezami2006\], section 3.5.2).

use glam::{DVec2, DVec3};
use gritstone_core::Space;
use gritstone_shape::space::Polytope;

use super::{PARALLEL, on_edge};
use crate::polytopes::{Blocks, Ends, Feature, Site};
use crate::shortest_link::shortest_link;

/// The next link, where this one is one of the three cases and Π is defined.
pub(super) fn next(blocks: &Blocks<'_, Space>, ends: &Ends<Space>) -> Option<Ends<Space>> {
    match ends.map(|end| end.feature) {
        [Feature::Edge(e), Feature::Edge(f)] => Some(edges(blocks, e, f)),
        [Feature::Face(e), Feature::Face(f)] => faces(blocks, ends, e, f),
        [Feature::Edge(e), Feature::Face(f)] => edge_and_face(blocks, e, f),
        [Feature::Face(f), Feature::Edge(e)] => face_and_edge(blocks, f, e),
        _ => None,
    }
}

/// A segment with what its ends and its inside lie on, in the axes of a.
struct Segment {
    ends: [DVec3; 2],
    features: [Feature; 2],
    inside: Feature,
}

/// The plane Π, through the origin: what is projected on it does not depend on where it stands.
struct Projection {
    x: DVec3,
    y: DVec3,
}

impl Projection {
    /// The plane of two directions; `None` where they are parallel.
    fn spanned_by(u: DVec3, v: DVec3) -> Option<Self> {
        let normal = u.cross(v);
        let parallel = normal.length_squared() <= PARALLEL.powi(2) * u.length_squared() * v.length_squared();
        (!parallel).then(|| {
            let x = u.normalize();
            Self { x, y: normal.normalize().cross(x) }
        })
    }

    fn normal(&self) -> DVec3 {
        self.x.cross(self.y)
    }

    /// Appendix A, on the segments' projections.
    fn link(&self, ab: &Segment, cd: &Segment) -> [f64; 2] {
        let flat = |x: DVec3| DVec2::new(self.x.dot(x), self.y.dot(x));
        shortest_link(ab.ends.map(flat), cd.ends.map(flat))
    }
}

impl Segment {
    /// An edge of a body whose points are placed by `place`.
    fn edge(hull: &Polytope, edge: u32, place: impl Fn(DVec3) -> DVec3) -> Self {
        let vertices = hull.edge(edge).vertices;
        Self {
            ends: vertices.map(|v| place(hull.vertex(v))),
            features: vertices.map(Feature::Vertex),
            inside: Feature::Edge(edge),
        }
    }

    /// Where the plane through `point` with this normal cuts a face of a body; `None` where it misses it.
    fn cut(
        hull: &Polytope,
        face: u32,
        point: DVec3,
        normal: DVec3,
        place: impl Fn(DVec3) -> DVec3,
    ) -> Option<Self> {
        let (corners, sides) = (hull.corners(face), hull.sides(face));
        let (mut ends, mut features, mut count) = ([DVec3::ZERO; 2], [Feature::Face(face); 2], 0);
        let at = |k: usize| {
            let x = place(hull.vertex(corners[k % corners.len()]));
            (x, normal.dot(x - point))
        };
        let mut from = at(0);
        for (k, &side) in sides.iter().enumerate() {
            let to = at(k + 1);
            if (from.1 < 0.0) != (to.1 < 0.0) && count < 2 {
                ends[count] = from.0.lerp(to.0, from.1 / (from.1 - to.1));
                features[count] = if to.1 == 0.0 {
                    Feature::Vertex(corners[(k + 1) % corners.len()])
                } else if from.1 == 0.0 {
                    Feature::Vertex(corners[k])
                } else {
                    Feature::Edge(side)
                };
                count += 1;
            }
            from = to;
        }
        (count == 2).then_some(Self { ends, features, inside: Feature::Face(face) })
    }

    /// The point at a part of the length, in the body whose points `back` gives.
    fn site(&self, part: f64, back: impl Fn(DVec3) -> DVec3) -> Site<Space> {
        let feature = if part <= 0.0 {
            self.features[0]
        } else if part >= 1.0 {
            self.features[1]
        } else {
            self.inside
        };
        Site { feature, point: back(self.ends[0].lerp(self.ends[1], part)) }
    }
}

/// Case 1: the shortest link of the two edges, from that of their projections on a plane parallel to both.
fn edges(blocks: &Blocks<'_, Space>, e: u32, f: u32) -> Ends<Space> {
    let ab = Segment::edge(blocks.a, e, |x| x);
    let cd = Segment::edge(blocks.b, f, |x| blocks.from_b(x));
    let (u, v) = (ab.ends[1] - ab.ends[0], cd.ends[1] - cd.ends[0]);
    // Parallel edges lie along any such plane.
    let plane = Projection::spanned_by(u, v).unwrap_or_else(|| {
        let (x, y) = u.normalize().any_orthonormal_pair();
        Projection { x: x.cross(y), y: x }
    });
    let [s, t] = plane.link(&ab, &cd);
    [on_edge(blocks.a, e, s), on_edge(blocks.b, f, t)]
}

/// Case 2: the shortest link of the segments in which the plane normal to both faces, through P, cuts them.
fn faces(blocks: &Blocks<'_, Space>, ends: &Ends<Space>, f: u32, g: u32) -> Option<Ends<Space>> {
    let (n_1, n_2) = (blocks.a.face(f).normal, blocks.turn * blocks.b.face(g).normal);
    let link = blocks.between(ends);
    // Of parallel faces, the plane of n₁ and PQ; where that is along n₁ the link is as short as it gets.
    let Some(plane) = Projection::spanned_by(n_1, n_2).or_else(|| Projection::spanned_by(n_1, link)) else {
        return Some(*ends);
    };
    let (point, normal) = (ends[0].point, plane.normal());
    let ab = Segment::cut(blocks.a, f, point, normal, |x| x)?;
    let cd = Segment::cut(blocks.b, g, point, normal, |x| blocks.from_b(x))?;
    let [s, t] = plane.link(&ab, &cd);
    Some([ab.site(s, |x| x), cd.site(t, |x| blocks.to_b(x))])
}

/// Case 3: the shortest link of an edge of a and the segment in which the plane through it, normal to a face of b, cuts
/// that face.
fn edge_and_face(blocks: &Blocks<'_, Space>, e: u32, f: u32) -> Option<Ends<Space>> {
    let ab = Segment::edge(blocks.a, e, |x| x);
    let normal = blocks.turn * blocks.b.face(f).normal;
    let plane = Projection::spanned_by(ab.ends[1] - ab.ends[0], normal)?;
    let cd = Segment::cut(blocks.b, f, ab.ends[0], plane.normal(), |x| blocks.from_b(x))?;
    let [s, t] = plane.link(&ab, &cd);
    Some([on_edge(blocks.a, e, s), cd.site(t, |x| blocks.to_b(x))])
}

/// Case 3 with the face on a and the edge on b.
fn face_and_edge(blocks: &Blocks<'_, Space>, f: u32, e: u32) -> Option<Ends<Space>> {
    let cd = Segment::edge(blocks.b, e, |x| blocks.from_b(x));
    let plane = Projection::spanned_by(cd.ends[1] - cd.ends[0], blocks.a.face(f).normal)?;
    let ab = Segment::cut(blocks.a, f, cd.ends[0], plane.normal(), |x| x)?;
    let [s, t] = plane.link(&ab, &cd);
    Some([ab.site(s, |x| x), on_edge(blocks.b, e, t)])
}

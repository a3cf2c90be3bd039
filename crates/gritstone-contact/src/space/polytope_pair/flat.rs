//! Where the contact point lies when faces or edges lie flat on each other.
//!
//! The distance is well defined then, but the point is not: it is the middle of what the two parts have in common, seen
//! along the normal.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use gritstone_shape::space::Polytope;

use super::minkowski_difference::{Corner, MinkowskiDifference};
use crate::space::polygon;

/// Corners that a region can have. Faces with more than half as many are thinned out: it is only about their middle.
const MOST: usize = 26;
/// Edges count as parallel up to this angle (rad): the point where they cross is then no better than the middle.
const PARALLEL: f64 = 1e-6;

/// How a contact lies: where, and how the surfaces bend there.
pub(super) struct Lie {
    /// The middle of what lies flat on each other, on the surface of a.
    pub(super) middle: DVec3,
    /// Principal relative curvatures.
    pub(super) curvature: [f64; 2],
}

/// How the bodies lie flat on each other at the vertices of `corner`, on which they stand with `standing` along the unit
/// vector `c`; `None` if a vertex or crossing edges touch.
#[inline(always)]
pub(super) fn lie(
    difference: &MinkowskiDifference<'_>,
    c: DVec3,
    corner: &Corner,
    standing: &[Standing; 2],
) -> Option<Lie> {
    let part_a = standing[0].part(difference.a, corner.a)?;
    let part_b = standing[1].part(difference.b, corner.b)?;
    match (part_a, part_b) {
        (Part::Edge(_, e), Part::Edge(_, f)) if !parallel(e, difference.turn(f)) => None,
        _ => flat(difference, c, corner, [part_a, part_b]),
    }
}

/// How both bodies stand on the vertices of a corner.
#[inline(always)]
pub(super) fn stand(difference: &MinkowskiDifference<'_>, c: DVec3, corner: &Corner) -> [Standing; 2] {
    // Heights that differ by less than the certificate count as equal.
    let band = difference.tolerance;
    [
        Standing::new(difference.a, c, corner.a, band),
        Standing::new(difference.b, difference.turn_back(-c), corner.b, band),
    ]
}

/// How a polytope stands on a vertex.
pub(super) struct Standing {
    /// How much farther its highest neighbour lies along the direction.
    pub(super) above: f64,
    /// How many neighbours are level with it.
    level: u32,
    /// The last of these, and the one before.
    last: [u32; 2],
}

impl Standing {
    #[inline(always)]
    fn new(polytope: &Polytope, n: DVec3, vertex: u32, band: f64) -> Self {
        let mut standing = Self { above: f64::NEG_INFINITY, level: 0, last: [0; 2] };
        for (i, ray) in polytope.rays(vertex).iter().enumerate() {
            let height = n.dot(*ray);
            standing.above = if height > standing.above { height } else { standing.above };
            if height >= -band {
                standing.level += 1;
                standing.last = [i as u32, standing.last[0]];
            }
        }
        standing
    }

    /// What lies in the support plane, if it is more than the vertex.
    #[inline(always)]
    fn part(&self, polytope: &Polytope, vertex: u32) -> Option<Part> {
        let [last, before] = self.last;
        match self.level {
            0 => None,
            1 => {
                let i = last as usize;
                Some(Part::Edge(polytope.spokes(vertex)[i], polytope.rays(vertex)[i]))
            }
            // The face between two neighbouring rays; the last one is followed by the first.
            _ => {
                let between = if last == before + 1 { before } else { last };
                Some(Part::Face(polytope.sectors(vertex)[between as usize]))
            }
        }
    }
}

/// The part of a polytope that lies in its support plane, if it is more than a vertex.
#[derive(Clone, Copy)]
enum Part {
    /// An edge, and its direction.
    Edge(u32, DVec3),
    Face(u32),
}

fn parallel(e: DVec3, f: DVec3) -> bool {
    e.cross(f).length_squared() <= PARALLEL * PARALLEL * e.length_squared() * f.length_squared()
}

/// The common region of two parts; `None` where there is none.
#[cold]
fn flat(
    difference: &MinkowskiDifference<'_>,
    c: DVec3,
    corner: &Corner,
    [part_a, part_b]: [Part; 2],
) -> Option<Lie> {
    let tangent = Tangent::across(c);
    let of_a = Region::of(difference.a, part_a, |x| tangent.project(x));
    // Seen against c, the loop of a face of b runs clockwise.
    let of_b = Region::of(difference.b, part_b, |x| tangent.project(difference.place(x)));
    let (middle, curvature) = match (part_a, part_b) {
        (Part::Edge(..), Part::Edge(..)) => (middle_of_segments(&of_a, &of_b)?, [0.0, f64::INFINITY]),
        (Part::Edge(..), _) => (of_a.within(&of_b, -1.0).middle()?, [0.0, f64::INFINITY]),
        (_, Part::Edge(..)) => (of_b.within(&of_a, 1.0).middle()?, [0.0, f64::INFINITY]),
        _ => (of_a.within(&of_b, -1.0).middle()?, [0.0, 0.0]),
    };
    let height = c.dot(difference.a.vertex(corner.a));
    Some(Lie { middle: tangent.lift(middle) + c * height, curvature })
}

/// The middle of what two parallel segments have in common, if they do overlap.
fn middle_of_segments(a: &Region, b: &Region) -> Option<DVec2> {
    let (&[p, q], &[r, s]) = (a.corners(), b.corners()) else { return None };
    let e = q - p;
    let along = |x: DVec2| (x - p).dot(e) / e.length_squared();
    let (low, high) = (along(r).min(along(s)).max(0.0), along(r).max(along(s)).min(1.0));
    (low <= high).then(|| p + e * (0.5 * (low + high)))
}

/// A convex polygon or a segment.
struct Region {
    corners: [DVec2; MOST],
    count: usize,
}

impl Region {
    fn empty() -> Self {
        Self { corners: [DVec2::ZERO; MOST], count: 0 }
    }

    /// The corners of a part as `project` sees them.
    fn of(polytope: &Polytope, part: Part, project: impl Fn(DVec3) -> DVec2) -> Self {
        let mut region = Self::empty();
        let add = |&v: &u32| region.push(project(polytope.vertex(v)));
        match part {
            Part::Edge(edge, _) => polytope.edge(edge).vertices.iter().for_each(add),
            Part::Face(face) => {
                let corners = polytope.corners(face);
                corners.iter().step_by(corners.len().div_ceil(MOST / 2)).for_each(add);
            }
        }
        region
    }

    fn push(&mut self, corner: DVec2) {
        if self.count < MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count]
    }

    /// The part within a polygon that runs counter-clockwise if `turn` is 1, clockwise if −1.
    fn within(mut self, polygon: &Self, turn: f64) -> Self {
        for (i, &p) in polygon.corners().iter().enumerate() {
            let along = (polygon.corners[(i + 1) % polygon.count] - p) * turn;
            let mut kept = Self::empty();
            polygon::cut(self.corners(), |x| along.perp_dot(x - p), |x| kept.push(x));
            self = kept;
        }
        self
    }

    /// The centroid of the area or, where there is hardly any, the middle between the ends; `None` without corners.
    fn middle(&self) -> Option<DVec2> {
        let corners = self.corners();
        let origin = *corners.first()?;
        let (mut area, mut moment) = (0.0, DVec2::ZERO);
        for pair in corners[1..].windows(2) {
            let (u, v) = (pair[0] - origin, pair[1] - origin);
            let twice = u.perp_dot(v);
            area += twice;
            moment += (u + v) * (twice / 3.0);
        }
        let farthest = |from: DVec2| {
            let far = |x: &&DVec2, y: &&DVec2| x.distance_squared(from).total_cmp(&y.distance_squared(from));
            corners.iter().max_by(far).map_or(from, |&x| x)
        };
        let end = farthest(origin);
        let other = farthest(end);
        let thin = area <= PARALLEL * end.distance_squared(other);
        Some(if thin { end.midpoint(other) } else { origin + moment / area })
    }
}

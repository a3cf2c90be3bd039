//! Patches of one tip: a corner in a face, or two edges that cross.
//!
//! What a corner pushes through a face is a pyramid whose base points lie on the corner's edges; what two wedges have in
//! common is a tetrahedron whose corners lie on the two edges. Where these points lie on the faces that are meant, the solid
//! lies in both bodies and is all that they share: its pieces are triangles about the tip, and nothing is to be clipped. Most
//! contacts of angular grains are of this kind. Others are left to the general way, which finds the same where both apply.

use glam::{DVec2, DVec3};
use gritstone_shape::space::Polytope;

use super::facets::{EDGE_ON, Facets, Tops};
use super::moments::Point;

/// Faces that are steeper than this cosine to the normal are left to the general way: their slopes are inexact.
const STEEP: f64 = 1e-3;
/// Edges that a corner can have.
const EDGES: usize = 8;

/// Triangles about a tip: their common corner, and the others all around, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tip {
    tip: Point,
    around: [Point; EDGES],
    count: usize,
    /// One bit for each triangle that is seen, between the point with its number and the next.
    seen: u32,
}

impl Tip {
    /// The triangles that are seen.
    #[inline(always)]
    pub(super) fn visit(&self, mut add: impl FnMut(&[Point; 3])) {
        for i in 0..self.count.min(EDGES) {
            if self.seen >> i & 1 != 0 {
                add(&[self.tip, self.around[i], self.around[self.after(i)]]);
            }
        }
    }

    #[inline(always)]
    fn after(&self, i: usize) -> usize {
        if i + 1 == self.count { 0 } else { (i + 1) % EDGES }
    }
}

/// A polytope as it is seen: `side` is 1 for a, −1 for b.
#[derive(Clone, Copy)]
pub(super) struct Seen<'p> {
    polytope: &'p Polytope,
    facets: &'p Facets,
    side: f64,
}

/// A plane over the tangent plane.
#[derive(Clone, Copy)]
struct Plane {
    height: f64,
    slope: DVec2,
}

impl Plane {
    #[inline(always)]
    fn over(&self, x: DVec2) -> f64 {
        self.height + self.slope.dot(x)
    }
}

/// The patch of two polytopes, if it is of this kind.
#[inline(always)]
pub(super) fn find(a: Seen<'_>, b: Seen<'_>) -> Option<Tip> {
    match (a.facets.tops(), b.facets.tops()) {
        (Tops::Two(on_a), Tops::Two(on_b)) => edges(a, b, on_a, on_b),
        (Tops::One(vertex), Tops::Many(first)) => corner(a, b, vertex, first),
        (Tops::Many(first), Tops::One(vertex)) => corner(b, a, vertex, first),
        _ => None,
    }
}

/// A vertex of `sharp` in the face of `floor` that has the vertex `first` and faces it.
#[inline(always)]
fn corner(sharp: Seen<'_>, floor: Seen<'_>, vertex: u32, first: u32) -> Option<Tip> {
    let face = floor.foremost(floor.polytope.sectors(first));
    let plane = floor.plane(face)?;
    let depth = |x: DVec3| sharp.side * (x.z - plane.over(x.truncate()));
    let tip = sharp.at(vertex);
    let deepest = depth(tip);
    let neighbours = sharp.polytope.neighbours(vertex);
    if deepest <= 0.0 || neighbours.len() > EDGES {
        return None;
    }
    let middle = 0.5 * (tip.z + plane.over(tip.truncate()));
    let point = Point { x: tip.truncate(), deep: DVec2::new(deepest, middle) };
    let count = neighbours.len();
    let mut found = Tip { tip: point, around: [Point::default(); EDGES], count, seen: 0 };
    for (i, &neighbour) in neighbours.iter().enumerate() {
        let end = sharp.at(neighbour);
        let beyond = depth(end);
        let x = tip.lerp(end, deepest / (deepest - beyond)).truncate();
        if beyond >= 0.0 || !floor.holds(face, x) {
            return None;
        }
        // Seen from outside, neighbours run counter-clockwise; those of b are seen from behind.
        let place = if sharp.side > 0.0 { i } else { count - 1 - i };
        found.around[place % EDGES] = Point { x, deep: DVec2::new(0.0, plane.over(x)) };
    }
    for i in 0..count {
        let (p, q) = (found.around[i % EDGES].x - point.x, found.around[found.after(i)].x - point.x);
        // A face that leans over is not seen: others hide it.
        found.seen |= u32::from(p.perp_dot(q) > 0.0) << i;
    }
    Some(found)
}

/// Two edges.
#[inline(always)]
fn edges(a: Seen<'_>, b: Seen<'_>, on_a: [u32; 2], on_b: [u32; 2]) -> Option<Tip> {
    let ([p, q], [r, s]) = (on_a.map(|v| a.at(v)), on_b.map(|v| b.at(v)));
    let (e, f, between) = ((q - p).truncate(), (s - r).truncate(), (r - p).truncate());
    let area = e.perp_dot(f);
    if area.abs() <= STEEP * e.length() * f.length() {
        return None;
    }
    let (along_e, along_f) = (between.perp_dot(f) / area, between.perp_dot(e) / area);
    let inside = 0.0..=1.0;
    let (top, bottom) = (p.lerp(q, along_e), r.lerp(s, along_f));
    let deepest = top.z - bottom.z;
    if !(inside.contains(&along_e) && inside.contains(&along_f) && deepest > 0.0) {
        return None;
    }
    let (beside_a, beside_b) = (a.beside(on_a)?, b.beside(on_b)?);
    // The ends to the right of the other edge come first.
    let [(b_right, b_left), (a_right, a_left)] = if area > 0.0 { [(r, s), (q, p)] } else { [(s, r), (p, q)] };
    // Seen against the normal, what is left of an edge of a is left; b is seen from behind.
    let right_of_b = leave(top, a_right, deepest, b, &beside_b[0])?;
    let left_of_b = leave(top, a_left, deepest, b, &beside_b[1])?;
    let right_of_a = leave(bottom, b_right, deepest, a, &beside_a[1])?;
    let left_of_a = leave(bottom, b_left, deepest, a, &beside_a[0])?;
    let tip = Point { x: top.truncate(), deep: DVec2::new(deepest, 0.5 * (top.z + bottom.z)) };
    let ring = if area > 0.0 {
        [right_of_b, left_of_a, left_of_b, right_of_a]
    } else {
        [right_of_b, right_of_a, left_of_b, left_of_a]
    };
    let mut found = Tip { tip, around: [Point::default(); EDGES], count: 4, seen: 0 };
    for i in 0..4 {
        if let Some(point) = ring[i] {
            found.around[i] = point;
            found.seen |= u32::from(ring[(i + 1) % 4].is_some()) << i;
        }
    }
    Some(found)
}

/// Where an edge from the tip to its end leaves the other body through a face beside the other edge; `Some(None)` if that face
/// leans over, so that nothing is seen there.
#[inline(always)]
fn leave(
    tip: DVec3,
    end: DVec3,
    deepest: f64,
    other: Seen<'_>,
    beside: &(u32, Option<Plane>),
) -> Option<Option<Point>> {
    let (face, Some(plane)) = beside else { return Some(None) };
    let beyond = other.side * (plane.over(end.truncate()) - end.z);
    let x = tip.lerp(end, deepest / (deepest - beyond));
    let point = Point { x: x.truncate(), deep: DVec2::new(0.0, x.z) };
    (beyond < 0.0 && other.holds(*face, point.x)).then_some(Some(point))
}

impl<'p> Seen<'p> {
    #[inline(always)]
    pub(super) fn new(polytope: &'p Polytope, facets: &'p Facets, side: f64) -> Self {
        Self { polytope, facets, side }
    }

    /// A vertex: across the normal, and along it.
    #[inline(always)]
    fn at(&self, vertex: u32) -> DVec3 {
        let [x, y, z] = self.facets.point(vertex).to_array();
        DVec3::new(x, y, self.side * z)
    }

    /// The plane of a face that looks at the other body.
    #[inline(always)]
    fn plane(&self, face: u32) -> Option<Plane> {
        let normal = self.facets.turn(self.polytope.face(face).normal);
        if normal.z < STEEP {
            return None;
        }
        let slope = normal.truncate() * (-self.side / normal.z);
        let point = self.at(*self.polytope.corners(face).first()?);
        Some(Plane { height: point.z - slope.dot(point.truncate()), slope })
    }

    /// The face that looks most at the other body.
    #[inline(always)]
    fn foremost(&self, faces: &[u32]) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for &face in faces {
            let along = self.facets.towards(self.polytope.face(face).normal);
            best = if along > best.1 { (face, along) } else { best };
        }
        best.0
    }

    /// The faces to the left and to the right of an edge, seen from outside, with their planes; those that lean over have
    /// none.
    #[inline(always)]
    fn beside(&self, [from, to]: [u32; 2]) -> Option<[(u32, Option<Plane>); 2]> {
        let place = self.polytope.neighbours(from).iter().position(|&v| v == to)?;
        let sectors = self.polytope.sectors(from);
        let (left, right) = (sectors[place], sectors[if place == 0 { sectors.len() } else { place } - 1]);
        Some([(left, self.plane_or_none(left)?), (right, self.plane_or_none(right)?)])
    }

    /// The plane of a face; `Some(None)` if it leans over.
    #[inline(always)]
    fn plane_or_none(&self, face: u32) -> Option<Option<Plane>> {
        if self.facets.towards(self.polytope.face(face).normal) < EDGE_ON {
            return Some(None);
        }
        self.plane(face).map(Some)
    }

    /// Whether a point lies within the outline of a face.
    #[inline(always)]
    fn holds(&self, face: u32, x: DVec2) -> bool {
        let corners = self.polytope.corners(face);
        let Some(&last) = corners.last() else { return false };
        let mut from = self.facets.point(last).truncate();
        let mut inside = true;
        for &corner in corners {
            let to = self.facets.point(corner).truncate();
            inside &= (to - from).perp_dot(x - from) * self.side >= 0.0;
            from = to;
        }
        inside
    }
}

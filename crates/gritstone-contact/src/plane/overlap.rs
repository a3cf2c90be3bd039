//! The region that two bodies with straight sides have in common, and its integrals.
//!
//! **Idea.** As in [space](crate::space::Overlap): the overlap Ω of two convex bodies with straight sides is a convex polygon. The
//! polygon of one body is cut by the sides of the other; area, centroid and covariance follow from the sides that are left, and so do the
//! integrals over those that belong to one body, which turn a pressure into a force and a torque. Overlaps of parts that are
//! one body add up before the covariance is taken.
//!
//! **Source.** Gritstone. Cutting after Sutherland and Hodgman 1974.
//!
//! **Notation.** V: area, c: centroid, C: covariance of Ω; `q = 1/tr C⁻¹`; `y = C⁻¹(x − c)`. The origin is the contact's midpoint.
//!
//! **Deviations.** A segment has no inside. It stands for the half-plane behind it, where the contact's normal points, as long as what
//! overlaps with that lies between the segment's ends ([`overlaps`]).
//!
//! **Fails when** the overlap is so thin that its area rounds to nothing: it is then empty.
//!
//! **Cost.** Two polygons of five sides: about a quarter of a microsecond, estimated from the operations.

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::plane::Figure;

use super::method::Placed;

/// Integrals over an overlap; positions are from the contact's midpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OverlapIntegrals {
    /// V (m²).
    pub area: f64,
    /// c (m).
    pub centroid: DVec2,
    /// C (m²).
    pub covariance: Sym2,
    /// q (m²).
    pub thinness: f64,
    /// Force and torque on b of a pressure of one.
    pub uniform: (DVec2, f64),
    /// The same of the pressure |C⁻¹(x − c)|².
    pub quadratic: (DVec2, f64),
}

/// A side of the overlap, counter-clockwise.
#[derive(Clone, Copy, Debug)]
struct Side {
    start: DVec2,
    end: DVec2,
    is_of_a: bool,
}

/// A line that bounds a body: `normal·x ≤ offset`.
#[derive(Clone, Copy, Debug)]
struct Line {
    normal: DVec2,
    offset: f64,
}

/// Workspace for overlaps. Keep it and fill it again: then nothing is allocated.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    sides: Vec<Side>,
    ring: Vec<Side>,
    cut: Vec<Side>,
}

/// Whether two bodies at a contact have an overlap that can be found.
pub fn overlaps(a: Placed<'_>, b: Placed<'_>, contact: &Contact<Plane>) -> bool {
    let straight = |shape: &Figure| matches!(shape, Figure::Polygon(_) | Figure::HalfPlane(_));
    match (a.shape, b.shape) {
        (Figure::Polygon(_), Figure::Segment(_)) => lies_between_the_ends(a, b, contact.normal),
        (Figure::Segment(_), Figure::Polygon(_)) => lies_between_the_ends(b, a, -contact.normal),
        (a, b) => straight(a) && straight(b),
    }
}

/// Whether all that a polygon has beyond a segment lies between its ends; `behind` points away from the polygon.
fn lies_between_the_ends(polygon: Placed<'_>, wall: Placed<'_>, behind: DVec2) -> bool {
    let (Some(corners), Some(ends)) = (polygon.shape.corners(), wall.shape.corners()) else { return false };
    let [start, end] = [0, 1].map(|i| wall.pose.to_world(ends[i]));
    let line = line_of(wall, behind);
    let (along, length) = ((end - start).normalize(), start.distance(end));
    let between = |x: DVec2| (0.0..=length).contains(&along.dot(x - start));
    let depth = |x: DVec2| line.offset - line.normal.dot(x);
    let count = corners.len();
    (0..count).all(|i| {
        let [p, q] = [i, (i + 1) % count].map(|i| polygon.pose.to_world(corners[i]));
        let (at_p, at_q) = (depth(p), depth(q));
        let crossing = (at_p > 0.0) != (at_q > 0.0);
        (at_p <= 0.0 || between(p)) && (!crossing || between(p + (q - p) * (at_p / (at_p - at_q))))
    })
}

/// The line of a half-plane, or of a segment with its inside where `behind` points.
fn line_of(body: Placed<'_>, behind: DVec2) -> Line {
    match body.shape {
        Figure::HalfPlane(half) => {
            let normal = body.pose.frame() * half.normal();
            Line { normal, offset: half.offset() + normal.dot(body.pose.position) }
        }
        shape => {
            let ends = shape.corners().unwrap_or_default();
            let [start, end] = [ends[0], ends[1]].map(|x| body.pose.to_world(x));
            let across = (end - start).perp().normalize();
            let normal = if across.dot(behind) > 0.0 { -across } else { across };
            Line { normal, offset: normal.dot(0.5 * (start + end)) }
        }
    }
}

impl Overlap {
    /// The overlap of two bodies at their contact; none where it is empty.
    pub fn measure(
        &mut self,
        a: Placed<'_>,
        b: Placed<'_>,
        contact: &Contact<Plane>,
    ) -> Option<OverlapIntegrals> {
        self.clear();
        self.add(a, b, contact);
        self.integrals()
    }

    /// Starts a new sum of overlaps.
    pub fn clear(&mut self) {
        self.sides.clear();
    }

    /// Adds the overlap of two bodies, seen from the midpoint of a contact; returns its area.
    pub fn add(&mut self, a: Placed<'_>, b: Placed<'_>, contact: &Contact<Plane>) -> f64 {
        let origin = contact.midpoint();
        let a_is_cut = matches!(a.shape, Figure::Polygon(_));
        let (polygon, other, behind) =
            if a_is_cut { (a, b, contact.normal) } else { (b, a, -contact.normal) };
        self.set(polygon, origin, a_is_cut);
        match other.shape {
            Figure::Polygon(cutter) => {
                let frame = other.pose.frame();
                let shift = other.pose.position - origin;
                for edge in cutter.edges() {
                    let normal = frame * edge.normal;
                    self.cut(Line { normal, offset: edge.offset + normal.dot(shift) }, !a_is_cut);
                }
            }
            _ => {
                let Line { normal, offset } = line_of(other, behind);
                self.cut(Line { normal, offset: offset - normal.dot(origin) }, !a_is_cut);
            }
        }
        self.sides.extend_from_slice(&self.ring);
        area(&self.ring)
    }

    /// Starts with all of a polygon.
    fn set(&mut self, polygon: Placed<'_>, origin: DVec2, is_of_a: bool) {
        self.ring.clear();
        let corners = polygon.shape.corners().unwrap_or_default();
        let at = |i: usize| polygon.pose.to_world(corners[i % corners.len()]) - origin;
        let side = |i: usize| Side { start: at(i), end: at(i + 1), is_of_a };
        self.ring.extend((0..corners.len()).map(side));
    }

    /// Cuts away what is beyond a line; the side that this makes belongs to its body.
    fn cut(&mut self, line: Line, is_of_a: bool) {
        let beyond = |x: DVec2| line.normal.dot(x) - line.offset;
        let Self { ring, cut, .. } = self;
        cut.clear();
        // Where the boundary leaves the line's inside, and where it comes back.
        let mut leaves = None;
        let mut returns = None;
        for side in &*ring {
            let (at_start, at_end) = (beyond(side.start), beyond(side.end));
            let crossing = || side.start + (side.end - side.start) * (at_start / (at_start - at_end));
            match (at_start > 0.0, at_end > 0.0) {
                (false, false) => cut.push(*side),
                (true, true) => {}
                (false, true) => {
                    let end = crossing();
                    cut.push(Side { end, ..*side });
                    leaves = Some((cut.len(), end));
                }
                (true, false) => {
                    let start = crossing();
                    returns = Some(start);
                    cut.push(Side { start, ..*side });
                }
            }
        }
        if let (Some((place, start)), Some(end)) = (leaves, returns) {
            cut.insert(place, Side { start, end, is_of_a });
        }
        std::mem::swap(ring, cut);
    }

    /// Of all overlaps that were added; none where they have no area but rounding.
    pub fn integrals(&self) -> Option<OverlapIntegrals> {
        let sides = &self.sides;
        if sides.is_empty() {
            return None;
        }
        let Moments { area, centroid, covariance } = Moments::of(sides);
        let determinant = covariance.determinant();
        if !(area > 0.0 && determinant > 0.0) {
            return None;
        }
        // The inverse of a symmetric matrix is its cofactors over its determinant.
        let Sym2 { xx, yy, xy } = covariance;
        let inverse = Sym2 { xx: yy, yy: xx, xy: -xy } * determinant.recip();
        let thinness = determinant / (xx + yy);
        // Over the sides of the body that has fewer of them.
        let of_a = sides.iter().filter(|side| side.is_of_a).count();
        let (is_of_a, sign) = if 2 * of_a <= sides.len() { (true, 1.0) } else { (false, -1.0) };
        let (mut uniform, mut quadratic) = ((DVec2::ZERO, 0.0), (DVec2::ZERO, 0.0));
        for side in sides.iter().filter(|side| side.is_of_a == is_of_a) {
            let Side { start: p, end: q, .. } = *side;
            // The outward normal times the length.
            let push = -(q - p).perp() * sign;
            let [y, z] = [p, q].map(|x| inverse * (x - centroid));
            let [yy, yz, zz] = [y.dot(y), y.dot(z), z.dot(z)];
            // ∫λ₁³ = 1/4, ∫λ₁²λ₂ = 1/12 over a side of the length 1.
            let moment = p * (3.0 * yy + 2.0 * yz + zz) + q * (yy + 2.0 * yz + 3.0 * zz);
            uniform = (uniform.0 + push, uniform.1 + (0.5 * (p + q)).perp_dot(push));
            quadratic = (
                quadratic.0 + push * ((yy + yz + zz) / 3.0),
                quadratic.1 + (moment * (1.0 / 12.0)).perp_dot(push),
            );
        }
        thinness.is_finite().then_some(OverlapIntegrals {
            area,
            centroid,
            covariance,
            thinness,
            uniform,
            quadratic,
        })
    }
}

fn area(sides: &[Side]) -> f64 {
    let Some(first) = sides.first() else { return 0.0 };
    let origin = first.start;
    sides.iter().map(|side| 0.5 * (side.start - origin).perp_dot(side.end - origin)).sum()
}

/// Area, centroid and covariance of a region.
struct Moments {
    area: f64,
    centroid: DVec2,
    covariance: Sym2,
}

impl Moments {
    /// Of the region between these sides.
    fn of(sides: &[Side]) -> Self {
        // Recentred: what is far from the contact would otherwise lose its digits.
        let middle = sides.iter().map(|side| side.start).sum::<DVec2>() / sides.len() as f64;
        let (mut area, mut first, mut squares, mut product) = (0.0, DVec2::ZERO, DVec2::ZERO, 0.0);
        for side in sides {
            let [p, q] = [side.start - middle, side.end - middle];
            let part = 0.5 * p.perp_dot(q);
            let sum = p + q;
            area += part;
            first += sum * part;
            // ∫xxᵀ over the triangle to the middle: part/12·(ppᵀ + qqᵀ + ssᵀ).
            squares += (p * p + q * q + sum * sum) * part;
            product += (p.x * p.y + q.x * q.y + sum.x * sum.y) * part;
        }
        let centre = first / (3.0 * area);
        let scale = 1.0 / (12.0 * area);
        let covariance = Sym2 {
            xx: squares.x * scale - centre.x * centre.x,
            yy: squares.y * scale - centre.y * centre.y,
            xy: product * scale - centre.x * centre.y,
        };
        Self { area, centroid: middle + centre, covariance }
    }
}

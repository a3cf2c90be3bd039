//! The patch of a flat contact: the common region with the depth at every corner.
//!
//! **Idea.** Seen along the contact's normal c, the bodies overlap where the upper surface of a lies above the lower one of
//! b; the difference is the depth there. The surfaces are made of facets ([`Facets`]): the faces of a polyhedron, or
//! triangles between support points for a smooth body. Each facet of a is clipped by each facet of b, and by the line of
//! zero depth; the pieces tile the region, and on each the depth is linear. A law that integrates pressure over them
//! resists tilting, which no single contact point can. Area, volume and centre of pressure are continuous under any motion,
//! since the pieces that come and go do so with no area or no depth.
//!
//! **Source.** Gritstone; clipping after Sutherland and Hodgman 1974.
//!
//! **Deviations.** The surfaces at the back are not looked at: where a side leans over the patch the volume counts what lies
//! behind it, of second order in the depth. For smooth bodies the facets are inscribed between support points, twelve around:
//! the volume is up to 10 % short. [`Patch::weight`] says how flat they are.
//!
//! **Fails when** the overlap is as deep as the bodies are thick.
//!
//! **Cost.** Polyhedra in a dense bed, which share four pieces: 0.55 µs with all moments. Six of ten are a corner in a face or
//! two crossing edges, whose pieces are known without clipping ([`simple`]). Two smooth bodies: 20 µs.

mod cylinder;
mod facets;
mod moments;
mod piece;
mod simple;

use glam::{DVec2, DVec3};
use gritstone_core::lanes::{Backend, Kernel, Lanes};
use gritstone_core::linalg::Tangent;
use gritstone_core::{Contact, Space};
use gritstone_shape::Support;

use super::method::Placed;
use crate::flatness;
use facets::{FACET, Facet, Facets};
pub use moments::Moments;
use moments::Point;
use piece::{Common, Polygon, least, most};
use simple::Seen;

/// Corners that a piece can have: a facet cut by zero depth and by every side of another.
const PIECE: usize = 2 * FACET + 1;

/// The region in which two bodies overlap, seen along their contact's normal. Keep it and fill it again: then nothing is
/// allocated.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Area of the region.
    pub area: f64,
    /// Integral of the depth over the region: the overlap's volume, but for what lies behind leaning sides.
    pub volume: f64,
    /// Centre of the depth, midway between the surfaces, in the world: where the resultant of a pressure proportional to
    /// depth acts.
    pub centre: DVec3,
    /// One where the bodies are flat at the contact and a law should use the patch, zero where they are curved and it
    /// should use the contact, and smoothly between: relative curvature times size from 0.05 to 0.5. Two bodies that have
    /// faces always have one, wherever they touch.
    pub weight: f64,
    pieces: Pieces,
    of_a: Facets,
    of_b: Facets,
    rooms: [Polygon<PIECE>; 2],
}

/// What the pieces add up to and, if they are to be kept, their corners.
#[derive(Clone, Debug, Default)]
struct Pieces {
    moments: Moments,
    corners: Vec<Corner>,
    /// Where each piece ends in `corners`.
    ends: Vec<usize>,
    /// The piece that is being added.
    points: [Point; PIECE],
}

/// A corner of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Midway between the two surfaces, in the world.
    pub position: DVec3,
    /// How deep the bodies overlap there.
    pub depth: f64,
}

impl Patch {
    /// The pieces of the region: convex polygons, counter-clockwise seen against the normal, with linear depth on each.
    /// None after [`Self::measure`].
    pub fn pieces(&self) -> impl Iterator<Item = &[Corner]> {
        let Pieces { corners, ends, .. } = &self.pieces;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| &corners[start..end])
    }

    /// All integrals that a law may want; of the last contact that had a patch.
    pub fn moments(&self) -> &Moments {
        &self.pieces.moments
    }

    /// Finds the patch of two bodies at their contact. It is empty when they are apart.
    pub fn fill(&mut self, a: Placed<'_>, b: Placed<'_>, contact: &Contact<Space>) {
        self.find(a, b, contact, true);
    }

    /// As [`Self::fill`], but the integrals alone: the pieces themselves are not kept.
    pub fn measure(&mut self, a: Placed<'_>, b: Placed<'_>, contact: &Contact<Space>) {
        self.find(a, b, contact, false);
    }

    #[inline]
    fn find(&mut self, a: Placed<'_>, b: Placed<'_>, contact: &Contact<Space>, keep: bool) {
        (self.area, self.volume, self.weight) = (0.0, 0.0, 0.0);
        self.pieces.corners.clear();
        self.pieces.ends.clear();
        if contact.gap >= 0.0 {
            return;
        }
        let size = a.shape.size().min(b.shape.size());
        // The sides of cylinders have patches, too: between two ways of loading them energy would come and go.
        let faces = a.shape.has_faces() && b.shape.has_faces();
        self.weight = if faces { 1.0 } else { flatness::weight(contact.curvature[1] * size) };
        if self.weight == 0.0 {
            return;
        }
        let view = View::new(contact);
        self.pieces.moments = Moments::new(&view.tangent, view.normal);
        Backend::for_scalars().run(Task { patch: self, bodies: [&a, &b], view: &view, size, keep });
        let Moments { area, volume, deep_lever, .. } = self.pieces.moments;
        (self.area, self.volume) = (area, volume);
        let centre = if volume > 0.0 { deep_lever / volume } else { DVec3::ZERO };
        self.centre = view.origin + self.pieces.moments.lift(centre);
    }
}

impl Pieces {
    /// Adds a piece.
    #[inline(always)]
    fn add(&mut self, upper: &Facet, lower: &Facet, corners: &[DVec2], view: &View, keep: bool) {
        for (point, &x) in self.points.iter_mut().zip(corners) {
            // Neither body reaches farther; steep facets only say so by rounding.
            let top = least(upper.height + upper.slope.dot(x), view.reach);
            let bottom = most(lower.height + lower.slope.dot(x), -view.reach);
            let deep = DVec2::new(most(top - bottom, 0.0), view.within(0.5 * (top + bottom)));
            *point = Point { x, deep };
        }
        let Self { moments, corners: kept, ends, points } = self;
        let points = &points[..corners.len().min(PIECE)];
        for i in 2..points.len() {
            moments.add(&points[0], &points[i - 1], &points[i]);
        }
        if keep {
            keep_piece(points, view, kept, ends);
        }
    }

    /// Adds a triangle about a tip.
    #[inline(always)]
    fn add_triangle(&mut self, &[mut tip, p, q]: &[Point; 3], view: &View, keep: bool) {
        // Neither body reaches farther, but for rounding.
        tip.deep = DVec2::new(least(tip.deep.x, 2.0 * view.reach), view.within(tip.deep.y));
        let points = &[tip, p, q];
        self.moments.add(&points[0], &points[1], &points[2]);
        if keep {
            keep_piece(points, view, &mut self.corners, &mut self.ends);
        }
    }
}

/// Keeps the corners of a piece.
fn keep_piece(points: &[Point], view: &View, corners: &mut Vec<Corner>, ends: &mut Vec<usize>) {
    corners.extend(points.iter().map(|&Point { x, deep }| Corner {
        position: view.origin + view.tangent.lift(x) + view.normal * deep.y,
        depth: deep.x,
    }));
    ends.push(corners.len());
}

/// One patch. It uses no lanes, but gains from the instruction set that comes with them.
struct Task<'t, 's> {
    patch: &'t mut Patch,
    bodies: [&'t Placed<'s>; 2],
    view: &'t View,
    size: f64,
    keep: bool,
}

impl Kernel for Task<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { patch, bodies, view, size, keep } = self;
        let Patch { of_a, of_b, rooms, pieces, .. } = patch;
        for (facets, body, side) in [(&mut *of_a, bodies[0], 1.0), (&mut *of_b, bodies[1], -1.0)] {
            if let Some(polytope) = body.shape.polytope() {
                facets.look(polytope, &body.pose, view, side);
            }
        }
        if let (Some(x), Some(y)) = (bodies[0].shape.polytope(), bodies[1].shape.polytope())
            && let Some(tip) = simple::find(Seen::new(x, of_a, 1.0), Seen::new(y, of_b, -1.0))
        {
            tip.visit(|triangle| pieces.add_triangle(triangle, view, keep));
            return;
        }
        for (facets, body, side) in [(&mut *of_a, bodies[0], 1.0), (&mut *of_b, bodies[1], -1.0)] {
            facets.fill(body, view, side, size);
        }
        for upper in of_a.all() {
            for lower in of_b.all() {
                if upper.bounds.meet(&lower.bounds) {
                    // The smaller one mostly lies within most sides of the larger one.
                    let smaller = upper.bounds.area() <= lower.bounds.area();
                    let (inner, outer) = if smaller { (upper, lower) } else { (lower, upper) };
                    let (inner, outer) = ((&inner.corners, &inner.bounds), (&outer.corners, &outer.bounds));
                    let [here, there] = &mut *rooms;
                    let piece = Common { inner, outer, line: upper.above(lower) }.find([here, there]);
                    if piece.corners().len() >= 3 {
                        pieces.add(upper, lower, piece.corners(), view, keep);
                    }
                }
            }
        }
    }
}

/// How a contact is looked at: along its normal, from its middle.
struct View {
    origin: DVec3,
    normal: DVec3,
    tangent: Tangent,
    /// Half the overlap: how far the bodies reach beyond the origin.
    reach: f64,
}

impl View {
    fn new(contact: &Contact<Space>) -> Self {
        let normal = contact.normal;
        let tangent = Tangent::across(normal);
        Self { origin: contact.midpoint(), normal, tangent, reach: -0.5 * contact.gap }
    }

    /// A height that both bodies reach.
    fn within(&self, height: f64) -> f64 {
        least(most(height, -self.reach), self.reach)
    }
}

//! The patch of a flat contact: the common stretch with the depth at both ends of its pieces.
//!
//! **Idea.** Seen along the contact's normal c, the bodies overlap where the upper boundary of a lies above the lower one of
//! b; the difference is the depth there. The boundaries are chains of segments ([`Chain`]): the sides of a polygon, or chords
//! between support points for a smooth body. Each segment of a is cut by each segment of b, and where the depth vanishes; on
//! each piece the depth is linear. A law that integrates pressure over them resists tilting, which no single point can.
//!
//! **Source.** Gritstone; the same in [space](crate::space::Patch).
//!
//! **Deviations.** The boundaries at the back are not looked at: where a side leans over the patch the area counts what lies
//! behind it, of second order in the depth. For smooth bodies the chords are inscribed, eight to either side: the area is up
//! to 2 % short. [`Patch::weight`] says how flat they are.
//!
//! **Fails when** the overlap is as deep as the bodies are thick.

mod chain;

use glam::DVec2;
use gritstone_core::{Contact, Plane};
use gritstone_shape::Support;
use gritstone_shape::plane::Figure;

use super::method::Placed;
use crate::flatness;
use chain::{Chain, Link};

/// The stretch over which two bodies overlap, seen along their contact's normal. Keep it and fill it again: then nothing is
/// allocated.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Length of the stretch.
    pub length: f64,
    /// Integral of the depth over it: the overlap's area, but for what lies behind leaning sides.
    pub area: f64,
    /// Centre of the depth, midway between the boundaries, in the world.
    pub centre: DVec2,
    /// One where the bodies are flat at the contact and a law should use the patch, zero where they are curved and it should
    /// use the contact, and smoothly between: relative curvature times size from 0.05 to 0.5. Two polygons always
    /// have one, and so has a polygon on a half-plane.
    pub weight: f64,
    pieces: Vec<[Corner; 2]>,
    of_a: Chain,
    of_b: Chain,
}

/// An end of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Midway between the two boundaries, in the world.
    pub position: DVec2,
    /// How deep the bodies overlap there.
    pub depth: f64,
}

impl Patch {
    /// The pieces of the stretch, with linear depth on each.
    pub fn pieces(&self) -> &[[Corner; 2]] {
        &self.pieces
    }

    /// Finds the patch of two bodies at their contact. It is empty when they are apart.
    pub fn fill(&mut self, a: Placed<'_>, b: Placed<'_>, contact: &Contact<Plane>) {
        (self.length, self.area, self.weight) = (0.0, 0.0, 0.0);
        self.pieces.clear();
        if contact.gap >= 0.0 {
            return;
        }
        let view = View::new(contact);
        let size = a.shape.size().min(b.shape.size());
        let faced = |shape: &Figure| shape.corners().is_some() || matches!(shape, Figure::HalfPlane(_));
        let straight = faced(a.shape) && faced(b.shape);
        self.weight = if straight { 1.0 } else { flatness::weight(contact.curvature * size) };
        if self.weight == 0.0 {
            return;
        }
        let (mut of_a, mut of_b) = (std::mem::take(&mut self.of_a), std::mem::take(&mut self.of_b));
        of_a.fill(a, b, &view, 1.0);
        of_b.fill(b, a, &view, -1.0);
        let mut moment = DVec2::ZERO;
        for upper in of_a.links() {
            for lower in of_b.links() {
                moment += self.add_piece(upper, lower, &view);
            }
        }
        self.centre = if self.area > 0.0 { moment / self.area } else { view.origin };
        (self.of_a, self.of_b) = (of_a, of_b);
    }

    /// Adds what two links have in common, and returns the moment of its depth.
    fn add_piece(&mut self, upper: Link, lower: Link, view: &View) -> DVec2 {
        let (low, high) = (upper.low().max(lower.low()), upper.high().min(lower.high()));
        if low >= high {
            return DVec2::ZERO;
        }
        let depth = |x: f64| upper.height(x) - lower.height(x);
        let (mut ends, depths) = ([low, high], [depth(low), depth(high)]);
        if depths[0] <= 0.0 && depths[1] <= 0.0 {
            return DVec2::ZERO;
        }
        // Where the depth vanishes between the ends, the piece ends.
        for i in 0..2 {
            if depths[i] < 0.0 {
                ends[i] = low + (high - low) * (depths[0] / (depths[0] - depths[1]));
            }
        }
        let corners = ends.map(|x| {
            // Neither body reaches farther; steep sides only say so by rounding.
            let (top, bottom) = (upper.height(x).min(view.reach), lower.height(x).max(-view.reach));
            let height = (0.5 * (top + bottom)).max(-view.reach).min(view.reach);
            let position = view.origin + view.along * x + view.normal * height;
            Corner { position, depth: (top - bottom).max(0.0) }
        });
        self.pieces.push(corners);
        let [p, q] = corners;
        let length = ends[1] - ends[0];
        self.length += length;
        self.area += 0.5 * length * (p.depth + q.depth);
        // ∫ depth·x over a segment: each end weighs with its own depth twice and with the other's once.
        (p.position * (2.0 * p.depth + q.depth) + q.position * (p.depth + 2.0 * q.depth)) * (length / 6.0)
    }
}

/// How a contact is looked at: along its normal, from its middle.
struct View {
    origin: DVec2,
    normal: DVec2,
    /// The normal turned right, so that with it as the first axis the normal is the second.
    along: DVec2,
    /// Half the overlap: how far the bodies reach beyond the origin.
    reach: f64,
}

impl View {
    fn new(contact: &Contact<Plane>) -> Self {
        let normal = contact.normal;
        Self { origin: contact.midpoint(), normal, along: -normal.perp(), reach: -0.5 * contact.gap }
    }

    /// Where a point is, from the origin: along and up.
    fn project(&self, x: DVec2) -> DVec2 {
        DVec2::new(self.along.dot(x), self.normal.dot(x))
    }
}

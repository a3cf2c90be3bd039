//! Many pairs of ellipses: how often the searches miss, and what the depths are worth.
//!
//! Ellipses have a semi-axis that is uniform in (0.5, 1) and an aspect ratio that is uniform between 1 and a limit; they
//! are turned at random. A random direction c is made their common normal, at a signed distance that is a given part of
//! the smallest of the four semi-axes: of shallow overlaps this is the true one, of deep ones an upper bound of the
//! depth, and the truth is what `auto` proves.

use std::f64::consts::TAU;

use glam::DVec2;
use gritstone_contact::plane::overlap_point::Points;
use gritstone_contact::plane::{Curvature, Oval, Scratch, curvature};

use super::truth::signed_distance;
use crate::generate::Draw;
use crate::statistics::Sample;

/// Limits of the aspect ratio.
pub const ASPECTS: [f64; 5] = [1.25, 1.5, 2.0, 3.0, 4.0];
/// Signed distances, relative to the smallest semi-axis.
pub const DISTANCES: [f64; 8] = [0.5, 0.05, -1e-4, -1e-3, -1e-2, -0.05, -0.2, -0.5];
/// A search misses when its f is higher than the least one by this, relative to 1 + |f|.
const MISSED: f64 = 1e-6;

/// One cell: pairs of one limit of the aspect ratio and one distance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Limit of the aspect ratio.
    pub aspect: f64,
    /// Signed distance, relative to the smallest semi-axis.
    pub distance: f64,
    /// Pairs.
    pub pairs: u64,
    /// Searches on [0, 2π], two for each pair, that miss the least f.
    pub missed: u64,
    /// What comes of the methods as published.
    pub published: Counts,
    /// What comes of them when mended.
    pub mended: Counts,
}

/// What comes of both methods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Pairs that `overlap-point` calls apart though they touch, or the other way round.
    pub wrong_points: u64,
    /// Pairs that `curvature` calls apart though they touch, or the other way round.
    pub wrong_depth: u64,
    /// |h − depth|/|depth|, for every pair.
    pub errors: Sample,
}

/// What one pair adds to a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    missed: u32,
    published: Judged,
    mended: Judged,
}

#[derive(Clone, Copy, Debug)]
struct Judged {
    wrong_points: bool,
    wrong_depth: bool,
    error: f64,
}

impl Cell {
    /// A cell without pairs.
    pub(super) fn new(aspect: f64, distance: f64) -> Self {
        Self { aspect, distance, ..Self::default() }
    }

    /// Makes and solves pair `index`.
    pub(super) fn measure(&self, seed: u64, index: u64, scratch: &mut Scratch) -> Measured {
        let stream = self.aspect.to_bits() ^ self.distance.to_bits().rotate_left(32);
        let (a, b, built) = pair(self.aspect, self.distance, &mut Draw::new(stream, seed, index));
        let answer = signed_distance(&a, &b, scratch);
        // Exact by construction, unless another direction is better; proven to 1e-9 only.
        let truth =
            if (answer.distance() - built).abs() <= answer.tolerance { built } else { answer.distance() };
        let published = Curvature::PUBLISHED.outcome(&a, &b);
        let mended = Curvature::MENDED.outcome(&a, &b);
        let missed = |found: f64, least: f64| u32::from(found - least > MISSED * (1.0 + least.abs()));
        Measured {
            missed: missed(published.points.b_in_a.value, mended.points.b_in_a.value)
                + missed(published.points.a_in_b.value, mended.points.a_in_b.value),
            published: judge(&published, truth),
            mended: judge(&mended, truth),
        }
    }

    /// What comes of the methods, as published or mended.
    pub fn counts(&self, mended: bool) -> &Counts {
        if mended { &self.mended } else { &self.published }
    }

    /// Counts a pair.
    pub(super) fn take(&mut self, measured: &Measured) {
        self.pairs += 1;
        self.missed += u64::from(measured.missed);
        self.published.take(measured.published);
        self.mended.take(measured.mended);
    }
}

impl Counts {
    fn take(&mut self, result: Judged) {
        self.wrong_points += u64::from(result.wrong_points);
        self.wrong_depth += u64::from(result.wrong_depth);
        self.errors.push(result.error);
    }
}

fn judge(outcome: &curvature::Outcome, truth: f64) -> Judged {
    Judged {
        wrong_points: (outcome.points.contacts() == Points::None) != (truth > 0.0),
        wrong_depth: (outcome.penetration < 0.0) != (truth > 0.0),
        error: (outcome.penetration + truth).abs() / truth.abs(),
    }
}

/// A pair whose common normal is c, and its signed distance along it.
fn pair(aspect: f64, distance: f64, draw: &mut Draw) -> (Oval, Oval, f64) {
    let [a, b] = [0; 2].map(|_| {
        let long = draw.uniform(0.5, 1.0);
        Oval::new(DVec2::new(long, long / draw.uniform(1.0, aspect)), draw.uniform(0.0, TAU), DVec2::ZERO)
    });
    let c = DVec2::from_angle(draw.uniform(0.0, TAU));
    let built = distance * a.semi_axes.min_element().min(b.semi_axes.min_element());
    let centre = farthest(&a, c) - farthest(&b, -c) + c * built;
    (a, Oval::new(b.semi_axes, b.angle, centre), built)
}

/// The point of an ellipse about the origin that is farthest along c.
fn farthest(oval: &Oval, c: DVec2) -> DVec2 {
    let n = DVec2::from_angle(-oval.angle).rotate(c) * oval.semi_axes;
    oval.to_fixed(oval.semi_axes * n.normalize())
}

//! `overlap-point` and `overlap-point-mended`: the minimum overlap distance of two ellipses.
//!
//! **Idea.** On each ellipse look for the point that lies deepest in the other one: where the other's inside-outside
//! function f is least. If f is negative there, the ellipses overlap; if it is positive in both directions, they are
//! apart.
//!
//! **Source.** \[martinez2003\]: J. J. Martínez Alvez, Implementation of a two-dimensional discrete element method to
//! describe granular materials composed of elliptical cohesionless particles, NJIT 2003, section 3.1, after Mustoe and
//! DePoorter 1993 and Mustoe, Miyata and Nazeri 2000. Equation numbers are the thesis'. Bands: sections 4.1.1 to 4.1.3;
//! the special case: section 4.1.4.
//!
//! **Notation.** i, j: the two ellipses; here i is a and j is b. `f_i(θ_j)`: inside-outside function of i at the point of
//! j with the parameter θ_j. θ_j*, P_j: where it is least. Lengths are in fixed axes about the centre of a.
//!
//! **Deviations.** `overlap-point` searches as published: Brent's method on [0, 2π], once for each ellipse, TOL = 1e-5;
//! f within ±0.1 is one contact point, below −0.1 two, above 0.1 none; where the two ellipses do not agree, the
//! larger number counts, as section 4.1.4 tells for none and two. The thesis gives a number of points and no depth: the
//! answer's gap is ±|P_j − P_i|, the distance of what it calls the closest points, and 0 for one contact point.
//! `overlap-point-mended` scans the whole turn before Brent's method, so that the least of two minima is found, and calls
//! it one contact point only where f is zero to rounding. Its verdict is right.
//!
//! **Fails when** (as published) f has two minima in a turn, or one at θ = 0 that the cut splits: Brent's method on
//! [0, 2π] then misses the lower one, in 1 % of all searches for aspect ratios up to 1.25 and in 15 % for up to 4 (example
//! 4.7). Page 17 says that local minima are no problem; they are. The bands call ellipses that are apart by 5 %
//! of their size one contact, and shallow overlaps, the usual ones in a simulation, too. P_j is least in f, not in
//! distance: the points are the closest ones only for circles. Both forms: the depth is no penetration depth.
//!
//! **Cost.** 20 to 40 values of f, each one sine and cosine; 130 for the mended form.

mod form;
mod search;

use glam::DVec2;
use gritstone_core::Plane;

use super::method::{Placed, Scratch};
use super::oval::Oval;
use super::oval_pair::{Found, OvalPair};
use crate::{Answer, Card, Method, Query, Refusal};
pub use form::OverlapForm;
pub use search::{Lowest, Search};

/// Half width of the band of f that counts as one contact point (section 4.1.2).
const PUBLISHED_BAND: f64 = 0.1;
/// The same where f is right to rounding.
const MENDED_BAND: f64 = 1e-12;

/// The minimum overlap distance criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverlapPoint {
    /// The name by which it is called.
    pub name: &'static str,
    /// How minima are looked for.
    pub search: Search,
    /// Half width of the band of f that counts as one contact point.
    pub band: f64,
}

/// Where the point of least f lies: eq. (3.5), with a band about zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Points {
    /// Outside: no contact point.
    None,
    /// On the curve: one contact point.
    One,
    /// Inside: two contact points, or more.
    Two,
}

impl Points {
    /// Eq. (3.5) with a band about zero; the ends of the band belong to its neighbours (section 4.1).
    pub fn of(f: f64, band: f64) -> Self {
        if f >= band {
            Self::None
        } else if f <= -band {
            Self::Two
        } else {
            Self::One
        }
    }
}

/// All that the thesis prints for a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// P_j: the point of b that is deepest in a (θ is printed as ZB).
    pub b_in_a: Lowest,
    /// P_i: the point of a that is deepest in b (θ is printed as ZA).
    pub a_in_b: Lowest,
    /// Contact points by P_j.
    pub by_b: Points,
    /// Contact points by P_i.
    pub by_a: Points,
    /// P_i and P_j in fixed axes.
    pub points: [DVec2; 2],
    /// Outward unit normals there, in fixed axes.
    pub normals: [DVec2; 2],
}

impl Outcome {
    /// Contact points of the pair: the larger number where the ellipses do not agree (section 4.1.4).
    pub fn contacts(&self) -> Points {
        self.by_a.max(self.by_b)
    }

    /// Whether the ellipses disagree in whether they touch: the thesis' special case.
    pub fn special(&self) -> bool {
        (self.by_a == Points::None) != (self.by_b == Points::None)
    }

    /// Direction from a to b between the two normals.
    pub fn between_normals(&self) -> Option<DVec2> {
        (self.normals[0] - self.normals[1]).try_normalize()
    }
}

impl OverlapPoint {
    /// As published.
    pub const PUBLISHED: Self =
        Self { name: "overlap-point", search: Search::PUBLISHED, band: PUBLISHED_BAND };
    /// With minima over the whole turn, and without a band.
    pub const MENDED: Self =
        Self { name: "overlap-point-mended", search: Search::Periodic, band: MENDED_BAND };

    /// Solves a pair and tells all that the thesis prints.
    pub fn outcome(&self, a: &Oval, b: &Oval) -> Outcome {
        let b_in_a = self.search.lowest(&OverlapForm::new(a, b));
        let a_in_b = self.search.lowest(&OverlapForm::new(b, a));
        let (p_i, p_j) = (a.point(a_in_b.theta), b.point(b_in_a.theta));
        Outcome {
            b_in_a,
            a_in_b,
            by_b: Points::of(b_in_a.value, self.band),
            by_a: Points::of(a_in_b.value, self.band),
            points: [a.to_fixed(p_i), b.to_fixed(p_j)],
            normals: [a.turn(a.normal(p_i)), b.turn(b.normal(p_j))],
        }
    }
}

impl Method<Plane> for OverlapPoint {
    fn card(&self) -> Card {
        Card {
            name: self.name,
            source: "Martínez Alvez 2003, after Mustoe et al.",
            shapes: "circle, ellipse",
            guarantee: match self.search {
                Search::WholeTurn { .. } => "whether ellipses touch, mostly; no depth",
                Search::Periodic => "whether ellipses touch; no depth",
            },
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Plane>,
        _: &mut Scratch,
    ) -> Result<Answer<Plane>, Refusal> {
        let ovals = OvalPair::new(&a, &b, &self.card())?;
        let (oval_a, oval_b) = ovals.ovals();
        let outcome = self.outcome(oval_a, oval_b);
        Ok(ovals.answer(&a, &b, query, &found(outcome, oval_a, oval_b)))
    }
}

/// The contact that the number of points stands for.
fn found(deepest: Outcome, a: &Oval, b: &Oval) -> Found {
    let [p_i, p_j] = deepest.points;
    let between = p_j - p_i;
    let gap = match deepest.contacts() {
        Points::None => between.length(),
        Points::One => 0.0,
        Points::Two => -between.length(),
    };
    let curvature = [(a, deepest.a_in_b.theta), (b, deepest.b_in_a.theta)]
        .map(|(oval, theta)| oval.radius_of_curvature(oval.point(theta)).recip());
    Found {
        // 0/0 has no direction.
        normal: (between / gap).try_normalize().or_else(|| deepest.between_normals()),
        gap,
        middle: 0.5 * (p_i + p_j),
        curvature: curvature[0] + curvature[1],
        deepest,
    }
}

//! `curvature` and `curvature-mended`: the penetration of two ellipses from their circles of curvature.
//!
//! **Idea.** At the two points that `overlap-point` finds, replace each ellipse by its circle of curvature. The
//! penetration of two circles is the sum of their radii less the distance of their centres.
//!
//! **Source.** \[martinez2003\], section 3.2, after Mustoe, Miyata and Nazeri 2000. Equation numbers are the thesis'.
//!
//! **Notation.** As in [`overlap_point`](super::overlap_point). ρ_k: radii of curvature at P_k. G_k: centres of curvature
//! in fixed axes. d: their distance. h: penetration, positive at overlap.
//!
//! **Deviations.** `curvature` is as published: h = ρ_i + ρ_j − |G_j − G_i|, contact where h ≥ 0. The normal, which the
//! thesis does not state, is the line of the centres of curvature. `curvature-mended` takes the points from the whole
//! turn, and gives d the sign of (G_j − G_i)·(n̂_i − n̂_j): where the overlap is so deep that the centres of curvature have
//! passed each other, d is negative, and h the sum of all three.
//!
//! **Fails when** (as published) the points are not those of least f, or the centres of curvature have passed each other:
//! example 4.12b, two ellipses that overlap by most of their width, prints h = −1.51 and no contact. Both forms: h is
//! the depth along the normal at P_i and P_j, which are not the points of the least translation. The relative error is of
//! second order in depth over size and grows with the aspect ratio: for ratios up to 4 and depths relative to the
//! smallest semi-axis at most 2e-9 at 1e-4, 2e-5 at 1e-2, 0.16 at one half; in 4.12b, mended, 11.51 instead of 8.72.
//!
//! **Cost.** That of `overlap-point` and a few roots.

use glam::DVec2;
use gritstone_core::Plane;

use super::method::{Placed, Scratch};
use super::oval::Oval;
use super::oval_pair::{Found, OvalPair};
use super::overlap_point::{Outcome as Deepest, OverlapPoint};
use crate::{Answer, Card, Method, Query, Refusal};

/// The curvature method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curvature {
    /// The name by which it is called.
    pub name: &'static str,
    /// How the two points are found.
    pub points: OverlapPoint,
    /// How the distance of the centres of curvature is counted.
    pub centres: Centres,
}

/// How the distance of the centres of curvature is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Centres {
    /// As published, eq. (3.15): never negative.
    Unsigned,
    /// Negative once they have passed each other.
    Signed,
}

/// All that the thesis prints for a pair, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The two points.
    pub points: Deepest,
    /// ρ_i and ρ_j.
    pub radii: [f64; 2],
    /// G_i and G_j.
    pub centres: [DVec2; 2],
    /// d.
    pub distance: f64,
    /// h.
    pub penetration: f64,
    /// Unit vector along the centres of curvature, from a to b; where they coincide, between the normals of the curves.
    pub normal: Option<DVec2>,
}

impl Curvature {
    /// As published.
    pub const PUBLISHED: Self =
        Self { name: "curvature", points: OverlapPoint::PUBLISHED, centres: Centres::Unsigned };
    /// With points from the full turn and signed centres.
    pub const MENDED: Self =
        Self { name: "curvature-mended", points: OverlapPoint::MENDED, centres: Centres::Signed };

    /// Solves a pair and tells all that the thesis prints.
    pub fn outcome(&self, a: &Oval, b: &Oval) -> Outcome {
        let points = self.points.outcome(a, b);
        let (p_i, p_j) = (a.point(points.a_in_b.theta), b.point(points.b_in_a.theta));
        let radii = [a.radius_of_curvature(p_i), b.radius_of_curvature(p_j)]; // (3.9)
        // (3.11), (3.13)
        let centres = [a.to_fixed(a.centre_of_curvature(p_i)), b.to_fixed(b.centre_of_curvature(p_j))];
        let link = centres[1] - centres[0];
        let between = points.between_normals();
        let passed = between.is_some_and(|c| c.dot(link) < 0.0);
        let distance = match self.centres {
            Centres::Signed if passed => -link.length(),
            Centres::Signed | Centres::Unsigned => link.length(), // (3.15)
        };
        let penetration = radii[0] + radii[1] - distance; // (3.14)
        let normal = (link / distance).try_normalize().or(between);
        Outcome { points, radii, centres, distance, penetration, normal }
    }
}

impl Method<Plane> for Curvature {
    fn card(&self) -> Card {
        Card {
            name: self.name,
            source: "Martínez Alvez 2003, after Mustoe et al.",
            shapes: "circle, ellipse",
            guarantee: match self.centres {
                Centres::Unsigned => "depth to second order at small overlap, where its points are found",
                Centres::Signed => "depth to second order at small overlap",
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
        Ok(ovals.answer(&a, &b, query, &found(&self.outcome(oval_a, oval_b))))
    }
}

/// The contact of the two circles of curvature.
fn found(outcome: &Outcome) -> Found {
    let Outcome { points, radii: [rho_i, rho_j], centres: [g_i, g_j], penetration, normal, .. } = *outcome;
    let inset = normal.map_or(DVec2::ZERO, |c| c * (0.5 * (rho_i - rho_j)));
    Found {
        deepest: points,
        normal,
        gap: -penetration,
        middle: 0.5 * (g_i + g_j) + inset,
        curvature: rho_i.recip() + rho_j.recip(),
    }
}

//! `support-newton`: maximise g over the circle of directions by Newton's method.

use gritstone_core::Plane;
use gritstone_shape::Support;

use super::ascent::{Limits, climb};
use super::method::{Placed, Scratch};
use super::pair::{Pair, Sample};
use super::{flat, half_plane};
use crate::{Answer, Card, Doubt, Goal, Method, Query, Refusal, Verdict};

const MAX_ITERATIONS: u32 = 100;

/// Newton's method on the support functions.
#[derive(Clone, Copy, Debug)]
pub struct SupportNewton;

impl Method<Plane> for SupportNewton {
    fn card(&self) -> Card {
        Card {
            name: "support-newton",
            source: "Gritstone",
            shapes: "all but two half-planes",
            guarantee: "exact when apart; at overlap a local maximum of g, nearly always the global one",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Plane>,
        _: &mut Scratch,
    ) -> Result<Answer<Plane>, Refusal> {
        half_plane::solve(&self.card(), a, b, query)
            .unwrap_or_else(|| Ok(solve(&Pair::new(a.shape, &a.pose, b.shape, &b.pose), query)))
    }
}

/// Solves a pair of any two bodies that have a support function and bounds.
pub(crate) fn solve<A, B>(pair: &Pair<'_, A, B>, query: Query<Plane>) -> Answer<Plane>
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    let start = query.start.unwrap_or_else(|| pair.centre_line());
    let detect = query.goal == Goal::Detect;
    let (mut evaluations, mut upper) = (0, f64::INFINITY);
    let ascent = climb(pair, start, Limits { iterations: MAX_ITERATIONS, detect }, |sample| {
        evaluations += 1;
        upper = upper.min(sample.d.length());
    });
    let jet = &ascent.jet;
    let Sample { c, g, .. } = jet.sample;
    let best = match ascent.across {
        Some(_) => flat::contact(pair, jet, jet.sample.points()),
        None => jet.contact(pair),
    };
    let verdict = if detect && g > 0.0 {
        Verdict::Apart { at_least: g, along: c }
    } else if ascent.converged {
        Verdict::Solved(best)
    } else {
        Verdict::Unresolved { best, doubt: Doubt::NotConverged }
    };
    let (tolerance, iterations) = (pair.tolerance(), ascent.iterations);
    Answer::new(verdict, [g, upper], tolerance, [iterations, evaluations])
}

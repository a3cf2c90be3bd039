//! `support-newton`: maximise g over the sphere of directions by Newton's method.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;

use super::ascent::{Limits, climb};
use super::method::{Method, Placed, Scratch};
use super::pair::Pair;
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict};

const MAX_ITERATIONS: u32 = 60;

/// Newton's method on the support functions.
#[derive(Clone, Copy, Debug)]
pub struct SupportNewton;

impl Method for SupportNewton {
    fn card(&self) -> Card {
        Card {
            name: "support-newton",
            source: "Gritstone",
            shapes: "all smooth shapes",
            guarantee: "local maximum of g; exact when apart, nearly always the global one at small overlap",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        _: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        let pair = Pair::new(a.shape, &a.pose, b.shape, &b.pose);
        Ok(solve(&pair, query))
    }
}

/// Solves a pair of any two bodies that have a support function.
pub(crate) fn solve<A, B>(pair: &Pair<'_, A, B>, query: Query<Space>) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let start: DVec3 = query.start.unwrap_or_else(|| pair.centre_line());
    let detect = query.goal == Goal::Detect;
    let (mut evaluations, mut upper) = (0, f64::INFINITY);
    let ascent = climb(pair, start, Limits { iterations: MAX_ITERATIONS, detect }, |sample| {
        evaluations += 1;
        upper = upper.min(sample.d.length());
    });
    let jet = &ascent.jet;
    let best = jet.contact(pair);
    let verdict = if detect && jet.sample.g > 0.0 {
        Verdict::Apart { at_least: jet.sample.g, along: jet.sample.c }
    } else if ascent.converged {
        Verdict::Solved(best)
    } else {
        Verdict::Unresolved { best, doubt: Doubt::NotConverged }
    };
    Answer {
        verdict,
        lower: jet.sample.g,
        upper,
        tolerance: pair.tolerance(),
        iterations: ascent.iterations,
        evaluations,
    }
}

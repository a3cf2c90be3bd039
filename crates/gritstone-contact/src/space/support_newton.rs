//! `support-newton`: maximise g over the sphere of directions by Newton's method.
//!
//! **Idea.** The signed distance is the maximum of g over unit directions; [`ascent`](super::ascent) climbs to it from the
//! centre line, or from the last direction. Bodies that are apart have one maximum. Overlapping ones may have several, at
//! corners and in deep overlap: there two more ascents start from the best of a set of candidate directions.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** As in [`pair`](super::pair).
//!
//! **Fails when** both faces are flat below the resolution of directions (it says so), or when none of the starts lies
//! in the basin of the global maximum (it cannot know: `auto` can).
//!
//! **Cost.** 5 to 7 evaluations, 2 or 3 from the last direction; 25 more where several starts are needed.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;
use gritstone_shape::space::Solid;

use super::ascent::{Ascent, Limits, climb};
use super::method::{Method, Placed, Scratch};
use super::pair::{Pair, PairJet, Sample};
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict};

/// Steps of one ascent.
const MAX_ITERATIONS: u32 = 60;
/// Overlap, relative to size, beyond which one start is not enough.
const DEEP: f64 = 0.03;
/// Ratio of the smallest radius of curvature of H_a + H_b to the overlap below which one start is not enough.
const SHARP: f64 = 4.0;
/// Candidate directions that are followed.
const EXTRA_STARTS: usize = 2;
/// Starts are tilted by this much (rad): exactly on an axis the ascent would stay on it.
const TILT: f64 = 0.03;

/// Newton's method on the support functions.
#[derive(Clone, Copy, Debug)]
pub struct SupportNewton;

impl Method for SupportNewton {
    fn card(&self) -> Card {
        Card {
            name: "support-newton",
            source: "Gritstone",
            shapes: "all bounded shapes",
            guarantee: "exact when apart; at overlap a local maximum of g, nearly always the global one",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        _: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        // Like pairs get code of their own.
        Ok(match (a.shape, b.shape) {
            (Solid::Ellipsoid(x), Solid::Ellipsoid(y)) => solve(&Pair::new(x, &a.pose, y, &b.pose), query),
            (Solid::Superellipsoid(x), Solid::Superellipsoid(y)) => {
                solve(&Pair::new(x, &a.pose, y, &b.pose), query)
            }
            _ => solve(&a.pair_with(b).ok_or_else(|| a.refused(b, self.card()))?, query),
        })
    }
}

/// Solves a pair of any two bodies that have a support function.
pub(super) fn solve<A, B>(pair: &Pair<'_, A, B>, query: Query<Space>) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let detect = query.goal == Goal::Detect;
    let limits = Limits { iterations: MAX_ITERATIONS, detect };
    let (mut evaluations, mut upper) = (0, f64::INFINITY);
    let mut visit = |sample: &Sample| {
        evaluations += 1;
        upper = upper.min(sample.d.length());
    };
    let start = query.start.unwrap_or_else(|| pair.centre_line());
    let mut best = climb(pair, start, limits, &mut visit);
    let mut iterations = best.iterations;
    if query.start.is_none() && doubtful(pair, &best.jet) {
        for start in candidates(pair, &mut visit) {
            let other = climb(pair, start, limits, &mut visit);
            iterations += other.iterations;
            if other.jet.sample.g > best.jet.sample.g {
                best = other;
            }
        }
    }
    let verdict = verdict(pair, &best, detect);
    let lower = best.jet.sample.g;
    Answer::new(verdict, [lower, upper], pair.tolerance(), [iterations, evaluations])
}

fn verdict<A: ?Sized, B: ?Sized>(pair: &Pair<'_, A, B>, ascent: &Ascent, detect: bool) -> Verdict<Space> {
    let jet = &ascent.jet;
    if detect && jet.sample.g > 0.0 {
        Verdict::Apart { at_least: jet.sample.g, along: jet.sample.c }
    } else if ascent.converged {
        Verdict::Solved(jet.contact(pair))
    } else {
        let best = pair.contact_at(&jet.sample, jet.sample.points(), jet.curvature());
        Verdict::Unresolved { best, doubt: Doubt::NotConverged }
    }
}

/// Whether other maxima may be higher than this one.
fn doubtful<A: ?Sized, B: ?Sized>(pair: &Pair<'_, A, B>, jet: &PairJet) -> bool {
    let depth = -jet.sample.g;
    let ([smallest, _], _) = (jet.h_a + jet.h_b).eigen();
    depth > DEEP * pair.size || (depth > 0.0 && smallest < SHARP * depth)
}

/// The best of the bodies' axes and face diagonals, on the side of the centre line, slightly tilted.
fn candidates<A, B>(pair: &Pair<'_, A, B>, visit: &mut impl FnMut(&Sample)) -> [DVec3; EXTRA_STARTS]
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let line = pair.centre_line();
    let mut best = [(f64::NEG_INFINITY, line); EXTRA_STARTS];
    let mut offer = |direction: DVec3| {
        let sample = pair.sample(direction);
        visit(&sample);
        let worse = if best[0].0 < best[1].0 { 0 } else { 1 };
        if sample.g > best[worse].0 {
            best[worse] = (sample.g, direction);
        }
    };
    let extent = |frame: &glam::DMat3, shape: &dyn Fn(DVec3) -> DVec3| {
        DVec3::new(shape(DVec3::X).x, shape(DVec3::Y).y, shape(DVec3::Z).z)
            .recip()
            .copysign(frame.transpose() * line)
    };
    let diagonal_a = extent(&pair.frame_a, &|n| pair.a.support(n));
    let diagonal_b = extent(&pair.frame_b, &|n| pair.b.support(n));
    for (frame, diagonal) in [(pair.frame_a, diagonal_a), (pair.frame_b, diagonal_b)] {
        let local = frame.transpose() * line;
        for (axis, side) in [(DVec3::X, local.x), (DVec3::Y, local.y), (DVec3::Z, local.z)] {
            offer(frame * (axis * 1.0_f64.copysign(side)));
        }
        for flip in
            [DVec3::ONE, DVec3::new(-1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, 1.0), DVec3::new(1.0, 1.0, -1.0)]
        {
            offer((frame * (diagonal * flip)).normalize());
        }
    }
    best.map(|(_, c)| (c + c.any_orthonormal_vector() * TILT).normalize())
}

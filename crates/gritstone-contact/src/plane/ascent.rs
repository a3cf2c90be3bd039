//! Newton's ascent of g over the circle of directions, between brackets.
//!
//! **Idea.** Near c the Minkowski difference D looks like its circle of curvature, with centre `z = d + (h_a + h_b) c`.
//! Of a circle the best direction is known: that of z, so the step turns c by `atan2(d_t, h_a + h_b + g)`, apart or
//! overlapping, which is Newton's step to first order. Once a direction beyond the maximum is found, the two enclose
//! it; a step that leaves the enclosure, or that did not halve d_t, is replaced by the direction in which the two points
//! of D leave most room ([`Arc`]), mostly the normal of the chord between them. For a curved boundary that is nearly a
//! bisection of the angle, for a flat one it is the answer.
//!
//! **Flat parts.** Where D has an edge, g has a kink and d_t jumps: no direction has d_t = 0. The chord is then the edge
//! itself, its normal is the maximum, and the ascent ends there with both ends of the edge.

use glam::DVec2;
use gritstone_core::Plane;
use gritstone_shape::Support;

use super::pair::{Pair, PairJet, Sample};
use super::ring::Arc;
pub(crate) use crate::pair::Limits;
use crate::tolerance;

/// Longest step (rad).
const LONGEST: f64 = 1.0;
/// How fast steps grow that do not come near the maximum.
const GROWTH: f64 = 3.0;
/// Directions closer than this (rad) are not divided further.
const RESOLUTION: f64 = 4.0 * f64::EPSILON;

/// How an ascent ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ascent {
    /// Where it ended.
    pub(crate) jet: PairJet,
    /// Where g has a kink: the other side of it.
    pub(crate) across: Option<Sample>,
    /// Whether it is a local maximum, within tolerance.
    pub(crate) converged: bool,
    /// Steps.
    pub(crate) iterations: u32,
}

/// Climbs from the unit direction `start` to a local maximum of g. Every evaluation is shown to `visit`.
pub(crate) fn climb<A, B>(
    pair: &Pair<'_, A, B>,
    start: DVec2,
    limits: Limits,
    mut visit: impl FnMut(&Sample),
) -> Ascent
where
    A: Support<Plane> + ?Sized,
    B: Support<Plane> + ?Sized,
{
    let noise = pair.rounding();
    let done = (tolerance::CONVERGENCE * pair.size).max(noise);
    let mut here = pair.jet(start);
    visit(&here.sample);
    let mut beyond: Option<PairJet> = None;
    let (mut newton, mut least) = (true, 0.0);
    let end = |jet, across, converged, iterations| Ascent { jet, across, converged, iterations };
    for iterations in 0..limits.iterations {
        let settled = here.d_t.abs() <= done && here.model() >= 0.0;
        if settled || (limits.detect && here.sample.g > 0.0) {
            return end(here, None, settled, iterations);
        }
        let (c, chord) = match &beyond {
            None => (outward(&here, least), None),
            Some(far) => match between(&here, far, newton) {
                Some(next) => next,
                None => return end(here, Some(far.sample), true, iterations),
            },
        };
        let trial = pair.jet(c);
        visit(&trial.sample);
        let turn = here.sample.c.perp_dot(c);
        let uphill = trial.d_t * turn > 0.0;
        if let (Some(bound), Some(far)) = (chord, &beyond)
            && trial.sample.g >= bound - noise
            && is_edge(&here, far)
        {
            let across = if uphill { far } else { &here };
            return end(trial, Some(across.sample), true, iterations + 1);
        }
        newton = chord.is_some() || trial.d_t.abs() <= 0.5 * here.d_t.abs();
        // At the end of the way only rounding says on which side of the maximum a direction lies.
        let ended = trial.d_t.abs() <= done;
        if (uphill || ended) && trial.sample.g >= here.sample.g - noise {
            least = if newton { 0.0 } else { GROWTH * turn.abs() };
            here = trial;
        } else if uphill || trial.sample.g < here.sample.g {
            beyond = Some(trial);
        } else {
            beyond = Some(here);
            here = trial;
        }
    }
    end(here, None, false, limits.iterations)
}

/// The angle to turn by: to the centre of the circle of curvature. From a minimum, any way is up.
fn step(here: &PairJet) -> f64 {
    libm::atan2(here.d_t, here.model()).clamp(-LONGEST, LONGEST)
}

/// The next direction while the maximum is not enclosed. Steps that did not come near it grow, from `least` on.
fn outward(here: &PairJet, least: f64) -> DVec2 {
    if least == 0.0
        && let Some(c) = towards_centre(here)
    {
        return c;
    }
    let step = step(here);
    turned(here.sample.c, step.abs().max(least).min(LONGEST).copysign(step))
}

/// The direction of the centre of the circle of curvature, where that is less than an eighth of a turn away: no angle is needed.
fn towards_centre(here: &PairJet) -> Option<DVec2> {
    let (c, across, along) = (here.sample.c, here.d_t, here.model());
    (across.abs() < along).then(|| (c * along + c.perp() * across).normalize())
}

fn turned(c: DVec2, angle: f64) -> DVec2 {
    let (sine, cosine) = libm::sincos(angle);
    (c * cosine + c.perp() * sine).normalize()
}

/// The next direction between the two that enclose the maximum; with the bound of g between them, if it is where that
/// is reached. `None` when they are too close to be divided.
fn between(here: &PairJet, far: &PairJet, newton: bool) -> Option<(DVec2, Option<f64>)> {
    let (p, q) = (&here.sample, &far.sample);
    let inside = |c: DVec2| {
        let (from_here, to_far) = (p.c.perp_dot(c), c.perp_dot(q.c));
        from_here * to_far > 0.0 && from_here.abs().min(to_far.abs()) > RESOLUTION
    };
    if newton {
        let c = towards_centre(here).unwrap_or_else(|| turned(p.c, step(here)));
        if inside(c) {
            return Some((c, None));
        }
    }
    let arc = if p.c.perp_dot(q.c) >= 0.0 { Arc::new(*p, *q) } else { Arc::new(*q, *p) };
    if inside(arc.at) {
        return Some((arc.at, Some(arc.upper)));
    }
    let c = (p.c + q.c).normalize();
    inside(c).then_some((c, None))
}

/// Whether the way between the two points of D is much longer than their curvature explains.
fn is_edge(here: &PairJet, far: &PairJet) -> bool {
    let (p, q) = (&here.sample, &far.sample);
    let curved = (here.h_a + here.h_b).max(far.h_a + far.h_b) * p.c.distance(q.c);
    2.0 * curved < p.d.distance(q.d)
}

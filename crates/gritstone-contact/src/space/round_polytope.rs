//! A round body and a polytope: a polyhedron or a triangle.
//!
//! **Idea.** For a polytope `g(c) = min c·v − h(c)` over its vertices v, h being the support function of the round body. One
//! evaluation of h with derivatives shows the round body as a paraboloid, and a [`walk`] over faces, edges and vertices finds
//! the point of the polytope that this paraboloid meets first, and with it the direction to look along next: Newton's method
//! that knows on which feature it ends. A face gives its direction at once, an edge leaves one unknown, a vertex two.
//!
//! **Bounds.** Every direction bounds the distance from below. Apart, the two points bound it from above. Overlapping, a
//! ball does: where a ball of radius ρ fits into the round body and touches its surface at x
//! ([`nested_ball`](Support::nested_ball)), a point of the polytope at the depth δ ≤ ρ below x is the centre of a ball of
//! radius δ inside, which no shorter translation takes away from it. Likewise where x lies in the polytope at the depth δ
//! below one face, and not less below all others.
//!
//! **Memory.** The feature, and the direction as the round body sees it.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** As in [`pair`](super::pair), a being the round body. `M = H_a + g·I`: Hessian of −g.
//!
//! **Fails when** the overlap is deeper than the round body's radius of curvature, and than the polytope is thick; then the
//! general method decides.
//!
//! **Cost.** Evaluations: cold 3 to 6, warm 1 on faces, 2 or 3 elsewhere.

mod climb;
mod evaluation;
mod facets;
mod walk;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::Support;
use gritstone_shape::space::Solid;
use serde::{Deserialize, Serialize};

use self::climb::{Climb, End};
use self::evaluation::RoundAndPolytope;
use self::facets::{Facets, Sheet};
use self::walk::Feature;
use super::memory::Memory;
use super::method::Placed;
use super::pair::Pair;
use crate::{Answer, Query, Verdict};

/// Ascents from faces that may be nearer.
const RESTARTS: u32 = 3;

/// What is kept of an answer: the polytope's feature, and the direction in the axes of the round body.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct WarmStart {
    feature: Feature,
    direction: DVec3,
}

/// Solves a round body and a polytope, in either order; `None` where the shapes are others, or the bounds do not meet.
#[inline]
pub(crate) fn solve(
    a: Placed<'_>,
    b: Placed<'_>,
    query: Query<Space>,
    memory: &mut Memory,
) -> Option<Answer<Space>> {
    if is_polytope(b.shape) {
        return with_round(a, b, query, 1.0, memory);
    }
    if is_polytope(a.shape) {
        let query = Query { start: query.start.map(|c| -c), ..query };
        return with_round(b, a, query, -1.0, memory).map(Answer::swapped);
    }
    None
}

fn is_polytope(shape: &Solid) -> bool {
    matches!(shape, Solid::Polyhedron(_) | Solid::Triangle(_))
}

/// Every round shape has code of its own. `sign` is that of the directions in the memory.
fn with_round(
    a: Placed<'_>,
    b: Placed<'_>,
    query: Query<Space>,
    sign: f64,
    memory: &mut Memory,
) -> Option<Answer<Space>> {
    match a.shape {
        Solid::Sphere(x) => with_polytope(x, a, b, query, sign, memory),
        Solid::Ellipsoid(x) => with_polytope(x, a, b, query, sign, memory),
        Solid::Superellipsoid(x) => with_polytope(x, a, b, query, sign, memory),
        Solid::Superquadric(x) => with_polytope(x, a, b, query, sign, memory),
        Solid::Crowned(x) => with_polytope(x, a, b, query, sign, memory),
        Solid::Polyhedron(_)
        | Solid::Cylinder(_)
        | Solid::Capsule(_)
        | Solid::Triangle(_)
        | Solid::HalfSpace(_)
        | Solid::Custom(_) => None,
    }
}

fn with_polytope<A: Support<Space>>(
    x: &A,
    a: Placed<'_>,
    b: Placed<'_>,
    query: Query<Space>,
    sign: f64,
    memory: &mut Memory,
) -> Option<Answer<Space>> {
    match b.shape {
        Solid::Polyhedron(y) => {
            let pair = Pair::new(x, &a.pose, y, &b.pose);
            find(&RoundAndPolytope::new(&pair, y.polytope()), query, sign, memory)
        }
        Solid::Triangle(y) => {
            let pair = Pair::new(x, &a.pose, y, &b.pose);
            find(&RoundAndPolytope::new(&pair, &Sheet::new(y)), query, sign, memory)
        }
        _ => None,
    }
}

/// Climbs from what is kept, and again from faces that turn out to be nearer.
fn find<A, B, F>(
    bodies: &RoundAndPolytope<'_, '_, A, B, F>,
    query: Query<Space>,
    sign: f64,
    memory: &mut Memory,
) -> Option<Answer<Space>>
where
    A: Support<Space>,
    B: Support<Space>,
    F: Facets,
{
    let (n, feature) = start(bodies, query, sign, memory);
    let mut climb = Climb::new(bodies, query);
    let mut end = climb.run(n, feature)?;
    for _ in 0..RESTARTS {
        let End::Settled(here, _) = &end else { break };
        let Some(n) = (!climb.closed()).then(|| bodies.nearer_face(here)).flatten() else { break };
        match climb.run(n, None)? {
            End::Settled(trial, _) if trial.g <= here.g => break,
            other => end = other,
        }
    }
    let (here, verdict) = match end {
        End::Separated(here) => {
            let along = bodies.to_world(here.n);
            (here, Some(Verdict::Apart { at_least: here.g, along }))
        }
        End::Settled(here, landing) => {
            let closed = climb.closed();
            if closed {
                memory.keep_feature(WarmStart { feature: landing.feature, direction: here.n });
            }
            (here, closed.then(|| Verdict::Solved(bodies.contact(&here, &landing))))
        }
    };
    memory.direction = Some(bodies.to_world(here.n) * sign);
    verdict.map(|verdict| climb.answer(verdict))
}

/// Where to start: the direction that was requested, what is kept of the last answer, or the line of the centres.
fn start<A, B, F>(
    bodies: &RoundAndPolytope<'_, '_, A, B, F>,
    query: Query<Space>,
    sign: f64,
    memory: &Memory,
) -> (DVec3, Option<Feature>)
where
    A: Support<Space>,
    B: Support<Space>,
    F: Facets,
{
    if let Some(c) = query.start {
        return (bodies.to_round(c), None);
    }
    if let Some(WarmStart { feature, direction }) =
        memory.feature().filter(|kept| kept.feature.is_of(bodies.facets))
    {
        return (bodies.suited(direction, feature), Some(feature));
    }
    let c = memory.direction.map_or_else(|| bodies.pair.centre_line(), |c| c * sign);
    (bodies.to_round(c), None)
}

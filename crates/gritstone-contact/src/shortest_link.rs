//! `shortest-link`: the common plane as the bisector of the shortest link.
//!
//! **Idea.** A link joins a point P of a to a point Q of b. Find the point of a nearest to Q, then that of b nearest to
//! it, and so on; each is found by walking over the surface from where the last one was. The plane that bisects the
//! shortest link is the common plane. Where P and Q slide along edges or faces, the walk would take many steps, and a
//! construction in one plane replaces it. Bodies that touch are first moved apart along the normal of the last plane.
//!
//! **Source.** \[nezami2006\]. Section and equation numbers are the paper's.
//!
//! **Notation.** As in [`polytopes`](crate::polytopes). Π: the plane of the special cases.
//!
//! **Deviations.** Appendix A lists "AC, BC, AD, CD", the last of which must be BD. In case 2 Π is undefined where the
//! faces are parallel: the plane of n₁ and PQ is taken, and where PQ is along n₁ the points stay. Where Π misses a
//! face, or stands on an edge that is normal to the face, an ordinary iteration is made. "Equal" means to 1e-12 of the
//! smaller body's size. How far touching bodies are moved apart is not published: until a gap of a thousandth of that
//! size is left. Whether bodies touch is told by the last plane, or else by the plane that the link gives; without a
//! last plane they are moved along the line of centroids. The distance is the link's length when apart, and the gap
//! along its direction at overlap. Detection stops at the first plane that leaves a gap.
//!
//! **Fails when** a special case ends the iteration: the neighbours are not looked at, and a longer link is returned as the
//! shortest; one pair in five, cold, and it stays so from step to step. Nearly parallel faces converge too slowly to
//! notice. A start on the back of a body stays there; the vertex nearest to the first plane is one in few pairs. Overlaps
//! are as good as the link of the moved bodies, and as the direction in which they were moved.
//! [`shortest_link_mended`](crate::shortest_link_mended) mends all of these.
//!
//! **Cost.** 3 or 4 iterations cold, 8 at most, of some 50 to 200 operations each; 1 or 2 from the last link, unless
//! edges or faces were parallel.

mod iterate;
mod segments;

use gritstone_core::Vector;

use crate::polytopes::{Blocks, Found, Polytopes, Trace, Trial, traced, unit};
use crate::{Answer, Card, Doubt, Goal, Method, Placed, Query, Refusal};
pub use iterate::{Form, Link, MOST_ITERATIONS, iterate, published_start, supports};
pub(crate) use segments::shortest_link;

/// Gap that touching bodies are moved apart to, as a fraction of the smaller one's size.
pub(crate) const SEPARATION: f64 = 1e-3;

/// Nezami's shortest link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortestLink;

impl ShortestLink {
    /// Solves a pair from its last link and plane.
    pub fn solve_warm<D: Polytopes>(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        trace: &mut Trace<D>,
    ) -> Result<Answer<D>, Refusal> {
        let blocks = Blocks::new(a, b, &Method::<D>::card(self))?;
        let prior = blocks.prior(&query, trace);
        let first = || blocks.trial(prior.unwrap_or_else(|| blocks.centre_line()));
        let last = (prior.is_some() || query.goal == Goal::Detect).then(first);
        if let Some(trial) = last.filter(|trial| query.goal == Goal::Detect && trial.g > 0.0) {
            return Ok(blocks.apart(&trial, 0, 1));
        }
        let touching = prior.is_some() && last.is_some_and(|trial| trial.g <= 0.0);
        let apart = if touching { None } else { link_apart(&blocks, trace) };
        let found = apart.unwrap_or_else(|| link_touching(&blocks, &last.unwrap_or_else(first), trace));
        trace.normal = Some(blocks.to_world(found.trial.c));
        Ok(if query.goal == Goal::Detect && found.trial.g > 0.0 {
            blocks.apart(&found.trial, found.iterations, found.evaluations)
        } else {
            blocks.answer(&found)
        })
    }
}

traced!(
    ShortestLink,
    name: "shortest-link",
    source: "Nezami, Hashash, Zhao and Ghaboussi 2006",
    guarantee: "distance when apart, mostly; depth where the last plane was good"
);

/// The link of bodies that are apart; `None` where its bisector does not leave a gap.
fn link_apart<D: Polytopes>(blocks: &Blocks<'_, D>, trace: &mut Trace<D>) -> Option<Found<D>> {
    // Section 3.5.1.
    let start = blocks.last(trace).unwrap_or_else(|| published_start(blocks));
    let link = iterate(blocks, start, Form::Published, MOST_ITERATIONS, |_| false);
    let between = blocks.between(&link.ends);
    let trial = blocks.trial(unit(between)?);
    if trial.g <= 0.0 {
        return None;
    }
    trace.ends = Some(link.ends);
    let length = between.length();
    Some(Found {
        trial,
        gap: length,
        middle: blocks.middle(&link.ends),
        upper: length,
        iterations: link.iterations,
        evaluations: 2,
        doubt: (!link.converged).then_some(Doubt::NotConverged),
    })
}

/// The link of bodies that touch, after they were moved apart along the normal of `along`.
fn link_touching<D: Polytopes>(blocks: &Blocks<'_, D>, along: &Trial<D>, trace: &mut Trace<D>) -> Found<D> {
    let apart = blocks.separated(along, SEPARATION * blocks.size);
    let start = apart.last(trace).unwrap_or_else(|| published_start(&apart));
    let link = iterate(&apart, start, Form::Published, MOST_ITERATIONS, |_| false);
    trace.ends = Some(link.ends);
    let trial = blocks.trial(unit(apart.between(&link.ends)).unwrap_or(along.c));
    Found {
        middle: trial.level(blocks.middle(&link.ends)),
        doubt: (!link.converged).then_some(Doubt::NotConverged),
        ..trial.found(link.iterations, 3)
    }
}

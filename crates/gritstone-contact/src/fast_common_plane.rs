//! `fast-common-plane`: the common plane among a few candidates.
//!
//! **Idea.** Of bodies that are apart the common plane is the bisector of their nearest vertices, or parallel to a face,
//! to an edge of each, or to one edge at those vertices. So: find the vertices nearest to the present plane, try all such
//! planes, take the one with the widest gap, and continue until none is wider. Bodies that touch are first moved apart along
//! the normal of the last plane, and the plane of the moved bodies is taken for theirs.
//!
//! **Source.** \[nezami2004\], as told by \[nezami2006\], section 2.
//!
//! **Notation.** As in [`polytopes`](crate::polytopes). A, B: the vertices nearest to the plane.
//!
//! **Deviations.** The list of candidates is reconstructed; in space the bisector of AB, faces at A or B, an edge at A and
//! one at B, one edge with the part of AB across it as normal; in the plane the bisector and the four edges at A and B.
//! Candidates that leave no more room between A and B than the best one found are not looked at any further, which saves
//! time and changes nothing. How far bodies are moved apart is not published: to a gap of a thousandth of the smaller
//! one's size. Without a last plane they are moved along the best one that was found. Detection stops at the first
//! plane that leaves a gap.
//!
//! **Fails when** vertices tie, and none of the candidates at the pair at hand is wider: a few per cent of cold pairs, and
//! nearly parallel faces most of all. Overlaps are as good as the direction in which bodies are moved apart.
//!
//! **Cost.** About 45 gaps in space, 5 in the plane; each looks at all vertices.

use gritstone_core::Linear;

use crate::polytopes::{Blocks, Polytopes, Trace, Trial, traced, unit};
use crate::shortest_link::SEPARATION;
use crate::{Answer, Card, Goal, Method, Placed, Query, Refusal};

/// Rounds of candidates. The gap grows with each, over pairs of vertices of which there are many fewer on the way.
const MOST_ROUNDS: u32 = 100;

/// Nezami's fast common plane.
#[derive(Clone, Copy, Debug)]
pub struct FastCommonPlane;

impl FastCommonPlane {
    /// Solves a pair from its last plane.
    pub fn solve_warm<D: Polytopes>(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        trace: &mut Trace<D>,
    ) -> Result<Answer<D>, Refusal> {
        let blocks = Blocks::new(a, b, &Method::<D>::card(self))?;
        let prior = blocks.prior(&query, trace);
        let first = blocks.trial(prior.unwrap_or_else(|| blocks.centre_line()));
        let mut search = Search { best: first, rounds: 0, evaluations: 1 };
        let detect = query.goal == Goal::Detect;
        // Without a last plane it is not known yet whether they touch.
        let mut detected = (prior.is_none() || first.g > 0.0) && search.run(&blocks, detect);
        if search.best.g <= 0.0 {
            let along = search.best;
            let apart = blocks.separated(&along, SEPARATION * blocks.size);
            search.best = apart.trial(along.c);
            search.run(&apart, false);
            search.best = blocks.trial(search.best.c);
            search.evaluations += 2;
            detected = detect && search.best.g > 0.0;
        }
        let Search { best, rounds, evaluations } = search;
        trace.normal = Some(blocks.to_world(best.c));
        Ok(if detected {
            blocks.apart(&best, rounds, evaluations)
        } else {
            blocks.answer(&best.found(rounds, evaluations))
        })
    }
}

traced!(
    FastCommonPlane,
    name: "fast-common-plane",
    source: "Nezami, Hashash, Zhao and Ghaboussi 2004",
    guarantee: "distance when apart, mostly; depth where the last plane was good"
);

/// One query under way.
struct Search<D: Polytopes> {
    best: Trial<D>,
    rounds: u32,
    evaluations: u32,
}

impl<D: Polytopes> Search<D> {
    /// Tries candidates until none is better; true where detection has seen a gap.
    fn run(&mut self, blocks: &Blocks<'_, D>, detect: bool) -> bool {
        for _ in 0..MOST_ROUNDS {
            if detect && self.best.g > 0.0 {
                return true;
            }
            self.rounds += 1;
            let (before, mut best, mut evaluations) = (self.best, self.best, 0);
            let ab = before.x_b - before.x_a;
            D::candidates(blocks, &before, |normal| {
                let Some(c) = unit(normal) else { return };
                // No vertices leave more room than A and B do.
                if c.dot(ab) <= best.g {
                    return;
                }
                let trial = blocks.trial(c);
                evaluations += 1;
                if trial.g > best.g {
                    best = trial;
                }
            });
            self.best = best;
            self.evaluations += evaluations;
            // Equal ones differ by rounding, and would continue for ever.
            if best.g <= before.g + blocks.rounding {
                break;
            }
        }
        detect && self.best.g > 0.0
    }
}

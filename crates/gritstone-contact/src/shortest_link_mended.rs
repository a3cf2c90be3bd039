//! `shortest-link-mended`: the shortest link, proven.
//!
//! **Idea.** The length of a link is an upper bound of the distance, the gap of any plane a lower one. So the link is the
//! shortest where the plane that its features determine leaves a gap as wide as the link is long. Where it does not, the
//! vertices that face each other across that plane are the better start.
//!
//! **Source.** Gritstone, after \[nezami2006\].
//!
//! **Notation.** As in [`shortest_link`](crate::shortest_link).
//!
//! **Deviations** from [`shortest_link`](crate::shortest_link). It starts from the last features, or from the vertices
//! that face each other along the line of centroids. A special case that changes nothing is followed by an ordinary
//! iteration. Every link that ends on the features it began with is put to the proof, with the normal of the face, of
//! both edges, or across the edge; the link's own direction serves for vertices alone, since it is rounded where the
//! link is short. What is not proven starts again, four times at most, and goes to [`auto`](crate::space::Auto) then;
//! as do bodies that touch, whose depth no link can prove.
//!
//! **Fails when** `auto` does.
//!
//! **Cost.** That of `shortest-link` and one gap for the proof. What goes to `auto` of bodies apart are nearly parallel
//! faces: one in four of them, cold.

use gritstone_core::Vector;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::polytopes::{Blocks, Ends, Found, Polytopes, Trace, Trial, unit};
use crate::shortest_link::{Form, Link, iterate, supports};
use crate::{Answer, Card, Goal, Method, Placed, Query, Refusal};

/// Iterations from each start; what takes more creeps along nearly parallel faces.
const MOST_ITERATIONS: u32 = 20;
/// New starts before the exact method takes over.
const RESTARTS: u32 = 4;

/// The shortest link, proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortestLinkMended;

/// What a pair keeps from one time step to the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "D::Vec: Serialize + DeserializeOwned")]
pub struct MendedTrace<D: Polytopes> {
    /// The last plane and link; no link where the bodies touched.
    pub trace: Trace<D>,
    /// What the exact method keeps.
    pub kept: D::WarmStart,
}

impl ShortestLinkMended {
    /// Solves a pair from its last features.
    pub fn solve_warm<D: Polytopes>(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        memory: &mut MendedTrace<D>,
        scratch: &mut D::Scratch,
    ) -> Result<Answer<D>, Refusal> {
        let blocks = Blocks::new(a, b, &Method::<D>::card(self))?;
        let MendedTrace { trace, kept } = memory;
        let prior = blocks.prior(&query, trace);
        let touched = trace.normal.is_some() && trace.ends.is_none();
        let mut proof = Proof::new(&blocks);
        if !touched || query.goal == Goal::Detect {
            proof.best = Some(blocks.trial(prior.unwrap_or_else(|| blocks.centre_line())));
        }
        if query.goal == Goal::Detect
            && let Some(trial) = proof.best.filter(|trial| trial.g > 0.0)
        {
            return Ok(blocks.apart(&trial, 0, 1));
        }
        if !touched && let Some(found) = proof.search(blocks.last(trace)) {
            trace.normal = Some(blocks.to_world(found.trial.c));
            trace.ends = proof.ends;
            return Ok(blocks.answer(&found));
        }
        let answer = D::exact(a, b, query, kept, scratch)?;
        *trace = follow_up(&blocks, &answer);
        let iterations = answer.iterations + proof.iterations;
        Ok(Answer { iterations, evaluations: answer.evaluations + proof.evaluations, ..answer })
    }
}

/// What to start from after an answer of the exact method: a link between the vertices that face each other, unless the
/// bodies touch.
fn follow_up<D: Polytopes>(blocks: &Blocks<'_, D>, answer: &Answer<D>) -> Trace<D> {
    let trace = Trace { normal: Some(answer.direction()), ends: None };
    let apart = blocks.prior(&Query::default(), &trace).filter(|_| answer.distance() > 0.0);
    Trace { ends: apart.map(|c| supports(blocks, c)), ..trace }
}

impl<D: Polytopes> Method<D> for ShortestLinkMended {
    fn card(&self) -> Card {
        Card {
            name: "shortest-link-mended",
            source: "Gritstone, after Nezami et al. 2006",
            shapes: D::SHAPES,
            guarantee: "signed distance between proven bounds, or unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        scratch: &mut D::Scratch,
    ) -> Result<Answer<D>, Refusal> {
        self.solve_warm(a, b, query, &mut MendedTrace::default(), scratch)
    }
}

/// The proven link of two bodies, without a last one; not converged where it could not be proven.
pub fn prove<D: Polytopes>(blocks: &Blocks<'_, D>) -> Link<D> {
    let mut proof = Proof::new(blocks);
    let first = blocks.trial(blocks.centre_line());
    proof.best = Some(first);
    let converged = proof.search(None).is_some();
    let ends = proof.ends.unwrap_or_else(|| supports(blocks, first.c));
    Link { ends, iterations: proof.iterations, converged }
}

/// One query under way.
struct Proof<'p, 's, D: Polytopes> {
    blocks: &'p Blocks<'s, D>,
    /// The plane with the widest gap so far.
    best: Option<Trial<D>>,
    /// The link that was proven.
    ends: Option<Ends<D>>,
    iterations: u32,
    evaluations: u32,
}

impl<'p, 's, D: Polytopes> Proof<'p, 's, D> {
    fn new(blocks: &'p Blocks<'s, D>) -> Self {
        Self { blocks, best: None, ends: None, iterations: 0, evaluations: 1 }
    }

    /// Looks for a link that can be proven; `None` where the bodies touch, or rounding hides it.
    fn search(&mut self, last: Option<Ends<D>>) -> Option<Found<D>> {
        let blocks = self.blocks;
        let facing = |trial: Option<Trial<D>>| trial.map(|trial| supports(blocks, trial.c));
        let mut start = last.or_else(|| facing(self.best))?;
        for _ in 0..=RESTARTS {
            let mut found = None;
            let link = iterate(blocks, start, Form::Verified, MOST_ITERATIONS, |ends| {
                found = self.prove(ends);
                found.is_some()
            });
            self.iterations += link.iterations;
            if let Some(found) = found.or_else(|| self.prove(&link.ends)) {
                self.ends = Some(link.ends);
                return Some(Found { iterations: self.iterations, ..found });
            }
            // Without a separating plane they may touch, and no link is of use.
            let best = self.best.filter(|trial| trial.g > 0.0)?;
            start = supports(blocks, best.c);
        }
        None
    }

    /// The contact at a link whose plane leaves a gap as wide as the link is long.
    fn prove(&mut self, ends: &Ends<D>) -> Option<Found<D>> {
        let blocks = self.blocks;
        let length = blocks.between(ends).length();
        let trial = blocks.trial(unit(D::normal(blocks, ends))?);
        self.evaluations += 1;
        if self.best.is_none_or(|best| trial.g > best.g) {
            self.best = Some(trial);
        }
        let proven = trial.g > 0.0 && length - trial.g <= blocks.tolerance();
        proven.then(|| Found {
            trial,
            gap: trial.g,
            middle: trial.level(blocks.middle(ends)),
            upper: length,
            iterations: self.iterations,
            evaluations: self.evaluations,
            doubt: None,
        })
    }
}

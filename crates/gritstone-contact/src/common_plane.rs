//! `common-plane`: Cundall's iteration.
//!
//! **Idea.** Between two bodies stands a plane, at equal distances of both. Turn it a little, about two axes in it and
//! both ways, and keep what widens the gap most; where nothing does, turn by half as much. The plane that leaves the
//! widest gap is the common plane; its gap, positive or negative, is the distance of the bodies.
//!
//! **Source.** \[cundall1988\], as told by \[nezami2006\], section 2. Equation numbers are the latter's.
//!
//! **Notation.** As in [`polytopes`](crate::polytopes). Eq. (1) measures distances against n: its n points from b to a, and
//! is −c here.
//!
//! **Deviations.** None known; the angles, 5° to 0.01°, are those in use. The plane is moved midway between the nearest
//! vertices whenever it is turned; its gap does not depend on where it stands. Wider means by more than rounding. The first plane is across the line of
//! centroids. Detection stops at the first plane that leaves a gap.
//!
//! **Fails when** the best plane rests on an edge or a face, which is the rule: g has a ridge there, and turns about two
//! given axes do not follow it. More than half of the gaps are off by more than a hundredth. Overlaps may end in a local
//! maximum.
//!
//! **Cost.** In space 150 gaps cold, 70 from the last plane, in the plane 33 and 21; each looks at all vertices.

use gritstone_core::Vector;

use crate::polytopes::{Blocks, Found, Polytopes, Trace, Trial, traced};
use crate::{Answer, Card, Doubt, Goal, Method, Placed, Query, Refusal};

/// The first turn, in degrees.
const FIRST_TURN: f64 = 5.0;
/// The last turn, in degrees.
const LAST_TURN: f64 = 0.01;
/// Rounds of turns; along a ridge of g the gap can widen by less and less.
const MOST_ROUNDS: u32 = 1000;

/// Cundall's common plane.
#[derive(Clone, Copy, Debug)]
pub struct CommonPlane;

impl CommonPlane {
    /// Solves a pair from its last plane.
    pub fn solve_warm<D: Polytopes>(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        trace: &mut Trace<D>,
    ) -> Result<Answer<D>, Refusal> {
        let blocks = Blocks::new(a, b, &Method::<D>::card(self))?;
        let start = blocks.prior(&query, trace).unwrap_or_else(|| blocks.centre_line());
        let mut search = Search { best: blocks.trial(start), rounds: 0, evaluations: 1 };
        let detected = search.run(&blocks, query.goal == Goal::Detect);
        let Search { best, rounds, evaluations } = search;
        trace.normal = Some(blocks.to_world(best.c));
        Ok(if detected {
            blocks.apart(&best, rounds, evaluations)
        } else {
            let doubt = (rounds == MOST_ROUNDS).then_some(Doubt::NotConverged);
            blocks.answer(&Found { doubt, ..best.found(rounds, evaluations) })
        })
    }
}

traced!(
    CommonPlane,
    name: "common-plane",
    source: "Cundall 1988",
    guarantee: "a gap that is a little narrower than the signed distance"
);

/// One query under way.
struct Search<D: Polytopes> {
    best: Trial<D>,
    rounds: u32,
    evaluations: u32,
}

impl<D: Polytopes> Search<D> {
    /// Turns the plane until no turn helps; true where detection has seen a gap.
    fn run(&mut self, blocks: &Blocks<'_, D>, detect: bool) -> bool {
        let mut turn = FIRST_TURN;
        while turn >= LAST_TURN && self.rounds < MOST_ROUNDS {
            if detect && self.best.g > 0.0 {
                return true;
            }
            if !self.turn(blocks, turn.to_radians()) {
                turn *= 0.5;
            }
            self.rounds += 1;
        }
        detect && self.best.g > 0.0
    }

    /// Takes the best of the planes turned by `angle`; false where none is better.
    fn turn(&mut self, blocks: &Blocks<'_, D>, angle: f64) -> bool {
        let before = self.best.g;
        for c in D::tilts(self.best.c, angle) {
            let trial = blocks.trial(c * c.length().recip());
            self.evaluations += 1;
            if trial.g > self.best.g {
                self.best = trial;
            }
        }
        self.best.g > before + blocks.rounding
    }
}

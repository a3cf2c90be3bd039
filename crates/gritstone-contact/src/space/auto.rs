//! `auto`: the certified default.
//!
//! **Idea.** Newton's method finds a direction; its g is a lower bound of the signed distance. Points of the Minkowski
//! difference give the upper bound: one point when apart; when overlapping, two balls inside the bodies that touch their support
//! points ([`nested_ball`](Support::nested_ball)), or else a small closed surface about the optimum
//! ([`ring_certificate`](super::ring_certificate)); and where these do not close (flat faces, corners, several optima) the convex hull of all
//! points seen, grown towards its worst face ([`hull`](super::hull)); a direction found there that beats the best one
//! starts Newton's method again. The answer is certified when the bounds agree.
//!
//! **Source.** Gritstone.
//!
//! **Notation.** As in [`pair`](super::pair).
//!
//! **Fails when** a continuum of directions is optimal (concentric bodies of revolution), where the surface would have to
//! be fine all along it: `unresolved`, with bounds.
//!
//! **Cost.** Evaluations, cold: 5 to 8 apart, 10 to 12 at small overlap, 15 to 40 for harsh shapes and deep overlap, 10 to
//! 35 for flat faces on each other.

use gritstone_core::Space;
use gritstone_core::lanes::Backend;
use gritstone_shape::Support;
use gritstone_shape::space::Solid;

use super::method::{Method, Placed, Scratch};
use super::pair::Pair;
use super::polytope_pair::{self, Posed, WarmStart};
use super::search::Search;
use super::{Memory, half_space_pair, lanes, rod_pair, round_polytope, sphere_sphere};
use crate::{Answer, Card, Goal, Query, Refusal};

/// The certified method for each pair.
#[derive(Clone, Copy, Debug)]
pub struct Auto;

impl Auto {
    /// Solves a pair that was solved before: starts from the last direction and, for overlaps, tries the last certificate
    /// first.
    #[inline]
    pub fn solve_warm(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        memory: &mut Memory,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        // By themselves: their answer is written where it is wanted, and others' code costs them nothing.
        if let (Solid::Polyhedron(x), Solid::Polyhedron(y)) = (a.shape, b.shape) {
            let (x, y) = (Posed::new(x, &a.pose), Posed::new(y, &b.pose));
            return Ok(polytope_pair::solve(&x, &y, query, memory.vertices(), scratch));
        }
        self.solve_others(a, b, query, memory, scratch)
    }

    /// All but two polyhedra.
    #[inline(never)]
    fn solve_others(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        memory: &mut Memory,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        // Like pairs get code of their own; the rest goes through the table of shapes.
        Ok(match (a.shape, b.shape) {
            (Solid::HalfSpace(_), Solid::HalfSpace(_)) => return Err(a.refused(b, self.card())),
            (Solid::HalfSpace(x), Solid::Polyhedron(y)) => {
                half_space_pair::solve_polyhedron(x, &a.pose, y, &b.pose, query)
            }
            (Solid::Polyhedron(x), Solid::HalfSpace(y)) => {
                half_space_pair::solve_polyhedron(y, &b.pose, x, &a.pose, query).swapped()
            }
            (Solid::HalfSpace(x), y) => half_space_pair::solve(x, &a.pose, y, &b.pose, query),
            (x, Solid::HalfSpace(y)) => half_space_pair::solve(y, &b.pose, x, &a.pose, query).swapped(),
            (Solid::Sphere(x), Solid::Sphere(y)) => sphere_sphere::solve(x, &a.pose, y, &b.pose, query),
            (Solid::Ellipsoid(x), Solid::Ellipsoid(y)) => {
                certify(&Pair::new(x, &a.pose, y, &b.pose), query, memory, scratch)
            }
            (Solid::Superellipsoid(x), Solid::Superellipsoid(y)) => {
                certify(&Pair::new(x, &a.pose, y, &b.pose), query, memory, scratch)
            }
            (Solid::Crowned(x), Solid::Crowned(y)) => {
                certify(&Pair::new(x, &a.pose, y, &b.pose), query, memory, scratch)
            }
            (x, y) => rod_pair::solve(a, b, query, memory)
                .or_else(|| round_polytope::solve(a, b, query, memory))
                .unwrap_or_else(|| certify(&Pair::new(x, &a.pose, y, &b.pose), query, memory, scratch)),
        })
    }
}

impl Method for Auto {
    fn card(&self) -> Card {
        Card {
            name: "auto",
            source: "Gritstone",
            shapes: "any two shapes that are not both half-spaces, whose distance has no lower bound",
            guarantee: "signed distance between proven bounds, or unresolved",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        if let (Solid::Polyhedron(x), Solid::Polyhedron(y)) = (a.shape, b.shape) {
            let (x, y) = (Posed::new(x, &a.pose), Posed::new(y, &b.pose));
            return Ok(polytope_pair::solve(&x, &y, query, &mut WarmStart::default(), scratch));
        }
        self.solve_others(a, b, query, &mut Memory::default(), scratch)
    }

    /// Smooth shapes eight at a time, as far as [`lanes`] can certify them.
    fn solve_all(
        &self,
        pairs: &[[Placed<'_>; 2]],
        query: Query<Space>,
        scratch: &mut Scratch,
        answers: &mut Vec<Result<Answer<Space>, Refusal>>,
    ) {
        let mut in_lanes = std::mem::take(&mut scratch.in_lanes);
        in_lanes.clear();
        in_lanes.resize(pairs.len(), None);
        // Detection stops at the first separating plane, mostly after one evaluation.
        if query.goal == Goal::Distance {
            lanes::solve(Backend::best(), pairs, &mut in_lanes);
        }
        let alone = in_lanes.iter().zip(pairs).map(|(answer, &[a, b])| match answer {
            Some(answer) => Ok(*answer),
            None => self.solve(a, b, query, scratch),
        });
        answers.clear();
        answers.extend(alone);
        scratch.in_lanes = in_lanes;
    }
}

/// Solves any two bodies that have a support function. For shapes that are not in the table.
pub fn certify<A, B>(
    pair: &Pair<'_, A, B>,
    query: Query<Space>,
    memory: &mut Memory,
    scratch: &mut Scratch,
) -> Answer<Space>
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    Search::new(pair, query, &mut scratch.hull).run(memory)
}

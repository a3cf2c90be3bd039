//! `common-normal`: Wellmann, Lillie and Wriggers' search for the contact direction.
//!
//! **Idea.** A direction c, given by two angles, fixes the point of body 1 whose outward normal is c and the point of
//! body 2 whose outward normal is −c. The contact points are the pair with the smallest distance: a minimisation in two
//! unknowns without constraints. On the way every c with c·d > 0 is the normal of a separating plane, which ends the
//! search for bodies that are apart, mostly before it has converged.
//!
//! **Source.** \[wellmann2008\]: C. Wellmann, C. Lillie, P. Wriggers, A contact detection algorithm for superellipsoids
//! based on the common-normal concept, Engineering Computations 25 (5), 432–442, 2008. Equation numbers are theirs.
//!
//! **Notation.** `s¹, s²`: centres. `(e1, e2, e3)`: base with e1 from s¹ to s². `α = (α1, α2)`: angles of the contact
//! direction c in that base. φ: surface parameters. `p¹, p²`: surface points with normals c and −c. `d = p² − p¹`,
//! `f = ‖d‖²`. μ: Levenberg and Marquardt's shift of the Hessian. σ: step size.
//!
//! **Deviations.** The paper leaves open:
//! - μ, where the Hessian is not positive definite: both readings of [`Shift`];
//! - Armijo's constants: f must fall by 1e-4 of what the slope promises; steps are halved;
//! - how exactly (5)_3 is tested: ‖d × c‖ at most ten times TOL (with TOL itself, one good solution in 300 of interval
//!   3 is rejected, since grad f = 2M·d_t is below TOL where radii of curvature M are small);
//! - the restart: best of eight random directions, then 40 values of the simplex method, from a seeded generator;
//! - the slight shift: components of the local normals below 1e-9 are moved to 1e-9. At such points the derivatives are
//!   not those of f, and ‖d × c‖ = 0 counts as stationary too.
//!
//! The paper's numbers (TOL = 1e-6, and μ of the first kind) have units. They are taken in units of the smaller grain's
//! size; [`CommonNormal::PUBLISHED`] takes them as they stand. The reported gap is c·d, whose error is of second order
//! in that of c; the paper reports ‖d‖. When the distance of bodies that are apart is requested, the search continues to
//! convergence, and a stationary point with (5)_3 and c·d > 0 is accepted.
//!
//! **Fails when** overlaps are not small: the acceptance test (p¹ inside body 2 and p² inside body 1) is neither
//! necessary nor sufficient then. Sharp vertices (ε > 1): f is stationary wherever the radii of curvature vanish. Flat
//! faces (ε well below 1): derivatives by the angles grow without bound. f has local minima; each costs a new start.
//!
//! **Cost.** Per value of f 18 powers, 4 arc tangents and 10 sines or cosines; about as much again for derivatives.
//! About 4 to 6 iterations for an overlap, none or one to tell that bodies are apart. No allocation.

mod descent;
mod objective;
mod restart;
mod surface;

use glam::{DVec2, DVec3};
use gritstone_core::{Contact, Space};
use gritstone_shape::Implicit;
use gritstone_shape::space::{Solid, Superellipsoid};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::method::{Method, Placed, Scratch};
use super::pair::{Pair, Sample};
use crate::{Answer, Card, Doubt, Goal, Query, Refusal, Verdict};
use descent::{Descent, Limits, Stop, descend};
use objective::{Objective, Point};

/// A point counts as inside when the inside-outside function exceeds one by no more than rounding.
const INSIDE: f64 = 1.0 + 1e-12;

/// The common-normal method and what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonNormal {
    /// How an indefinite Hessian is shifted.
    pub shift: Shift,
    /// TOL: a point with ‖grad f‖ below this, in squares of the unit length, is stationary.
    pub tolerance: f64,
    /// (5)_3 holds when ‖d × c‖ is at most this, in unit lengths.
    pub parallel: f64,
    /// The length in which the method's numbers are stated; without one, the size of the smaller grain.
    pub unit: Option<f64>,
    /// Iterations from one start point.
    pub iterations: u32,
    /// New start points that may be drawn.
    pub new_starts: u32,
    /// Seed of the random search.
    pub seed: u64,
}

/// Levenberg and Marquardt's shift μ of a Hessian that is not positive definite. The paper does not say which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// A: the smallest of 1e-3, 1e-2, 1e-1, … that makes it positive definite.
    #[default]
    Smallest,
    /// B: −λ_min + max|λ|, with the eigenvalues λ of the Hessian.
    Spectral,
}

impl Shift {
    /// μ for these eigenvalues, of which the first is the lower one and not positive.
    fn of(self, low: f64, high: f64, area: f64) -> f64 {
        match self {
            Self::Smallest => {
                let mut mu = 1e-3 * area;
                while low + mu <= 0.0 {
                    mu *= 10.0;
                }
                mu
            }
            Self::Spectral => -low + low.abs().max(high.abs()),
        }
    }
}

/// How the search from one start point ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A separating plane was found: eq. (14).
    Excluded,
    /// Stationary, and both acceptance tests are passed.
    Accepted,
    /// Stationary, and an acceptance test fails: a local minimum of f.
    LocalMinimum,
    /// Not stationary within the iteration limit.
    Limit,
    /// Not stationary, and no step makes f fall.
    Stalled,
}

/// The search from one start point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Try {
    /// How it ended.
    pub end: End,
    /// Steps (13) that it made.
    pub iterations: u32,
}

/// All that the paper counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The search from the initial guess.
    pub first: Try,
    /// The last search; the same as the first where that succeeded.
    pub last: Try,
    /// New start points that were drawn.
    pub new_starts: u32,
    /// Iterations of all searches together.
    pub iterations: u32,
    /// Where the last search ended.
    pub sample: Sample,
    /// What was seen on the way.
    pub record: Record,
}

impl Outcome {
    /// Whether a separating plane was found or a contact accepted.
    pub fn succeeded(&self) -> bool {
        matches!(self.last.end, End::Excluded | End::Accepted)
    }
}

/// What was seen on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// The direction with the largest g = c·d: a lower bound of the signed distance.
    pub best: Sample,
    /// The smallest ‖d‖: an upper bound of the signed distance.
    pub nearest: f64,
    /// Values of f that were taken.
    pub evaluations: u32,
}

impl Record {
    fn new() -> Self {
        let best = Sample { g: f64::NEG_INFINITY, ..Sample::default() };
        Self { best, nearest: f64::INFINITY, evaluations: 0 }
    }

    fn see(&mut self, point: &Point) {
        self.evaluations += 1;
        self.nearest = self.nearest.min(point.sample.d.length());
        if point.sample.g > self.best.g {
            self.best = point.sample;
        }
    }
}

impl CommonNormal {
    /// As a general method: every number is relative to the smaller grain's size.
    pub const RELATIVE: Self = Self {
        shift: Shift::Smallest,
        tolerance: 1e-6,
        parallel: 1e-5,
        unit: None,
        iterations: 50,
        new_starts: 20,
        seed: 2008,
    };

    /// As published: numbers are in the unit of length in which the paper's particles have radii of 0.5 to 3.
    pub const PUBLISHED: Self = Self { unit: Some(1.0), ..Self::RELATIVE };

    /// Solves a pair and tells all that the paper counts; nothing when the centres coincide and the query gives no
    /// direction to start from, because eq. (6) needs one.
    pub fn outcome(
        &self,
        pair: &Pair<'_, Superellipsoid, Superellipsoid>,
        query: Query<Space>,
    ) -> Option<Outcome> {
        let e1 = pair.offset.try_normalize().or(query.start)?;
        let objective = Objective::new(pair, e1);
        let limits =
            Limits { method: self, unit: self.unit.unwrap_or(pair.size), detect: query.goal == Goal::Detect };
        let mut record = Record::new();
        let start = query.start.map_or(DVec2::ZERO, |c| objective.angles(c));
        let descent = descend(&objective, start, &limits, &mut record);
        let first = self.judge(pair, &descent, limits.unit);
        let mut outcome = Outcome {
            first,
            last: first,
            new_starts: 0,
            iterations: first.iterations,
            sample: descent.point.sample,
            record,
        };
        if !outcome.succeeded() {
            self.restart(pair, &objective, &limits, &mut outcome);
        }
        Some(outcome)
    }

    /// Draws new start points until one succeeds.
    fn restart(
        &self,
        pair: &Pair<'_, Superellipsoid, Superellipsoid>,
        objective: &Objective<'_>,
        limits: &Limits<'_>,
        outcome: &mut Outcome,
    ) {
        let mut random = Pcg64Mcg::seed_from_u64(self.seed);
        while !outcome.succeeded() && outcome.new_starts < self.new_starts {
            let start = restart::new_start(objective, &mut random, &mut outcome.record);
            let descent = descend(objective, start, limits, &mut outcome.record);
            outcome.last = self.judge(pair, &descent, limits.unit);
            outcome.sample = descent.point.sample;
            outcome.iterations += descent.iterations;
            outcome.new_starts += 1;
        }
    }

    /// The acceptance tests.
    fn judge(&self, pair: &Pair<'_, Superellipsoid, Superellipsoid>, descent: &Descent, unit: f64) -> Try {
        let accepted = || {
            descent.point.across() <= self.parallel * unit // (5)_3
                && inside_or_apart(pair, &descent.point.sample)
        };
        let end = match descent.stop {
            Stop::Excluded => End::Excluded,
            Stop::Limit => End::Limit,
            Stop::Stalled => End::Stalled,
            Stop::Stationary if accepted() => End::Accepted,
            Stop::Stationary => End::LocalMinimum,
        };
        Try { end, iterations: descent.iterations }
    }
}

/// p¹ ∈ P² and p² ∈ P¹; or c·d > 0, where there is nothing to be inside of.
fn inside_or_apart(pair: &Pair<'_, Superellipsoid, Superellipsoid>, at: &Sample) -> bool {
    let p1_in_2 = || pair.frame_b.transpose() * (at.x_a - pair.offset);
    let p2_in_1 = || pair.frame_a.transpose() * at.x_b;
    at.g > 0.0 || pair.b.inside_outside(p1_in_2()) <= INSIDE && pair.a.inside_outside(p2_in_1()) <= INSIDE
}

impl Method for CommonNormal {
    fn card(&self) -> Card {
        Card {
            name: "common-normal",
            source: "Wellmann, Lillie and Wriggers 2008",
            shapes: "sphere, ellipsoid, superellipsoid",
            guarantee: "a common normal whose points lie inside each other, at small overlap; exact when apart",
        }
    }

    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        _: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal> {
        let (Some(body_a), Some(body_b)) = (superellipsoid(a.shape), superellipsoid(b.shape)) else {
            return Err(a.refused(b, self.card()));
        };
        let pair = Pair::new(&body_a, &a.pose, &body_b, &b.pose);
        Ok(match self.outcome(&pair, query) {
            Some(outcome) => answer(&pair, &outcome),
            None => centres_coincide(&pair),
        })
    }
}

/// The shapes that the method takes, all as superellipsoids.
fn superellipsoid(solid: &Solid) -> Option<Superellipsoid> {
    match solid {
        Solid::Sphere(s) => Superellipsoid::new(DVec3::splat(s.radius()), [1.0, 1.0]).ok(),
        Solid::Ellipsoid(e) => Superellipsoid::new(e.radii(), [1.0, 1.0]).ok(),
        Solid::Superellipsoid(s) => Some(*s),
        Solid::Superquadric(_)
        | Solid::Polyhedron(_)
        | Solid::Cylinder(_)
        | Solid::Capsule(_)
        | Solid::Crowned(_)
        | Solid::Triangle(_)
        | Solid::HalfSpace(_)
        | Solid::Custom(_) => None,
    }
}

fn answer(pair: &Pair<'_, Superellipsoid, Superellipsoid>, outcome: &Outcome) -> Answer<Space> {
    let Outcome { last, sample, record, .. } = outcome;
    let unresolved = |doubt| Verdict::Unresolved { best: contact(pair, &record.best), doubt };
    let verdict = match last.end {
        End::Excluded => Verdict::Apart { at_least: sample.g, along: sample.c },
        End::Accepted => Verdict::Solved(contact(pair, sample)),
        End::LocalMinimum => unresolved(Doubt::NotAccepted),
        End::Limit | End::Stalled => unresolved(Doubt::NotConverged),
    };
    let counts = [outcome.iterations, record.evaluations];
    Answer::new(verdict, [record.best.g, record.nearest], pair.tolerance(), counts)
}

fn centres_coincide(pair: &Pair<'_, Superellipsoid, Superellipsoid>) -> Answer<Space> {
    let sample = pair.sample(pair.centre_line());
    let verdict = Verdict::Unresolved { best: contact(pair, &sample), doubt: Doubt::CentresCoincide };
    Answer::new(verdict, [sample.g, sample.d.length()], pair.tolerance(), [0, 1])
}

fn contact(pair: &Pair<'_, Superellipsoid, Superellipsoid>, at: &Sample) -> Contact<Space> {
    pair.contact(at.c, at.g, at.x_a, at.x_b, pair.jet(at.c).curvature())
}

//! One generated pair, solved by every method that is compared.

use glam::DVec3;
use gritstone_contact::space::common_normal::{End, Outcome, Shift};
use gritstone_contact::space::{Auto, CommonNormal, Method, Pair, Scratch, SupportNewton};
use gritstone_contact::{Answer, Goal, Query, Verdict};
use gritstone_core::Space;
use gritstone_shape::space::Solid;

use crate::generate::{Built, Case};

/// The shifts of the Hessian that are compared, A and B.
pub(super) const SHIFTS: [Shift; 2] = [Shift::Smallest, Shift::Spectral];

/// The other methods that see the same pairs.
pub(super) const PEERS: [&dyn Method; 2] = [&SupportNewton, &Auto];

/// Two signed distances differ when they are farther apart than this part of the smaller grain's size.
const DIFFERENT: f64 = 1e-8;

/// A pair and all that was made of it.
pub(super) struct Measured {
    /// The paper's method with either shift.
    pub(super) paper: [(Outcome, Solved); 2],
    /// The other methods.
    pub(super) peers: [Solved; 2],
    /// The distance that the pair was built with.
    built: f64,
    /// The signed distance.
    truth: f64,
    /// Distances that are farther apart than this are different ones.
    different: f64,
}

impl Measured {
    /// Whether this is the signed distance.
    pub(super) fn is_true(&self, gap: f64) -> bool {
        (gap - self.truth).abs() <= self.different
    }

    /// Whether the contact that the pair was built around is the signed distance.
    pub(super) fn built_is_true(&self) -> bool {
        self.is_true(self.built)
    }
}

/// What one method made of a pair.
pub(super) struct Solved {
    pub(super) iterations: u32,
    pub(super) evaluations: u32,
    pub(super) resolved: bool,
    /// Gap and errors of the contact, where one was found.
    pub(super) contact: Option<(f64, Errors)>,
}

/// Errors of a contact against the one that the pair was built around.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Errors {
    /// ‖d‖ against the depth, relative: the paper's depth.
    pub(super) length: f64,
    /// −c·d against the depth, relative.
    pub(super) projection: f64,
    /// Mean distance of the two points from where they should be.
    pub(super) point: f64,
    /// Angle between the directions (rad).
    pub(super) angle: f64,
}

/// A contact as far as it is compared.
struct Found {
    c: DVec3,
    points: [DVec3; 2],
    gap: f64,
}

/// Solves a pair that was built around a contact.
pub(super) fn measure(case: &Case, scratch: &mut Scratch) -> Option<Measured> {
    let built = case.built?;
    let query = Query { goal: Goal::Detect, ..Query::default() };
    let [newton, auto] =
        PEERS.map(|method| method.solve(case.placed_a(), case.placed_b(), query, scratch).ok());
    let (newton, auto) = (newton?, auto?);
    // Apart, the construction is exact. An overlap that `auto` could not prove counts as it was built.
    let proven = built.distance <= 0.0 && auto.certified();
    let truth = if proven { auto.distance() } else { built.distance };
    let [a, b] = SHIFTS.map(|shift| by_paper(case, &built, shift, query));
    Some(Measured {
        paper: [a?, b?],
        peers: [newton, auto].map(|answer| by_peer(&answer, &built)),
        built: built.distance,
        truth,
        different: DIFFERENT * case.size(),
    })
}

/// The paper's method, with its numbers as they stand.
fn by_paper(case: &Case, built: &Built, shift: Shift, query: Query<Space>) -> Option<(Outcome, Solved)> {
    let (Solid::Superellipsoid(a), Solid::Superellipsoid(b)) = (&case.a, &case.b) else { return None };
    let pair = Pair::new(a, &case.pose_a, b, &case.pose_b);
    let outcome = CommonNormal { shift, ..CommonNormal::PUBLISHED }.outcome(&pair, query)?;
    let at = &outcome.sample;
    let found = Found { c: at.c, points: [at.x_a, at.x_b].map(|x| pair.origin + x), gap: at.g };
    let solved = Solved {
        iterations: outcome.iterations,
        evaluations: outcome.record.evaluations,
        resolved: outcome.succeeded(),
        contact: (outcome.last.end == End::Accepted).then(|| found.against(built)),
    };
    Some((outcome, solved))
}

/// What another method answered.
fn by_peer(answer: &Answer<Space>, built: &Built) -> Solved {
    let contact = match answer.verdict {
        Verdict::Solved(at) => {
            Some(Found { c: at.normal, points: [at.point_a, at.point_b], gap: at.gap }.against(built))
        }
        Verdict::Apart { .. } | Verdict::Unresolved { .. } => None,
    };
    Solved {
        iterations: answer.iterations,
        evaluations: answer.evaluations,
        resolved: !matches!(answer.verdict, Verdict::Unresolved { .. }),
        contact,
    }
}

impl Found {
    /// Gap and errors.
    fn against(&self, built: &Built) -> (f64, Errors) {
        let depth = -built.distance;
        let [p1, p2] = self.points;
        let errors = Errors {
            length: (p1.distance(p2) - depth).abs() / depth,
            projection: (-self.gap - depth).abs() / depth,
            point: 0.5 * (p1.distance(built.point_a) + p2.distance(built.point_b)),
            angle: self.c.cross(built.direction).length().atan2(self.c.dot(built.direction)),
        };
        (self.gap, errors)
    }
}

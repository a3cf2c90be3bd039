//! A contact followed from one time step to the next by one evaluation.
//!
//! **Idea.** From the last direction c one evaluation gives g, its gradient d_t and its Hessian −B. The maximum of that
//! model lies at `c + s`, `B s = d_t`, and its value is `g + ½ d_t·s`: second order in s, where the direction itself and
//! the points `x_a + H_a s`, `x_b − H_b s` are first order. Third derivatives of the support functions along s cost next
//! to nothing once the powers are there. They correct the value to third order, and they tell what it is worth: the next
//! term of the series is smaller by as much as s changes the components of the normals.
//!
//! **Notation.** As in [`pair`](super::pair). T: third derivative of g along s. θ: largest relative change of a component
//! that the support functions depend on by a power. Over R³, g is homogeneous: its value on the sphere is that at `c + s`
//! divided by `√(1 + |s|²)`.
//!
//! **Fails when** θ is not small: near the middle of flat faces (ε < 1), where a turn of the size of the smallest
//! component of the normal moves the point across the face. The error is then large, and more evaluations or a full
//! solve are needed.
//!
//! **Cost.** One evaluation for nine pairs in ten after moves of a thousandth of the size, else two or three.

use glam::DVec3;
use gritstone_core::{Contact, Space};
use gritstone_shape::{Cubic, Support};

use super::pair::{Pair, PairJet};
use super::support_newton;
use crate::{Query, Verdict};

/// Evaluations after which a full solve is cheaper.
pub(super) const EVALUATIONS: u32 = 3;
/// Largest relative change of a component for which the series is trusted.
pub(super) const LARGEST_CHANGE: f64 = 0.5;
/// Largest turn from which a further evaluation is worth while (rad).
pub(super) const LARGEST_TURN: f64 = 0.2;

/// A contact that was followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// The contact. Its gap is right to third order in the turn of the normal, normal and points to first.
    pub contact: Contact<Space>,
    /// Estimated error of the gap; infinite where none can be given.
    pub error: f64,
    /// Evaluated directions.
    pub evaluations: u32,
}

/// Follows a contact from the unit direction `c` that it had a moment ago, until the estimated error of its gap is within
/// `tolerance`, a fraction of the smaller body's size; where that takes too many evaluations, solves it fully.
///
/// Where a body is flat, `c` is best turned with that body.
pub fn follow<A, B>(pair: &Pair<'_, A, B>, mut c: DVec3, tolerance: f64) -> Followed
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let mut evaluations = 0;
    loop {
        let (jet, cubics) = pair.cubic_jet(c);
        evaluations += 1;
        let (contact, turn, error) = extrapolate(pair, &jet, cubics.as_ref());
        if error <= tolerance * pair.size {
            return Followed { contact, error, evaluations };
        }
        if evaluations == EVALUATIONS || turn.is_none_or(|turn| turn > LARGEST_TURN) {
            return solve_fully(pair, c, evaluations);
        }
        c = contact.normal;
    }
}

/// Solves a pair from the direction `c`, after so many evaluations.
#[cold]
pub(super) fn solve_fully<A, B>(pair: &Pair<'_, A, B>, c: DVec3, evaluations: u32) -> Followed
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let answer = support_newton::solve(pair, Query { start: Some(c), ..Query::default() });
    let error = if matches!(answer.verdict, Verdict::Solved(_)) { pair.rounding() } else { f64::INFINITY };
    let contact = answer.contact().copied().unwrap_or_default();
    Followed { contact, error, evaluations: evaluations + answer.evaluations }
}

/// The contact that an evaluation foretells, the turn to it (none where there is no maximum), and the error of its gap.
fn extrapolate<A: ?Sized, B: ?Sized>(
    pair: &Pair<'_, A, B>,
    jet: &PairJet,
    cubics: Option<&[Cubic<Space>; 2]>,
) -> (Contact<Space>, Option<f64>, f64) {
    let sample = &jet.sample;
    let model = jet.model();
    if model.determinant() <= 0.0 || model.trace() <= 0.0 {
        return (pair.contact_at(sample, sample.points(), jet.curvature()), None, f64::INFINITY);
    }
    let s = model.solve(jet.d_t);
    let along = jet.tangent.lift(s);
    let (third, change) = match cubics {
        Some([a, b]) => {
            let (third_a, change_a) = a.along(pair.frame_a.transpose() * along);
            let (third_b, change_b) = b.along(pair.frame_b.transpose() * -along);
            (-third_a - third_b, change_a.max(change_b))
        }
        None => (0.0, f64::INFINITY),
    };
    let squared = s.length_squared();
    let turn = squared.sqrt();
    let known = change <= LARGEST_CHANGE && turn <= LARGEST_TURN;
    let third = if known { third / 6.0 } else { 0.0 };
    let gap = (sample.g * (1.0 + 0.5 * squared) + 0.5 * jet.d_t.dot(s) + third) / (1.0 + squared).sqrt();
    let error = if known { 2.0 * third.abs() * change.max(turn) } else { f64::INFINITY };
    let normal = (sample.c + along).normalize();
    let x_a = sample.x_a + jet.tangent.lift(jet.h_a * s);
    let x_b = sample.x_b - jet.tangent.lift(jet.h_b * s);
    (pair.contact(normal, gap, x_a, x_b, jet.curvature()), Some(turn), error)
}

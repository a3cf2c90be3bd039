//! From one start point to a minimum of f: eqs (12)–(14).

use glam::DVec2;
use gritstone_core::linalg::Sym2;

use super::objective::{Objective, Point, Slope};
use super::{CommonNormal, Record, Shift};

/// Armijo's rule: a step is accepted when f falls by this part of what its slope promises.
const SUFFICIENT: f64 = 1e-4;

/// Armijo's rule: how often a step is halved. Below 2⁻⁴⁰ of a step nothing is left but rounding.
const HALVINGS: i32 = 40;

/// How a descent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Eq. (14): a separating plane, in detection.
    Excluded,
    /// ‖grad f‖ < TOL.
    Stationary,
    /// The iteration limit.
    Limit,
    /// No step that makes f fall.
    Stalled,
}

/// Where a descent ended, and how.
pub(super) struct Descent {
    pub(super) point: Point,
    pub(super) stop: Stop,
    /// Steps (13) that were made.
    pub(super) iterations: u32,
}

/// What a descent needs to know beside the objective.
pub(super) struct Limits<'m> {
    pub(super) method: &'m CommonNormal,
    /// The length in which the method's numbers are stated.
    pub(super) unit: f64,
    /// Whether to stop at the first separating plane.
    pub(super) detect: bool,
}

/// Descends from the angles `start`.
pub(super) fn descend(
    objective: &Objective<'_>,
    start: DVec2,
    limits: &Limits<'_>,
    record: &mut Record,
) -> Descent {
    let area = limits.unit * limits.unit;
    let mut point = objective.at(start);
    record.see(&point);
    let mut iterations = 0;
    let stop = loop {
        if limits.detect && point.sample.g > 0.0 {
            break Stop::Excluded; // [wellmann2008] eq. (14)
        }
        let slope = objective.slope(&point);
        if stationary(&point, &slope, limits) {
            break Stop::Stationary;
        }
        if iterations == limits.method.iterations {
            break Stop::Limit;
        }
        let step = direction(&slope, limits.method.shift, area);
        let Some(next) = armijo(objective, &point, slope.gradient, step, record) else {
            break Stop::Stalled;
        };
        point = next;
        iterations += 1;
    };
    Descent { point, stop, iterations }
}

/// `‖grad f‖ < TOL`. At a slightly shifted point the gradient is not that of f, and (5)_3 itself is tested.
fn stationary(point: &Point, slope: &Slope, limits: &Limits<'_>) -> bool {
    let tolerance = limits.method.tolerance;
    slope.gradient.length() < tolerance * limits.unit * limits.unit
        || slope.shifted && point.across() < tolerance * tolerance * limits.unit
}

/// The search direction: Newton's where the Hessian is positive definite, Levenberg and Marquardt's elsewhere.
fn direction(slope: &Slope, shift: Shift, area: f64) -> DVec2 {
    let ([low, high], _) = slope.hessian.eigen();
    let mu = if low > 0.0 { 0.0 } else { shift.of(low, high, area) };
    (slope.hessian + Sym2::scalar(mu)).solve(-slope.gradient) // eq. (12)
}

/// The first of the steps σ = 1, 1/2, 1/4, … along `step` that satisfies Armijo's rule.
fn armijo(
    objective: &Objective<'_>,
    from: &Point,
    gradient: DVec2,
    step: DVec2,
    record: &mut Record,
) -> Option<Point> {
    let slope = gradient.dot(step);
    if slope.is_nan() || slope >= 0.0 {
        return None;
    }
    (0..HALVINGS).find_map(|k| {
        let sigma = 0.5_f64.powi(k);
        let trial = objective.at(from.alpha + sigma * step); // eq. (13)
        record.see(&trial);
        (trial.value <= from.value + SUFFICIENT * sigma * slope).then_some(trial)
    })
}

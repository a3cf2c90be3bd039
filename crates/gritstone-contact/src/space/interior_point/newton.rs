//! Newton's method with GMRES on a residual that is known only by its values.
//!
//! **Notation.** R(u): residual. J: its Jacobian, of which only products `J v ≈ (R(u + h v) − R(u))/h` are formed.

use gritstone_core::solve::gmres::{self, Status as Linear, gmres};

use super::kkt::{State, UNKNOWNS};

/// Newton steps before giving up.
const MAX_STEPS: u32 = 60;
/// The residual is converged below this (points in units of the smaller grain's size).
const RESIDUAL: f64 = 1e-12;
/// Difference step for products of the Jacobian, times 1 + |u|: the root of the rounding error.
const DIFFERENCE: f64 = 1.5e-8;
/// Share of the residual that the linear solve may leave.
const FORCING: gmres::Limits = gmres::Limits { tolerance: 1e-6, cycles: 1 };
/// Least decrease of |R| that is accepted, as a share of what a full linear step would give.
const DECREASE: f64 = 1e-4;
/// Halvings of a step before giving up.
const MAX_HALVINGS: u32 = 30;

/// How an iteration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// The residual vanishes.
    Converged,
    /// The caller's condition was met.
    Stopped,
    /// No step along the Newton direction makes the residual smaller.
    Stalled,
    /// The steps are used up.
    LimitReached,
}

/// What an iteration found and what it cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub(super) u: State,
    pub(super) status: Status,
    pub(super) steps: u32,
    /// Evaluations of the residual.
    pub(super) evaluations: u32,
}

/// Solves R(u) = 0 from `start`; ends early where `stop` says so.
pub(super) fn solve(
    residual: impl Fn(&State) -> State,
    start: &State,
    stop: impl Fn(&State) -> bool,
) -> Outcome {
    let mut here = Outcome { u: *start, status: Status::LimitReached, steps: 0, evaluations: 1 };
    let mut r = residual(start);
    while here.steps < MAX_STEPS {
        if norm(&r) <= RESIDUAL {
            return Outcome { status: Status::Converged, ..here };
        }
        if stop(&here.u) {
            return Outcome { status: Status::Stopped, ..here };
        }
        here.steps += 1;
        let Some(step) = newton_step(&residual, &mut here, &r) else {
            return Outcome { status: Status::Stalled, ..here };
        };
        match backtrack(&residual, &mut here, &r, &step) {
            Some(next) => r = next,
            None => return Outcome { status: Status::Stalled, ..here },
        }
    }
    here
}

/// `J⁻¹ r`, as far as GMRES gets.
fn newton_step(residual: impl Fn(&State) -> State, here: &mut Outcome, r: &State) -> Option<State> {
    let u = here.u;
    let h = DIFFERENCE * (1.0 + norm(&u));
    let product = |v: &State| {
        let moved = residual(&along(&u, v, h));
        std::array::from_fn(|i| (moved[i] - r[i]) / h)
    };
    let solution = gmres::<UNKNOWNS, UNKNOWNS>(product, r, FORCING);
    here.evaluations += solution.products;
    (solution.status != Linear::NotFinite && solution.residual < norm(r)).then_some(solution.x)
}

/// Halves the step until the residual shrinks; moves there and returns the residual.
fn backtrack(
    residual: impl Fn(&State) -> State,
    here: &mut Outcome,
    r: &State,
    step: &State,
) -> Option<State> {
    let mut t = 1.0;
    for _ in 0..MAX_HALVINGS {
        let trial = along(&here.u, step, -t);
        let next = residual(&trial);
        here.evaluations += 1;
        if norm(&next) <= (1.0 - DECREASE * t) * norm(r) {
            here.u = trial;
            return Some(next);
        }
        t *= 0.5;
    }
    None
}

/// `u + t v`.
fn along(u: &State, v: &State, t: f64) -> State {
    std::array::from_fn(|i| u[i] + t * v[i])
}

fn norm(u: &State) -> f64 {
    u.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEVER: fn(&State) -> bool = |_| false;

    /// A system with the known root (1, 2, …, 10): cubes with a coupling to the neighbour.
    fn cubes(u: &State) -> State {
        let at = |u: &State, i: usize| 0.1 * u[i].powi(3) + u[i] + 0.5 * u[(i + 1) % UNKNOWNS].sin();
        let root = std::array::from_fn(|i| (i + 1) as f64);
        std::array::from_fn(|i| at(u, i) - at(&root, i))
    }

    #[test]
    fn finds_a_known_root() {
        let outcome = solve(cubes, &[0.0; UNKNOWNS], NEVER);
        assert_eq!(outcome.status, Status::Converged);
        for (i, x) in outcome.u.into_iter().enumerate() {
            assert!((x - (i + 1) as f64).abs() < 1e-11);
        }
        assert!(outcome.evaluations > outcome.steps);
    }

    #[test]
    fn says_when_it_does_not_converge() {
        // No root: |R| has its least value √10 at zero.
        let outcome = solve(|u| u.map(|x| 1.0 + x * x), &[1.0; UNKNOWNS], NEVER);
        assert!(matches!(outcome.status, Status::Stalled | Status::LimitReached));
        // A root that Newton's method doubles its distance from: the edge of a body with ε > 4/3.
        let outcome = solve(|u| u.map(|x| x.signum() * x.abs().powf(0.1)), &[1.0; UNKNOWNS], NEVER);
        assert_ne!(outcome.status, Status::Converged);
        let outcome = solve(|u| u.map(|x| x + f64::NAN), &[1.0; UNKNOWNS], NEVER);
        assert_ne!(outcome.status, Status::Converged);
    }

    #[test]
    fn stops_where_it_is_told() {
        let outcome = solve(cubes, &[0.0; UNKNOWNS], |u| u[0] > 0.0);
        assert_eq!(outcome.status, Status::Stopped);
        assert!(outcome.u[0] > 0.0 && outcome.steps < 5);
    }
}

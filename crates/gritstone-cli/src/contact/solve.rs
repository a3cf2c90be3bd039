//! From one line to its answer.

use std::cell::RefCell;

use gritstone::contact::{Goal, Method, Placed, Query, Setting};
use gritstone::core::{Plane, Space};
use gritstone::io::json_lines::{
    AnyPair, Grain, Id, Line, PairLine, Problem, read_pair, verdict_word, write_answer, write_problem,
};

/// How pairs are to be solved.
#[derive(Clone, Copy)]
pub(super) struct Solver {
    /// The name of the method.
    name: &'static str,
    plane: Option<&'static dyn Method<Plane>>,
    space: Option<&'static dyn Method<Space>>,
    goal: Goal,
}

/// What a line came to.
pub(super) enum Outcome {
    Apart,
    Contact,
    Unresolved,
    Error { line: u64, problem: String },
}

thread_local! {
    static PLANE: RefCell<<Plane as Setting>::Scratch> = RefCell::default();
    static SPACE: RefCell<<Space as Setting>::Scratch> = RefCell::default();
}

impl Solver {
    /// Solves by the method of that name, in the dimensions in which there is one; `None` if there is none at all.
    pub(super) fn new(name: &str, goal: Goal) -> Option<Self> {
        let (plane, space) = (Plane::method(name), Space::method(name));
        let name = space.map(|m| m.card().name).or(plane.map(|m| m.card().name))?;
        Some(Self { name, plane, space, goal })
    }

    /// Answers one line with one line, without its end.
    pub(super) fn answer(&self, line: &Line) -> (String, Outcome) {
        let pair = match &line.text {
            Some(text) => read_pair(text).map_err(|bad| (bad.id, bad.problem)),
            None => Err((Id::default(), Problem::TooLong)),
        };
        match pair {
            Ok(AnyPair::Plane(pair)) => {
                PLANE.with_borrow_mut(|scratch| self.solve(self.plane, &pair, line.number, scratch))
            }
            Ok(AnyPair::Space(pair)) => {
                SPACE.with_borrow_mut(|scratch| self.solve(self.space, &pair, line.number, scratch))
            }
            Err((id, problem)) => fail(&id, line.number, &problem),
        }
    }

    fn solve<D: Setting>(
        &self,
        method: Option<&dyn Method<D>>,
        pair: &PairLine<D>,
        line: u64,
        scratch: &mut D::Scratch,
    ) -> (String, Outcome) {
        let Some(method) = method else {
            let place = if D::N == 2 { "the plane" } else { "space" };
            return fail(
                &pair.id,
                line,
                &format_args!("method {} does not take shapes in {place}", self.name),
            );
        };
        let query = Query { goal: self.goal, ..Query::default() };
        match method.solve(placed(&pair.a), placed(&pair.b), query, scratch) {
            Ok(answer) => {
                let outcome = match verdict_word(&answer) {
                    "apart" => Outcome::Apart,
                    "contact" => Outcome::Contact,
                    _ => Outcome::Unresolved,
                };
                (write_answer(&pair.id, &answer, self.name), outcome)
            }
            Err(refusal) => fail(&pair.id, line, &refusal),
        }
    }
}

fn placed<D: Setting>(grain: &Grain<D>) -> Placed<'_, D> {
    Placed { shape: &grain.shape, pose: grain.pose }
}

fn fail(id: &Id, line: u64, problem: &dyn std::fmt::Display) -> (String, Outcome) {
    (write_problem(id, problem), Outcome::Error { line, problem: problem.to_string() })
}

//! From one line to its answer.

use std::cell::RefCell;

use gritstone::contact::space::{Method, Placed, Scratch};
use gritstone::contact::{Goal, Query};
use gritstone::io::json_lines::{
    Grain, Id, Line, PairLine, Problem, read_pair, verdict_word, write_answer, write_problem,
};

/// How pairs are to be solved.
#[derive(Clone, Copy)]
pub(super) struct Solver {
    pub(super) method: &'static dyn Method,
    pub(super) goal: Goal,
}

/// What a line came to.
pub(super) enum Outcome {
    Apart,
    Contact,
    Unresolved,
    Error { line: u64, problem: String },
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

impl Solver {
    /// Answers one line with one line, without its end.
    pub(super) fn answer(&self, line: &Line) -> (String, Outcome) {
        let pair = match &line.text {
            Some(text) => read_pair(text).map_err(|bad| (bad.id, bad.problem)),
            None => Err((Id::default(), Problem::TooLong)),
        };
        match pair {
            Ok(pair) => self.solve(&pair, line.number),
            Err((id, problem)) => fail(&id, line.number, &problem),
        }
    }

    fn solve(&self, pair: &PairLine, line: u64) -> (String, Outcome) {
        let query = Query { goal: self.goal, ..Query::default() };
        let solved = SCRATCH
            .with_borrow_mut(|scratch| self.method.solve(placed(&pair.a), placed(&pair.b), query, scratch));
        match solved {
            Ok(answer) => {
                let outcome = match verdict_word(&answer) {
                    "apart" => Outcome::Apart,
                    "contact" => Outcome::Contact,
                    _ => Outcome::Unresolved,
                };
                (write_answer(&pair.id, &answer, self.method.card().name), outcome)
            }
            Err(refusal) => fail(&pair.id, line, &refusal),
        }
    }
}

fn placed(grain: &Grain) -> Placed<'_> {
    Placed { shape: &grain.shape, pose: grain.pose }
}

fn fail(id: &Id, line: u64, problem: &dyn std::fmt::Display) -> (String, Outcome) {
    (write_problem(id, problem), Outcome::Error { line, problem: problem.to_string() })
}

//! From lines to their answers.

use std::cell::RefCell;

use gritstone::contact::{Answer, Goal, Method, NarrowPhase, Placed, Query, Refusal};
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
    static PLANE: RefCell<<Plane as NarrowPhase>::Scratch> = RefCell::default();
    static SPACE: RefCell<<Space as NarrowPhase>::Scratch> = RefCell::default();
}

impl Solver {
    /// Solves by the method of that name, in the dimensions in which there is one; `None` if there is none at all.
    pub(super) fn new(name: &str, goal: Goal) -> Option<Self> {
        let (plane, space) = (Plane::method(name), Space::method(name));
        let name = space.map(|m| m.card().name).or(plane.map(|m| m.card().name))?;
        Some(Self { name, plane, space, goal })
    }

    /// Answers every line with a line, without its end.
    pub(super) fn answer(&self, lines: &[Line]) -> Vec<(String, Outcome)> {
        let mut answers: Vec<_> = lines.iter().map(|_| None).collect();
        let (mut in_plane, mut in_space) = (Vec::new(), Vec::new());
        for (row, line) in lines.iter().enumerate() {
            let pair = match &line.text {
                Some(text) => read_pair(text).map_err(|bad| (bad.id, bad.problem)),
                None => Err((Id::default(), Problem::TooLong)),
            };
            match pair {
                Ok(AnyPair::Plane(pair)) => in_plane.push((row, pair)),
                Ok(AnyPair::Space(pair)) => in_space.push((row, pair)),
                Err((id, problem)) => answers[row] = Some(fail(&id, line.number, &problem)),
            }
        }
        let mut put = |row: usize, answer| answers[row] = Some(answer);
        PLANE.with_borrow_mut(|scratch| self.solve(self.plane, &in_plane, lines, scratch, &mut put));
        SPACE.with_borrow_mut(|scratch| self.solve(self.space, &in_space, lines, scratch, &mut put));
        answers.into_iter().flatten().collect()
    }

    /// Solves the pairs of one dimension, and puts their answers into their rows.
    fn solve<D: NarrowPhase>(
        &self,
        method: Option<&dyn Method<D>>,
        pairs: &[(usize, PairLine<D>)],
        lines: &[Line],
        scratch: &mut D::Scratch,
        put: &mut impl FnMut(usize, (String, Outcome)),
    ) {
        let Some(method) = method else {
            let place = if D::N == 2 { "the plane" } else { "space" };
            let problem = format!("method {} does not take shapes in {place}", self.name);
            return pairs
                .iter()
                .for_each(|(row, pair)| put(*row, fail(&pair.id, lines[*row].number, &problem)));
        };
        let query = Query { goal: self.goal, ..Query::default() };
        let bodies: Vec<_> = pairs.iter().map(|(_, pair)| [placed(&pair.a), placed(&pair.b)]).collect();
        let mut answers = Vec::with_capacity(pairs.len());
        method.solve_all(&bodies, query, scratch, &mut answers);
        for ((row, pair), answer) in pairs.iter().zip(answers) {
            put(*row, self.write(&pair.id, lines[*row].number, answer));
        }
    }

    fn write<D: NarrowPhase>(
        &self,
        id: &Id,
        line: u64,
        answer: Result<Answer<D>, Refusal>,
    ) -> (String, Outcome) {
        match answer {
            Ok(answer) => {
                let outcome = match verdict_word(&answer) {
                    "apart" => Outcome::Apart,
                    "contact" => Outcome::Contact,
                    _ => Outcome::Unresolved,
                };
                (write_answer(id, &answer, self.name), outcome)
            }
            Err(refusal) => fail(id, line, &refusal),
        }
    }
}

fn placed<D: NarrowPhase>(grain: &Grain<D>) -> Placed<'_, D> {
    Placed { shape: &grain.shape, pose: grain.pose }
}

fn fail(id: &Id, line: u64, problem: &dyn std::fmt::Display) -> (String, Outcome) {
    (write_problem(id, problem), Outcome::Error { line, problem: problem.to_string() })
}

//! Counting what the lines came to.

use std::time::Instant;

use serde_json::json;

use super::solve::Outcome;

/// How many bad lines are shown in the summary; all of them are in the output.
const SHOWN: usize = 3;

/// Counts of a run.
pub(super) struct Counts {
    name: String,
    since: Instant,
    pub(super) apart: u64,
    pub(super) contact: u64,
    pub(super) unresolved: u64,
    pub(super) errors: u64,
    first_errors: Vec<(u64, String)>,
}

impl Counts {
    /// Nothing counted yet of the input `name`.
    pub(super) fn new(name: String) -> Self {
        let first_errors = Vec::new();
        Self { name, since: Instant::now(), apart: 0, contact: 0, unresolved: 0, errors: 0, first_errors }
    }

    /// Counts one line.
    pub(super) fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Apart => self.apart += 1,
            Outcome::Contact => self.contact += 1,
            Outcome::Unresolved => self.unresolved += 1,
            Outcome::Error { line, problem } => {
                self.errors += 1;
                if self.first_errors.len() < SHOWN {
                    self.first_errors.push((line, problem));
                }
            }
        }
    }

    fn pairs(&self) -> u64 {
        self.apart + self.contact + self.unresolved + self.errors
    }

    /// Tells the user, on the standard error.
    pub(super) fn report(&self, as_json: bool) {
        let Self { apart, contact, unresolved, errors, .. } = self;
        let (pairs, seconds) = (self.pairs(), self.since.elapsed().as_secs_f64());
        if as_json {
            let summary = json!({
                "pairs": pairs, "solved": apart + contact, "apart": apart, "contact": contact,
                "unresolved": unresolved, "errors": errors, "seconds": seconds,
            });
            eprintln!("{summary}");
            return;
        }
        for (line, problem) in &self.first_errors {
            eprintln!("{}, line {line}: {problem}", self.name);
        }
        if *errors > self.first_errors.len() as u64 {
            eprintln!("… and {} more bad lines", errors - self.first_errors.len() as u64);
        }
        eprintln!(
            "{pairs} pairs: {} solved ({apart} apart, {contact} in contact), {unresolved} unresolved, {errors} errors \
             ({seconds:.2} s)",
            apart + contact
        );
    }
}

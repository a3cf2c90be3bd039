//! Any bytes at all as a line of `gritstone contact`: one answer that is one line of JSON, whatever comes.

#![no_main]

use gritstone::contact::space::{self, Placed, Scratch};
use gritstone::contact::{Answer, Goal, Query, Verdict};
use gritstone::core::Space;
use gritstone::io::json_lines::{Grain, Lines, read_pair, write_answer, write_problem};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| {
    let Ok(batch) = Lines::new(bytes).next_batch() else { return };
    let mut scratch = Scratch::default();
    for line in batch.iter().filter_map(|line| line.text.as_deref()) {
        match read_pair(line) {
            Err(bad) => check(&write_problem(&bad.id, &bad.problem)),
            Ok(pair) => {
                for method in space::METHODS {
                    for goal in [Goal::Distance, Goal::Detect] {
                        let query = Query { goal, ..Query::default() };
                        match method.solve(placed(&pair.a), placed(&pair.b), query, &mut scratch) {
                            Ok(answer) => {
                                check(&write_answer(&pair.id, &answer, method.card().name));
                                believe(&answer);
                            }
                            Err(refusal) => check(&write_problem(&pair.id, &refusal)),
                        }
                    }
                }
            }
        }
    }
});

fn placed(grain: &Grain) -> Placed<'_> {
    Placed { shape: &grain.shape, pose: grain.pose }
}

/// What is certified is a number between its bounds, along a unit vector.
fn believe(answer: &Answer<Space>) {
    if !answer.certified() {
        return;
    }
    let (distance, room) = (answer.distance(), answer.tolerance);
    let (least, normal) = match answer.verdict {
        // Any separating plane will do, not only the one of the best bound.
        Verdict::Apart { along, .. } => (0.0, along),
        Verdict::Solved(contact) | Verdict::Unresolved { best: contact, .. } => (answer.lower, contact.normal),
    };
    assert!(least - room <= distance && distance <= answer.upper + room, "{answer:?}");
    assert!((normal.length() - 1.0).abs() < 1e-9, "{answer:?}");
}

/// One line of JSON that begins as the interface says.
fn check(answer: &str) {
    assert!(answer.starts_with("{\"id\":") && !answer.contains(['\n', '\r']), "{answer}");
    // Raw, because an id may nest deeper than a parser of values cares to follow.
    let raw: &RawValue = serde_json::from_str(answer).expect(answer);
    assert!(raw.get().len() == answer.len());
}

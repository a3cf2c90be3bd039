//! Any bytes at all as a line of `gritstone contact`: one answer that is one line of JSON, whatever comes.

#![no_main]

use gritstone::contact::{Answer, Goal, Placed, Query, NarrowPhase, Verdict};
use gritstone::core::Vector;
use gritstone::io::json_lines::{AnyPair, Lines, PairLine, read_pair, write_answer, write_problem};
use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;

fuzz_target!(|bytes: &[u8]| {
    let Ok(batch) = Lines::new(bytes).next_batch() else { return };
    for line in batch.iter().filter_map(|line| line.text.as_deref()) {
        match read_pair(line) {
            Err(bad) => check(&write_problem(&bad.id, &bad.problem)),
            Ok(AnyPair::Plane(pair)) => solve(&pair),
            Ok(AnyPair::Space(pair)) => solve(&pair),
        }
    }
});

fn solve<D: NarrowPhase>(pair: &PairLine<D>) {
    let [a, b] = [&pair.a, &pair.b].map(|grain| Placed { shape: &grain.shape, pose: grain.pose });
    let mut scratch = D::Scratch::default();
    for method in D::methods() {
        for goal in [Goal::Distance, Goal::Detect] {
            match method.solve(a, b, Query { goal, ..Query::default() }, &mut scratch) {
                Ok(answer) => {
                    check(&write_answer(&pair.id, &answer, method.card().name));
                    believe(&answer);
                }
                Err(refusal) => check(&write_problem(&pair.id, &refusal)),
            }
        }
    }
}

/// What is certified is a number between its bounds, along a unit vector.
fn believe<D: NarrowPhase>(answer: &Answer<D>) {
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

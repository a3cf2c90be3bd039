//! Writing answers.

use std::fmt::Write;

use glam::DVec3;
use gritstone_contact::{Answer, Verdict};
use gritstone_core::Space;

use super::pair::Id;

/// `apart`, `contact` or `unresolved`. A distance of zero is contact; one that is no number is never an answer.
pub fn verdict_word(answer: &Answer<Space>) -> &'static str {
    let distance = answer.distance();
    match answer.verdict {
        Verdict::Unresolved { .. } => "unresolved",
        _ if distance <= 0.0 => "contact",
        _ if distance > 0.0 => "apart",
        _ => "unresolved",
    }
}

/// One line, without its end, for an answer of the method `method`.
pub fn write_answer(id: &Id, answer: &Answer<Space>, method: &str) -> String {
    let (normal, points) = match answer.verdict {
        Verdict::Apart { along, .. } => (along, None),
        Verdict::Solved(c) | Verdict::Unresolved { best: c, .. } => (c.normal, Some((c.point_a, c.point_b))),
    };
    let mut line = String::with_capacity(512);
    line += "{\"id\":";
    line += id.as_json();
    line += ",\"verdict\":\"";
    line += verdict_word(answer);
    line += "\",\"distance\":";
    number(&mut line, answer.distance());
    line += ",\"lower\":";
    number(&mut line, answer.lower);
    line += ",\"upper\":";
    number(&mut line, answer.upper);
    line += ",\"normal\":";
    vector(&mut line, Some(normal));
    line += ",\"point_a\":";
    vector(&mut line, points.map(|(a, _)| a));
    line += ",\"point_b\":";
    vector(&mut line, points.map(|(_, b)| b));
    line += ",\"iterations\":";
    put(&mut line, answer.iterations);
    line += ",\"certified\":";
    put(&mut line, answer.certified());
    line += ",\"method\":";
    put(&mut line, serde_json::Value::from(method));
    line += "}";
    line
}

/// One line, without its end, for a pair that could not be read or solved.
pub fn write_problem(id: &Id, problem: &dyn std::fmt::Display) -> String {
    let mut line = format!("{{\"id\":{},\"verdict\":\"error\",\"error\":", id.as_json());
    put(&mut line, serde_json::Value::from(problem.to_string()));
    line += "}";
    line
}

fn put(line: &mut String, what: impl std::fmt::Display) {
    let _infallible = write!(line, "{what}");
}

/// The shortest text that reads back as the same number; `null` for what JSON has no number for.
fn number(line: &mut String, value: f64) {
    if value.is_finite() {
        // Adding zero turns −0 into 0.
        let _infallible = write!(line, "{:?}", value + 0.0);
    } else {
        *line += "null";
    }
}

fn vector(line: &mut String, vector: Option<DVec3>) {
    let Some(DVec3 { x, y, z }) = vector else {
        *line += "null";
        return;
    };
    for (before, value) in [("[", x), (",", y), (",", z)] {
        *line += before;
        number(line, value);
    }
    *line += "]";
}

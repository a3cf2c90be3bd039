//! Writing answers.

use std::fmt::Write;

use gritstone_contact::{Answer, Verdict};
use gritstone_core::{Dim, Vector};

use super::pair::Id;

/// `apart`, `contact` or `unresolved`. A distance of zero is contact; one that is no number is never an answer.
pub fn verdict_word<D: Dim>(answer: &Answer<D>) -> &'static str {
    let distance = answer.distance();
    match answer.verdict {
        Verdict::Unresolved { .. } => "unresolved",
        _ if distance <= 0.0 => "contact",
        _ if distance > 0.0 => "apart",
        _ => "unresolved",
    }
}

/// One line, without its end, for an answer of the method `method`.
pub fn write_answer<D: Dim>(id: &Id, answer: &Answer<D>, method: &str) -> String {
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
    vector::<D>(&mut line, Some(normal));
    line += ",\"point_a\":";
    vector::<D>(&mut line, points.map(|(a, _)| a));
    line += ",\"point_b\":";
    vector::<D>(&mut line, points.map(|(_, b)| b));
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

fn vector<D: Dim>(line: &mut String, vector: Option<D::Vec>) {
    let Some(vector) = vector else {
        *line += "null";
        return;
    };
    for i in 0..D::N {
        *line += if i == 0 { "[" } else { "," };
        number(line, vector.component(i));
    }
    *line += "]";
}

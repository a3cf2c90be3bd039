//! `gritstone verify`, from outside.

use crate::common::{run, stderr};
use serde_json::Value;

#[test]
fn cases_are_run_and_listed() {
    let table = run(&["verify", "impact", "free-flight", "--quick"], b"");
    assert_eq!(table.status.code(), Some(0), "{}", stderr(&table));
    let text = String::from_utf8(table.stdout).unwrap();
    assert!(text.contains("impact: ") && text.contains("Hertz 1882") && text.contains("angular momentum"));
    let json = run(&["verify", "impact", "--quick", "--json"], b"");
    let list: Vec<Value> = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(list[0]["case"], "impact");
    let checks = list[0]["checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["holds"] == true && check["measured"].as_f64() < Some(1e-3)));
}

#[test]
fn unknown_cases_are_refused() {
    let done = run(&["verify", "perpetual-motion"], b"");
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("free-flight"));
}

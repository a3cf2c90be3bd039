//! `gritstone reproduce` from outside.

use crate::common::{folder, run, stderr};
use serde_json::Value;

#[test]
fn a_quick_reproduction_prints_tables_and_leaves_a_report() {
    let out = folder("reproduce");
    let done = run(&["reproduce", "wellmann2008", "--quick", "--out", out.to_str().unwrap()], b"");
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert_eq!(stderr(&done), "");
    let text = String::from_utf8(done.stdout).unwrap();
    for part in ["excluded after 0 iterations", "88.10", "Table II", "report.html"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("What cannot be reproduced"));
    let series = std::fs::read_to_string(out.join("series-1.csv")).unwrap();
    assert!(series.lines().count() > 12 && series.contains("0.881"));
    assert!(out.join("figure-6-b.svg").exists() && out.join("table-2.json").exists());
}

#[test]
fn json_has_every_table_and_the_same_numbers_every_time() {
    let ask = || run(&["reproduce", "all", "--pairs", "50", "--seed", "9", "--json"], b"");
    // But times, which are those of the machine.
    let numbers = || {
        let mut papers: Vec<Value> = serde_json::from_slice(&ask().stdout).unwrap();
        for paper in &mut papers {
            let timed = |table: &Value| table["name"].as_str().unwrap().starts_with("times");
            paper["tables"].as_array_mut().unwrap().retain(|table| !timed(table));
        }
        papers
    };
    let (papers, again) = (numbers(), numbers());
    assert_eq!(papers, again);
    assert_eq!(papers.len(), 4);
    let wellmann = papers.iter().find(|paper| paper["paper"] == "wellmann2008").unwrap();
    assert_eq!((&wellmann["pairs"], &wellmann["seed"]), (&Value::from(50), &Value::from(9)));
    assert!(wellmann["tables"].as_array().unwrap().len() > 6);
}

#[test]
fn bad_requests_are_refused_before_any_work() {
    let file = folder("reproduce-file").join("occupied");
    std::fs::write(&file, "").unwrap();
    for arguments in [
        &["reproduce", "einstein1905"][..],
        &["reproduce", "wellmann2008", "--pairs", "0"],
        &["reproduce", "wellmann2008", "--pairs", "10", "--quick"],
        &["reproduce", "wellmann2008", "--out", file.to_str().unwrap()],
    ] {
        let done = run(arguments, b"");
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {}", stderr(&done));
    }
}

//! `gritstone bench`: what it prints, and what it says to wrong names.

use crate::common::{run, stderr};

#[test]
fn a_bed_is_timed_and_told_as_json() {
    let done =
        run(&["bench", "ellipse-2d", "--json", "--steps", "13", "--repetitions", "2", "--no-cache"], b"");
    assert!(done.status.success(), "{}", stderr(&done));
    let rows: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let row = &rows[0];
    assert_eq!(row["name"], "ellipse-2d");
    assert_eq!(row["particles"], 480); // twelve columns of forty
    assert_eq!((&row["steps"], &row["threads"], &row["unresolved"]), (&13.into(), &1.into(), &0.into()));
    assert!(row["contacts"].as_u64().unwrap() > 480);
    assert!(row["us_per_particle_step"].as_f64().unwrap() > 0.0);
    let shares = row["shares"].as_object().unwrap().values();
    let sum: f64 = shares.map(|share| share.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn names_that_are_not_there_are_refused() {
    let done = run(&["bench", "settle-cube"], b"");
    assert_eq!(done.status.code(), Some(2));
    assert!(stderr(&done).contains("settle-cube"));
}

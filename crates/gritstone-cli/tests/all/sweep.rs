//! `gritstone sweep` from outside: values as `run --set` sets them, going on after it was stopped, messages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{folder, gritstone, run, stderr};
use serde_json::Value;

/// A plate slides down a slope of 30°: gravity is turned instead of the plane.
const SCENE: &str = r#"
dimension = 3
gravity = [4.905, 0, -8.495709]

[time]
end = "50 ms"
step = "20 us"

[contact]
law = "linear"

[materials.stone]
density = 2500
kn = "100 kN/m"
restitution = 0.1
friction = 0.2

[shapes.plate]
shape = "cylinder"
radius = "2 cm"
half_height = "2 mm"

[[grains]]
from = "points"
shape = "plate"
material = "stone"
at = [[0, 0, 0.002]]

[walls.slope]
kind = "plane"
normal = [0, 0, 1]
point = [0, 0, 0]
material = "stone"

[probes.books]
kind = "energies"
every = "1 ms"
"#;

const SWEEP: &str = r#"
scene = "slope.toml"
measure = ["probes.books.translation.last", "energies.translation", "contacts"]

[parameters]
"materials.stone.friction" = [0.1, 0.3]
"time.end" = ["40 ms", "50 ms"]
"#;

/// A folder with the scene and a sweep.
fn place(test: &str, sweep: &str) -> PathBuf {
    let folder = folder(test);
    fs::write(folder.join("slope.toml"), SCENE).unwrap();
    fs::write(folder.join("slope-sweep.toml"), sweep).unwrap();
    folder
}

fn sweep(folder: &Path, more: &[&str]) -> std::process::Output {
    gritstone(&[&["sweep", "slope-sweep.toml"], more].concat()).current_dir(folder).output().unwrap()
}

fn rows(output: &std::process::Output) -> Vec<Value> {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(output)))
}

#[test]
fn cases_are_the_runs_of_their_values() {
    let folder = place("sweep-cases", SWEEP);
    let done = sweep(&folder, &["--json", "--threads", "2"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let rows = rows(&done);
    assert_eq!(rows.len(), 4);
    for (row, (friction, end)) in rows.iter().zip([(0.1, 0.04), (0.1, 0.05), (0.3, 0.04), (0.3, 0.05)]) {
        assert_eq!(row["values"]["materials.stone.friction"], friction);
        let measured = &row["measured"];
        // Coulomb friction on the slope: v = (g sin - friction g cos) t; the plate weighs 2500 π r² h.
        let mass = 2500.0 * std::f64::consts::PI * 0.02_f64.powi(2) * 0.004;
        let speed = (4.905 - friction * 8.495_709) * end;
        let energy = measured["energies.translation"].as_f64().unwrap();
        assert!((energy / (0.5 * mass * speed * speed) - 1.0).abs() < 0.04, "{row}");
        assert_eq!(measured["probes.books.translation.last"], measured["energies.translation"]);
    }
    // The last case is the run with the same values, to the last bit.
    let set = ["--set", "materials.stone.friction=0.3", "--set", "time.end=50 ms", "--json"];
    let slope = folder.join("slope.toml");
    let out = folder.join("out");
    let alone =
        run(&[&["run", slope.to_str().unwrap(), "--out", out.to_str().unwrap()], &set[..]].concat(), b"");
    let alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
    assert_eq!(alone["energies"]["translation"], rows[3]["measured"]["energies.translation"]);
}

#[test]
fn a_sweep_goes_on_where_it_stopped() {
    let folder = place("sweep-resumed", SWEEP);
    let first = sweep(&folder, &["--json"]);
    let results = folder.join("slope-sweep-results.jsonl");
    let lines = fs::read_to_string(&results).unwrap();
    assert_eq!(lines.lines().count(), 4);
    // Two cases are lost, one of them in the middle of its line, and one has another outcome than a run would have.
    let kept: Vec<_> = lines.lines().take(2).collect();
    let altered = kept[0].replace("\"contacts\":1", "\"contacts\":77");
    assert_ne!(altered, kept[0], "{}", kept[0]);
    fs::write(&results, format!("{altered}\n{}\n{}", kept[1], &lines.lines().nth(2).unwrap()[..40])).unwrap();
    let again = sweep(&folder, &["--json"]);
    let (first, again) = (rows(&first), rows(&again));
    let differing: Vec<_> = first.iter().zip(&again).filter(|(a, b)| a != b).collect();
    assert_eq!(differing.len(), 1, "only the altered case is taken from the file");
    assert_eq!(differing[0].1["measured"]["contacts"], 77.0);
    assert_eq!(fs::read_to_string(&results).unwrap().lines().count(), 5);
    // A change of the scene makes them all run again.
    fs::write(folder.join("slope.toml"), SCENE.replace("restitution = 0.1", "restitution = 0.2")).unwrap();
    sweep(&folder, &["--json"]);
    assert_eq!(fs::read_to_string(&results).unwrap().lines().count(), 9);
}

#[test]
fn failures_are_rows() {
    let folder =
        place("sweep-failures", &SWEEP.replace("[0.1, 0.3]", "[0.1, -1.0]").replace("\"40 ms\", ", ""));
    let done = sweep(&folder, &["--json", "--csv", "table.csv"]);
    assert_eq!(done.status.code(), Some(1));
    let rows = rows(&done);
    assert_eq!(rows[0]["error"], "");
    let error = rows[1]["error"].as_str().unwrap();
    assert!(error.contains("materials.stone.friction is -1.0, but must be"), "{error}");
    assert!(stderr(&done).contains("1 of 2 cases failed"), "{}", stderr(&done));
    let table = fs::read_to_string(folder.join("table.csv")).unwrap();
    assert!(table.starts_with("materials.stone.friction,time.end,"), "{table}");
    assert_eq!(sweep(&folder, &[]).status.code(), Some(1));
    assert_eq!(fs::read_to_string(folder.join("slope-sweep-results.jsonl")).unwrap().lines().count(), 3);
}

#[test]
fn what_is_wrong_is_told_before_anything_runs() {
    for (test, from, to, told) in [
        ("scene", "slope.toml", "cliff.toml", "cliff.toml: cannot be read"),
        ("key", "scene =", "scenes =", "slope-sweep.toml:2: the sweep has the unknown key \"scenes\""),
        (
            "list",
            "[0.1, 0.3]",
            "0.1",
            "slope-sweep.toml:6: parameters.materials.stone.friction is 0.1, but must be a list",
        ),
        ("values", "[0.1, 0.3]", "[\"high\"]", "materials.stone.friction is \"high\", but must be"),
        (
            "keys",
            "materials.stone.friction",
            "materials.stone.frictoin",
            "unknown key \"frictoin\" (did you mean \"friction\"?)",
        ),
    ] {
        let folder = place(&format!("sweep-wrong-{test}"), &SWEEP.replace(from, to));
        let done = sweep(&folder, &[]);
        assert_eq!(done.status.code(), Some(2), "{test}: {}", stderr(&done));
        assert!(stderr(&done).contains(told), "{test}: {}", stderr(&done));
        assert!(!folder.join("slope-sweep-results.jsonl").exists(), "{test}");
    }
    // What the summary lacks is known when a case starts: none is run to its end for nothing.
    let folder = place("sweep-wrong-measure", &SWEEP.replace("books.translation", "books.momentum"));
    let done = sweep(&folder, &[]);
    assert_eq!(done.status.code(), Some(1));
    assert!(stderr(&done).contains("but probes.books has no such key; it has"), "{}", stderr(&done));
}

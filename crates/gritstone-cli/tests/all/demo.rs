//! `gritstone demo`, from outside.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::path::Path;

use crate::common::{folder, lines, run, stderr};
use gritstone::run::{Options, run as run_scene};
use gritstone::scene::{Scene, template};
use serde_json::Value;

#[test]
fn the_pairs_are_certified_and_drawn() {
    let folder = folder("demo").join("made/on/demand");
    let out = folder.to_str().unwrap();
    let output = run(&["demo", "--contacts", "--out", out], b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let tables = String::from_utf8(output.stdout).unwrap();
    assert!(tables.contains("octahedra, tip to tip") && tables.contains("common-normal"), "{tables}");

    // The pairs that it leaves can be solved again, and another method agrees wherever it answers.
    let pairs = folder.join("pairs.jsonl");
    let pairs = pairs.to_str().unwrap();
    let again = run(&["contact", pairs], b"");
    assert_eq!(
        String::from_utf8_lossy(&again.stdout),
        fs::read_to_string(folder.join("contacts.jsonl")).unwrap()
    );
    let gjk = run(&["contact", pairs, "--method", "gjk"], b"");
    let distance = |answer: &Value| answer["distance"].as_f64().unwrap();
    for (auto, gjk) in lines(&again).iter().zip(&lines(&gjk)) {
        assert_eq!((&auto["certified"], &auto["id"]), (&true.into(), &gjk["id"]));
        assert!((distance(auto) - distance(gjk)).abs() < 1e-8, "{auto}\n{gjk}");
    }
    let picture = fs::read(folder.join("demo.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 100_000, "{} bytes", picture.len());
}

/// The first moments of it; the whole of it takes too long for a test.
#[test]
fn the_demo_runs_and_draws_its_grains() {
    let folder = folder("demo-run").join("made/on/demand");
    let out = folder.to_str().unwrap();
    let output = run(&["demo", "--out", out, "--until", "0.0036"], b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("100 steps") && told.contains("gritstone new demo"), "{told}");
    let picture = fs::read(folder.join("demo.png")).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 50_000, "{} bytes", picture.len());
    assert!(folder.join("report.html").exists());
    // Once more, in the same place.
    let again = run(&["demo", "--out", out, "--until", "0.001", "--json"], b"");
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    let summary: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(summary["grains"], 1500);
}

/// What is in a folder, by name.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let named = |entry: DirEntry| (entry.file_name().to_string_lossy().into_owned(), entry.path());
    let files = fs::read_dir(folder).unwrap().map(|entry| named(entry.unwrap()));
    files.filter(|(_, path)| path.is_file()).map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let before = content(folder);
    let mut all = vec!["demo", "--out", folder.to_str().unwrap()];
    all.extend(arguments);
    let output = run(&all, b"");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
    assert!(content(folder) == before, "{arguments:?} changed something");
}

/// Runs of other scenes, of the very template too, and files of one's own stay where they are.
#[test]
fn what_no_demo_has_written_is_not_replaced() {
    let here = folder("demo-foreign");
    let [other, same, own] = ["other", "same", "own"].map(|name| here.join(name));
    for (name, out) in [("polyhedra-drop", &other), ("demo", &same)] {
        let scene = Scene::parse(template(name).unwrap().text, name).unwrap();
        run_scene(&scene, &Options { steps: Some(1), ..Options::new(out) }, &mut ()).unwrap();
        refused(out, &["--until", "0.001"], "holds a run of another scene already: --overwrite starts again");
    }
    fs::create_dir(&own).unwrap();
    for (name, kinds) in [("demo.png", &[&[][..], &["--contacts"]][..]), ("pairs.jsonl", &[&["--contacts"]])]
    {
        fs::write(own.join(name), "precious").unwrap();
        for kind in kinds {
            refused(&own, kind, &format!("holds {name}, which no demo has written"));
        }
        fs::remove_file(own.join(name)).unwrap();
    }
    // Unless one says so; and then the folder is a demo's, for both kinds.
    fs::write(own.join("demo.png"), "precious").unwrap();
    let out = own.to_str().unwrap();
    for arguments in [&["--contacts", "--overwrite"][..], &["--until", "0.0001"]] {
        let output = run(&[&["demo", "--out", out], arguments].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let output = run(&["demo", "--contacts", "--json", "--out", "/dev/null/demo"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write /dev/null/demo"), "{}", stderr(&output));
    assert_eq!(lines(&output).len(), 12);
}

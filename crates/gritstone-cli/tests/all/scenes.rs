//! `gritstone check`, `schema` and `new`, from outside.

use std::fs;
use std::path::Path;

use crate::common::{folder, gritstone, run, stderr};
use serde_json::Value;

#[test]
fn broken_scenes_give_code_two_and_the_line() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/broken_scenes");
    for entry in fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        let output = run(&["check", path.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2), "{}", path.display());
        assert!(output.stdout.is_empty());
        let text = fs::read_to_string(&path).unwrap();
        for expected in text.lines().filter_map(|line| line.strip_prefix("# expect ")) {
            let (line, words) = expected.split_once(": ").unwrap();
            let told = stderr(&output);
            let place = format!("{}:{line}: ", path.display());
            let found = told.lines().any(|said| {
                said.strip_prefix("error: ")
                    .and_then(|said| said.strip_prefix(&place))
                    .is_some_and(|said| said.contains(words))
            });
            assert!(found, "{place}{words}\nbut\n{told}");
        }
    }
}

#[test]
fn broken_scenes_are_not_run_and_nothing_is_written() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/broken_scenes");
    let out = folder("broken-run").join("out");
    for entry in fs::read_dir(scenes).unwrap() {
        let path = entry.unwrap().path();
        let output = run(&["run", path.to_str().unwrap(), "--out", out.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2), "{}: {}", path.display(), stderr(&output));
        assert!(output.stdout.is_empty() && !out.exists(), "{}", path.display());
    }
}

#[test]
fn a_new_scene_can_be_checked() {
    let folder = folder("new-scene");
    let made = gritstone(&["new", "settle-ellipsoid"]).current_dir(&folder).output().unwrap();
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let checked =
        gritstone(&["check", "settle-ellipsoid.toml", "--json"]).current_dir(&folder).output().unwrap();
    assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!(
        (&report["ok"], &report["grains"], &report["steps"]),
        (&true.into(), &4000.into(), &22500.into())
    );
    // What is there is not written over.
    fs::write(folder.join("settle-ellipsoid.toml"), "mine").unwrap();
    let again = gritstone(&["new", "settle-ellipsoid"]).current_dir(&folder).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("settle-ellipsoid.toml is there already"));
    assert_eq!(fs::read_to_string(folder.join("settle-ellipsoid.toml")).unwrap(), "mine");
}

#[test]
fn new_scenes_make_their_folders_and_tell_what_they_write() {
    let folder = folder("new-folders");
    for (template, more) in [
        ("polyhedra-drop", None),
        ("settle-box", Some("settle_4000_initial.csv")),
        ("drum", Some("drum.stl")),
        ("mixer", Some("mixer.stl")),
    ] {
        let name = format!("deep/{template}/scene.toml");
        let made = gritstone(&["new", template, "--out", &name]).current_dir(&folder).output().unwrap();
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        assert!(folder.join(&name).exists());
        let told = String::from_utf8_lossy(&made.stdout);
        assert_eq!(told.contains(": read by it"), more.is_some(), "{told}");
        assert!(more.is_none_or(|file| told.contains(&format!("{file}: read by it"))), "{told}");
        // All that it needs is there.
        let checked = gritstone(&["check", &name]).current_dir(&folder).output().unwrap();
        assert_eq!(checked.status.code(), Some(0), "{}", stderr(&checked));
    }
}

#[test]
fn problems_come_as_json_too() {
    let folder = folder("check-json");
    fs::write(folder.join("bad.toml"), "dimension = 3\ngravity = [0, 0, 0]\ntime = { end = -1 }\n").unwrap();
    let output = gritstone(&["check", "bad.toml", "--json"]).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let problems = told["problems"].as_array().unwrap();
    let end = problems.iter().find(|problem| problem["key"] == "time.end").unwrap();
    assert_eq!((&end["file"], &end["line"]), (&"bad.toml".into(), &3.into()));
    assert!(end["message"].as_str().unwrap().starts_with("time.end is -1, but must be a time, positive"));
}

#[test]
fn the_schema_is_json() {
    let output = run(&["schema"], b"");
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["properties"]["gravity"]["type"], "array");
}

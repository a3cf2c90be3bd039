//! Broken scenes: each must be refused with the right words at the right line, and with nothing else.

use std::fs;
use std::path::Path;

use gritstone_scene::{Problems, Scene};

/// What a scene's last comments say must be told of it: line and words.
fn expected(text: &str) -> Vec<(usize, &str)> {
    text.lines()
        .filter_map(|line| {
            let (number, words) = line.strip_prefix("# expect ")?.split_once(": ")?;
            Some((number.parse().ok()?, words))
        })
        .collect()
}

fn problems(path: &Path) -> Option<Problems> {
    Scene::read(path).and_then(|scene| scene.check()).err()
}

/// What is not told of a scene as it must be.
fn complaint(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    let expected = expected(&text);
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    if expected.is_empty() {
        return Some(format!("{name} does not say what is wrong with it"));
    }
    let Some(problems) = problems(path) else { return Some(format!("{name} was taken")) };
    for (line, words) in &expected {
        let found = problems.list.iter().any(|problem| {
            let at = problem.span.as_ref().map(|span| problems.source.line(span.start));
            at == Some(*line) && problem.message.contains(words)
        });
        if !found {
            return Some(format!("{name}: not told of line {line}: {words}\nbut\n{problems}"));
        }
    }
    (problems.list.len() != expected.len()).then(|| format!("{name} was told more:\n{problems}"))
}

#[test]
fn broken_scenes_are_refused_with_line_key_value_and_range() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/broken_scenes");
    let scenes: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(scenes.len() >= 20, "only {} scenes", scenes.len());
    let complaints: Vec<_> = scenes.iter().filter_map(|path| complaint(path)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn messages_show_the_line_that_they_speak_of() {
    let text = "dimension = 3\ngravity = [0, 0, \"-9.81 m/s^2\"]\ntime = { end = \"1 kg\" }\n";
    let problems = Scene::parse(text, "drum.toml").unwrap_err();
    let told = problems.to_string();
    let start = "drum.toml:3: time.end is \"1 kg\", but must be a time, positive: a number in s, or text such as \"20 us\"\n";
    assert!(told.contains(start), "{told}");
    assert!(told.contains("   |\n 3 | time = { end = \"1 kg\" }\n   |                ^^^^^^\n"), "{told}");
}

#[test]
fn a_file_that_is_not_there_is_told_of() {
    let problems = Scene::read(Path::new("no/such/scene.toml")).unwrap_err();
    assert!(problems.to_string().starts_with("no/such/scene.toml: cannot be read:"), "{problems}");
}

#[test]
fn a_file_that_is_no_text_is_told_of_with_its_line() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latin-1.toml");
    fs::write(&path, b"# 5 \xc2\xb5m\ntitle = \"Sand f\xfcr R\"\n").unwrap();
    let told = Scene::read(&path).unwrap_err().to_string();
    let first = told.lines().next().unwrap();
    // The first line has 8 bytes, and 15 are before the letter.
    let words = "latin-1.toml:2: cannot be read: is not UTF-8 text: byte 24 of the file, 0xfc";
    assert!(first.ends_with(words), "{told}");
}

/// A run may be cut short on purpose; where it has no other end, an event that never comes is wrong.
#[test]
fn events_beyond_a_run_that_is_cut_short_are_doubted() {
    let text = "dimension = 2\ngravity = [0, 0]\ntime = { end = 1, steps = 10, step = 0.001 }\ncontact = { law = \"linear\" }\n\
                materials = { a = { density = 1, kn = 1, friction = 0 } }\nshapes = { disc = { shape = \"circle\", radius = 0.1 } }\n\
                grains = [{ from = \"points\", shape = \"disc\", material = \"a\", at = [[0.5, 0.5]] }]\n\
                events = [{ at = 0.01, freeze = { low = [0, 0], high = [1, 1] } }, { at = 0.5, remove = { low = [0, 0], high = [1, 1] } }]\n";
    let report = Scene::parse(text, "short").and_then(|scene| scene.check()).unwrap();
    let [warning] = &report.warnings[..] else { panic!("{:?}", report.warnings) };
    let words = "short:8: events[1].at is 0.5 s, after the last of time.steps, 10, which is at 0.01 s: it does not happen";
    assert!(warning.starts_with(words), "{warning}");
}

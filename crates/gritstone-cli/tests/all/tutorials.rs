//! The tutorials, as a reader follows them: their files are written, and their commands run, at a small size.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{folder, gritstone, stderr};

/// When runs end here.
const END: &str = "\"4 ms\"";
/// When events are.
const EVENTS: &str = "\"2 ms\"";
/// Most grains of a group.
const MOST: u32 = 60;

fn tutorials() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial")
}

/// A fenced block, with the paragraph before it.
struct Block {
    before: String,
    kind: String,
    text: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let (mut blocks, mut before, mut inside) = (Vec::<Block>::new(), String::new(), false);
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(kind) if !inside => {
                let before = std::mem::take(&mut before);
                blocks.push(Block { before, kind: kind.to_owned(), text: String::new() });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text += "\n";
            }
            None => {
                before += line;
                before += "\n";
            }
        }
    }
    blocks
}

/// The file that a paragraph says to write a block into.
fn file_name(before: &str) -> &str {
    let code = before.split('`').skip(1).step_by(2);
    code.filter(|code| code.ends_with(".toml")).last().unwrap_or_else(|| panic!("no file name in {before}"))
}

/// A scene that ends early and has few grains, whose events are over before.
fn small(text: &str) -> String {
    let mut table = "";
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with('[') {
            table = line.trim_end();
        }
        let value = |key: &str| line.strip_prefix(key).and_then(|rest| rest.trim_start().strip_prefix('='));
        let count = value("count").and_then(|value| value.trim().parse::<u32>().ok());
        lines.push(match (table, value("end"), count) {
            ("[time]", Some(_), _) => format!("end = {END}"),
            ("[[events]]", _, _) if value("at").is_some() => format!("at = {EVENTS}"),
            ("[[grains]]", _, Some(count)) => format!("count = {}", count.min(MOST)),
            _ => line.to_owned(),
        });
    }
    lines.join("\n")
}

/// The words of a command, without its comment.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.split(" #").next().unwrap().chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs a command of the program.
fn follow(line: &str, folder: &Path) {
    let words = words(line);
    let short = |word: &String| {
        if word.starts_with("time.end=") {
            format!("time.end={}", END.trim_matches('"'))
        } else {
            word.clone()
        }
    };
    let arguments: Vec<String> = words[1..].iter().map(short).collect();
    // A server has no end.
    if arguments[0] == "view" {
        return;
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = gritstone(&arguments).current_dir(folder).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{line}\n{}", stderr(&done));
}

fn work_through(name: &str) {
    let folder = folder(&format!("tutorial-{name}"));
    for entry in fs::read_dir(tutorials()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.extension().is_none_or(|extension| extension != "md") {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    let text = fs::read_to_string(tutorials().join(format!("{name}.md"))).unwrap();
    let mut commands = 0_usize;
    for Block { before, kind, text } in blocks(&text) {
        if kind == "toml" {
            fs::write(folder.join(file_name(&before)), small(&text)).unwrap();
        }
        for line in text.lines().filter(|line| line.starts_with("gritstone ")) {
            follow(line, &folder);
            commands += 1;
        }
    }
    assert!(commands > 2, "{name} has {commands} commands");
}

#[test]
fn a_hopper() {
    work_through("hopper");
}

#[test]
fn a_lifted_cylinder() {
    work_through("lifting-cylinder");
}

#[test]
fn a_drum_of_rocks() {
    work_through("drum-of-rocks");
}

#[test]
fn a_biaxial_test() {
    work_through("biaxial");
}

#[test]
fn a_sweep_of_friction() {
    work_through("friction-sweep");
}

/// No tutorial is left out.
#[test]
fn all_tutorials_are_followed() {
    let own =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all/tutorials.rs")).unwrap();
    for entry in fs::read_dir(tutorials()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "md") {
            assert!(own.contains(&format!("work_through(\"{name}\")")), "{name}");
        }
    }
}

#[test]
fn commands_are_split_as_shells_do() {
    assert_eq!(
        words("gritstone run a.toml --set time.end=\"1 s\" --set 'grains[0].count=3'   # why"),
        ["gritstone", "run", "a.toml", "--set", "time.end=1 s", "--set", "grains[0].count=3"]
    );
}

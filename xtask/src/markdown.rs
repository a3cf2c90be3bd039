//! Documents are checked like code: their links lead somewhere, and the README's commands print what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Outcome, output, root, with_quick_release};

/// The command that runs this very check.
const ITSELF: &str = "cargo xtask ci";

/// Every link to a file of the repository leads to one.
pub(crate) fn check_links() -> Outcome {
    let mut wrong = Vec::new();
    for document in tracked()?.iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
        let text = read(&root().join(document))?;
        let folder = root().join(document.parent().unwrap_or(Path::new("")));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !file.is_empty() && !folder.join(file).exists() {
                wrong.push(format!("{}: {link} leads nowhere", document.display()));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Runs every `sh` block of the README. Where a `text` or `json` block follows, that is
/// what it must print.
pub(crate) fn run_readme() -> Outcome {
    let folder = fresh_folder()?;
    let blocks = blocks(&read(&root().join("README.md"))?);
    let mut wrong = Vec::new();
    for (i, (kind, script)) in blocks.iter().enumerate() {
        if kind != "sh" || script.trim() == ITSELF {
            continue;
        }
        println!("{}", script.trim_end());
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", script]).current_dir(&folder);
        let printed = String::from_utf8_lossy(&output(with_quick_release(&mut shell))?).into_owned();
        match blocks.get(i + 1) {
            Some((kind, expected)) if kind == "text" || kind == "json" => {
                if !alike(&printed, expected) {
                    wrong.push(format!("{script}prints\n{printed}but the README says\n{expected}"));
                }
            }
            _ => print!("{printed}"),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Word for word the same, numbers up to rounding: processors differ in the last digit of a power. Run times are those of the
/// machine.
fn alike(printed: &str, expected: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| !line.starts_with("run time "))
            .flat_map(|line| line.split(|c: char| c.is_whitespace() || "[]{},:".contains(c)))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (printed, expected) = (words(printed), words(expected));
    let same = |a: &String, b: &String| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * (1.0 + a.abs()),
        _ => a == b,
    };
    printed.len() == expected.len() && printed.iter().zip(&expected).all(|(a, b)| same(a, b))
}

/// The fenced blocks of a document, each with what stands behind its fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(kind) if !inside => {
                blocks.push((kind.to_owned(), String::new()));
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                if let Some((_, block)) = blocks.last_mut() {
                    *block += line;
                    *block += "\n";
                }
            }
            None => {}
        }
    }
    blocks
}

/// An empty folder inside the repository: cargo finds the workspace above it, and what commands write stays in it.
fn fresh_folder() -> Result<PathBuf, String> {
    let folder = root().join("target").join("readme");
    let made = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
    made.and_then(|()| fs::create_dir_all(&folder))
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder)
}

/// The files under version control that are there.
pub(crate) fn tracked() -> Result<Vec<PathBuf>, String> {
    let list = output(Command::new("git").args(["ls-files", "-z"]).current_dir(root()))?;
    let list = String::from_utf8_lossy(&list).into_owned();
    Ok(list.split_terminator('\0').map(PathBuf::from).filter(|file| root().join(file).is_file()).collect())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{alike, blocks};

    #[test]
    fn blocks_keep_their_kind_and_order() {
        let text = "a\n```sh\none\ntwo\n```\n\n```text\nthree\n```\n";
        let found = blocks(text);
        assert_eq!(found, [("sh".into(), "one\ntwo\n".into()), ("text".into(), "three\n".into())]);
    }

    #[test]
    fn only_the_last_digits_of_numbers_may_differ() {
        assert!(alike("{\"x\":[0.1,2]}", "{\"x\": [0.1000000001, 2]}"));
        assert!(!alike("{\"x\":0.1}", "{\"x\":0.11}"));
        assert!(!alike("{\"x\":0.1}", "{\"y\":0.1}"));
        assert!(!alike("1 2", "1"));
    }
}

//! Copies the documents, and what they link to, to the folder that the book is made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The list of chapters, in the repository.
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";

/// The chapters of the summary, by their places in the repository.
pub(crate) fn chapters(repository: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let summary = read(&repository.join(SUMMARY))?;
    let folder = Path::new(SUMMARY).parent().unwrap_or(Path::new(""));
    Ok(links(&summary).iter().map(|link| normal(&folder.join(link.target))).collect())
}

/// Fills a folder with all chapters of the summary in their places, and the files that they link to.
pub(crate) fn stage(repository: &Path, to: &Path) -> Result<(), String> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|error| failed(to, &error))?;
    }
    let summary = read(&repository.join(SUMMARY))?;
    let folder = Path::new(SUMMARY).parent().unwrap_or(Path::new(""));
    let chapters = chapters(repository)?;
    let mut missing = Vec::new();
    for chapter in &chapters {
        let text = read(&repository.join(chapter))?;
        let here = chapter.parent().unwrap_or(Path::new(""));
        let text = replaced(&text, |link| {
            let Some(file) = link.file() else { return Ok(None) };
            let file = normal(&here.join(file));
            let source = repository.join(&file);
            if source.is_dir() {
                // There is nothing to show of a folder.
                return Ok(Some(link.text.to_owned()));
            }
            if file.extension().is_some_and(|extension| extension == "md") {
                if !chapters.contains(&file) {
                    missing.push(format!("{} links to {}", chapter.display(), file.display()));
                }
            } else {
                copy(&source, &to.join(&file))?;
            }
            Ok(None)
        })?;
        write(&to.join(chapter), &text)?;
    }
    if !missing.is_empty() {
        return Err(format!("not in {SUMMARY}:\n{}", missing.join("\n")));
    }
    let rooted = replaced(&summary, |link| {
        let target = normal(&folder.join(link.target));
        Ok(Some(format!("[{}]({})", link.text, target.display())))
    })?;
    write(&to.join("SUMMARY.md"), &rooted)
}

/// A link of a document.
struct Link<'t> {
    /// Where it stands: from the bracket of its text to the end.
    from: usize,
    to: usize,
    text: &'t str,
    target: &'t str,
}

impl Link<'_> {
    /// The file that it leads to, if that is one of the repository.
    fn file(&self) -> Option<&str> {
        let file = self.target.split('#').next().unwrap_or_default();
        (!file.is_empty() && !self.target.contains("://") && !self.target.starts_with("mailto:"))
            .then_some(file)
    }
}

/// All links of a document that stand outside of blocks of code.
fn links(text: &str) -> Vec<Link<'_>> {
    let code = code_blocks(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](") {
        let Some(length) = text[at..].find(')') else { continue };
        let Some(open) = opening(text, at) else { continue };
        if code.iter().any(|block| block.contains(&at)) {
            continue;
        }
        let to = at + length + 1;
        found.push(Link { from: open, to, text: &text[open + 1..at], target: &text[at + 2..to - 1] });
    }
    found
}

/// The bracket that opens what is closed here.
fn opening(text: &str, close: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text[..close].char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return Some(at),
            '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where fenced blocks are.
fn code_blocks(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut fences = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            fences.push(at);
        }
        at += line.len();
    }
    fences.chunks(2).map(|pair| pair[0]..pair.get(1).copied().unwrap_or(text.len())).collect()
}

/// A document with some of its links replaced.
fn replaced(
    text: &str,
    mut by: impl FnMut(&Link<'_>) -> Result<Option<String>, String>,
) -> Result<String, String> {
    let (mut new, mut from) = (String::new(), 0);
    for link in links(text) {
        // Links within the text of links, as pictures are, stay.
        if link.from < from {
            by(&link)?;
            continue;
        }
        if let Some(other) = by(&link)? {
            new += &text[from..link.from];
            new += &other;
            from = link.to;
        }
    }
    Ok(new + &text[from..])
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| failed(path, &error))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    make_folder(path)?;
    fs::write(path, text).map_err(|error| failed(path, &error))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    make_folder(to)?;
    fs::copy(from, to).map(|_| ()).map_err(|error| failed(from, &error))
}

fn make_folder(of: &Path) -> Result<(), String> {
    let folder = of.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_of_code() {
        let text = "[a](b.md#c) and ![p](q.png)\n```text\n[no](x.md)\n```\n[d `e[0]`](../f)\n";
        let targets: Vec<_> = links(text).iter().map(|link| (link.text, link.target)).collect();
        assert_eq!(targets, [("a", "b.md#c"), ("p", "q.png"), ("d `e[0]`", "../f")]);
        let plain = replaced(text, |link| Ok((link.target == "../f").then(|| link.text.to_owned())));
        assert!(plain.unwrap().ends_with("```\nd `e[0]`\n"));
    }

    #[test]
    fn paths_are_normal() {
        assert_eq!(normal(Path::new("docs/tutorial/../../scenes/./a.toml")), Path::new("scenes/a.toml"));
    }
}

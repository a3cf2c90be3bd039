//! What is wrong with a scene, where it stands in the file, and how that is told.

use std::fmt::{self, Display, Formatter, Write as _};
use std::ops::Range;

use serde_json::{Value, json};

/// The text of a scene, kept to show the places that messages speak of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// What the file is called in messages.
    pub name: String,
    /// The file's content; empty for scenes that were not read from text.
    pub text: String,
}

/// One thing that is wrong, or doubtful.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The key that it concerns, such as `walls.floor.normal[1]`; empty for the file as a whole.
    pub key: String,
    /// Where that key's value stands in the text, in bytes.
    pub span: Option<Range<usize>>,
    /// What is wrong: the key, its value, what is allowed.
    pub message: String,
}

/// Everything that is wrong with a scene, in the order of the file; never empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// The scene's text.
    pub source: Source,
    /// What is wrong with it.
    pub list: Vec<Problem>,
}

impl std::error::Error for Problems {}

impl Problems {
    /// The same as JSON: a list of objects with file, line, key and message.
    pub fn to_json(&self) -> Value {
        let problem = |problem: &Problem| {
            let line = problem.span.as_ref().map(|span| self.source.line(span.start));
            json!({ "file": self.source.name, "line": line, "key": problem.key, "message": problem.message })
        };
        self.list.iter().map(problem).collect()
    }
}

impl Source {
    /// Line of a byte of the text, counted from one.
    pub fn line(&self, byte: usize) -> usize {
        1 + self.text.as_bytes()[..byte.min(self.text.len())].iter().filter(|b| **b == b'\n').count()
    }

    /// Where a problem is: `scene.toml:14`, or the name alone.
    pub fn place(&self, problem: &Problem) -> String {
        match &problem.span {
            Some(span) => format!("{}:{}", self.name, self.line(span.start)),
            None => self.name.clone(),
        }
    }

    /// A message with its place and the line of the file that it speaks of.
    pub fn show(&self, problem: &Problem) -> String {
        let mut text = format!("{}: {}\n", self.place(problem), problem.message);
        if let Some(span) = &problem.span {
            self.snippet(&mut text, span);
        }
        text
    }

    /// The line of the file, with carets under the span.
    fn snippet(&self, out: &mut String, span: &Range<usize>) {
        /// Longer lines are of no help on a terminal.
        const WIDEST: usize = 160;
        let start = span.start.min(self.text.len());
        let begin = self.text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line = self.text[begin..].lines().next().unwrap_or_default();
        let before = self.text[begin..start].chars().count();
        let end = span.end.clamp(start, begin + line.len().max(start - begin));
        let marked = self.text[start..end].chars().count().max(1);
        if line.is_empty() || before + marked > WIDEST {
            return;
        }
        let shown: String = line.chars().take(WIDEST).map(|c| if c == '\t' { ' ' } else { c }).collect();
        let number = self.line(start).to_string();
        let margin = " ".repeat(number.len());
        let (gap, carets) = (" ".repeat(before), "^".repeat(marked));
        // Writing to a string cannot fail.
        let _ = writeln!(out, " {margin} |\n {number} | {shown}\n {margin} | {gap}{carets}");
    }
}

impl Display for Problems {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.list.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&self.source.show(problem))?;
        }
        Ok(())
    }
}

/// A hint for a word that is not known: ` (did you mean "floor"?)`, or nothing.
pub(crate) fn did_you_mean<'c>(word: &str, known: impl Iterator<Item = &'c str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!(" (did you mean \"{near}\"?)"))
}

/// The candidate that looks most like `word`, if one does: at most three slips of the pen, fewer in short words.
fn nearest<'c>(word: &str, known: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    // Long words are no slip, and the distance takes time in proportion to the length.
    if word.len() > 40 {
        return None;
    }
    let word = word.to_lowercase();
    known
        .map(|candidate| (strsim::damerau_levenshtein(&word, &candidate.to_lowercase()), candidate))
        .filter(|(slips, candidate)| *slips <= 3 && 2 * slips < candidate.chars().count())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// `text` on one line, shortened to what fits into a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

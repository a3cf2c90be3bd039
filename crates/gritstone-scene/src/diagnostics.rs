//! What is found wrong or doubtful while a scene is built, each with its place.

use std::fmt::Display;

use crate::problem::{Problem, Problems, did_you_mean};
use crate::scene::{Scene, sorted};

/// Collects problems and warnings.
pub(crate) struct Diagnostics<'s> {
    scene: &'s Scene,
    /// Things that have been reported already: what follows from them is not reported again.
    broken: Vec<String>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl<'s> Diagnostics<'s> {
    /// A diagnostics that continues from what reading has found.
    pub(crate) fn new(scene: &'s Scene, found: Vec<Problem>) -> Self {
        let broken = found.iter().map(|problem| thing(&problem.key).to_owned()).collect();
        Self { scene, broken, problems: found, warnings: Vec::new() }
    }

    /// Reports that something is wrong, unless what has been reported already explains it.
    pub(crate) fn error(&mut self, key: &str, message: impl Display) {
        if !self.is_broken(key) {
            let problem = self.problem(key, &message);
            self.problems.push(problem);
        }
    }

    /// Reports that something is doubtful.
    pub(crate) fn warn(&mut self, key: &str, message: impl Display) {
        let problem = self.problem(key, &message);
        self.warnings.push(problem);
    }

    /// Reports that a name stands for nothing, unless the thing it stands for has been reported.
    pub(crate) fn unknown<'n>(
        &mut self,
        key: &str,
        name: &str,
        what: &str,
        table: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) {
        self.unknown_as(key, key, name, what, table, known);
    }

    /// The same where something else than the key has the name: a line of a file that the key names.
    pub(crate) fn unknown_as<'n>(
        &mut self,
        key: &str,
        said: &str,
        name: &str,
        what: &str,
        table: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) {
        if self.is_broken(&format!("{table}.{name}")) {
            return;
        }
        let near = did_you_mean(name, known.clone());
        let all: Vec<_> = known.collect();
        let there = if all.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", all.join(", "))
        };
        self.error(
            key,
            format_args!("{said} is \"{name}\", but there is no {what} of that name{near}; {there}"),
        );
    }

    /// Where a key stands, to be said behind it: ` (line 12)`, or nothing.
    pub(crate) fn line(&self, key: &str) -> String {
        let line = self.scene.span(key).map(|span| self.scene.source().line(span.start));
        line.map_or_else(String::new, |line| format!(" (line {line})"))
    }

    /// Whether something has been found wrong.
    pub(crate) fn has_errors(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The warnings, or everything that is wrong.
    pub(crate) fn finish(self) -> Result<Vec<Problem>, Problems> {
        if self.problems.is_empty() {
            Ok(sorted(self.warnings))
        } else {
            Err(Problems { source: self.scene.source().clone(), list: sorted(self.problems) })
        }
    }

    fn is_broken(&self, key: &str) -> bool {
        // What is said of a table as a whole may follow from any of its keys.
        let of_table =
            |broken: &str| broken.strip_prefix(key).is_some_and(|rest| rest.starts_with(['.', '[']));
        self.broken.iter().any(|broken| broken == thing(key) || of_table(broken))
    }

    fn problem(&self, key: &str, message: &impl Display) -> Problem {
        Problem { key: key.to_owned(), span: self.scene.span(key), message: message.to_string() }
    }
}

/// The thing that a key belongs to: `shapes.grain` for `shapes.grain.radii[0]`, `grains[1]` for `grains[1].spacing`.
fn thing(key: &str) -> &str {
    let first = key.find('.').unwrap_or(key.len());
    if key[..first].contains('[') {
        return &key[..first];
    }
    let rest = key.get(first + 1..).unwrap_or_default();
    let second = rest.find(['.', '[']).map_or(key.len(), |end| first + 1 + end);
    &key[..second]
}

#[cfg(test)]
mod tests {
    #[test]
    fn keys_belong_to_things() {
        assert_eq!(super::thing("shapes.grain.radii[0]"), "shapes.grain");
        assert_eq!(super::thing("grains[1].spacing[2]"), "grains[1]");
        assert_eq!(super::thing("gravity[2]"), "gravity[2]");
        assert_eq!(super::thing("time"), "time");
        assert_eq!(super::thing("walls.box"), "walls.box");
    }
}

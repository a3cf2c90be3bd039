//! Which crate may be built from which: nothing flows back.

use crate::metadata::packages;
use crate::shell::Outcome;

/// One line per crate of the workspace: what it may use. Tests may use anything.
#[rustfmt::skip]
static ARROWS: &[(&str, &[&str])] = &[
    ("files",   &[]),
    ("core",    &[]),
    ("shape",   &["core"]),
    ("contact", &["core", "shape"]),
    ("engine",  &["core", "shape", "contact", "force"]),
    ("force",   &["core"]),
    ("gpu",     &["core", "force", "engine"]),
    ("io",      &["files", "core", "shape", "contact", "engine"]),
    ("probe",   &["core", "shape", "engine"]),
    ("mpi",     &["engine"]),
    ("render",  &["files", "core", "shape"]),
    ("report",  &["files"]),
    ("study",   &["core", "shape", "contact", "force", "engine", "io", "render", "report"]),
    ("rock",    &["core", "shape"]),
    ("scene",   &["core", "shape", "contact", "force", "engine", "io", "probe", "rock"]),
    ("testkit", &["core", "shape", "contact", "force", "engine", "study"]),
    ("bench",   &["core", "shape", "contact", "study"]),
    ("",        &["files", "core", "shape", "contact", "force", "engine", "io", "probe", "render", "report", "rock", "study", "scene", "gpu"]),
    ("cli",     &["files", "", "study", "mpi"]),
    ("py",      &["", "cli"]),
];

/// `gritstone-core` is core, and `gritstone` itself has the empty name.
fn short(package: &str) -> Option<&str> {
    let rest = package.strip_prefix("gritstone")?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('-') }
}

/// Compares the manifests with the table.
pub(crate) fn check() -> Outcome {
    let mut wrong = Vec::new();
    for package in packages()?.iter().filter(|package| package.source.is_none()) {
        let Some(name) = short(&package.name) else { continue };
        let Some((_, may_use)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("{} is not in the table of arrows", package.name));
            continue;
        };
        for used in package.uses.iter().filter(|used| short(used).is_some_and(|u| !may_use.contains(&u))) {
            wrong.push(format!("{} must not use {used}", package.name));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

//! What has been counted.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

/// Counts, and what has failed.
#[derive(Default)]
pub(super) struct Counts {
    /// The folder of the job.
    pub(super) place: PathBuf,
    counts: BTreeMap<&'static str, u64>,
    pub(super) failures: Vec<String>,
}

impl Counts {
    pub(super) fn at(place: &Path) -> Self {
        Self { place: place.to_owned(), ..Self::default() }
    }

    pub(super) fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    pub(super) fn fail(&mut self, what: String) {
        self.failures.push(what);
    }

    pub(super) fn add(&mut self, other: Self) {
        for (what, count) in other.counts {
            *self.counts.entry(what).or_default() += count;
        }
        for what in other.failures {
            println!("  FAILED {}: {what}", other.place.display());
            self.failures.push(what);
        }
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        write!(f, "{}, {} failed", counts.join(", "), self.failures.len())
    }
}

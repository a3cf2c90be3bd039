//! The table of papers whose validation can be repeated.

use gritstone_report::Report;

pub use crate::sweep::Progress;
pub use crate::verify::Trouble;
use crate::{martinez2003, nezami2006, podlozhnyuk, wellmann2008};

/// A paper whose validation can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// The name by which it is called.
    pub name: &'static str,
    /// Authors, year and subject.
    pub title: &'static str,
    /// Pairs in each cell of its tables by default: as published, or what takes minutes.
    pub pairs: u64,
    /// Pairs in each cell for a quick look.
    pub quick: u64,
    /// Repeats it.
    pub run: fn(&Settings, Progress<'_>) -> Result<Report, Trouble>,
}

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Pairs in each cell of the paper's tables.
    pub pairs: u64,
    /// Seed of the generated pairs.
    pub seed: u64,
    /// Simulations in the paper's size, where it has any: hours.
    pub full: bool,
}

/// Every paper.
pub static PAPERS: &[Paper] =
    &[wellmann2008::PAPER, podlozhnyuk::PAPER, martinez2003::PAPER, nezami2006::PAPER];

/// The paper of that name.
pub fn paper(name: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.name == name)
}

//! The validation of \[wellmann2008\], repeated: both test series, Figures 5 and 6, Tables I and II.
//!
//! **What the paper does.** For each of three intervals of squareness parameters (Table I) it generates 10⁶ pairs that
//! are apart and 10⁶ that overlap slightly, solves them from the line between the centres, and reports how many
//! iterations it takes to exclude a contact (Figure 5) or to converge (Figure 6), how often the first search fails, and
//! the mean errors of the contacts (Table II).
//!
//! **What is done here.** The same, with the generator of [`crate::generate`], with both readings of the Levenberg and
//! Marquardt shift, and with `support-newton` and `auto` on the same pairs. Beside the published quantities stand those
//! that explain them: exclusion within one step beside exclusion at the initial guess, medians beside means, −c·d
//! beside ‖d‖, and how many pairs are not what they were built to be.

mod counts;
mod measure;
pub mod published;
mod report;

use gritstone_report::Report;

use crate::generate::{Series, paper_class};
use crate::reproduce::{Paper, Settings, Trouble};
use crate::sweep::{Progress, sweep};
pub use counts::{Cell, Counts, ErrorCounts, PaperCounts};
use measure::measure;

/// The paper, for the table of papers.
pub const PAPER: Paper = Paper {
    name: "wellmann2008",
    title: "Wellmann, Lillie and Wriggers 2008: superellipsoids by the common-normal concept",
    pairs: 1_000_000,
    quick: 2_000,
    run,
};

/// Both series, each with one cell for every interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduction {
    /// What was requested.
    pub settings: Settings,
    /// The first series: pairs that are apart.
    pub separated: [Cell; 3],
    /// The second series: pairs that overlap.
    pub overlapping: [Cell; 3],
}

/// Repeats the validation.
pub fn reproduce(settings: &Settings, progress: Progress<'_>) -> Reproduction {
    let total = 6 * settings.pairs;
    let cell = |number: usize, series| {
        let class = paper_class(number % 3, series);
        let before = number as u64 * settings.pairs;
        let mut cell = Cell::default();
        sweep(
            settings.pairs,
            |index, scratch| measure(&class.case(settings.seed, index), scratch),
            |measured| measured.iter().for_each(|measured| cell.take(measured)),
            |pairs| progress(before + pairs, total),
        );
        cell
    };
    Reproduction {
        settings: *settings,
        separated: [0, 1, 2].map(|i| cell(i, Series::Separated)),
        overlapping: [3, 4, 5].map(|i| cell(i, Series::Overlapping)),
    }
}

fn run(settings: &Settings, progress: Progress<'_>) -> Result<Report, Trouble> {
    Ok(report::report(&reproduce(settings, progress))?)
}

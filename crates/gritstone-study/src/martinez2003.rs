//! The thesis of Martínez Alvez, \[martinez2003\], repeated: every worked example and what it leaves open.
//!
//! **What the thesis does.** Two codes for two ellipses: contact points from the minimum overlap distance (section 4.1),
//! and the penetration from circles of curvature (section 4.2), with seventeen examples; Brent's method with three more
//! (appendix A); and, without examples, crossings by Newton's method and radii of curvature of superellipses (appendices
//! B and C).
//!
//! **What is done here.** Every example as published, mended, and true, with the errata named. Beside it what examples
//! cannot show: how often Brent's method on [0, 2π] misses the least f, and what the depths are worth, over many pairs.

pub mod appendix_c;
mod examples;
pub mod published;
mod report;
mod survey;
mod truth;

use gritstone_report::Report;

use crate::reproduce::{Paper, Settings, Trouble};
use crate::sweep::{Progress, sweep};
pub use examples::{Minimised, NEWTON_STARTS, NewtonResult, Worked};
pub use survey::{ASPECTS, Cell, Counts, DISTANCES};

/// The thesis, for the table of papers.
pub const PAPER: Paper = Paper {
    name: "martinez2003",
    title: "Martínez Alvez 2003: ellipses by overlap points and circles of curvature",
    pairs: 100_000,
    quick: 1_000,
    run,
};

/// Everything that the report is made of.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// What was requested.
    pub settings: Settings,
    /// The examples of chapter 4.
    pub worked: Vec<Worked>,
    /// The examples of appendix A.
    pub minimised: Vec<Minimised>,
    /// Many pairs: for every limit of the aspect ratio, every distance.
    pub cells: [[Cell; DISTANCES.len()]; ASPECTS.len()],
}

/// Repeats the examples and surveys many pairs.
pub fn reproduce(settings: &Settings, progress: Progress<'_>) -> Reproduction {
    let total = (ASPECTS.len() * DISTANCES.len()) as u64 * settings.pairs;
    let mut before = 0;
    let cells = ASPECTS.map(|aspect| {
        DISTANCES.map(|distance| {
            let mut cell = Cell::new(aspect, distance);
            let recipe = cell.clone();
            sweep(
                settings.pairs,
                |index, scratch| recipe.measure(settings.seed, index, scratch),
                |measured| cell.take(&measured),
                |pairs| progress(before + pairs, total),
            );
            before += settings.pairs;
            cell
        })
    });
    Reproduction {
        settings: *settings,
        worked: examples::worked(settings.seed),
        minimised: examples::minimised(),
        cells,
    }
}

fn run(settings: &Settings, progress: Progress<'_>) -> Result<Report, Trouble> {
    Ok(report::report(&reproduce(settings, progress))?)
}

//! The paper of Nezami, Hashash, Zhao and Ghaboussi, \[nezami2006\], repeated: the shortest link against two ways to look
//! for the common plane.
//!
//! **What the paper does.** Nine pairs of polygons (Figure 13) and two simulations of polyhedra (section 5.2), each with
//! the ratio of Cundall's time to that of the fast common plane and of the shortest link; and how many iterations the
//! shortest link takes.
//!
//! **What is done here.** Nine pairs of our own in place of those of Figure 13, which are not given in numbers; pairs that
//! move by a given way; the simulations in the engine, smaller unless requested ([`simulation`]); and what the paper leaves
//! open: how often the methods are wrong, over many pairs of its particles in all positions.

pub mod clock;
mod contacts;
mod figure_13;
pub mod pairs;
pub mod published;
mod report;
pub mod simulation;
mod survey;

use gritstone_core::{Plane, Space};
use gritstone_report::Report;

use crate::reproduce::{Paper, Settings, Trouble};
use crate::sweep::{Progress, sweep};
pub use clock::{CONTESTANTS, Clocked};
pub use contacts::{Contacts, PRIORS};
pub use figure_13::{Drawn, FIGURE_13};
pub use survey::{Cell, FORMS, FormCounts, MOTIONS, PLANES, PlaneCounts, WarmCounts};

/// The paper, for the table of papers.
pub const PAPER: Paper = Paper {
    name: "nezami2006",
    title: "Nezami, Hashash, Zhao and Ghaboussi 2006: polyhedra by the shortest link",
    pairs: 20_000,
    quick: 500,
    run,
};

/// Everything that the report is made of.
#[derive(Clone, Debug)]
pub struct Reproduction {
    /// What was requested.
    pub settings: Settings,
    /// The nine pairs.
    pub drawn: Vec<Drawn>,
    /// Pairs of polygons, by how they face each other.
    pub plane: Vec<Cell>,
    /// Pairs of polyhedra, by how they face each other.
    pub space: Vec<Cell>,
    /// Polyhedra that touch, by how they do ([`pairs::TOUCHING`]).
    pub contacts: [Contacts; 4],
    /// Times of pairs that move.
    pub clocked: Vec<Clocked>,
}

/// Repeats everything.
pub fn reproduce(settings: &Settings, progress: Progress<'_>) -> Reproduction {
    let Settings { pairs, seed, .. } = *settings;
    let total = 3 * pairs;
    let mut plane: Vec<Cell> = pairs::PLANE.iter().map(|kind| Cell::new(kind.name)).collect();
    sweep(
        pairs,
        |index, scratch| {
            let (kind, case) = pairs::polygons(seed, index);
            (kind, survey::measure::<Plane>(&case, seed, index, scratch))
        },
        |(kind, measured)| plane[kind].take(&measured),
        |done| progress(done, total),
    );
    let mut space: Vec<Cell> = pairs::SPACE.iter().map(|kind| Cell::new(kind.name)).collect();
    sweep(
        pairs,
        |index, scratch| {
            let (kind, case) = pairs::polyhedra(seed, index);
            (kind, survey::measure::<Space>(&case, seed, index, scratch))
        },
        |(kind, measured)| space[kind].take(&measured),
        |done| progress(pairs + done, total),
    );
    let mut contacts: [Contacts; 4] = Default::default();
    sweep(
        pairs,
        |index, scratch| ((index % 4) as usize, contacts::measure(seed, index, scratch)),
        |(kind, measured)| contacts[kind].take(&measured),
        |done| progress(2 * pairs + done, total),
    );
    // Times are taken when all else is done, and nothing disturbs them.
    let drawn = figure_13::measure();
    let clocked = clock::measure(settings);
    Reproduction { settings: *settings, drawn, plane, space, contacts, clocked }
}

fn run(settings: &Settings, progress: Progress<'_>) -> Result<Report, Trouble> {
    let all = reproduce(settings, progress);
    Ok(report::report(&all, &simulation::simulate(settings, progress)?)?)
}

//! The claims of \[podlozhnyuk\], measured.
//!
//! **What the abstract says.** The minimal distance problem with squared slacks, solved by Newton's method with GMRES on
//! homothetically shrunk particles, shows "robust convergence properties, high accuracy in terms of overlap distance and
//! contact detection". It gives no numbers, so there is nothing to put beside the measured ones but the claims.
//!
//! **What is done here.** The method sees the pairs of \[wellmann2008\], overlapping and apart, and harsher ones. Counted
//! are how the iterations end, the evaluations of the residual, and the errors of the depth for each way to rebuild the
//! overlap, beside `support-newton` on the same pairs. On fewer pairs the ratio of the homothety, the forms of objective
//! and shape function, and the method without shrinking are compared.

mod counts;
mod measure;
mod report;

use gritstone_contact::space::interior_point::{Objective, Options, ShapeFunction};
use gritstone_report::Report;

use crate::generate::class;
use crate::reproduce::{Paper, Settings, Trouble};
use crate::sweep::{Progress, sweep};
pub use counts::{
    ApartSummary, QUANTILES, Quantiles, Rebuilds, SHARPNESS_BINS, Sharpness, Shrinkings, Summary,
};
use counts::{Cell, ShrinkCell};
use measure::{measure, shrink_only};

/// The paper, for the table of papers. A full run takes about a quarter of an hour of one core.
pub const PAPER: Paper = Paper {
    name: "podlozhnyuk",
    title: "Podlozhnyuk and Kloss: superquadrics by an interior point method",
    pairs: 500_000,
    quick: 500,
    run,
};

/// Classes of overlapping pairs, and what they are called in the report.
pub const OVERLAPPING: [(&str, &str); 7] = [
    ("iv1s2", "interval 1"),
    ("iv2s2", "interval 2"),
    ("iv3s2", "interval 3"),
    ("overlap-1", "harsh, 1 %"),
    ("deep", "harsh, 5–50 %"),
    ("boxy", "boxy, 5 %"),
    ("pointy", "pointy, 5 %"),
];

/// Classes of pairs that are apart.
pub const SEPARATED: [(&str, &str); 4] =
    [("iv1s1", "interval 1"), ("iv2s1", "interval 2"), ("iv3s1", "interval 3"), ("separate", "harsh")];

/// Ratios of the homothety that are compared.
pub const ALPHAS: [f64; 7] = [0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999];

/// Forms of the problem that are compared, with d = ‖x1 − x2‖: ours first, the abstract's last.
pub const FORMS: [(&str, Objective, ShapeFunction); 4] = [
    ("½d², N² − 1", Objective::HalfSquare, ShapeFunction::SquaredGauge),
    ("½d², F − 1", Objective::HalfSquare, ShapeFunction::InsideOutside),
    ("d, N² − 1", Objective::Distance, ShapeFunction::SquaredGauge),
    ("d, F − 1", Objective::Distance, ShapeFunction::InsideOutside),
];

/// Comparisons of options see this part of the pairs.
const COMPARED: u64 = 10;

/// All that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproduction {
    /// What was requested.
    pub settings: Settings,
    /// Each class of [`OVERLAPPING`].
    pub overlapping: Vec<Summary>,
    /// Each class of [`SEPARATED`].
    pub separated: Vec<Summary>,
    /// Intervals 1 to 3, each with every ratio of [`ALPHAS`].
    pub alphas: Vec<Vec<Shrinkings>>,
    /// Each class of [`OVERLAPPING`], with every form of [`FORMS`].
    pub forms: Vec<Vec<Shrinkings>>,
    /// Each class of [`OVERLAPPING`], without shrinking.
    pub unshrunk: Vec<Shrinkings>,
    /// Pairs in each cell of the last three.
    pub compared: u64,
}

/// Measures the method.
pub fn reproduce(settings: &Settings, progress: Progress<'_>) -> Reproduction {
    let compared = settings.pairs.div_ceil(COMPARED);
    let mut run = Run { settings, progress, done: 0, total: total(settings.pairs, compared) };
    let overlapping = OVERLAPPING.map(|(name, _)| run.cell(name)).into();
    let separated = SEPARATED.map(|(name, _)| run.cell(name)).into();
    let alphas = OVERLAPPING[..3]
        .iter()
        .map(|(name, _)| {
            let with = |alpha| run.shrinkings(name, compared, &Options { alpha, ..Options::DEFAULT });
            ALPHAS.map(with).into()
        })
        .collect();
    let forms = OVERLAPPING
        .iter()
        .map(|(name, _)| {
            let with = |(_, objective, shape_function)| {
                run.shrinkings(name, compared, &Options { objective, shape_function, ..Options::DEFAULT })
            };
            FORMS.map(with).into()
        })
        .collect();
    let alone = Options { alpha: 1.0, shrink_further: false, ..Options::DEFAULT };
    let unshrunk = OVERLAPPING.map(|(name, _)| run.shrinkings(name, compared, &alone)).into();
    Reproduction { settings: *settings, overlapping, separated, alphas, forms, unshrunk, compared }
}

/// Pairs of all cells together.
fn total(pairs: u64, compared: u64) -> u64 {
    let (overlapping, separated) = (OVERLAPPING.len() as u64, SEPARATED.len() as u64);
    let comparisons = 3 * ALPHAS.len() as u64 + overlapping * (FORMS.len() as u64 + 1);
    (overlapping + separated) * pairs + comparisons * compared
}

/// A run as it proceeds.
struct Run<'a> {
    settings: &'a Settings,
    progress: Progress<'a>,
    done: u64,
    total: u64,
}

impl Run<'_> {
    /// Everything about one class.
    fn cell(&mut self, name: &str) -> Summary {
        let mut cell = Cell::default();
        let Some(class) = class(name) else { return cell.summary() };
        let seed = self.settings.seed;
        sweep(
            self.settings.pairs,
            |index, scratch| measure(&class.case(seed, index), scratch),
            |measured| cell.take(measured.as_ref()),
            |pairs| (self.progress)(self.done + pairs, self.total),
        );
        self.done += self.settings.pairs;
        cell.summary()
    }

    /// Shrinking alone, with these options.
    fn shrinkings(&mut self, name: &str, pairs: u64, options: &Options) -> Shrinkings {
        let mut cell = ShrinkCell::default();
        let Some(class) = class(name) else { return cell.summary() };
        let seed = self.settings.seed;
        sweep(
            pairs,
            |index, scratch| shrink_only(&class.case(seed, index), options, scratch),
            |measured| cell.take(measured.as_ref()),
            |pairs| (self.progress)(self.done + pairs, self.total),
        );
        self.done += pairs;
        cell.summary()
    }
}

fn run(settings: &Settings, progress: Progress<'_>) -> Result<Report, Trouble> {
    Ok(report::report(&reproduce(settings, progress))?)
}

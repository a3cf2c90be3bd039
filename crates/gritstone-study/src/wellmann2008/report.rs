//! Published and measured side by side.

mod figures;
mod remarks;

use gritstone_report::{Cell, Column, Error, Format, Report, Section, Table, cells};

use super::counts::{Counts, ErrorCounts, PaperCounts};
use super::published::{ERRORS, OVERLAPPING, SEPARATED};
use super::{Reproduction, measure};
use crate::generate::INTERVALS;
use crate::statistics::Sample;

/// The report of a reproduction.
pub(super) fn report(all: &Reproduction) -> Result<Report, Error> {
    let mut first = Section::new("First series: pairs that are apart").table(separated(all)?);
    for plot in figures::exclusion(all) {
        first = first.plot(plot);
    }
    let mut second = Section::new("Second series: pairs that overlap").table(overlapping(all)?);
    for plot in figures::convergence(all) {
        second = second.plot(plot);
    }
    let report = Report::new("Wellmann, Lillie and Wriggers 2008: published and measured")
        .summary(remarks::SUMMARY)
        .fact("Program", concat!("gritstone ", env!("CARGO_PKG_VERSION")))
        .fact("Pairs", format!("{} in each interval and series", all.settings.pairs))
        .fact("Seed", all.settings.seed.to_string())
        .section(Section::new("What is measured").paragraph(remarks::MEASURED).table(intervals()?))
        .section(first)
        .section(second)
        .section(Section::new("Accuracy").table(errors(all)?).paragraph(remarks::ERRORS))
        .section(
            Section::new("The same pairs by other methods")
                .paragraph(remarks::PEERS)
                .table(methods("methods-1", "First series", &all.separated)?)
                .table(methods("methods-2", "Second series", &all.overlapping)?)
                .table(method_errors(&all.overlapping)?),
        )
        .section(remarks::section(all))
        .section(
            Section::new("Data of the figures")
                .table(figures::data(
                    "figure-5",
                    "Share of pairs excluded after i iterations",
                    &all.separated,
                )?)
                .table(figures::data(
                    "figure-6",
                    "Share of pairs converged after i iterations",
                    &all.overlapping,
                )?),
        );
    Ok(report)
}

fn intervals() -> Result<Table, Error> {
    let columns = ["Interval", "ε min", "ε max"].map(|name| Column::number(name, Format::General));
    let mut table = Table::new("table-1", "The paper's Table I: squareness parameter intervals", columns);
    for (number, interval) in (1..).zip(INTERVALS) {
        table.push(cells![number, interval.low, interval.high])?;
    }
    Ok(table)
}

/// A table with one row per quantity and interval.
struct Comparison {
    table: Table,
    format: Format,
}

impl Comparison {
    fn new(name: &str, title: &str) -> Self {
        let columns = [
            Column::text("Quantity"),
            Column::number("Interval", Format::Integer),
            Column::number("Published", Format::General),
            Column::number("shift A", Format::General).group("Measured"),
            Column::number("shift B", Format::General).group("Measured"),
        ];
        Self { table: Table::new(name, title, columns), format: Format::General }
    }

    /// How the values of the rows that follow are shown.
    fn format(&mut self, format: Format) -> &mut Self {
        self.format = format;
        self
    }

    /// Three rows: one quantity in each interval.
    fn rows(
        &mut self,
        quantity: &str,
        published: Option<[f64; 3]>,
        measured: [[Option<f64>; 2]; 3],
    ) -> Result<&mut Self, Error> {
        for (i, [a, b]) in measured.into_iter().enumerate() {
            let cell =
                |value: Option<f64>| value.map_or(Cell::Missing, |value| Cell::from((value, self.format)));
            let row = cells![quantity, i + 1, cell(published.map(|p| p[i])), cell(a), cell(b)];
            self.table.push(row)?;
        }
        Ok(self)
    }
}

/// A quantity of the paper's method in each interval, for either shift.
fn each(cells: &[super::Cell; 3], of: impl Fn(&PaperCounts) -> Option<f64>) -> [[Option<f64>; 2]; 3] {
    [0, 1, 2].map(|i| [0, 1].map(|shift| of(&cells[i].paper[shift])))
}

fn separated(all: &Reproduction) -> Result<Table, Error> {
    let mut to = Comparison::new("series-1", "Exclusion of a contact: text and Figure 5");
    let of = |f: fn(&PaperCounts) -> f64| each(&all.separated, |counts| Some(f(counts)));
    let most = f64::from(SEPARATED.most_new_starts);
    to.format(Format::Percent(2))
        .rows("excluded after 0 iterations", Some(SEPARATED.at_once), of(|t| t.within(0)))?
        .rows("excluded within one iteration", None, of(|t| t.within(1)))?
        .rows("five or more iterations", Some(SEPARATED.five_or_more), of(|t| t.at_least(5)))?
        .rows("six or more iterations", None, of(|t| t.at_least(6)))?;
    to.format(Format::Fixed(1))
        .rows("not within 50 iterations, per 10⁶", Some(SEPARATED.not_within_50), of(PaperCounts::failed))?
        .rows("never excluded, per 10⁶", None, of(|t| t.all.per_million(t.all.unresolved)))?;
    to.format(Format::Integer).rows(
        "most new start points",
        Some([most; 3]),
        of(|t| f64::from(t.most_new_starts)),
    )?;
    Ok(to.table.note("Whether the initial guess excludes a contact does not depend on the shift."))
}

fn overlapping(all: &Reproduction) -> Result<Table, Error> {
    let mut to = Comparison::new("series-2", "Convergence: text and Figure 6");
    let of = |f: fn(&PaperCounts) -> f64| each(&all.overlapping, |counts| Some(f(counts)));
    let most = OVERLAPPING.most_new_starts.map(f64::from);
    to.format(Format::Percent(2)).rows(
        "20 or more iterations",
        Some(OVERLAPPING.twenty_or_more),
        of(|t| t.at_least(20)),
    )?;
    to.format(Format::Fixed(1))
        .rows("failed from the initial guess, per 10⁶", Some(OVERLAPPING.failed), of(PaperCounts::failed))?
        .rows("– converged, not accepted", None, of(|t| t.all.per_million(t.local_minimum)))?
        .rows("– not converged in 50 iterations", None, of(|t| t.all.per_million(t.not_converged)))?;
    to.format(Format::Integer).rows(
        "most new start points",
        Some(most),
        of(|t| f64::from(t.most_new_starts)),
    )?;
    to.format(Format::Fixed(1))
        .rows("never accepted, per 10⁶", None, of(|t| t.all.per_million(t.all.unresolved)))?
        .rows("accepted, not the signed distance, per 10⁶", None, of(|t| t.all.per_million(t.all.wrong)))?;
    to.format(Format::Fixed(2)).rows(
        "mean iterations where these suffice",
        None,
        each(&all.overlapping, |t| t.first.mean()),
    )?;
    Ok(to.table.note(
        "20 new start points are the limit. A gap that differs by more than 1e-8 of the smaller grain's size \
                      from the one that auto proves is not the signed distance.",
    ))
}

fn errors(all: &Reproduction) -> Result<Table, Error> {
    let mut to = Comparison::new("table-2", "The paper's Table II: errors of the contacts");
    let of = |f: &dyn Fn(&PaperCounts) -> Option<f64>| each(&all.overlapping, f);
    let mean = |pick: fn(&ErrorCounts) -> &Sample| of(&|t| pick(&t.all.errors).mean());
    let median = |pick: fn(&ErrorCounts) -> &Sample| of(&|t| pick(&t.all.errors).median());
    to.format(Format::Scientific(2))
        .rows("depth as ‖d‖, relative, mean", Some(ERRORS.depth), mean(|e| &e.length))?
        .rows("depth as ‖d‖, relative, median", None, median(|e| &e.length))?
        .rows("depth as −c·d, relative, mean", None, mean(|e| &e.projection))?
        .rows("depth as −c·d, relative, median", None, median(|e| &e.projection))?
        .rows("contact points, mean", Some(ERRORS.point), mean(|e| &e.point))?
        .rows("contact points, mean of pairs as built", None, of(&|t| t.point_as_built.mean()))?
        .rows("contact points, median", None, median(|e| &e.point))?
        .rows(
            "angle in degrees, mean",
            Some(ERRORS.angle),
            of(&|t| t.all.errors.angle.mean().map(f64::to_degrees)),
        )?
        .rows("angle in degrees, median", None, of(&|t| t.all.errors.angle.median().map(f64::to_degrees)))?;
    Ok(to.table)
}

/// Every method's counts on the same pairs of one series.
fn methods(name: &str, title: &str, cells: &[super::Cell; 3]) -> Result<Table, Error> {
    let columns = [
        Column::number("Interval", Format::Integer),
        Column::text("Method"),
        Column::number("iterations", Format::Fixed(2)).group("Mean"),
        Column::number("evaluations", Format::Fixed(2)).group("Mean"),
        Column::number("unresolved", Format::Fixed(1)).group("Per 10⁶"),
        Column::number("wrong", Format::Fixed(1)).group("Per 10⁶"),
    ];
    let mut table = Table::new(name, title, columns);
    for_every_method(cells, |interval, method, t| {
        let [unresolved, wrong] = [t.unresolved, t.wrong].map(|count| t.per_million(count));
        table.push(cells![interval, method, t.iterations.mean(), t.evaluations.mean(), unresolved, wrong])
    })?;
    Ok(table)
}

/// Every method's errors on the same overlapping pairs.
fn method_errors(cells: &[super::Cell; 3]) -> Result<Table, Error> {
    let columns = [
        Column::number("Interval", Format::Integer),
        Column::text("Method"),
        Column::number("depth as −c·d", Format::Scientific(1)),
        Column::number("contact points", Format::Scientific(1)),
        Column::number("angle", Format::Scientific(1)).unit("degrees"),
    ];
    let mut table = Table::new("methods-errors", "Second series: median errors", columns);
    for_every_method(cells, |interval, method, Counts { errors, .. }| {
        let angle = errors.angle.median().map(f64::to_degrees);
        table.push(cells![interval, method, errors.projection.median(), errors.point.median(), angle])
    })?;
    Ok(table)
}

fn for_every_method(
    cells: &[super::Cell; 3],
    mut row: impl FnMut(u32, &str, &Counts) -> Result<(), Error>,
) -> Result<(), Error> {
    for (interval, cell) in (1..).zip(cells) {
        for (method, counts) in ["common-normal, A", "common-normal, B"].into_iter().zip(&cell.paper) {
            row(interval, method, &counts.all)?;
        }
        for (method, counts) in measure::PEERS.iter().zip(&cell.peers) {
            row(interval, method.card().name, counts)?;
        }
    }
    Ok(())
}

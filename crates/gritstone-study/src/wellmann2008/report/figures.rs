//! Figures 5 and 6.

use gritstone_report::{Axis, Cell, Column, Error, Format, Mark, Plot, Table};

use super::super::published::SEPARATED;
use super::super::{Cell as Counted, PaperTally, Reproduction};

const SHIFTS: [(&str, &str); 2] = [("a", "shift A"), ("b", "shift B")];

/// Figure 5, for either shift and in either counting.
pub(super) fn exclusion(all: &Reproduction) -> Vec<Plot> {
    let mut plots = Vec::new();
    for (shift, (letter, name)) in SHIFTS.into_iter().enumerate() {
        let as_is = Plot::new(
            format!("figure-5-{letter}"),
            format!("Figure 5 with {name}: exclusion at the initial guess is iteration 0"),
            Axis::linear("iterations").range(0.0, 10.0),
            Axis::log("share of pairs").range(1e-5, 1.0),
        )
        .description(
            "Squares and lines: measured. Single marks: what the paper's text gives for 0 iterations.",
        );
        let as_published = Plot::new(
            format!("figure-5-{letter}-within-one"),
            format!("Figure 5 with {name}: exclusion within one step is iteration 0"),
            Axis::linear("iterations after the first").range(0.0, 10.0),
            Axis::log("share of pairs").range(1e-5, 1.0),
        )
        .description(
            "The same counts, with the first step not counted: so read, they meet the paper's numbers.",
        );
        plots.push(lines(as_is, &all.separated, shift, 10, PaperTally::after));
        plots.push(lines(as_published, &all.separated, shift, 10, |t, i| {
            if i == 0 { t.within(1) } else { t.after(i + 1) }
        }));
    }
    let mark = |plot: Plot| {
        (1..).zip(SEPARATED.at_once).fold(plot, |plot, (interval, share): (u32, _)| {
            plot.series(format!("paper, interval {interval}"), Mark::Points, [(0.0, share)])
        })
    };
    plots.into_iter().map(mark).collect()
}

/// Figure 6, for either shift.
pub(super) fn convergence(all: &Reproduction) -> Vec<Plot> {
    let plot = |(shift, (letter, name)): (usize, (&str, &str))| {
        let plot = Plot::new(
            format!("figure-6-{letter}"),
            format!("Figure 6 with {name}: iterations to convergence"),
            Axis::linear("iterations").range(0.0, 25.0),
            Axis::linear("share of pairs"),
        )
        .description(
            "‖grad f‖ < 1e-6 from the line between the centres, where the point reached is accepted.",
        );
        lines(plot, &all.overlapping, shift, 25, PaperTally::after)
    };
    SHIFTS.into_iter().enumerate().map(plot).collect()
}

/// One line for each interval.
fn lines(
    plot: Plot,
    cells: &[Counted; 3],
    shift: usize,
    last: u32,
    y: impl Fn(&PaperTally, u32) -> f64,
) -> Plot {
    (1..).zip(cells).fold(plot, |plot, (interval, cell): (u32, _)| {
        let points: Vec<_> = (0..=last).map(|i| (f64::from(i), y(&cell.paper[shift], i))).collect();
        plot.series(format!("interval {interval}"), Mark::LineAndPoints, points)
    })
}

/// All counts of a figure: one row per number of iterations, one column per interval and shift.
pub(super) fn data(name: &str, title: &str, cells: &[Counted; 3]) -> Result<Table, Error> {
    let mut columns = vec![Column::number("iterations", Format::Integer)];
    for interval in 1..=3 {
        for (_, shift) in SHIFTS {
            columns.push(Column::number(shift, Format::General).group(format!("interval {interval}")));
        }
    }
    let tallies = || cells.iter().flat_map(|cell| &cell.paper);
    let mut table = Table::new(name, title, columns);
    for i in 0..=50 {
        let shares = tallies().map(|tally| Cell::from(tally.after(i)));
        table.push(std::iter::once(Cell::from(i)).chain(shares))?;
    }
    Ok(table)
}

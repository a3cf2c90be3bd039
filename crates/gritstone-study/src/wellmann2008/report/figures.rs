//! Figures 5 and 6, and how many pairs are left after so many iterations.

use gritstone_report::{Axis, Cell, Column, Error, Format, Mark, Plot, Table};

use super::super::published::{OVERLAPPING, SEPARATED};
use super::super::{Cell as Counted, PaperCounts, Reproduction};

const SHIFTS: [(&str, &str); 2] = [("a", "shift A"), ("b", "shift B")];

/// Room beside the first and last number of iterations, so that marks do not lie on the frame.
const MARGIN: f64 = 0.5;

/// Points beyond this many crowd each other: lines alone.
const MARKED: u32 = 30;

/// Figure 5, for either shift and in either counting, and what is left of the pairs.
pub(super) fn exclusion(all: &Reproduction) -> Vec<Plot> {
    let at_once = [0, 1, 2].map(|i| vec![(0.0, SEPARATED.at_once[i])]);
    let left =
        [0, 1, 2].map(|i| vec![(5.0, SEPARATED.five_or_more[i]), (51.0, 1e-6 * SEPARATED.not_within_50[i])]);
    let mut plots = Vec::new();
    for (shift, (letter, name)) in SHIFTS.into_iter().enumerate() {
        let share = || Axis::linear("share of pairs").range(0.0, 1.0);
        let as_is = Plot::new(
            format!("figure-5-{letter}"),
            format!("The paper's Figure 5 with {name}, exclusion at the initial guess as iteration 0"),
            iterations("iterations", 8),
            share(),
        )
        .description("Lines: measured. Single marks: what the paper gives for 0 iterations.");
        let from_one = Plot::new(
            format!("figure-5-{letter}-within-one"),
            format!("The same with {name}, exclusion within one step as iteration 0"),
            iterations("iterations, the first one not counted", 8),
            share(),
        )
        .description("So counted, the measured shares meet the published ones.");
        let later = |t: &PaperCounts, i| if i == 0 { t.within(1) } else { t.after(i + 1) };
        plots.push(compare(as_is, &all.separated, shift, 8, PaperCounts::after, &at_once));
        plots.push(compare(from_one, &all.separated, shift, 8, later, &at_once));
    }
    for (shift, (letter, name)) in SHIFTS.into_iter().enumerate() {
        let plot = remaining(format!("left-1-{letter}"), format!("Pairs not yet excluded, {name}"));
        plots.push(compare(plot, &all.separated, shift, 51, PaperCounts::at_least, &left));
    }
    plots
}

/// Figure 6, for either shift, and what is left of the pairs.
pub(super) fn convergence(all: &Reproduction) -> Vec<Plot> {
    let left =
        [0, 1, 2].map(|i| vec![(20.0, OVERLAPPING.twenty_or_more[i]), (51.0, 1e-6 * OVERLAPPING.failed[i])]);
    let figure = |(shift, (letter, name)): (usize, (&str, &str))| {
        let plot = Plot::new(
            format!("figure-6-{letter}"),
            format!("The paper's Figure 6 with {name}: iterations to convergence"),
            iterations("iterations", 25),
            Axis::linear("share of pairs").range(0.0, 0.4),
        )
        .description(
            "From the line between the centres until ‖grad f‖ is below 1e-6 at a point that is accepted.",
        );
        compare(plot, &all.overlapping, shift, 25, PaperCounts::after, &[const { Vec::new() }; 3])
    };
    let rest = |(shift, (letter, name)): (usize, (&str, &str))| {
        let plot = remaining(format!("left-2-{letter}"), format!("Pairs not yet accepted, {name}"));
        compare(plot, &all.overlapping, shift, 51, PaperCounts::at_least, &left)
    };
    let shifts = || SHIFTS.into_iter().enumerate();
    shifts().map(figure).chain(shifts().map(rest)).collect()
}

fn iterations(title: &str, last: u32) -> Axis {
    Axis::linear(title).range(-MARGIN, f64::from(last) + MARGIN)
}

/// A plot of the pairs that need so many iterations or more.
fn remaining(name: String, title: String) -> Plot {
    let share = Axis::log("share of pairs").range(1e-6, 1.0);
    Plot::new(name, title, iterations("this many iterations or more", 51), share).description(
        "Lines: measured. Single marks: what the paper gives. At 51 stand the pairs for which 50 iterations from the \
         initial guess do not suffice.",
    )
}

/// One line for each interval, and the published points.
fn compare(
    plot: Plot,
    cells: &[Counted; 3],
    shift: usize,
    last: u32,
    y: impl Fn(&PaperCounts, u32) -> f64,
    published: &[Vec<(f64, f64)>; 3],
) -> Plot {
    let mark = if last <= MARKED { Mark::LineAndPoints } else { Mark::Line };
    let measured = (1..).zip(cells).fold(plot, |plot, (interval, cell): (u32, _)| {
        let points = (0..=last).map(|i| (f64::from(i), y(&cell.paper[shift], i)));
        let seen: Vec<_> = points.filter(|(_, share)| *share > 0.0).collect();
        plot.series(format!("interval {interval}"), mark, seen)
    });
    (1..).zip(published).filter(|(_, points)| !points.is_empty()).fold(
        measured,
        |plot, (interval, points): (u32, _)| {
            plot.series(format!("paper, interval {interval}"), Mark::Points, points.iter().copied())
        },
    )
}

/// All counts of a figure: one row per number of iterations, one column per interval and shift.
pub(super) fn data(name: &str, title: &str, cells: &[Counted; 3]) -> Result<Table, Error> {
    let mut columns = vec![Column::number("iterations", Format::Integer)];
    for interval in 1..=3 {
        for (_, shift) in SHIFTS {
            columns.push(Column::number(shift, Format::General).group(format!("interval {interval}")));
        }
    }
    let mut table = Table::new(name, title, columns);
    for i in 0..=50 {
        let shares = cells.iter().flat_map(|cell| &cell.paper).map(|counts| Cell::from(counts.after(i)));
        table.push(std::iter::once(Cell::from(i)).chain(shares))?;
    }
    Ok(table)
}

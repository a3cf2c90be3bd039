//! Tables of the simulations. Those of times hold the machine's numbers, and differ from run to run.

use gritstone_report::{Axis, Cell, Column, Error, Format, Mark, Plot, Section, Table, cells};

use super::super::CONTESTANTS;
use super::super::published::{FLOW, TABLE_1, WITHIN_TWO_BUCKET, WITHIN_TWO_FLOW};
use super::super::simulation::{Measured, Simulated};
use super::remarks;

/// All that comes of the simulations.
pub(super) fn section(all: &Simulated) -> Result<Section, Error> {
    let section = Section::new("Simulations (Figure 16, Table I)")
        .paragraph(remarks::SIMULATIONS)
        .table(figure_16(all)?)
        .plot(plot_16(all));
    let section = if all.bucket.is_empty() { section } else { section.table(table_1(all)?) };
    Ok(section.table(seconds(all)?).table(iterations(all)?))
}

/// Ratios of all methods but the first, which is one by definition.
fn others() -> impl Iterator<Item = Column> {
    CONTESTANTS.into_iter().skip(1).map(|name| Column::text(name).group("R"))
}

fn ratios(measured: &Measured) -> impl Iterator<Item = Cell> {
    measured.detection.ratios().into_iter().skip(1).map(|ratio| Cell::from(format!("{ratio:.1}")))
}

fn figure_16(all: &Simulated) -> Result<Table, Error> {
    let columns = [Column::number("Particles", Format::Integer)].into_iter().chain(others());
    let title = "Particle flow: time of common-plane over that of each method";
    let mut table = Table::new("times-figure-16", title, columns)
        .note("The figure is a drawing; the text gives its ends, the higher ratios for the fewer particles.");
    for flow in &all.flows {
        table.push(cells![flow.grains as i64].into_iter().chain(ratios(flow)))?;
    }
    let printed = |particles: i64, i: usize| {
        let ratio = |ends: [f64; 2]| format!("{:.0} (printed)", ends[i]);
        cells![particles, ratio(FLOW.plane), ratio(FLOW.link), None::<f64>, None::<f64>]
    };
    table.push(printed(500, 1))?;
    table.push(printed(45_000, 0))?;
    Ok(table)
}

fn plot_16(all: &Simulated) -> Plot {
    let plot = Plot::new(
        "times-figure-16-plot",
        "The paper's Figure 16: how many times as fast as common-plane",
        Axis::log("particles"),
        Axis::linear("R"),
    )
    .description("Lines: measured. Single marks: what the paper's text gives for the ends.");
    let measured = CONTESTANTS.into_iter().enumerate().skip(1).fold(plot, |plot, (i, name)| {
        let points = all.flows.iter().map(|flow| (flow.grains as f64, flow.detection.ratios()[i]));
        plot.series(name, Mark::LineAndPoints, points)
    });
    let ends = |[low, high]: [f64; 2]| [(500.0, high), (45_000.0, low)];
    measured.series("fast-common-plane, printed", Mark::Points, ends(FLOW.plane)).series(
        "shortest-link, printed",
        Mark::Points,
        ends(FLOW.link),
    )
}

fn table_1(all: &Simulated) -> Result<Table, Error> {
    let head = [
        Column::text("Phase"),
        Column::number("fast-common-plane", Format::Fixed(1)).group("printed R"),
        Column::number("shortest-link", Format::Fixed(1)).group("printed R"),
    ];
    let grains = all.bucket.first().map_or(0, |phase| phase.grains);
    let title = format!("Table I: a bucket in a pile of {grains} particles");
    let mut table = Table::new("times-table-1", title, head.into_iter().chain(others()));
    if all.pace > 1.0 {
        table = table.note(format!("The bucket goes {} times as fast as in the paper.", all.pace));
    }
    for (phase, [link, plane]) in all.bucket.iter().zip(TABLE_1) {
        table.push(cells![phase.what, plane, link].into_iter().chain(ratios(phase)))?;
    }
    Ok(table)
}

/// The times themselves.
fn seconds(all: &Simulated) -> Result<Table, Error> {
    let times = CONTESTANTS.into_iter().map(|name| Column::number(name, Format::Fixed(0)).unit("ns"));
    let head = [Column::text("Simulation"), Column::number("particles", Format::Integer)];
    let title = "Time of detection for a near pair";
    let mut table = Table::new("times-simulated", title, head.into_iter().chain(times));
    for measured in all.flows.iter().chain(&all.bucket) {
        let times = measured.detection.seconds_each().map(|time| Cell::from(1e9 * time));
        table.push(cells![measured.what, measured.grains as i64].into_iter().chain(times))?;
    }
    Ok(table)
}

/// Iterations of the shortest link.
fn iterations(all: &Simulated) -> Result<Table, Error> {
    let columns = [
        Column::text("Simulation"),
        Column::number("particles", Format::Integer),
        Column::number("near pairs", Format::Integer),
        Column::number("touching", Format::Percent(1)),
        Column::number("printed", Format::Percent(0)).group("At most two iterations"),
        Column::number("touching", Format::Percent(1)).group("At most two iterations"),
        Column::number("all near", Format::Percent(1)).group("At most two iterations"),
        Column::number("most", Format::Integer),
    ];
    let title = "Iterations of shortest-link from the last step";
    let mut table = Table::new("simulated", title, columns)
        .note("Near pairs: boxes overlap; counted once for each step that was timed.");
    let rows = all.flows.iter().map(|flow| (flow, WITHIN_TWO_FLOW));
    for (measured, printed) in rows.chain(all.bucket.iter().map(|phase| (phase, WITHIN_TWO_BUCKET))) {
        let found = &measured.detection;
        let few = |taken: &crate::statistics::Histogram| taken.below(3) as f64 / taken.total().max(1) as f64;
        table.push(cells![
            measured.what,
            measured.grains as i64,
            found.near as i64,
            found.touching as f64 / found.near.max(1) as f64,
            printed,
            few(&found.iterations),
            few(&found.iterations_near),
            found.iterations_near.quantile(1.0).map(i64::from),
        ])?;
    }
    Ok(table)
}

//! Curves over time.

use std::fs;
use std::path::PathBuf;

use gritstone_report::{Axis, Mark, Plot, Section};

use super::csv::{Column, TimeSeries};
use super::groups::groups;
use super::views::spread;
use super::{DigestError, Run};
use crate::run::{ENERGIES, FINAL};

/// Curves in one plot: as many as have colours of their own.
const MOST_CURVES: usize = 6;

/// Plots for one file of a probe.
const MOST_PLOTS: usize = 8;

/// Frames from which curves are made.
const MOST_FRAMES: usize = 100;

fn seconds() -> Axis {
    Axis::linear("time").unit("s")
}

/// A plot of some columns of a series.
pub(super) fn plot(
    series: &TimeSeries,
    name: &str,
    title: impl Into<String>,
    y: Axis,
    columns: &[&Column],
) -> Option<Plot> {
    let mut plot = Plot::new(name, title, seconds(), y);
    for column in columns {
        plot = plot.series(column.name.replace('_', " "), Mark::Line, series.points(column));
    }
    (!plot.series.is_empty()).then_some(plot)
}

/// Energies, grains, contacts and overlaps; nothing where they were not written.
pub(super) fn energies(run: &Run) -> Option<Section> {
    let series = TimeSeries::read(&run.folder.join(ENERGIES))?;
    let some = |names: &[&str]| -> Vec<&Column> {
        names.iter().filter_map(|name| series.column(name)).filter(|column| column.is_alive()).collect()
    };
    let of = |name: &str, title: &str, y: Axis, columns: &[&str], caption: &str| {
        plot(&series, name, title, y, &some(columns)).map(|plot| plot.description(caption))
    };
    let all = ["translation", "rotation", "potential", "elastic", "dissipated", "balance"];
    let plots = [
        of(
            "energies",
            "Energies of all grains over time",
            Axis::linear("energy").unit("J"),
            &all,
            "Balance is the sum of all energies less the work of walls and external forces; it is constant except for \
             integration errors.",
        ),
        of(
            "grains",
            "Number of grains over time",
            Axis::linear("number of grains"),
            &["grains"],
            "Grains in the domain.",
        ),
        of(
            "contacts",
            "Number of contacts over time",
            Axis::linear("number of contacts"),
            &["contacts"],
            "Touching pairs, contacts with walls included.",
        ),
        of(
            "overlap",
            "Largest overlap over time",
            Axis::linear("overlap / bounding radius"),
            &["largest_overlap"],
            "The largest overlap of all contacts, relative to the bounding radius of the smaller grain.",
        ),
        of(
            "unresolved",
            "Unresolved contacts since the start",
            Axis::linear("number of solves"),
            &["unresolved"],
            "Cumulative number of contact solves whose gap was not certified.",
        ),
    ];
    let section = plots.into_iter().flatten().fold(Section::new("Energies and contacts"), Section::plot);
    (!section.blocks.is_empty()).then_some(section)
}

/// Coordination and wall forces, from the frames of the trajectory.
pub(super) fn from_frames(run: &mut Run) -> Result<Option<Section>, DigestError> {
    let Some(album) = &mut run.album else { return Ok(None) };
    let names = album.walls();
    let (mut coordination, mut walls) = (Vec::new(), vec![Vec::new(); names.len()]);
    for frame in spread(album.moments().len(), MOST_FRAMES) {
        let (time, numbers) = (album.moments()[frame].time, album.numbers(frame)?);
        coordination.push((time, numbers.coordination));
        for (curve, [x, y, z]) in walls.iter_mut().zip(&numbers.wall_forces) {
            curve.push((time, (x * x + y * y + z * z).sqrt()));
        }
    }
    if coordination.len() < 2 {
        return Ok(None);
    }
    let touched = Plot::new(
        "coordination",
        "Mean coordination number over time",
        seconds(),
        Axis::linear("mean coordination number"),
    )
    .description("Number of bodies that a grain touches, walls included; mean of all grains.")
    .series("coordination", Mark::Line, coordination);
    let section = Section::new("Coordination and walls").plot(touched);
    let most = |curve: &[(f64, f64)]| curve.iter().map(|point| point.1).fold(0.0, f64::max);
    let mut pushed: Vec<_> = names.into_iter().zip(walls).filter(|(_, curve)| most(curve) > 0.0).collect();
    pushed.sort_by(|a, b| most(&b.1).total_cmp(&most(&a.1)));
    let left_out = pushed.len().saturating_sub(MOST_CURVES);
    let newton = if album.is_flat() { "N/m" } else { "N" };
    let others = match left_out {
        0 => String::new(),
        n => format!(" The {MOST_CURVES} walls with the largest forces; {n} others are not shown."),
    };
    let title = "Contact force on each wall over time";
    let mut plot = Plot::new("wall-forces", title, seconds(), Axis::linear("force").unit(newton))
        .description(format!("Magnitude of the sum of all contact forces on a wall.{others}"));
    for (name, curve) in pushed.into_iter().take(MOST_CURVES) {
        plot = plot.series(name, Mark::Line, curve);
    }
    Ok(Some(if plot.series.is_empty() { section } else { section.plot(plot) }))
}

/// Run time of steps.
pub(super) fn cost(run: &Run) -> Option<Section> {
    let numbers = |key: &str| -> Vec<f64> {
        let list = run.summary["pace"][key].as_array();
        list.map_or_else(Vec::new, |list| list.iter().filter_map(serde_json::Value::as_f64).collect())
    };
    let (steps, costs) = (numbers("step"), numbers("us_per_grain_step"));
    if steps.len() < 2 || steps.len() != costs.len() {
        return None;
    }
    let plot = Plot::new(
        "cost",
        "Computing time per grain and step",
        Axis::linear("step"),
        Axis::linear("time per grain and step").unit("µs"),
    )
    .description("Wall-clock time, output included, since the run was started or last resumed.")
    .series("time per grain and step", Mark::Step, steps.into_iter().zip(costs));
    Some(Section::new("Step cost").plot(plot))
}

/// Every other time series in the folder, whatever has written it.
pub(super) fn probes(run: &Run) -> Option<Section> {
    let mut section = Section::new("Probes");
    for path in tables(run) {
        let Some(series) = TimeSeries::read(&path) else { continue };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for plot in by_unit(&series, &stem) {
            section = section.plot(plot);
        }
    }
    (!section.blocks.is_empty()).then_some(section)
}

/// The CSV files of the folder and of the folders in it that a probe may have, in the order of their names.
fn tables(run: &Run) -> Vec<PathBuf> {
    let list = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    };
    let mut paths = list(run.folder.clone());
    paths.extend(list(run.folder.join("probes")));
    let ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        path.extension().is_some_and(|end| end == "csv") && name != ENERGIES && name != FINAL
    };
    paths.retain(ours);
    paths.sort();
    paths
}

/// The plots of a file: columns of one unit and of like magnitude together.
fn by_unit(series: &TimeSeries, stem: &str) -> Vec<Plot> {
    let shown =
        |(i, column): &(usize, &Column)| *i != series.over && column.name != "step" && column.is_alive();
    let columns: Vec<&Column> =
        series.columns.iter().enumerate().filter(shown).map(|(_, column)| column).collect();
    let made = groups(&columns, MOST_CURVES).into_iter().enumerate().filter_map(|(i, group)| {
        let unit = group.columns[0].unit.as_ref();
        let axis = Axis::linear(group.quantity.clone());
        let axis = unit.map_or(axis.clone(), |unit| axis.unit(unit));
        let title = format!("{}: {} over time", stem.replace('_', " "), group.quantity);
        let name = format!("{}-{}", fit(stem), i + 1);
        plot(series, &name, title, axis, &group.columns).map(|plot| plot.description(group.caption(stem)))
    });
    made.take(MOST_PLOTS).collect()
}

/// A name that can be an anchor.
fn fit(stem: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    format!("probe-{}", stem.chars().map(letter).collect::<String>())
}

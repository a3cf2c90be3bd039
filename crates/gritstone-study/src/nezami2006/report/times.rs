//! Tables of times. Their numbers are those of the machine, and differ from run to run.

use gritstone_report::{Cell, Column, Error, Format, Table, cells};

use super::super::published::{BUCKET, FLOW, LINK_13, PLANE_13, Ratios};
use super::super::{CONTESTANTS, Clocked, Reproduction};

fn least_and_most(values: impl IntoIterator<Item = f64>) -> [f64; 2] {
    values.into_iter().fold([f64::INFINITY, 0.0], |[low, high], x| [f64::min(low, x), f64::max(high, x)])
}

fn range([low, high]: [f64; 2]) -> String {
    format!("{low:.1}–{high:.1}")
}

/// A column for each method but the first, which is one by definition.
fn others(group: &str) -> impl Iterator<Item = Column> {
    CONTESTANTS.into_iter().skip(1).map(move |name| Column::text(name).group(group))
}

/// Figure 13.
pub(super) fn nine(all: &Reproduction) -> Result<Table, Error> {
    let cundall = Column::number("common-plane", Format::Fixed(0)).unit("ns");
    let columns = [Column::text("Pair"), cundall].into_iter().chain(others("R"));
    let title = "R: time of common-plane over that of each method, nine pairs";
    let mut table = Table::new("times-figure-13", title, columns)
        .note("Printed pairs are not ours: only the ranges can be compared.");
    let rows: Vec<[f64; 5]> = all.drawn.iter().map(|drawn| Clocked::ratios(&drawn.times)).collect();
    for (drawn, ratios) in all.drawn.iter().zip(&rows) {
        let ratios = ratios.iter().skip(1).map(|ratio| Cell::from(format!("{ratio:.1}")));
        table.push(cells![drawn.name, 1e9 * drawn.times[0]].into_iter().chain(ratios))?;
    }
    let measured = (1..5).map(|i| Cell::from(range(least_and_most(rows.iter().map(|row| row[i])))));
    table.push(cells!["measured, least and most", None::<f64>].into_iter().chain(measured))?;
    let [plane, link] = [PLANE_13, LINK_13].map(|printed| range(least_and_most(printed)));
    table.push(cells!["printed, least and most", None::<f64>, plane, link, None::<f64>, None::<f64>])?;
    Ok(table)
}

/// Scenes like those of section 5.2.
pub(super) fn ratios(all: &Reproduction) -> Result<Table, Error> {
    let columns = [Column::text("Scene"), Column::text("From")].into_iter().chain(others("R"));
    let title = "R: time of common-plane over that of each method, polyhedra";
    let mut table = Table::new("times-ratios", title, columns);
    for clocked in &all.clocked {
        for (from, times) in [("nothing", &clocked.cold), ("the last step", &clocked.warm)] {
            let ratios =
                Clocked::ratios(times).into_iter().skip(1).map(|ratio| Cell::from(format!("{ratio:.1}")));
            table.push(cells![clocked.scene, from].into_iter().chain(ratios))?;
        }
    }
    for (name, Ratios { link, plane }) in [("printed: particle flow", FLOW), ("printed: bucket", BUCKET)] {
        let row = cells![name, "the last step", range(plane), range(link), None::<f64>, None::<f64>];
        table.push(row)?;
    }
    Ok(table)
}

/// The times themselves.
pub(super) fn seconds(all: &Reproduction) -> Result<Table, Error> {
    let times = CONTESTANTS.into_iter().map(|name| Column::number(name, Format::Fixed(0)).unit("ns"));
    let columns = [Column::text("Scene"), Column::text("From")].into_iter().chain(times);
    let mut table = Table::new("times-solves", "Time of a solve", columns);
    for clocked in &all.clocked {
        for (from, times) in [("nothing", &clocked.cold), ("the last step", &clocked.warm)] {
            let times = times.iter().map(|time| Cell::from(1e9 * time));
            table.push(cells![clocked.scene, from].into_iter().chain(times))?;
        }
    }
    Ok(table)
}

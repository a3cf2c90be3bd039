//! Tables of many pairs.

use gritstone_report::{Cell, Column, Error, Format, Table, cells};

use super::super::{Counts, DISTANCES, Reproduction};

const UNIT: &str = "Overlaps, and gaps, are relative to the smallest semi-axis.";

/// Signed distance in words.
fn label(distance: f64) -> String {
    if distance > 0.0 { format!("gap {distance}") } else { format!("{:e}", -distance) }
}

fn columns(format: Format, which: impl Fn(f64) -> bool) -> Vec<Column> {
    let distances = DISTANCES.into_iter().filter(|distance| which(*distance));
    let column = |distance| Column::number(label(distance), format);
    std::iter::once(Column::number("Aspect ≤", Format::General)).chain(distances.map(column)).collect()
}

/// Searches that miss.
pub(super) fn missed(all: &Reproduction) -> Result<Table, Error> {
    let title = "Searches on [0, 2π] that miss the least f";
    let mut table = Table::new("missed", title, columns(Format::Percent(1), |_| true)).note(
        "Of two searches for each pair. A search misses when its f is higher by more than 1e-6·(1 + |f|).",
    )
    .note(UNIT);
    for row in &all.cells {
        let share = row.iter().map(|cell| Cell::from(cell.missed as f64 / (2 * cell.pairs).max(1) as f64));
        table.push(std::iter::once(Cell::from(row[0].aspect)).chain(share))?;
    }
    Ok(table)
}

/// Verdicts that are wrong.
pub(super) fn verdicts(all: &Reproduction) -> Result<Table, Error> {
    let mut head = columns(Format::Percent(1), |_| true);
    head.insert(1, Column::text("Method"));
    let mut table =
        Table::new("verdicts", "Verdicts that are wrong: touching called apart, or apart touching", head)
            .note(UNIT);
    type Pick = fn(&Counts) -> u64;
    let kinds: [(&str, Pick); 2] = [("overlap-point", |t| t.wrong_points), ("curvature", |t| t.wrong_depth)];
    for row in &all.cells {
        for (name, wrong) in kinds {
            for mended in [false, true] {
                let name = if mended { format!("{name}-mended") } else { name.to_owned() };
                let share = row
                    .iter()
                    .map(|cell| Cell::from(wrong(cell.counts(mended)) as f64 / cell.pairs.max(1) as f64));
                table.push(cells![row[0].aspect, name].into_iter().chain(share))?;
            }
        }
    }
    Ok(table)
}

/// Errors of the depth.
pub(super) fn depths(all: &Reproduction) -> Result<Table, Error> {
    let overlapping = |distance: f64| distance < 0.0;
    let mut head = columns(Format::Scientific(1), overlapping);
    head.insert(1, Column::text("Method"));
    head.insert(2, Column::text("Error"));
    let mut table = Table::new("depths", "Errors of h, relative to the true depth", head).note(UNIT);
    let quantiles = [("median", 0.5), ("99 %", 0.99), ("largest", 1.0)];
    for row in &all.cells {
        for mended in [false, true] {
            for (which, share) in quantiles {
                let name = if mended { "curvature-mended" } else { "curvature" };
                let error = row
                    .iter()
                    .filter(|cell| overlapping(cell.distance))
                    .map(|cell| Cell::from(cell.counts(mended).errors.quantile(share)));
                table.push(cells![row[0].aspect, name, which].into_iter().chain(error))?;
            }
        }
    }
    Ok(table)
}

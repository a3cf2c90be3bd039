//! Published and measured side by side.

mod remarks;
mod simulations;
mod times;

use gritstone_report::{Column, Error, Format, Report, Section, Table, cells};

use super::pairs::TOUCHING;
use super::simulation::Simulated;
use super::{Cell, FORMS, MOTIONS, PLANES, PRIORS, Reproduction, WarmCounts, published};

/// The report of a reproduction.
pub(super) fn report(all: &Reproduction, simulated: &Simulated) -> Result<Report, Error> {
    Ok(Report::new("Nezami et al. 2006: the shortest link, published and measured")
        .summary(remarks::SUMMARY)
        .fact("Program", concat!("gritstone ", env!("CARGO_PKG_VERSION")))
        .fact(
            "Pairs",
            format!("{} of polygons, of polyhedra, and of polyhedra that touch", all.settings.pairs),
        )
        .fact("Seed", all.settings.seed.to_string())
        .section(Section::new("What is compared").paragraph(remarks::COMPARED))
        .section(
            Section::new("Nine pairs of polygons (Figure 13)")
                .paragraph(remarks::FIGURE_13)
                .table(nine(all)?)
                .table(times::nine(all)?),
        )
        .section(
            Section::new("How often links are wrong")
                .paragraph(remarks::FAILURES)
                .table(failures("failures-plane", "Polygons, apart", &all.plane)?)
                .table(failures("failures-space", "Polyhedra, apart", &all.space)?),
        )
        .section(
            Section::new("Iterations")
                .paragraph(remarks::ITERATIONS)
                .table(iterations(all)?)
                .table(within_two(all)?),
        )
        .section(
            Section::new("Planes by turning and by trying").paragraph(remarks::PLANES).table(planes(all)?),
        )
        .section(Section::new("Bodies that touch").paragraph(remarks::CONTACTS).table(contacts(all)?))
        .section(
            Section::new("Times of pairs that move")
                .paragraph(remarks::TIMES)
                .table(times::ratios(all)?)
                .table(times::seconds(all)?),
        )
        .section(simulations::section(simulated)?)
        .section(remarks::errata()?))
}

/// What the methods find for the nine pairs.
fn nine(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Pair"),
        Column::number("distance", Format::Fixed(6)),
        Column::number("common-plane", Format::Scientific(1)).group("Error of the gap, relative"),
        Column::number("fast-common-plane", Format::Scientific(1)).group("Error of the gap, relative"),
        Column::number("shortest-link", Format::Scientific(1)).group("Error of the gap, relative"),
        Column::number("common-plane", Format::Integer).group("Gaps evaluated"),
        Column::number("fast-common-plane", Format::Integer).group("Gaps evaluated"),
        Column::number("shortest-link", Format::Integer).group("Iterations"),
    ];
    let mut table = Table::new("figure-13", "Nine pairs, without a last plane", columns)
        .note("Printed: the planes of all three are identical.");
    for drawn in &all.drawn {
        let distance = drawn.truth.distance();
        let [cundall, fast, link] = &drawn.answers;
        let error = [cundall, fast, link].map(|answer| (answer.distance() - distance).abs() / distance);
        table.push(cells![
            drawn.name,
            distance,
            error[0],
            error[1],
            error[2],
            i64::from(cundall.evaluations),
            i64::from(fast.evaluations),
            i64::from(link.iterations),
        ])?;
    }
    Ok(table)
}

/// Cells with their sum.
fn with_sum(cells: &[Cell]) -> Vec<Cell> {
    cells.iter().cloned().chain([Cell::sum(cells, "all")]).collect()
}

/// Links that are wrong, or never end.
fn failures(id: &str, title: &str, measured: &[Cell]) -> Result<Table, Error> {
    let form = |i: usize, what: &str| Column::number(what, Format::Integer).group(FORMS[i]);
    let columns = [
        Column::text("Facing each other"),
        Column::number("pairs", Format::Integer),
        form(0, "no end"),
        form(0, "wrong"),
        form(1, "no end"),
        form(1, "wrong"),
        form(2, "no end"),
        form(2, "wrong"),
        form(3, "handed over"),
        form(3, "wrong"),
    ];
    let mut table = Table::new(id, format!("{title}: links that are not the shortest"), columns).note(
        "Wrong: converged, and off by more than 1e-9 of the distance, or of a thousandth of the size if that is more. No \
         end: 1000 iterations. Handed over: not proven, and left to auto.",
    );
    for cell in with_sum(measured) {
        let counts = cell.forms.iter().flat_map(|counts| [counts.given_up, counts.wrong]);
        let row = cells![cell.kind, cell.pairs as i64];
        table.push(row.into_iter().chain(counts.map(|count| (count as i64).into())))?;
    }
    Ok(table)
}

/// Iterations of every form, cold.
fn iterations(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Bodies"),
        Column::text("Form"),
        Column::number("median", Format::Integer),
        Column::number("95 %", Format::Integer),
        Column::number("99 %", Format::Integer),
        Column::number("most", Format::Integer),
        Column::number("at most 3", Format::Percent(1)),
    ];
    let mut table = Table::new("iterations", "Iterations without a last link", columns);
    for (bodies, measured) in [("polygons", &all.plane), ("polyhedra", &all.space)] {
        let sum = Cell::sum(measured, "all");
        for (name, counts) in FORMS.into_iter().zip(&sum.forms) {
            let at = |share| counts.iterations.quantile(share).map(i64::from);
            let few = counts.iterations.below(4) as f64 / counts.iterations.total().max(1) as f64;
            table.push(cells![bodies, name, at(0.5), at(0.95), at(0.99), at(1.0), few])?;
        }
    }
    Ok(table)
}

/// Iterations from the last link.
fn within_two(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Bodies"),
        Column::text("Facing each other"),
        Column::number("moved by", Format::Scientific(0)),
        Column::text("Form"),
        Column::number("published", Format::Percent(0)).group("At most two iterations"),
        Column::number("measured", Format::Percent(1)).group("At most two iterations"),
        Column::number("most", Format::Integer),
        Column::number("wrong", Format::Percent(2)),
    ];
    let mut table = Table::new("within-two", "Iterations from the last link", columns).note(format!(
        "Moved by a part of the size, and turned by as much (rad). Wrong: distances by 1e-9, depths by 1e-6, relative. Published: {} % in particle flow, {} % with the bucket.",
        100.0 * published::WITHIN_TWO_FLOW,
        100.0 * published::WITHIN_TWO_BUCKET
    ));
    let mut row = |bodies: &str, facing: &str, motion: f64, name: &str, counts: &WarmCounts| {
        let total = counts.iterations.total().max(1) as f64;
        // The paper counts contacts.
        let touching = TOUCHING.iter().any(|(name, _)| *name == facing);
        let printed = touching.then_some(published::WITHIN_TWO_FLOW);
        let few = counts.iterations.below(3) as f64 / total;
        let most = counts.iterations.quantile(1.0).map(i64::from);
        table.push(cells![bodies, facing, motion, name, printed, few, most, counts.wrong as f64 / total])
    };
    for (bodies, measured) in [("polygons", &all.plane), ("polyhedra", &all.space)] {
        for sum in [Cell::sum(&measured[..1], "at random"), Cell::sum(measured, "all")] {
            for (motion, [published, proven]) in MOTIONS.into_iter().zip(&sum.warm) {
                row(bodies, sum.kind, motion, "as published", published)?;
                row(bodies, sum.kind, motion, "proven", proven)?;
            }
        }
    }
    for ((facing, _), contacts) in TOUCHING.into_iter().zip(&all.contacts) {
        for (motion, counts) in MOTIONS.into_iter().zip(&contacts.warm) {
            row("polyhedra", facing, motion, "as published", counts)?;
        }
    }
    Ok(table)
}

/// What methods that look for the plane take, and what their gaps are worth.
fn planes(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Bodies"),
        Column::text("Method"),
        Column::number("cold", Format::Fixed(1)).group("Gaps evaluated, mean"),
        Column::number("warm", Format::Fixed(1)).group("Gaps evaluated, mean"),
        Column::number("by 1e-9", Format::Percent(1)).group("Cold, off by more than"),
        Column::number("by 1 %", Format::Percent(1)).group("Cold, off by more than"),
    ];
    let mut table = Table::new("planes", "Methods that look for the plane, bodies apart", columns)
        .note("Warm: from the last plane after a motion of 1e-5 of the size.");
    for (bodies, measured) in [("polygons", &all.plane), ("polyhedra", &all.space)] {
        let sum = Cell::sum(measured, "all");
        for (i, name) in PLANES.into_iter().enumerate() {
            let (counts, pairs) = (&sum.planes[i], sum.pairs.max(1) as f64);
            table.push(cells![
                bodies,
                name,
                counts.evaluations.mean(),
                sum.warm_planes[i].mean(),
                counts.wrong as f64 / pairs,
                counts.far_off as f64 / pairs,
            ])?;
        }
    }
    Ok(table)
}

/// Depths after the temporary separation.
fn contacts(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Touching"),
        Column::text("moved apart along"),
        Column::number("shortest-link", Format::Percent(1)).group("Depths off by more than 1e-6"),
        Column::number("fast-common-plane", Format::Percent(1)).group("Depths off by more than 1e-6"),
    ];
    let mut table = Table::new("contacts", "Polyhedra that touch", columns)
        .note("Relative to the depth, which lies between 1e-6 and 1e-2 of the size.");
    for ((touching, _), contacts) in TOUCHING.into_iter().zip(&all.contacts) {
        let pairs = contacts.pairs.max(1) as f64;
        for (i, prior) in PRIORS.into_iter().enumerate() {
            let words = match prior {
                Some(0.0) => "the right normal".to_owned(),
                Some(angle) => format!("a normal off by {angle} rad"),
                None => "what there is without a last plane".to_owned(),
            };
            let (link, plane) = (contacts.link[i] as f64 / pairs, contacts.plane[i] as f64 / pairs);
            table.push(cells![touching, words, link, plane])?;
        }
    }
    Ok(table)
}

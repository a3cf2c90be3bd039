//! Printed, computed, mended and true side by side.

mod appendices;
mod figures;
mod remarks;
mod survey;

use gritstone_contact::plane::overlap_point::Points;
use gritstone_report::{Column, Error, Format, Report, Section, Table, cells};

use super::published::Printed;
use super::{Reproduction, Worked};

/// The report of a reproduction.
pub(super) fn report(all: &Reproduction) -> Result<Report, Error> {
    Ok(Report::new("Martínez Alvez 2003: printed, computed and true")
        .summary(remarks::SUMMARY)
        .fact("Program", concat!("gritstone ", env!("CARGO_PKG_VERSION")))
        .fact("Pairs", format!("{} in each cell of the survey", all.settings.pairs))
        .fact("Seed", all.settings.seed.to_string())
        .section(Section::new("What is compared").paragraph(remarks::COMPARED))
        .section(
            Section::new("Worked examples: points of least f")
                .table(angles(all)?)
                .table(values(all)?)
                .table(peculiar(all)?),
        )
        .section(
            Section::new("Worked examples: contact points (section 4.1)")
                .paragraph(remarks::POINTS)
                .table(points(all)?)
                .plot(figures::two_minima(all))
                .plot(figures::drawing(all, "4.7")),
        )
        .section(
            Section::new("Worked examples: penetration (section 4.2)")
                .paragraph(remarks::PENETRATION)
                .table(penetration(all)?)
                .plot(figures::drawing(all, "4.12b"))
                .plot(figures::drawing(all, "4.17")),
        )
        .section(Section::new("Distance of the centres (table 2.1)").table(appendices::centres(all)?))
        .section(Section::new("Brent's method (appendix A)").table(appendices::brent(all)?))
        .section(
            Section::new("Crossings in fixed axes (appendix B)")
                .paragraph(remarks::CROSSINGS)
                .table(appendices::crossings(all)?),
        )
        .section(
            Section::new("Radii of curvature of superellipses (appendix C)")
                .paragraph(remarks::RADII)
                .table(appendices::radii()?),
        )
        .section(
            Section::new("How often the search on [0, 2π] misses")
                .paragraph(remarks::SURVEY)
                .table(survey::missed(all)?)
                .plot(figures::missed(all))
                .table(survey::verdicts(all)?),
        )
        .section(
            Section::new("What the depth is worth")
                .paragraph(remarks::DEPTH)
                .table(survey::depths(all)?)
                .plot(figures::depths(all, true))
                .plot(figures::depths(all, false)),
        )
        .section(remarks::errata()?))
}

/// Three columns of numbers as the thesis prints them, with six significant digits.
fn of_both(group: &str) -> [Column; 3] {
    ["printed", "as published", "mended"].map(|name| Column::number(name, Format::General).group(group))
}

/// θ* of both ellipses.
fn angles(all: &Reproduction) -> Result<Table, Error> {
    let columns = [Column::text("Example")].into_iter().chain(of_both("θ of B")).chain(of_both("θ of A"));
    let mut table = Table::new("angles", "Parameters of the points of least f, in degrees", columns).note(
        "Brent's method stops within its tolerance, 1e-5 rad or 5.7e-4 degrees (1e-7 rad in 4.1b, 4.2b and 4.10b). \
         Where the minimum lies at 0 it stops at either end of [0, 2π], and digits are those of the tolerance.",
    );
    for Worked { example, published, mended, .. } in &all.worked {
        // What is left of a zero is rounding.
        let degrees = |theta: f64| if theta < 1e-11 { 0.0 } else { theta.to_degrees() };
        table.push(cells![
            example.name,
            example.b_in_a.theta_deg,
            degrees(published.points.b_in_a.theta),
            degrees(mended.points.b_in_a.theta),
            example.a_in_b.theta_deg,
            degrees(published.points.a_in_b.theta),
            degrees(mended.points.a_in_b.theta),
        ])?;
    }
    Ok(table)
}

/// f of both ellipses.
fn values(all: &Reproduction) -> Result<Table, Error> {
    let columns =
        [Column::text("Example")].into_iter().chain(of_both("f of B in A")).chain(of_both("f of A in B"));
    let mut table = Table::new("values", "Values of f there", columns).note(
        "In 4.3 f is zero: all digits are rounding. In 4.7 the printed minimum of A is not the least one.",
    );
    for Worked { example, published, mended, .. } in &all.worked {
        table.push(cells![
            example.name,
            example.b_in_a.f,
            published.points.b_in_a.value,
            mended.points.b_in_a.value,
            example.a_in_b.f,
            published.points.a_in_b.value,
            mended.points.a_in_b.value,
        ])?;
    }
    Ok(table)
}

/// What is wrong or peculiar about examples.
fn peculiar(all: &Reproduction) -> Result<Table, Error> {
    let mut table = Table::new("remarks", "Remarks", ["Example", "Remark"].map(Column::text));
    let chapter_4 = all.worked.iter().map(|worked| (worked.example.name, worked.example.remark));
    let appendix_a = all.minimised.iter().map(|minimised| (minimised.example.name, minimised.example.remark));
    for (name, remark) in chapter_4.chain(appendix_a).filter(|(_, remark)| !remark.is_empty()) {
        table.push(cells![name, remark])?;
    }
    Ok(table)
}

fn words(points: Points) -> &'static str {
    match points {
        Points::None => "none",
        Points::One => "one",
        Points::Two => "two",
    }
}

/// Contact points, as B and as A sees them; of the examples of section 4.2, too, where nothing is printed.
fn points(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Example"),
        Column::text("printed").group("By B, by A"),
        Column::text("as published").group("By B, by A"),
        Column::text("mended").group("By B, by A"),
        Column::number("crossings", Format::Integer).group("True"),
        Column::number("distance", Format::Fixed(6)).group("True"),
    ];
    let mut table = Table::new("points", "Contact points and the truth", columns)
        .note("Points as printed and as published: one where f is within ±0.1. Mended: one where f is zero.");
    for Worked { example, published, mended, crossings, truth, .. } in &all.worked {
        let both = |by_b, by_a| format!("{}, {}", words(by_b), words(by_a));
        let said = match example.verdict {
            Printed::Points { by_b, by_a } => Some(both(by_b, by_a)),
            Printed::Penetration(_) => None,
        };
        let computed = both(published.points.by_b, published.points.by_a);
        let right = both(mended.points.by_b, mended.points.by_a);
        table.push(cells![example.name, said, computed, right, *crossings, *truth])?;
    }
    Ok(table)
}

/// Penetration; of the examples of section 4.1, too, where none is printed.
fn penetration(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Example"),
        Column::number("printed", Format::General).group("h"),
        Column::number("as published", Format::General).group("h"),
        Column::number("mended", Format::General).group("h"),
        Column::number("true depth", Format::General),
        Column::number("as published", Format::Scientific(1)).group("Error"),
        Column::number("mended", Format::Scientific(1)).group("Error"),
        Column::text("printed verdict"),
    ];
    let mut table = Table::new("penetration", "Penetration and the truth", columns)
        .note(
        "Depth is minus the signed distance: negative where the ellipses are apart. Errors are relative to it.",
    );
    for Worked { example, published, mended, truth, .. } in &all.worked {
        let said = match example.verdict {
            Printed::Points { .. } => None,
            Printed::Penetration(h) => Some(h),
        };
        // Where they touch exactly there is nothing to be relative to.
        let error = |h: f64| (truth.abs() > 1e-12).then(|| (h + truth).abs() / truth.abs());
        let right = (published.penetration >= 0.0) == (*truth <= 0.0) || truth.abs() <= 1e-12;
        table.push(cells![
            example.name,
            said,
            published.penetration,
            mended.penetration,
            -truth,
            error(published.penetration),
            error(mended.penetration),
            if right { "right" } else { "wrong" },
        ])?;
    }
    Ok(table)
}

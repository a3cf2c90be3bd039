//! The measured tables and plots.

mod figures;
mod remarks;

use gritstone_report::{Cell, Column, Error, Format, Report, Section, Table, cells};

use super::counts::{Quantiles, Shrinkings, Summary};
use super::{ALPHAS, FORMS, OVERLAPPING, Reproduction, SEPARATED};

/// The report of a reproduction.
pub(super) fn report(all: &Reproduction) -> Result<Report, Error> {
    let convergence = Section::new("Overlapping pairs: convergence and cost")
        .paragraph(remarks::CONVERGENCE)
        .table(convergence(all)?)
        .plot(figures::evaluations(all))
        .plot(figures::sharpness(all))
        .table(compare_with_newton(all)?);
    let depth = Section::new("Overlapping pairs: depth by three reconstructions")
        .paragraph(remarks::DEPTH)
        .table(depths(all)?)
        .plot(figures::depths(all, 0))
        .plot(figures::depths(all, 2));
    let alphas = Section::new("The ratio of the homothety")
        .paragraph(remarks::ALPHA)
        .table(alphas(all)?)
        .plot(figures::alphas(all, 0))
        .plot(figures::alphas(all, 2));
    let unshrunk = Section::new("Without shrinking").paragraph(remarks::UNSHRUNK).table(unshrunk(all)?);
    let apart = Section::new("Pairs that are apart").paragraph(remarks::APART).table(apart(all)?);
    let forms = Section::new("Forms of the problem")
        .paragraph(remarks::FORMS)
        .table(forms(all)?)
        .plot(figures::forms(all));
    Ok(Report::new("Podlozhnyuk and Kloss: the interior point method, measured")
        .summary(remarks::SUMMARY)
        .fact("Program", concat!("gritstone ", env!("CARGO_PKG_VERSION")))
        .fact(
            "Pairs",
            format!("{} in each class, {} where options are compared", all.settings.pairs, all.compared),
        )
        .fact("Seed", all.settings.seed.to_string())
        .section(Section::new("What is measured").paragraph(remarks::MEASURED))
        .section(convergence)
        .section(depth)
        .section(alphas)
        .section(unshrunk)
        .section(apart)
        .section(forms)
        .section(remarks::left_open()))
}

fn class() -> Column {
    Column::text("Pairs")
}

fn percent(name: &str) -> Column {
    Column::number(name, Format::Percent(2))
}

fn error(group: &str, name: &str) -> Column {
    Column::number(name, Format::Scientific(1)).group(group)
}

/// Median and 99 % of a sample that may be empty.
fn median_and_p99(quantiles: Option<&Quantiles>) -> [Cell; 2] {
    cells![quantiles.map(Quantiles::median), quantiles.map(Quantiles::p99)]
}

fn convergence(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        class(),
        percent("failed"),
        percent("stalled").group("Ended"),
        percent("out of steps").group("Ended"),
        percent("collapsed").group("Ended"),
        percent("shrunk again"),
        Column::number("steps", Format::Fixed(1)),
        Column::number("mean", Format::Fixed(1)).group("Residuals"),
        Column::number("99 %", Format::Integer).group("Residuals"),
    ];
    let mut table = Table::new("convergence", "How the problems on shrunk bodies end", columns);
    for ((_, label), Summary { shrinkings: s, .. }) in OVERLAPPING.iter().zip(&all.overlapping) {
        table.push(cells![
            *label,
            s.failed(),
            s.share(s.stalled),
            s.share(s.limited + s.wrong_side),
            s.share(s.collapsed),
            s.share(s.repeated),
            s.steps.mean(),
            s.residuals.mean(),
            s.residuals.quantile(0.99),
        ])?;
    }
    let left_out =
        all.overlapping.iter().map(|s| s.shrinkings.left_out.to_string()).collect::<Vec<_>>().join(", ");
    Ok(table
        .note("A residual evaluates both shape functions with their gradients; most stand behind products with the Jacobian.")
        .note(format!(
            "Left out are pairs that were built to overlap but are apart, because another direction than the one they were \
             built around separates them: {left_out} of the classes in this order."
        )))
}

fn compare_with_newton(all: &Reproduction) -> Result<Table, Error> {
    let count = |group: &str, name: &str| Column::number(name, Format::Fixed(1)).group(group);
    let columns = [
        class(),
        count("interior-point", "cost"),
        percent("open").group("interior-point"),
        Column::number("wrong", Format::Percent(3)).group("interior-point"),
        count("support-newton", "cost"),
        percent("open").group("support-newton"),
        Column::number("wrong", Format::Percent(3)).group("support-newton"),
        Column::number("ratio", Format::Fixed(1)),
    ];
    let mut table = Table::new("newton", "The whole method, polished, beside support-newton", columns);
    for ((_, label), s) in OVERLAPPING.iter().zip(&all.overlapping) {
        let share = |count: u64| s.shrinkings.share(count);
        // Failed pairs have no polish: their share of it is none.
        let polish =
            s.polish.evaluations.mean().map_or(0.0, |mean| mean * s.shrinkings.share(s.shrinkings.converged));
        let evaluations = s.shrinkings.residuals.mean().map(|mean| mean + polish);
        let unresolved = s.shrinkings.pairs - s.shrinkings.converged + s.polish.not_converged;
        let newton = s.newton.mean();
        table.push(cells![
            *label,
            evaluations,
            share(unresolved),
            share(s.polish.wrong),
            newton,
            share(s.newton_unresolved),
            share(s.newton_wrong),
            evaluations.zip(newton).map(|(ours, theirs)| ours / theirs),
        ])?;
    }
    Ok(table.note(
        "Cost: mean evaluations per pair. Those of interior-point are residuals and, in the polish, pairs of support points; \
         those of support-newton are pairs of support points with derivatives. Open: unresolved. Wrong: converged, but more \
         than 1e-8 of the smaller grain's size from the signed distance that auto proves. Shares are of all pairs.",
    ))
}

fn depths(all: &Reproduction) -> Result<Table, Error> {
    let (plain, along, polished) = ("Homothety", "Normal", "Polished");
    let columns = [
        class(),
        error(plain, "median"),
        error(plain, "99 %"),
        error(along, "median"),
        error(along, "99 %"),
        error(polished, "median"),
        error(polished, "99 %"),
    ];
    let mut table = Table::new("depths", "Errors of the depth, as a share of it", columns);
    for ((_, label), s) in OVERLAPPING.iter().zip(&all.overlapping) {
        let errors = [&s.shrinkings.homothety, &s.shrinkings.full_depth, &s.polish.errors];
        let errors = errors.into_iter().flat_map(|errors| median_and_p99(errors.as_ref()));
        table.push(cells![*label].into_iter().chain(errors))?;
    }
    Ok(table.note("Of the pairs whose shrunk problem converged."))
}

fn alphas(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        class(),
        Column::number("α", Format::General),
        percent("failed"),
        percent("shrunk again"),
        Column::number("residuals", Format::Fixed(1)),
        error("Homothety", "median"),
        error("Homothety", "99 %"),
        error("Normal", "median"),
        error("Normal", "99 %"),
    ];
    let mut table = Table::new(
        "alphas",
        "The ratio of the first homothety: errors of the depth, as a share of it",
        columns,
    );
    for ((_, label), row) in OVERLAPPING.iter().zip(&all.alphas) {
        for (alpha, s) in ALPHAS.into_iter().zip(row) {
            let head = cells![*label, alpha, s.failed(), s.share(s.repeated), s.residuals.mean()];
            let errors = [&s.homothety, &s.full_depth].into_iter().flat_map(|e| median_and_p99(e.as_ref()));
            table.push(head.into_iter().chain(errors))?;
        }
    }
    Ok(table)
}

fn unshrunk(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        class(),
        percent("found"),
        percent("collapsed"),
        percent("stalled"),
        percent("out of steps"),
        percent("negative λ"),
        Column::number("residuals", Format::Fixed(1)),
    ];
    let mut table =
        Table::new("unshrunk", "How the problem ends on overlapping bodies of full size", columns);
    for ((_, label), s) in OVERLAPPING.iter().zip(&all.unshrunk) {
        let counts =
            [s.converged, s.collapsed, s.stalled, s.limited, s.wrong_side].map(|n| Cell::from(s.share(n)));
        let head = cells![*label];
        table.push(head.into_iter().chain(counts).chain(cells![s.residuals.mean()]))?;
    }
    Ok(table)
}

fn apart(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        class(),
        percent("failed").group("Shrunk"),
        Column::number("residuals", Format::Fixed(1)).group("Shrunk"),
        percent("no plane").group("Shrunk"),
        percent("failed").group("Full size"),
        Column::number("residuals", Format::Fixed(1)).group("Full size"),
        error("Error", "median"),
        error("Error", "99 %"),
        Column::number("support-newton", Format::Fixed(1)),
    ];
    let mut table = Table::new("apart", "The distance of pairs that are apart", columns);
    for ((_, label), Summary { shrinkings: s, apart, newton, .. }) in SEPARATED.iter().zip(&all.separated) {
        let [median, p99] = median_and_p99(apart.errors.as_ref());
        let of_shrunk = |count: u64| count as f64 / s.converged.max(1) as f64;
        table.push(cells![
            *label,
            s.failed(),
            s.residuals.mean(),
            of_shrunk(s.converged - apart.separated),
            of_shrunk(apart.separated - apart.converged),
            apart.residuals.mean(),
            median,
            p99,
            newton.mean(),
        ])?;
    }
    Ok(table.note(
        "Errors as a share of the smaller grain's size. No plane: the normal of the shrunk bodies is not the normal of a \
         separating plane, so the pair would be taken for a contact without the polish. The counts at full size are of the \
         pairs whose shrunk problem converged. The last column: mean evaluations of support-newton.",
    ))
}

fn forms(all: &Reproduction) -> Result<Table, Error> {
    let mut columns = vec![class()];
    columns.extend(FORMS.map(|(form, ..)| percent(form).group("Failed")));
    columns.extend(FORMS.map(|(form, ..)| Column::number(form, Format::Fixed(0)).group("Residuals")));
    let mut table = Table::new("forms", "Objective and shape function", columns);
    for ((_, label), row) in OVERLAPPING.iter().zip(&all.forms) {
        let failed = row.iter().map(|s: &Shrinkings| Cell::from(s.failed()));
        let residuals = row.iter().map(|s: &Shrinkings| Cell::from(s.residuals.mean()));
        table.push(cells![*label].into_iter().chain(failed).chain(residuals))?;
    }
    Ok(table)
}

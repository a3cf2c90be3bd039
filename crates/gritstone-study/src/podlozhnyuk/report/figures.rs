//! The plots.

use gritstone_report::{Axis, Mark, Plot};

use super::super::counts::{QUANTILES, Quantiles, SHARPNESS_BINS, Sharpness};
use super::super::{ALPHAS, FORMS, OVERLAPPING, Reproduction};

/// Residuals that most pairs do not need.
const MOST_RESIDUALS: u32 = 400;

/// Share of pairs that need more than so many residuals.
pub(super) fn evaluations(all: &Reproduction) -> Plot {
    let plot = Plot::new(
        "evaluations",
        "Share of pairs that need more than so many residuals",
        Axis::linear("evaluations of the residual").range(0.0, f64::from(MOST_RESIDUALS)),
        Axis::log("share of pairs").range(1e-4, 1.0),
    )
    .description("Converged or not. The tails are pairs whose iteration stalls on an edge.");
    // Deep overlaps, which are shrunk several times, are left to the table.
    let classes = OVERLAPPING.iter().zip(&all.overlapping).filter(|((name, _), _)| *name != "deep");
    classes.fold(plot, |plot, ((_, label), summary)| {
        let counts = &summary.shrinkings.residuals;
        let share = |x: u32| (counts.total() - counts.below(x + 1)) as f64 / counts.total().max(1) as f64;
        let points = (0..=MOST_RESIDUALS).step_by(5).map(|x| (f64::from(x), share(x)));
        plot.series(*label, Mark::Step, points.take_while(|(_, share)| *share > 0.0))
    })
}

/// Failures by the largest exponent.
pub(super) fn sharpness(all: &Reproduction) -> Plot {
    let plot = Plot::new(
        "sharpness",
        "Share of pairs that do not converge, by the largest of their four exponents",
        Axis::linear("largest exponent ε").range(0.0, 2.0),
        Axis::log("share of pairs").range(1e-5, 1.0),
    )
    .description(
        "Newton's method on an edge diverges for ε > 4/3. The few failures below are those of flat faces.",
    );
    let classes = OVERLAPPING.iter().zip(&all.overlapping);
    // Of the other classes most have one exponent only, or too narrow an interval of them.
    let classes = classes.filter(|((name, _), _)| ["iv3s2", "overlap-1", "pointy"].contains(name));
    classes.fold(plot, |plot, ((_, label), summary)| {
        let width = 2.0 / SHARPNESS_BINS as f64;
        let failed = (0..).zip(&summary.sharpness).filter(|(_, bin)| bin.failed > 0);
        let point = |(i, bin): (u32, &Sharpness)| {
            (width * (f64::from(i) + 0.5), bin.failed as f64 / bin.pairs as f64)
        };
        plot.series(*label, Mark::LineAndPoints, failed.map(point).collect::<Vec<_>>())
    })
}

/// The error of the depth below which so many pairs lie, for each reconstruction.
pub(super) fn depths(all: &Reproduction, class: usize) -> Plot {
    let label = OVERLAPPING[class].1;
    let plot = Plot::new(
        format!("depths-{}", class + 1),
        format!("Error of the depth, {label}"),
        Axis::linear("share of pairs with a smaller error").unit("%").range(0.0, 100.0),
        Axis::log("error as a share of the depth"),
    );
    let summary = &all.overlapping[class];
    let curves = [
        ("inverse homothety", &summary.shrinkings.homothety),
        ("along the normal", &summary.shrinkings.full_depth),
        ("polished", &summary.polish.errors),
    ];
    curves.into_iter().fold(plot, |plot, (name, quantiles)| {
        let values = quantiles.iter().flat_map(|quantiles| QUANTILES.into_iter().zip(quantiles.0));
        // An error of zero has no place on a logarithmic axis.
        let shown = values.filter(|(_, value)| *value > 0.0);
        plot.series(name, Mark::LineAndPoints, shown.map(|(share, value)| (100.0 * share, value)))
    })
}

/// Errors of the depth over the shrinkage.
pub(super) fn alphas(all: &Reproduction, class: usize) -> Plot {
    let label = OVERLAPPING[class].1;
    let plot = Plot::new(
        format!("alphas-{}", class + 1),
        format!("Error of the depth and shrinkage, {label}"),
        Axis::log("1 − α"),
        Axis::log("error as a share of the depth"),
    )
    .description(
        "Plain inverse homothety is off by first order in 1 − α, the depth along the normal by second.",
    );
    type Pick = fn(&super::Shrinkings) -> Option<&Quantiles>;
    let picks: [(&str, Pick); 2] =
        [("inverse homothety", |s| s.homothety.as_ref()), ("along the normal", |s| s.full_depth.as_ref())];
    picks.into_iter().fold(plot, |plot, (name, pick)| {
        let of = |value: fn(&Quantiles) -> f64| {
            let row = ALPHAS.into_iter().zip(&all.alphas[class]);
            row.filter_map(|(alpha, s)| Some((1.0 - alpha, value(pick(s)?)))).collect::<Vec<_>>()
        };
        plot.series(format!("{name}, median"), Mark::LineAndPoints, of(Quantiles::median)).series(
            format!("{name}, 99 %"),
            Mark::LineAndPoints,
            of(Quantiles::p99),
        )
    })
}

/// Shares of pairs that do not converge, for each form of the problem.
pub(super) fn forms(all: &Reproduction) -> Plot {
    let plot = Plot::new(
        "forms-failures",
        "Pairs that do not converge, by form of the problem",
        Axis::linear("class of pairs, in the order of the table"),
        Axis::log("share of pairs").range(1e-5, 1.0),
    )
    .description(
        (1..).zip(OVERLAPPING).map(|(i, (_, label)): (u32, _)| format!("{i}: {label}. ")).collect::<String>(),
    );
    FORMS.into_iter().enumerate().fold(plot, |plot, (i, (form, ..))| {
        let points = all.forms.iter().enumerate().map(|(class, row)| ((class + 1) as f64, row[i].failed()));
        plot.series(form, Mark::Bars, points)
    })
}

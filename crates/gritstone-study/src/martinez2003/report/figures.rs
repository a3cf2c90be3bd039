//! The plots.

use std::f64::consts::TAU;

use glam::DVec2;
use gritstone_contact::plane::overlap_point::OverlapForm;
use gritstone_contact::plane::{Oval, curvature};
use gritstone_report::{Axis, Mark, Plot};

use super::super::{Reproduction, Worked};

/// Points of a drawn curve.
const FINE: u32 = 180;
/// An error of zero has no place on a logarithmic axis.
const LEAST: f64 = 1e-12;

fn worked<'a>(all: &'a Reproduction, name: &str) -> Option<&'a Worked> {
    all.worked.iter().find(|worked| worked.example.name == name)
}

/// f along A in example 4.7, with both minima.
pub(super) fn two_minima(all: &Reproduction) -> Plot {
    let mut plot = Plot::new(
        "two-minima",
        "f of A in B, example 4.7",
        Axis::linear("θ of A").unit("degrees").range(0.0, 360.0),
        Axis::linear("f"),
    )
    .description(
        "Brent's method on [0, 2π] ends in the higher of the two minima, the scan finds the lower one.",
    );
    if let Some(Worked { example, published, mended, .. }) = worked(all, "4.7") {
        let form = OverlapForm::new(&example.b.oval(), &example.a.oval());
        let curve = (0..=2 * FINE).map(f64::from).map(|degrees| (degrees, form.value(degrees.to_radians())));
        let at = |outcome: &curvature::Outcome| {
            let lowest = outcome.points.a_in_b;
            [(lowest.theta.to_degrees(), lowest.value)]
        };
        plot = plot
            .series("f", Mark::Line, curve)
            .series("as published", Mark::Points, at(published))
            .series("mended", Mark::Points, at(mended));
    }
    plot
}

/// The two ellipses of an example with the circles of curvature.
pub(super) fn drawing(all: &Reproduction, name: &str) -> Plot {
    let plot = Plot::new(
        format!("drawing-{}", name.replace('.', "-")),
        format!("Example {name}: the ellipses, and their circles of curvature as published"),
        Axis::linear("x"),
        Axis::linear("y"),
    )
    .equal_scales();
    let Some(Worked { example, published, truth, .. }) = worked(all, name) else { return plot };
    let (a, b) = (example.a.oval(), example.b.oval());
    let [p_i, p_j] = published.points.points;
    let [g_i, g_j] = published.centres;
    plot.description(format!(
        "h = {:.4}, true depth {:.4}. Marks: the two points, and the centres of curvature, from A to B.",
        published.penetration, -truth
    ))
    .series("A", Mark::Line, curve(&a))
    .series("B", Mark::Line, curve(&b))
    .series("circle of A", Mark::Line, circle(g_i, published.radii[0]))
    .series("circle of B", Mark::Line, circle(g_j, published.radii[1]))
    .series("points", Mark::Points, [p_i, p_j].map(<(f64, f64)>::from))
    .series("centres", Mark::LineAndPoints, [g_i, g_j].map(<(f64, f64)>::from))
}

fn curve(oval: &Oval) -> Vec<(f64, f64)> {
    let theta = |k: u32| TAU * f64::from(k) / f64::from(FINE);
    (0..=FINE).map(|k| oval.to_fixed(oval.point(theta(k))).into()).collect()
}

fn circle(centre: DVec2, radius: f64) -> Vec<(f64, f64)> {
    curve(&Oval::new(DVec2::splat(radius), 0.0, centre))
}

/// Shares of searches that miss, over the overlap.
pub(super) fn missed(all: &Reproduction) -> Plot {
    let plot = Plot::new(
        "missed-searches",
        "Searches on [0, 2π] that miss the least f",
        Axis::log("overlap, of the smallest semi-axis"),
        Axis::linear("share of searches").unit("%"),
    );
    all.cells.iter().fold(plot, |plot, row| {
        let overlaps = row.iter().filter(|cell| cell.distance < 0.0);
        let share =
            overlaps.map(|cell| (-cell.distance, 50.0 * cell.missed as f64 / cell.pairs.max(1) as f64));
        plot.series(format!("aspect ≤ {}", row[0].aspect), Mark::LineAndPoints, share)
    })
}

/// 99th percentile of the errors of the depth, over the overlap.
pub(super) fn depths(all: &Reproduction, mended: bool) -> Plot {
    let (name, description) = if mended {
        ("curvature-mended", "99 of 100 pairs lie below. The error grows with the square of the overlap.")
    } else {
        ("curvature", "99 of 100 pairs lie below. A missed minimum gives a depth that has no bound.")
    };
    let plot = Plot::new(
        format!("depth-errors-{name}"),
        format!("Error of the depth by {name}"),
        Axis::log("overlap, of the smallest semi-axis"),
        Axis::log("error as a share of the depth"),
    )
    .description(description);
    all.cells.iter().fold(plot, |plot, row| {
        let overlaps = row.iter().filter(|cell| cell.distance < 0.0);
        let error = overlaps
            .filter_map(|cell| Some((-cell.distance, cell.counts(mended).errors.quantile(0.99)?.max(LEAST))));
        plot.series(format!("aspect ≤ {}", row[0].aspect), Mark::LineAndPoints, error)
    })
}

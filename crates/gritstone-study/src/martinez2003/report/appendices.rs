//! Table 2.1 and the three appendices.

use gritstone_contact::plane::Oval;
use gritstone_report::{Column, Error, Format, Table, cells};
use gritstone_shape::plane::{RadiusOfCurvature, Superellipse};

use glam::DVec2;

use super::super::{Minimised, NEWTON_STARTS, Reproduction, Worked, appendix_c};

/// Table 2.1.
pub(super) fn centres(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Example"),
        Column::number("d", Format::Fixed(4)),
        Column::number("major", Format::General).group("Half axes"),
        Column::number("minor", Format::General).group("Half axes"),
        Column::text("as published").group("Common points"),
        Column::text("mended").group("Common points"),
        Column::number("true", Format::Integer).group("Common points"),
        Column::text("Do they meet"),
    ];
    let mut table = Table::new("centres", "What the distance of the centres tells", columns).note(
        "In 4.6 and 4.11 one circle lies within the other: the published table has no row for it. The two circles of \
         4.3 touch in one point, which is no change of sign and not counted.",
    );
    for Worked { example, by_centres, by_centres_mended, crossings, .. } in &all.worked {
        let (a, b) = (example.a.oval(), example.b.oval());
        let sum = |of: fn(&Oval) -> f64| of(&a) + of(&b);
        let meet = match by_centres_mended.meet {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not decided",
        };
        table.push(cells![
            example.name,
            a.centre.distance(b.centre),
            sum(|oval| oval.semi_axes.max_element()),
            sum(|oval| oval.semi_axes.min_element()),
            by_centres.describe(),
            by_centres_mended.intersections.describe(),
            *crossings,
            meet,
        ])?;
    }
    Ok(table)
}

/// Appendix A.
pub(super) fn brent(all: &Reproduction) -> Result<Table, Error> {
    let number = |name: &str, group: &str| Column::number(name, Format::General).group(group);
    let columns = [
        Column::text("Example"),
        Column::text("Function"),
        Column::text("Interval"),
        Column::number("TOL", Format::General),
        number("x", "Printed"),
        number("f(x)", "Printed"),
        number("x", "Computed"),
        number("f(x)", "Computed"),
        Column::number("values", Format::Integer).group("Computed"),
        number("x", "True"),
        number("f(x)", "True"),
    ];
    let mut table = Table::new("brent", "Minima by Brent's method", columns)
        .note("True is the least value on the interval, ends included.");
    for Minimised { example, found, truth } in &all.minimised {
        let [from, to] = example.interval;
        table.push(cells![
            example.name,
            example.function.name,
            format!("[{from}, {to}]"),
            example.tolerance,
            example.x,
            example.f,
            found.at,
            found.value,
            found.evaluations,
            truth.0,
            truth.1,
        ])?;
    }
    Ok(table)
}

/// Appendix B.
pub(super) fn crossings(all: &Reproduction) -> Result<Table, Error> {
    let columns = [
        Column::text("Example"),
        Column::number("true", Format::Integer).group("Crossings"),
        Column::number("found", Format::Integer).group("Crossings"),
        Column::number("converge", Format::Percent(1)).group("Starts"),
        Column::number("median", Format::Integer).group("Iterations"),
        Column::number("99 %", Format::Integer).group("Iterations"),
    ];
    let mut table = Table::new("crossings", "Crossings by Newton's method", columns).note(format!(
        "{NEWTON_STARTS} random starts in [0, 2π)², 60 iterations at most. Crossings are those that a grid of 132 starts \
         finds. In 4.3 the circles touch: convergence is linear, and the point is right to the root of rounding."
    ));
    for Worked { example, crossings, newton, .. } in &all.worked {
        let share = f64::from(newton.converged) / f64::from(NEWTON_STARTS);
        let [median, most] = [0.5, 0.99].map(|share| newton.iterations.quantile(share));
        table.push(cells![example.name, *crossings, newton.found, share, median, most])?;
    }
    Ok(table)
}

/// Appendix C.
pub(super) fn radii() -> Result<Table, Error> {
    let columns = [
        Column::number("n", Format::General),
        Column::text("Point"),
        Column::number("x", Format::Fixed(4)),
        Column::number("y", Format::Fixed(4)),
        Column::number("eq. (C.3)", Format::General),
        Column::number("mended", Format::General),
        Column::number("from the gauge", Format::General),
    ];
    let semi_axes = DVec2::new(2.0, 1.0);
    let mut table = Table::new("radii", "Radii of curvature of superellipses with a = 2, b = 1", columns)
        .note("On an axis (C.3) is 0/0. The limit is 0 for n < 2, a corner, b²/a for an ellipse, infinite for n > 2; \
               the shape stops just short of it.");
    for n in [1.5, 2.0, 3.0, 5.0] {
        for (name, t) in
            [("on the x axis", 0.0), ("at θ = 1°", 1.0_f64), ("at θ = 45°", 45.0), ("at θ = 80°", 80.0)]
        {
            let t = DVec2::from_angle(t.to_radians());
            let point = semi_axes * t.abs().powf(2.0 / n);
            let gauge = Superellipse::new(semi_axes, n)
                .ok()
                .map(|shape| RadiusOfCurvature::at_point(&shape, point).0);
            let finite = |x: f64| x.is_finite().then_some(x);
            table.push(cells![
                n,
                name,
                point.x,
                point.y,
                finite(appendix_c::published(semi_axes, n, point)),
                appendix_c::mended(semi_axes, n, point),
                gauge,
            ])?;
        }
    }
    Ok(table)
}

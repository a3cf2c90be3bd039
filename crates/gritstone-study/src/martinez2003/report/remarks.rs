//! What the report says beside its numbers.

use gritstone_report::{Column, Error, Section, Table, cells};

pub(super) const SUMMARY: &str = "Every printed number that can be reproduced is, to its last digit or to the tolerance of \
    the search, but two of appendix A. Two examples are wrong as printed: in 4.7 Brent's method takes the higher of two \
    minima, and in 4.12b the centres of curvature have passed each other. The first defect is general: the search on \
    [0, 2π] misses the least f in one case of a hundred for nearly round ellipses and in one of seven for slender ones, \
    and as many shallow contacts are then called apart. A scan of the whole turn and a sign mend all verdicts. The depth \
    stays an approximation, good at small overlaps.";

pub(super) const COMPARED: &str = "Printed: the thesis. As published: its method with the tolerance of the example, by an \
    implementation of Brent's method after the book that it cites. Mended: the least f over the whole turn, without bands, \
    and signed centres of curvature. True: the signed distance that auto proves to 1e-9, minus the least translation that \
    separates where ellipses overlap. Angles θ are parameters of the ellipses, not polar angles.";

pub(super) const POINTS: &str = "The thesis counts contact points by the sign of f at the point of least f, with a band of \
    ±0.1 for one point, once for each ellipse. With the least f of the whole turn, the ellipses meet if and only if f is \
    not positive in one of the two directions. An ellipse whose f is positive while the other's is not lies around it.";

pub(super) const PENETRATION: &str = "The circles of curvature at the points of least f stand for the ellipses. For circles \
    and along common axes this is exact; otherwise the two points do not face each other, and h differs from the depth.";

pub(super) const CROSSINGS: &str = "The thesis proposes Newton's method for the common points of the curves and has not \
    tried it. It works where there is a crossing, and needs a limit where there is none.";

pub(super) const RADII: &str = "The thesis derives the formula and does not use it. It is right off the axes; cancelling \
    the powers of x and y makes it right everywhere.";

pub(super) const SURVEY: &str = "Pairs of ellipses with one semi-axis uniform in (0.5, 1), an aspect ratio uniform between 1 \
    and the limit, turned at random, and with a random direction as common normal at the given overlap. Where f has one \
    minimum that the cut at 0 does not touch, Brent's method finds it; the cut and second minima are what it misses.";

pub(super) const DEPTH: &str = "With the right points the error of the depth is of second order in overlap over size; its \
    factor grows steeply with the aspect ratio. Without them it has no bound.";

const ERRATA: [(&str, &str, &str); 18] = [
    (
        "Section 2.1",
        "conditions for an ellipse: B² < 4AC alone, in two cases",
        "the curve must also have points: x² + y² + 1 = 0 passes them",
    ),
    (
        "Table 2.1, last two rows",
        "d ≤ b_i + b_j means one or more points of intersection",
        "none where one ellipse lies within the other (4.6, 4.11)",
    ),
    (
        "Section 3.1, after eq. (3.3)",
        "P_j is the point of j nearest to the centre of i",
        "it is least in f, which is not distance unless i is a circle",
    ),
    (
        "Section 3.1, before eq. (3.4)",
        "convergence to a local minimum is not a problem, because the bodies are convex",
        "f has up to two minima along an ellipse (4.7)",
    ),
    ("Eq. (3.6)", "ρ without a modulus", "negative on the upper half of a curve; eq. (3.8) is positive"),
    ("Eq. (3.15)", "d is a length", "negative once the centres of curvature have passed each other (4.12b)"),
    ("Section 4.1", "f within ±0.1 is one contact point", "4.17 has two, and a usual depth for a simulation"),
    (
        "Section 4.1.4",
        "none and two: two contact points, as the ellipses are close",
        "none, if one lies within the other (4.6); a missed minimum otherwise (4.7)",
    ),
    ("Example 4.5", "one ellipse and one circle", "two ellipses"),
    ("Example 4.7", "θ = 168.585°, f = 0.686508", "θ = 7.93354°, f = −0.987233"),
    ("Example 4.8", "(Figure 4.2)", "B is at (20, 20), not at (4, 8)"),
    ("Examples 4.12, 4.13", "texts describe circles of radius 5 and 2", "the data are ellipses of 10 by 5"),
    (
        "Example 4.12b",
        "h = −1.51472, no contact; the note refers to 4.12b",
        "true depth 8.71780; 4.12a is meant",
    ),
    (
        "Section A.1, cases 1 and 2",
        "f(x1) > f(x2): the solution lies left of x2",
        "so for a maximum; a minimum lies right of x1",
    ),
    ("Section A.2", "f(b) < f(x): the new triplet is (b, x, c)", "(a, b, x)"),
    ("Eq. (A.3)", "second factor of the denominator (b − a)", "(b − c)"),
    ("Example A.3 on [−20, 20]", "x = −0.72136", "−1.17539; the printed point has a slope of 1.5"),
    (
        "Appendices B and C",
        "eq. (B.4 b) with subscripts B; first derivatives below (C.2)",
        "j; they lack the signs of x and y, and (C.3) is 0/0 on the axes",
    ),
];

/// What is wrong in the thesis.
pub(super) fn errata() -> Result<Section, Error> {
    let columns = ["Where", "Printed", "Instead"].map(Column::text);
    let mut table = Table::new("errata", "Errata", columns);
    for (place, printed, instead) in ERRATA {
        table.push(cells![place, printed, instead])?;
    }
    Ok(Section::new("Errata").table(table))
}

//! What the report says beside its numbers.

use gritstone_report::Section;

pub(super) const SUMMARY: &str = "The method works as announced on smooth grains: on ellipsoids and on exponents between \
    0.7 and 1.3 it practically always converges, and distances of separated pairs are exact to rounding. It costs some fifteen times \
    the evaluations of Newton's method on the support functions. Two claims need care. Convergence is not robust where \
    edges are sharp: exponents above 4/3 stall the iteration. And the overlap is not accurate by inverse homothety alone: \
    the images of the nearest points do not face each other, so their distance is many times the depth; measured along \
    the normal it is right to a few per cent, and a polish of three or four evaluations makes it exact.";

pub(super) const MEASURED: &str = "The abstract gives no numbers, so there are no published ones to stand beside those \
    measured here. The method sees the pairs of Wellmann, Lillie and Wriggers 2008: radii between 0.5 and 3, exponents of \
    1 (interval 1), between 0.7 and 1.3 (2) and between 0.3 and 1.7 (3), depths up to 1.75e-3 or distances up to 0.25. \
    Harsher classes have aspect ratios up to 20, exponents between 0.1 and 1.9 (harsh), 0.1 and 0.5 (boxy) or 1.5 and 1.9 \
    (pointy), and depths up to the given part of the smallest radius. The signed distance that answers are compared with \
    is the one that auto proves. Steps and residuals are means per pair where nothing else is said.";

pub(super) const CONVERGENCE: &str = "Both bodies are shrunk about their centres by α = 0.99, further while the nearest \
    points coincide, and less room is left where the bodies meet on the line between the centres anyway. An iteration \
    stalls when no step along the Newton direction makes the residual smaller.";

pub(super) const DEPTH: &str = "The nearest points of the shrunk bodies give a direction c. A homothety keeps normals, so \
    the images of the points on the full-size bodies are the support points along c and −c. Inverse homothety takes the \
    distance between these images as the depth; they do not face each other, so it is too large by what they are apart \
    across c. Along the normal, what they overlap is −g(c), never less than the depth and off by second order in the \
    error of c. Polished: at most ten steps of support-newton from c.";

pub(super) const ALPHA: &str = "A smaller α is a better conditioned problem and a worse answer: the first error is \
    proportional to 1 − α, the second to its square. Near 1 the shrunk bodies nearly touch, and evaluations grow.";

pub(super) const UNSHRUNK: &str = "x1 = x2 with zero multipliers satisfies all equations of the form with squared slacks, \
    wherever both shape functions are negative. On overlapping bodies the iteration ends there, at a point without a \
    direction: the optimality conditions are necessary, but not sufficient.";

pub(super) const APART: &str = "Where the direction of the shrunk bodies separates the full-size ones, the problem is \
    solved once more without shrinking, from the images of the nearest points.";

pub(super) const FORMS: &str = "d is the distance of the points, N the Minkowski gauge, F the inside-outside function. \
    The abstract writes ‖x1 − x2‖ and does not say what the shape functions are.";

/// What the abstract leaves open, and what was chosen.
pub(super) fn left_open() -> Section {
    Section::new("What the abstract leaves open, and what was chosen")
        .note(
            "The objective. The gradient of ‖x1 − x2‖ jumps where the points meet, and the iteration has to pass near such \
             points. With ½‖x1 − x2‖², which has the same solutions, several per cent of failures go away even for \
             ellipsoids.",
        )
        .note(
            "The shape function. F − 1 grows like a power 2/ε of the distance from the centre. N² − 1 has the same zero set \
             and grows quadratically whatever the exponents: boxy shapes then fail much less often.",
        )
        .note(
            "The start. Here: on the line between the centres, at 0.98 of the way to the surface; slacks 0.1; multipliers \
             that balance the lengths of the terms in the first two equations. Coincident centres have no such line, and \
             the method then says so.",
        )
        .note(
            "The iteration. Here: GMRES with up to ten vectors, which is the number of unknowns, to 1e-6 of the residual; \
             products with the Jacobian by differences with the step 1.5e-8·(1 + ‖u‖); steps are halved until the residual \
             falls; 60 steps at most; converged at 1e-12 with lengths in units of the smaller grain.",
        )
        .note(
            "The shrinking. α is not given, nor what happens when shrunk bodies still overlap. Here 0.99, then twice the \
             shrinkage each time. How the overlap is rebuilt is one sentence, hence the three variants.",
        )
        .note(
            "Necessary and sufficient. The abstract says it of the optimality conditions of the first form, with equality \
             constraints, where it is not true either: farthest points satisfy them, too. Here the multipliers must be \
             positive; then, the bodies being convex, the points are the nearest ones.",
        )
        .note(
            "Sharp edges. Near a plane of symmetry the gradient of the gauge behaves like |x|^(2/ε − 1). Newton's method on \
             |x|^p diverges for p < ½, hence for ε > 4/3; with backtracking it converges too slowly to matter. In the form \
             of support functions the same edges are harmless: the support point hardly moves there.",
        )
}

//! What the report says beside its numbers.

use gritstone_report::{Column, Error, Section, Table, cells};

pub(super) const SUMMARY: &str = "Contacts of a vertex with a face or of crossing edges need no more than two iterations from \
    the last link, as the paper says. The ratios of times to Cundall's iteration are not reached: the paper prints neither \
    times nor how many gaps that iteration took, so that it cannot be told why. The link is not always the shortest: a \
    special case that ends the iteration, and nearly parallel faces, leave links that are too long, one in five of \
    polyhedra in all positions. A proof by the features of the link, and a new start where it fails, mend all of them.";

pub(super) const COMPARED: &str = "common-plane is Cundall's iteration, from 5° to 0.01°; fast-common-plane tries planes at the \
    nearest vertices, by a list that is reconstructed; shortest-link is the paper's, with its three special cases; \
    shortest-link-mended is the same, proven; auto is ours for polygons and polyhedra. The truth is what auto proves. \
    Ratios are of time inside detection, on one core, in one run.";

pub(super) const FIGURE_13: &str = "The figure shows nine pairs without numbers. These are nine of ours that have vertices, \
    edges and parallel edges face each other.";

pub(super) const FAILURES: &str = "Pairs of polygons with three to eight corners, and of the particles of Figure 14, in all \
    positions, at distances from a millionth to a third of the size. As published: a special case that changes nothing \
    ends the iteration, and neighbours are not looked at; a start on the back of a body stays there. Verified: it starts \
    from the vertices that face each other, and a special case is followed by an ordinary iteration. Proven: the plane of \
    the features leaves a gap as wide as the link is long.";

pub(super) const ITERATIONS: &str = "An iteration is a nearest point on each body, or a special case.";

pub(super) const PLANES: &str = "The gap of any plane is at most the distance; these methods stop where no turn, or no \
    candidate, widens it.";

pub(super) const CONTACTS: &str = "Bodies that touch are moved apart along the last normal, and the plane of the moved bodies \
    is taken for theirs. That is as good as the normal: first contacts need another method. shortest-link-mended leaves \
    bodies that touch to auto, which proves depths.";

pub(super) const SIMULATIONS: &str = "Particles rain into a box and settle, then two adjacent walls are removed; or a bucket is \
    pushed into a pile, turned and lifted. The engine moves the grains with its own contacts; in the first 1000 steps of each \
    phase consecutive steps are kept at four moments, and every method solves all near pairs of these steps, each from its own \
    last step. So all see the same configurations. Walls without corners are left out. Density, restitution, the sieve curve \
    and the bucket's plates are not in the paper, and its time steps are too long for these grains.";

pub(super) const TIMES: &str = "Particles of Figure 14 that move by 1e-4 of their size in each step; and particles at a plate 16 times as wide as they are, as in a bucket.";

const ERRATA: [(&str, &str, &str); 9] = [
    ("Eq. (1)", "d = n·(V₀ − V)", "with a on the negative side, n points from b to a"),
    (
        "Section 3.4",
        "any arbitrary point P₀ of the surface",
        "not on the back: the face's own nearest point holds the walk",
    ),
    ("Section 3.5", "P ∈ A and P ∈ B", "P ∈ A and Q ∈ B"),
    (
        "Section 3.5.1",
        "the vertex with the least absolute distance from the plane",
        "may lie beyond the plane, or on the back of a body",
    ),
    (
        "Section 3.5.2",
        "the special case takes the place of an iteration",
        "then nothing looks at the neighbours: an ordinary iteration must confirm it",
    ),
    ("Section 3.5.2, case 2", "Π is normal to both faces", "undefined where they are parallel"),
    (
        "Section 4",
        "for any two convex particles the CP is unique",
        "proven for bodies apart; overlaps may have several",
    ),
    ("Eqs. (8) to (12)", "sums from i = 0", "from i = 1"),
    ("Section 6", "up to 17 times faster", "17 to 21 in Figure 16, 18 in Table I"),
];

/// What is wrong in the paper.
pub(super) fn errata() -> Result<Section, Error> {
    let mut table = Table::new("errata", "Errata", ["Where", "Printed", "Instead"].map(Column::text));
    table.push(cells!["Appendix A", "AC, BC, AD, CD", "the last is BD"])?;
    for (place, printed, instead) in ERRATA {
        table.push(cells![place, printed, instead])?;
    }
    Ok(Section::new("Errata").table(table))
}

//! Periodic cell: side vectors, their motion, and its effect on grains.
//!
//! **Idea.** Everything in the cell is there again, shifted by whole numbers of its side vectors h_k. If a side vector
//! changes with the velocity ḣ_k, the image that is shifted by n has the velocity v + Σ n_k ḣ_k. With one vector that slides
//! along another this is Lees and Edwards' shear; with vectors that grow or shrink it is a strained cell. Grains move by
//! Newton's law alone: while the ḣ_k are constant an image moves as Newton's law would have it move, so it does not matter
//! which of its images a grain is, and no place in the cell is special.
//!
//! When ḣ_k changes, every grain gets the velocity that the change would give to a point that moves with the cell, about the
//! cell's centre: the motion relative to the cell goes on.
//!
//! **Source.** Lees and Edwards 1972; Parrinello and Rahman 1981 for cells given by vectors.
//!
//! **Notation.** h_k: side vectors, ḣ_k: their velocities. g_k: dual vectors, g_k·h_j = δ_kj. s: coordinates, in (-½, ½)
//! inside. n: shift, whole numbers.

use gritstone_core::{Dim, ExactSum, Linear as _, Vector as _};
use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;
use crate::periodic::stress_control::{StressControl, StressControlState};

/// A cell that repeats, as a setup gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell<D: Dim> {
    /// The middle of the cell.
    pub centre: D::Vec,
    /// The side along each axis of coordinates; none where nothing repeats.
    pub sides: [Option<Side<D>>; 3],
    /// Stresses that its sides are to be under, if any.
    pub press: Option<StressControl>,
}

/// One side of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side<D: Dim> {
    /// From a place to the next one that is the same (m).
    pub vector: D::Vec,
    /// How fast this vector changes (m/s).
    pub velocity: D::Vec,
}

impl<D: Dimension> Cell<D> {
    /// Where a body is at home in the cell, and where else it is: those places that are nearer than `reach` to something in the
    /// cell, one of each two that are opposite, so that every pair of bodies across a side comes up once.
    pub fn places(&self, x: D::Vec, reach: f64) -> (D::Vec, Vec<D::Vec>) {
        let cells = PeriodicCell::new(self);
        let home = x + cells.way(cells.home(x));
        (home, cells.images(home, reach).map(|shift| home + cells.way(shift)).collect())
    }
}

/// Velocity gradient: row i, column j says how fast the velocity along i grows with the place along j (1/s).
pub type VelocityGradient = [[f64; 3]; 3];

impl<D: Dim> Side<D> {
    /// The velocity that a gradient gives to a side vector.
    pub fn driven(&self, gradient: &VelocityGradient) -> D::Vec {
        let row = |i: usize| (0..D::N).map(|j| gradient[i][j] * self.vector.component(j)).sum();
        D::Vec::from_fn(row)
    }
}

/// Whole numbers of side vectors.
pub(crate) type Shift = [i32; 3];

/// Shifts to neighbouring cells, of which one of each pair of opposite ones is enough: every pair of grains is then found
/// once, with one of its grains at home.
const NEIGHBOURS: [Shift; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// A cell at work.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct PeriodicCell<D: Dimension> {
    centre: D::Vec,
    /// Whether it repeats along each axis.
    pub(super) repeats: [bool; 3],
    /// Unit vectors of axes along which nothing repeats.
    vectors: [D::Vec; 3],
    velocities: [D::Vec; 3],
    pub(super) duals: [D::Vec; 3],
    /// Displacement of each side vector since the lists were rebuilt.
    slides: [f64; 3],
    /// Stress control, and its state.
    pub(crate) press: Option<StressControl>,
    pub(crate) pressed: [StressControlState; 3],
    /// Momentum that grains were given where they went through a side, and when sides changed their velocity.
    pub(crate) jumps: [ExactSum; 3],
}

impl<D: Dimension> PeriodicCell<D> {
    /// Counts the momentum that a grain was given.
    pub(crate) fn add_jump(&mut self, momentum: D::Vec) {
        (0..D::N).for_each(|axis| self.jumps[axis].add(momentum.component(axis)));
    }

    /// The same for momentum that was counted elsewhere.
    pub(crate) fn add_jumps(&mut self, jumps: &[ExactSum; 3]) {
        self.jumps.iter_mut().zip(jumps).for_each(|(sum, part)| sum.merge(part));
    }

    /// The same cell, in which nothing was counted yet.
    pub(crate) fn without_jumps(self) -> Self {
        Self { jumps: Default::default(), ..self }
    }

    pub(crate) fn new(cell: &Cell<D>) -> Self {
        let axis = |k: usize| if k < D::N { D::Vec::axis(k) } else { D::Vec::default() };
        let side = |k: usize| if k < D::N { cell.sides[k] } else { None };
        let mut cells = Self {
            centre: cell.centre,
            repeats: std::array::from_fn(|k| side(k).is_some()),
            vectors: std::array::from_fn(|k| side(k).map_or(axis(k), |side| side.vector)),
            velocities: std::array::from_fn(|k| side(k).map_or(D::Vec::default(), |side| side.velocity)),
            duals: [D::Vec::default(); 3],
            slides: [0.0; 3],
            press: cell.press,
            pressed: [StressControlState::default(); 3],
            jumps: Default::default(),
        };
        cells.find_duals();
        cells
    }

    /// The cell as it is now.
    pub(crate) fn cell(&self) -> Cell<D> {
        let side = |k: usize| Side { vector: self.vectors[k], velocity: self.velocities[k] };
        let sides = std::array::from_fn(|k| self.repeats[k].then(|| side(k)));
        Cell { centre: self.centre, sides, press: self.press }
    }

    /// Whether it repeats along an axis.
    pub(crate) fn repeats(&self, axis: usize) -> bool {
        self.repeats[axis]
    }

    /// Volume of the cell, one metre wide where it does not repeat.
    pub(crate) fn volume(&self) -> f64 {
        determinant(&padded::<D>(&self.vectors)).abs()
    }

    /// Distance between opposite sides; infinite where nothing repeats.
    pub(crate) fn width(&self, axis: usize) -> f64 {
        if self.repeats[axis] { 1.0 / self.duals[axis].length() } else { f64::INFINITY }
    }

    /// Whether any side moves.
    pub(crate) fn moves(&self) -> bool {
        self.velocities != [D::Vec::default(); 3]
    }

    /// Shifts by no side or one along each axis along which it repeats, forth or back.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = Shift> + use<D> {
        let repeats = self.repeats;
        let all = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        all.filter(move |shift: &Shift| (0..3).all(|k| repeats[k] || shift[k] == 0))
    }

    /// Moves the sides.
    pub(crate) fn advance(&mut self, dt: f64) {
        if !self.moves() {
            return;
        }
        for k in 0..3 {
            self.vectors[k] += self.velocities[k] * dt;
            self.slides[k] += self.velocities[k].length() * dt;
        }
        self.find_duals();
    }

    /// The lists are rebuilt now.
    pub(crate) fn start_sliding(&mut self) {
        self.slides = [0.0; 3];
    }

    /// Upper bound of the displacement of an image relative to its grain since the lists were rebuilt.
    pub(crate) fn slide(&self, shift: Shift) -> f64 {
        (0..3).map(|k| f64::from(shift[k].abs()) * self.slides[k]).sum()
    }

    /// The same for any image.
    pub(crate) fn farthest_slide(&self) -> f64 {
        self.slide([1; 3])
    }

    /// The vector of a shift.
    #[inline]
    pub(crate) fn way(&self, shift: Shift) -> D::Vec {
        combine::<D>(&self.vectors, shift)
    }

    /// Velocity of an image beyond that of its grain.
    #[inline]
    pub(crate) fn jump(&self, shift: Shift) -> D::Vec {
        combine::<D>(&self.velocities, shift)
    }

    /// The shift that brings a point into the cell.
    pub(crate) fn home(&self, x: D::Vec) -> Shift {
        std::array::from_fn(
            |k| if self.repeats[k] { -(self.coordinate(x, k) + 0.5).floor() as i32 } else { 0 },
        )
    }

    fn coordinate(&self, x: D::Vec, k: usize) -> f64 {
        self.duals[k].dot(x - self.centre)
    }

    /// Shifts of the images of a body at `x` that may be nearer than `reach` to something in the cell.
    pub(crate) fn images(&self, x: D::Vec, reach: f64) -> impl Iterator<Item = Shift> + use<D> {
        let workspace: [f64; 3] = std::array::from_fn(|k| 0.5 + reach * self.duals[k].length());
        let at: [f64; 3] = std::array::from_fn(|k| self.coordinate(x, k));
        let repeats = self.repeats;
        NEIGHBOURS.into_iter().filter(move |shift| {
            let near = |k: usize| (at[k] + f64::from(shift[k])).abs() <= workspace[k];
            (0..3).all(|k| if repeats[k] { near(k) } else { shift[k] == 0 })
        })
    }

    /// Replaces side vectors that lean over another by more than half of it by shorter ones of the same lattice. Returns how shifts are
    /// to be read then: `new[i] = Σ_j matrix[i][j] old[j]`.
    pub(crate) fn straighten(&mut self) -> [Shift; 3] {
        let mut matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        for (i, j) in [(0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1)] {
            if !(self.repeats[i] && self.repeats[j]) {
                continue;
            }
            let lean = self.vectors[j].dot(self.vectors[i]) / self.vectors[i].dot(self.vectors[i]);
            // Just beyond one half, so that nothing flips to and fro at it.
            if lean.abs() <= 0.5 + 1e-6 {
                continue;
            }
            let times = lean.round();
            self.vectors[j] -= self.vectors[i] * times;
            self.velocities[j] -= self.velocities[i] * times;
            let row = matrix[j];
            for k in 0..3 {
                matrix[i][k] += times as i32 * row[k];
            }
        }
        self.find_duals();
        matrix
    }

    /// Goes on from another cell whose sides are the same, and returns how their velocities are to change. Stress control that is the
    /// same goes on as well, with the velocities that it has given them.
    pub(crate) fn take_over(&mut self, other: &Self) -> Changes<D> {
        let goes_on = self.press.is_some() && self.press == other.press;
        let (press, wanted) = (self.press, self.velocities);
        *self = other.clone();
        self.jumps = Default::default();
        if goes_on {
            return [D::Vec::default(); 3];
        }
        (self.press, self.pressed) = (press, [StressControlState::default(); 3]);
        std::array::from_fn(|k| wanted[k] - self.velocities[k])
    }

    /// Whether the sides are those of another cell, however they move.
    pub(crate) fn is_where(&self, other: &Self) -> bool {
        (self.centre, self.repeats, self.vectors) == (other.centre, other.repeats, other.vectors)
    }

    fn find_duals(&mut self) {
        let h = padded::<D>(&self.vectors);
        let by = 1.0 / determinant(&h);
        for k in 0..D::N {
            let normal = cross(h[(k + 1) % 3], h[(k + 2) % 3]);
            self.duals[k] = D::Vec::from_fn(|i| normal[i] * by);
        }
    }

    /// How the velocities of the sides change where a gradient is to drive them.
    pub(crate) fn drive(&self, gradient: &VelocityGradient) -> Changes<D> {
        let sides = self.cell().sides;
        std::array::from_fn(|k| {
            sides[k].map_or_else(D::Vec::default, |side| side.driven(gradient) - side.velocity)
        })
    }

    /// How they change where edges are to grow at these rates; shear goes on as it is.
    pub(crate) fn stretch(&self, rates: [Option<f64>; 3]) -> Changes<D> {
        let mut changes = [D::Vec::default(); 3];
        for (axis, rate) in rates.into_iter().enumerate().filter_map(|(axis, rate)| Some((axis, rate?))) {
            let more = rate - self.velocities[axis].component(axis) / self.vectors[axis].component(axis);
            for k in (0..3).filter(|&k| self.repeats[k]) {
                changes[k] += D::Vec::axis(axis) * (more * self.vectors[k].component(axis));
            }
        }
        changes
    }

    /// Changes the velocities of the sides. Returns what a point at x gets for it: `Σ change_k (g_k·(x − centre))`.
    pub(crate) fn change(&mut self, changes: Changes<D>) -> impl Fn(D::Vec) -> D::Vec + use<D> {
        (0..3).for_each(|k| self.velocities[k] += changes[k]);
        let (duals, centre) = (self.duals, self.centre);
        move |x| (0..3).fold(D::Vec::default(), |sum, k| sum + changes[k] * duals[k].dot(x - centre))
    }
}

/// How much the velocity of each side changes.
pub(crate) type Changes<D> = [<D as Dim>::Vec; 3];

/// Shifts as other vectors of the same lattice read them: see [`PeriodicCell::straighten`].
pub(crate) fn read(matrix: &[Shift; 3], shift: Shift) -> Shift {
    matrix.map(|row| row[0] * shift[0] + row[1] * shift[1] + row[2] * shift[2])
}

/// Whether this shift is one of those that images have, rather than the opposite of one; not for no shift at all.
pub(crate) fn leads_on(shift: Shift) -> bool {
    [shift[2], shift[1], shift[0]].into_iter().find(|&n| n != 0).is_some_and(|n| n > 0)
}

fn combine<D: Dimension>(vectors: &[D::Vec; 3], shift: Shift) -> D::Vec {
    (0..D::N).fold(D::Vec::default(), |sum, k| {
        if shift[k] == 0 { sum } else { sum + vectors[k] * f64::from(shift[k]) }
    })
}

/// Three vectors of space; the plane gets its normal as the third.
fn padded<D: Dim>(vectors: &[D::Vec; 3]) -> [[f64; 3]; 3] {
    std::array::from_fn(|k| {
        std::array::from_fn(|i| {
            if k < D::N && i < D::N { vectors[k].component(i) } else { f64::from(u8::from(i == k)) }
        })
    })
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

fn determinant(h: &[[f64; 3]; 3]) -> f64 {
    let normal = cross(h[1], h[2]);
    (0..3).map(|i| h[0][i] * normal[i]).sum()
}

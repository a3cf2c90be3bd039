//! Cell grid of the broad phase: a torus of cells, so that a grain that has flown far away costs nothing.
//!
//! A cell's coordinates are taken modulo the number of cells in each direction; bodies that share a cell by that alone are
//! told apart by their distance, as all others are. Positions and sizes are stored in the order of the cells, so that the
//! neighbours of a place are a few contiguous runs.

use gritstone_core::Vector;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, WIDTH};

use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// Fewest cells in a direction: a cell and its two neighbours are then three different ones.
const FEWEST: u64 = 3;
/// Most runs of cells around a place: nine rows, each in two where it goes across the torus' seam.
const RUNS: usize = 18;

/// A grid for bodies of similar size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Edge of a cell.
    edge: f64,
    /// Number of cells in each direction; one in those that the dimension does not have.
    cells: [u64; 3],
    /// Where each cell's bodies start.
    starts: Vec<u32>,
    /// In the order of the cells: slot and id, position and size. The columns have some numbers more, padded with infinity for
    /// lanes.
    bodies: Vec<(u32, u32)>,
    columns: [Vec<f64>; 4],
    cell_of: Vec<u32>,
}

/// The bodies around a place.
struct Around<'g> {
    columns: [&'g [f64]; 4],
    runs: &'g [[u32; 2]],
    place: [f64; 3],
    reach: f64,
    found: &'g mut Vec<u32>,
}

impl Grid {
    /// Sorts these bodies into cells of at least this edge.
    pub(crate) fn fill<D: Dimension>(&mut self, bodies: &Bodies<D>, members: &[u32], edge: f64) {
        self.edge = edge;
        self.cells = self.count_cells(bodies, members);
        let total = self.cells.iter().product::<u64>() as usize;
        self.starts.clear();
        self.starts.resize(total + 1, 0);
        self.cell_of.clear();
        for &slot in members {
            let cell = self.cell(self.coordinates::<D>(bodies.records[slot as usize].position));
            self.cell_of.push(cell as u32);
            self.starts[cell + 1] += 1;
        }
        for cell in 0..total {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.bodies.resize(members.len(), (0, 0));
        for column in &mut self.columns {
            column.clear();
            column.resize(members.len() + WIDTH, f64::INFINITY);
        }
        // Filled from the back, each cell's start walks down to where it belongs, and its bodies stay in order.
        for (&slot, &cell) in members.iter().zip(&self.cell_of).rev() {
            let end = &mut self.starts[cell as usize + 1];
            *end -= 1;
            let (place, slot) = (*end as usize, slot as usize);
            self.bodies[place] = (slot as u32, bodies.states[slot].id);
            for (axis, column) in self.columns[..3].iter_mut().enumerate() {
                column[place] = if axis < D::N { bodies.records[slot].position.component(axis) } else { 0.0 };
            }
            self.columns[3][place] = bodies.size(slot);
        }
        self.starts.rotate_left(1);
        self.starts[total] = members.len() as u32;
    }

    /// As many cells as the bodies extend over, but not many more than there are bodies.
    fn count_cells<D: Dimension>(&self, bodies: &Bodies<D>, members: &[u32]) -> [u64; 3] {
        let mut cells = [1; 3];
        for (axis, count) in cells.iter_mut().enumerate().take(D::N) {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &slot in members {
                let x = bodies.records[slot as usize].position.component(axis);
                (low, high) = (low.min(x), high.max(x));
            }
            // A number too large for what it is turned into becomes the largest one, and NaN becomes zero.
            *count = (((high - low) / self.edge) as u64).saturating_add(2).max(FEWEST);
        }
        let most = (2 * members.len() as u64).max(64);
        while cells.iter().fold(1_u64, |product, &count| product.saturating_mul(count)) > most {
            let largest = (0..D::N).max_by_key(|&axis| cells[axis]).unwrap_or(0);
            if cells[largest] == FEWEST {
                break;
            }
            cells[largest] = (cells[largest] / 2).max(FEWEST);
        }
        cells
    }

    fn coordinates<D: Dimension>(&self, position: D::Vec) -> [i64; 3] {
        let mut coordinates = [0; 3];
        for (axis, coordinate) in coordinates.iter_mut().enumerate().take(D::N) {
            *coordinate = (position.component(axis) / self.edge).floor() as i64;
        }
        coordinates
    }

    fn cell(&self, coordinates: [i64; 3]) -> usize {
        let [x, y, z] = std::array::from_fn(|axis| self.wrapped(axis, coordinates[axis]));
        ((z * self.cells[1] + y) * self.cells[0] + x) as usize
    }

    fn wrapped(&self, axis: usize, coordinate: i64) -> u64 {
        coordinate.rem_euclid(self.cells[axis] as i64) as u64
    }

    /// Slot and id of a body that was found.
    #[inline]
    pub(crate) fn body(&self, found: u32) -> (u32, u32) {
        self.bodies[found as usize]
    }

    /// Finds the bodies whose balls reach into the ball of this radius.
    pub(crate) fn around<D: Dimension>(&self, place: D::Vec, reach: f64, found: &mut Vec<u32>) {
        let mut runs = [[0; 2]; RUNS];
        let mut count = 0;
        let centre = self.coordinates::<D>(place);
        let beside = |axis: usize| if axis < D::N { -1..=1 } else { 0..=0 };
        for dz in beside(2) {
            for dy in beside(1) {
                let [y, z] =
                    [(1, dy), (2, dz)].map(|(axis, d)| self.wrapped(axis, centre[axis].wrapping_add(d)));
                let row = ((z * self.cells[1] + y) * self.cells[0]) as usize;
                for [from, to] in in_a_row(self.wrapped(0, centre[0]) as usize, self.cells[0] as usize) {
                    let run = [self.starts[row + from], self.starts[row + to]];
                    if run[0] < run[1] {
                        runs[count] = run;
                        count += 1;
                    }
                }
            }
        }
        found.clear();
        let columns = self.columns.each_ref().map(Vec::as_slice);
        let place = std::array::from_fn(|axis| if axis < D::N { place.component(axis) } else { 0.0 });
        Backend::best().run(Around { columns, runs: &runs[..count], place, reach, found });
    }
}

/// A cell of a row of `count` and the two beside it, as ranges; the second may be empty.
fn in_a_row(cell: usize, count: usize) -> [[usize; 2]; 2] {
    if count <= FEWEST as usize {
        [[0, count], [0, 0]]
    } else if cell == 0 {
        [[0, 2], [count - 1, count]]
    } else if cell + 1 == count {
        [[cell - 1, count], [0, 1]]
    } else {
        [[cell - 1, cell + 2], [0, 0]]
    }
}

impl Kernel for Around<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let [x, y, z] = [L::splat(self.place[0]), L::splat(self.place[1]), L::splat(self.place[2])];
        let reach = L::splat(self.reach);
        for &[from, to] in self.runs {
            let mut at = from as usize;
            while at < to as usize {
                let numbers = |column: &'_ [f64]| -> [f64; WIDTH] {
                    *column[at..].first_chunk().unwrap_or(&[f64::INFINITY; WIDTH])
                };
                let [xs, ys, zs, sizes] = self.columns.map(numbers);
                let (dx, dy, dz) = (L::load(&xs) - x, L::load(&ys) - y, L::load(&zs) - z);
                let sum = L::load(&sizes) + reach;
                let near = dx.mul_add(dx, dy.mul_add(dy, dz * dz)).le(sum * sum);
                let there = to as usize - at;
                let mut bits = near.bits() & if there < WIDTH { (1 << there) - 1 } else { !0 };
                while bits != 0 {
                    self.found.push(at as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
                at += WIDTH;
            }
        }
    }
}

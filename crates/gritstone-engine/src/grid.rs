//! Cells in which bodies are looked up: a torus of cells, so that a grain that has flown far away costs nothing.
//!
//! A cell's coordinates are taken modulo the number of cells in each direction; bodies that share a cell by that alone are
//! told apart by their distance, as all others are.

use gritstone_core::Vector;

use crate::bodies::Bodies;
use crate::realm::Realm;

/// Fewest cells in a direction: a cell and its two neighbours are then three different ones.
const FEWEST: u64 = 3;

/// A grid for bodies of similar size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    /// Edge of a cell.
    edge: f64,
    /// Number of cells in each direction; one in those that the dimension does not have.
    cells: [u64; 3],
    /// Where each cell's bodies start in `slots`.
    starts: Vec<u32>,
    slots: Vec<u32>,
    cell_of: Vec<u32>,
}

impl Grid {
    /// Sorts these bodies into cells of at least this edge.
    pub(crate) fn fill<D: Realm>(&mut self, bodies: &Bodies<D>, members: &[u32], edge: f64) {
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
        self.slots.resize(members.len(), 0);
        // Filled from the back, each cell's start walks down to where it belongs, and its bodies stay in order.
        for (&slot, &cell) in members.iter().zip(&self.cell_of).rev() {
            let end = &mut self.starts[cell as usize + 1];
            *end -= 1;
            self.slots[*end as usize] = slot;
        }
        self.starts.rotate_left(1);
        self.starts[total] = members.len() as u32;
    }

    /// As many cells as the bodies extend over, but not many more than there are bodies.
    fn count_cells<D: Realm>(&self, bodies: &Bodies<D>, members: &[u32]) -> [u64; 3] {
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

    fn coordinates<D: Realm>(&self, position: D::Vec) -> [i64; 3] {
        let mut coordinates = [0; 3];
        for (axis, coordinate) in coordinates.iter_mut().enumerate().take(D::N) {
            *coordinate = (position.component(axis) / self.edge).floor() as i64;
        }
        coordinates
    }

    fn cell(&self, coordinates: [i64; 3]) -> usize {
        let [x, y, z] =
            std::array::from_fn(|axis| coordinates[axis].rem_euclid(self.cells[axis] as i64) as u64);
        ((z * self.cells[1] + y) * self.cells[0] + x) as usize
    }

    /// Calls `visit` with every body in the cell of `position` and in those around it.
    pub(crate) fn around<D: Realm>(&self, position: D::Vec, mut visit: impl FnMut(u32)) {
        let centre = self.coordinates::<D>(position);
        let reach = |axis: usize| if axis < D::N { -1..=1 } else { 0..=0 };
        for dz in reach(2) {
            for dy in reach(1) {
                for dx in reach(0) {
                    let cell =
                        self.cell(std::array::from_fn(|axis| centre[axis].wrapping_add([dx, dy, dz][axis])));
                    let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                    self.slots[range].iter().for_each(|&slot| visit(slot));
                }
            }
        }
    }
}

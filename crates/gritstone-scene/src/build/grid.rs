//! Bodies that may touch, from their centres and sizes: one grid for each power of two of the size, so that one large body
//! among many small ones does not make all of them neighbours.

use std::cell::Cell as Counter;
use std::collections::HashMap;

use gritstone_core::{Dim, Vector};

/// A cell of the grid of some level.
type Cell = (i32, [i64; 3]);

/// Balls in grids.
pub(super) struct Grid<'b, D: Dim> {
    balls: &'b [(D::Vec, f64)],
    cells: HashMap<Cell, Vec<usize>>,
    /// Levels that there are.
    levels: Vec<i32>,
    /// Pairs whose distance was looked at.
    looks: Counter<u64>,
}

impl<'b, D: Dim> Grid<'b, D> {
    /// Balls with centres and radii, each in the cell where its centre is.
    pub(super) fn new(balls: &'b [(D::Vec, f64)]) -> Self {
        let mut cells: HashMap<Cell, Vec<usize>> = HashMap::new();
        let mut levels: Vec<_> = balls.iter().map(|(_, radius)| level(*radius)).collect();
        for (i, ((centre, _), level)) in balls.iter().zip(&levels).enumerate() {
            cells.entry((*level, cell::<D>(*centre, *level))).or_default().push(i);
        }
        levels.sort_unstable();
        levels.dedup();
        Self { balls, cells, levels, looks: Counter::new(0) }
    }

    /// Pairs whose distance was looked at so far.
    pub(super) fn looks(&self) -> u64 {
        self.looks.get()
    }

    /// Balls that the ball `i` touches, such that every pair comes up once.
    pub(super) fn touching(&self, i: usize) -> impl Iterator<Item = usize> {
        let (centre, radius) = self.balls[i];
        let own = level(radius);
        // Smaller balls look for larger ones: in a grid as wide as those, all are in the cells around.
        let levels = self.levels.iter().copied().filter(move |level| *level >= own);
        let cells = levels
            .flat_map(move |level| around::<D>(cell::<D>(centre, level)).map(move |cell| (level, cell)));
        cells
            .flat_map(move |cell| {
                let later = move |j: &&usize| cell.0 > own || **j > i;
                self.cells.get(&cell).into_iter().flatten().filter(later)
            })
            .copied()
            .inspect(|_| self.looks.set(self.looks.get() + 1))
            .filter(move |j| (self.balls[*j].0 - centre).length() < self.balls[*j].1 + radius)
    }
}

/// The level of a ball: its diameter is at most the width of that level's cells.
fn level(radius: f64) -> i32 {
    libm::log2(2.0 * radius).ceil() as i32
}

fn cell<D: Dim>(centre: D::Vec, level: i32) -> [i64; 3] {
    let width = libm::exp2(f64::from(level));
    std::array::from_fn(|k| if k < D::N { (centre.component(k) / width).floor() as i64 } else { 0 })
}

/// A cell and those around it.
fn around<D: Dim>(cell: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    let count = 3_i64.pow(D::N as u32);
    let shift = |k: i64, axis: usize| if axis < D::N { k / 3_i64.pow(axis as u32) % 3 - 1 } else { 0 };
    (0..count).map(move |k| std::array::from_fn(|axis| cell[axis].wrapping_add(shift(k, axis))))
}

#[cfg(test)]
mod tests {
    use glam::{DVec2, DVec3};
    use gritstone_core::{Plane, Space};

    use super::*;

    /// All pairs of a list that touch, by comparing each with each.
    fn by_force<D: Dim>(balls: &[(D::Vec, f64)]) -> Vec<(usize, usize)> {
        let touch = |i: usize, j: usize| (balls[i].0 - balls[j].0).length() < balls[i].1 + balls[j].1;
        (0..balls.len())
            .flat_map(|i| (i + 1..balls.len()).map(move |j| (i, j)))
            .filter(|&(i, j)| touch(i, j))
            .collect()
    }

    fn by_grid<D: Dim>(balls: &[(D::Vec, f64)]) -> Vec<(usize, usize)> {
        let grid = Grid::<D>::new(balls);
        let pairs = (0..balls.len())
            .flat_map(|i| grid.touching(i).map(move |j| (i.min(j), i.max(j))).collect::<Vec<_>>());
        let mut pairs: Vec<_> = pairs.collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn every_pair_is_found_once_whatever_the_sizes() {
        let part = |k: usize, step: f64| (k as f64 * step).fract() - 0.5;
        let point = |k: usize| DVec3::new(part(k, 0.618_034), part(k, 0.414_214), part(k, 0.732_051));
        let radius = |k: usize| 0.01 * f64::from(1 << (k % 7)) * (1.0 + 0.3 * part(k, 0.236_068));
        let balls: Vec<_> = (0..400).map(|k| (point(k), radius(k))).collect();
        let found = by_grid::<Space>(&balls);
        assert!(found.len() > 1000);
        assert_eq!(found, by_force::<Space>(&balls));
        let discs: Vec<_> = balls.iter().map(|(x, r)| (DVec2::new(x.x, x.y), 0.3 * r)).collect();
        assert_eq!(by_grid::<Plane>(&discs), by_force::<Plane>(&discs));
    }
}

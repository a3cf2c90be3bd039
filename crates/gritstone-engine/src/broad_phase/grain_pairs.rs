//! Pairs of grains, found through cells: one grid for each class of sizes, so that a few large grains do not make the cells
//! of the small ones large.

use super::neighbour_list::{Candidate, Part, PreviousRow, gap_along_centres};
use crate::bodies::Bodies;
use crate::broad_phase::grid::Grid;
use crate::dimension::Dimension;

/// Grains by size: each class has grains down to half the size of its largest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finder {
    grids: Vec<Grid>,
    /// The class of each grain, by slot; the largest grains are in class zero.
    class: Vec<u8>,
    members: Vec<Vec<u32>>,
}

impl Finder {
    /// Sorts the grains for a list with this skin.
    pub(crate) fn fill<D: Dimension>(&mut self, bodies: &Bodies<D>, skin: f64) {
        let sizes = || {
            let slots = (bodies.walls..bodies.records.len()).filter(|&slot| bodies.is_touchable(slot));
            slots.map(|slot| (slot, bodies.size(slot)))
        };
        let largest = sizes().map(|(_, size)| size).fold(bodies.elsewhere.largest, f64::max);
        self.class.clear();
        self.class.resize(bodies.records.len(), 0);
        self.members.iter_mut().for_each(Vec::clear);
        for (slot, size) in sizes() {
            let class = libm::log2(largest / size).clamp(0.0, 60.0) as usize;
            if self.members.len() <= class {
                self.members.resize(class + 1, Vec::new());
            }
            self.class[slot] = class as u8;
            self.members[class].push(slot as u32);
        }
        self.grids.resize(self.members.len(), Grid::default());
        for (class, (grid, members)) in self.grids.iter_mut().zip(&self.members).enumerate() {
            let diameter = 2.0 * largest / (1_u64 << class) as f64;
            grid.fill(bodies, members, diameter + skin);
        }
    }

    /// Adds the pairs that the grain in `slot` is to find.
    pub(crate) fn find<D: Dimension>(
        &self,
        bodies: &Bodies<D>,
        slot: u32,
        skin: f64,
        old: &PreviousRow<'_, D>,
        part: &mut Part<D>,
    ) {
        if !bodies.is_touchable(slot as usize) {
            return;
        }
        let (position, size) = (bodies.records[slot as usize].position, bodies.size(slot as usize));
        let (id, class) = (bodies.states[slot as usize].id, self.class[slot as usize]);
        let mut found = std::mem::take(&mut part.found);
        for (of_class, grid) in self.grids.iter().enumerate().take(class as usize + 1) {
            grid.around::<D>(position, size + skin, &mut found);
            for (other, other_id) in found.iter().map(|&found| grid.body(found)) {
                // Ghosts of one grain share its id and do not touch each other; pairs of two images are those of their owners,
                // and those of two grains of other processes are theirs.
                if of_class == class as usize && other_id < id
                    || other_id == id
                    || bodies.is_image(slot) && bodies.is_image(other)
                    || bodies.is_elsewhere(slot) && bodies.is_elsewhere(other)
                {
                    continue;
                }
                let (gap, direction) =
                    old.remaining(other).unwrap_or_else(|| gap_along_centres(bodies, slot, other));
                // Inactive for the displacement of its gap; due at once where no gap is known.
                if gap <= skin || gap == f64::INFINITY {
                    part.pairs.push(Candidate { a: slot, b: other, due_at: gap.max(0.0) });
                    part.directions.push(direction);
                }
            }
        }
        part.found = found;
    }
}

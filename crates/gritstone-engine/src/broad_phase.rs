//! Broad phase: which pairs are near, and which of them are due for a proximity test.

pub(crate) mod activate;
mod activation;
mod displacement;
mod grain_pairs;
mod grid;
mod neighbour_list;
mod wall_pairs;

pub(crate) use displacement::Displacement;
pub(crate) use displacement::LargestDisplacements;
pub(crate) use grain_pairs::Finder;
pub(crate) use neighbour_list::{Candidate, ListedPair, NeighbourList, largest_skin, smallest_grain};
pub(crate) use wall_pairs::find_walls;

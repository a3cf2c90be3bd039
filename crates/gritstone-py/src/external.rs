//! Forces on grains from arrays.

use gritstone::engine::{Dimension, ExternalForce, GrainView};

/// Loads by id; grains that are not listed have none.
#[derive(Debug)]
pub(crate) struct ArrayForce<D: Dimension> {
    /// Ascending, as the rows of the others are.
    pub(crate) ids: Vec<u32>,
    pub(crate) forces: Vec<D::Vec>,
    pub(crate) torques: Vec<D::Spin>,
}

impl<D: Dimension> ArrayForce<D> {
    /// The row of a grain: at once where ids continue without a gap from the first, as they do until grains are removed.
    fn row(&self, id: u32) -> Option<usize> {
        let guess = id.checked_sub(*self.ids.first()?)? as usize;
        if self.ids.get(guess) == Some(&id) { Some(guess) } else { self.ids.binary_search(&id).ok() }
    }
}

impl<D: Dimension> ExternalForce<D> for ArrayForce<D> {
    fn load(&self, _: f64, grain: &GrainView<D>) -> (D::Vec, D::Spin) {
        self.row(grain.id).map(|row| (self.forces[row], self.torques[row])).unwrap_or_default()
    }
}

//! Forces on grains from arrays.

use gritstone::engine::{Dimension, ExternalForce, GrainView};

/// Loads by id; grains that are not listed have none.
#[derive(Debug)]
pub(crate) struct ArrayForce<D: Dimension> {
    /// Sorted by id.
    loads: Vec<(u32, D::Vec, D::Spin)>,
}

impl<D: Dimension> ArrayForce<D> {
    pub(crate) fn new(mut loads: Vec<(u32, D::Vec, D::Spin)>) -> Self {
        loads.sort_unstable_by_key(|load| load.0);
        Self { loads }
    }

    /// The row of a grain: at once where ids go on without a gap from the first, as they do until grains are removed.
    fn row(&self, id: u32) -> Option<&(u32, D::Vec, D::Spin)> {
        let first = self.loads.first()?.0;
        let guess = self.loads.get(id.checked_sub(first)? as usize).filter(|load| load.0 == id);
        guess.or_else(|| Some(&self.loads[self.loads.binary_search_by_key(&id, |load| load.0).ok()?]))
    }
}

impl<D: Dimension> ExternalForce<D> for ArrayForce<D> {
    fn load(&self, _: f64, grain: &GrainView<D>) -> (D::Vec, D::Spin) {
        self.row(grain.id).map_or_else(Default::default, |load| (load.1, load.2))
    }
}

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
}

impl<D: Dimension> ExternalForce<D> for ArrayForce<D> {
    fn load(&self, _: f64, grain: &GrainView<D>) -> (D::Vec, D::Spin) {
        match self.loads.binary_search_by_key(&grain.id, |load| load.0) {
            Ok(i) => (self.loads[i].1, self.loads[i].2),
            Err(_) => Default::default(),
        }
    }
}

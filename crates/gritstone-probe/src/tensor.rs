//! Sums of dyads.

use gritstone_core::{Dim, Linear, Vector};

/// A matrix that dyads are added to; only the first N by N components are used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tensor([[f64; 3]; 3]);

impl Tensor {
    /// Adds a bᵀ times a factor.
    pub(crate) fn add<D: Dim>(&mut self, a: D::Vec, b: D::Vec, factor: f64) {
        for i in 0..D::N {
            for j in 0..D::N {
                self.0[i][j] += factor * a.component(i) * b.component(j);
            }
        }
    }

    /// Adds the sum of r fᵀ over the forces f of a couple on a patch with this normal n, times a factor. What tilts is pressure
    /// along n whose sum is zero; what twists is taken for shear that is the same all around.
    pub(crate) fn add_couple<D: Dim>(&mut self, torque: D::Spin, normal: D::Vec, factor: f64) {
        // r × p n = T holds across n for p r = n × T.
        self.add::<D>(-D::sweep(torque, normal), normal, factor);
        let twist = D::about(torque, normal);
        for i in 0..D::N {
            for j in 0..D::N {
                let axis = D::moment(D::Vec::axis(i), D::Vec::axis(j));
                self.0[i][j] += 0.5 * factor * twist.dot(axis);
            }
        }
    }

    /// Adds another one.
    pub(crate) fn join(&mut self, other: &Self) {
        for (row, more) in self.0.iter_mut().zip(&other.0) {
            row.iter_mut().zip(more).for_each(|(x, y)| *x += y);
        }
    }

    /// Components row by row, times a factor.
    pub(crate) fn components<D: Dim>(&self, factor: f64) -> impl Iterator<Item = f64> {
        let rows = self.0;
        (0..D::N * D::N).map(move |k| factor * rows[k / D::N][k % D::N])
    }

    /// Components row by row of the mean of so many dyads; not numbers without any.
    pub(crate) fn mean<D: Dim>(&self, number: f64) -> impl Iterator<Item = f64> {
        let rows = self.0;
        (0..D::N * D::N).map(move |k| rows[k / D::N][k % D::N] / number)
    }

    /// Sum of the diagonal.
    pub(crate) fn trace<D: Dim>(&self) -> f64 {
        (0..D::N).map(|i| self.0[i][i]).sum()
    }
}

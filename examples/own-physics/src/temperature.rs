//! A probe: the granular temperature, a third of the variance of the velocities (half of it in the plane).

use gritstone::core::Linear as _;
use gritstone::engine::{Dimension, Setup};
use gritstone::probe::{Column, Measure, View};

/// `T = Σ |v − v̄|² / (n N)` over the n grains, in N dimensions (m²/s²).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Temperature;

impl<D: Dimension> Measure<D> for Temperature {
    fn columns(&self, _: &Setup<D>) -> Vec<Column> {
        vec![Column::new("temperature", "m²/s²")]
    }

    fn rows(&self, view: &View<'_, D>) -> Vec<Vec<f64>> {
        let grains = &view.snapshot.bodies;
        let share = 1.0 / grains.len() as f64;
        let mean = grains.iter().fold(D::Vec::default(), |sum, grain| sum + grain.velocity * share);
        let square = |v: D::Vec| v.dot(v);
        let variance: f64 = grains.iter().map(|grain| square(grain.velocity - mean) * share).sum();
        vec![vec![variance / D::N as f64]]
    }
}

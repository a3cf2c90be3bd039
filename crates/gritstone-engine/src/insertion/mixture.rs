//! Classes of grains and their shares.

use crate::insertion::random::RandomStream;

/// A class of grains: shape and material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrainClass {
    /// Index of the shape.
    pub shape: u32,
    /// Index of the material.
    pub material: u16,
    /// Mass of one (kg).
    pub mass: f64,
    /// Share of the number of grains, relative to the other classes.
    pub share: f64,
}

/// Classes of grains from which one is drawn at random.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    sorts: Vec<GrainClass>,
    /// Cumulative shares, the last of them one.
    sums: Vec<f64>,
}

impl Mixture {
    /// These classes; none if no share is positive.
    pub fn new(sorts: Vec<GrainClass>) -> Option<Self> {
        let total: f64 = sorts.iter().map(|sort| sort.share).sum();
        let mut sum = 0.0;
        let sums = sorts.iter().map(|sort| {
            sum += sort.share / total;
            sum
        });
        let sums = sums.collect();
        (total > 0.0 && total.is_finite()).then_some(Self { sums, sorts })
    }

    /// All classes.
    pub fn classes(&self) -> &[GrainClass] {
        &self.sorts
    }

    /// The index of a class drawn at random.
    pub fn draw(&self, random: &mut RandomStream) -> usize {
        if self.sorts.len() == 1 {
            return 0;
        }
        let x = random.unit();
        self.sums.partition_point(|sum| *sum <= x).min(self.sorts.len() - 1)
    }

    /// Mean mass of a grain (kg).
    pub fn mean_mass(&self) -> f64 {
        let total: f64 = self.sorts.iter().map(|sort| sort.share).sum();
        self.sorts.iter().map(|sort| sort.share * sort.mass).sum::<f64>() / total
    }
}

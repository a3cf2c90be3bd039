//! The area over which a stress acts: fixed, or between walls that move.

use gritstone_core::{Dim, Linear as _};

use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// The area by which a servo's stress is multiplied.
#[derive(Clone, Debug, PartialEq)]
pub enum Area<D: Dim> {
    /// Always the same (m²; in the plane m). One for a servo whose target is a force.
    Fixed(f64),
    /// The product of distances between walls.
    Between(Vec<Span<D>>),
}

/// The distance between two walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span<D: Dim> {
    /// The walls, by their indices in the setup.
    pub walls: [u32; 2],
    /// Unit vector from the first to the second.
    pub axis: D::Vec,
    /// Their distance while both are where the setup has them (m).
    pub length: f64,
    /// Where their origins are then.
    pub from: [D::Vec; 2],
}

impl<D: Dimension> Area<D> {
    pub(crate) fn of(&self, bodies: &Bodies<D>) -> f64 {
        match self {
            Self::Fixed(area) => *area,
            Self::Between(spans) => spans.iter().map(|span| span.of(bodies)).product(),
        }
    }
}

impl<D: Dimension> Span<D> {
    fn of(&self, bodies: &Bodies<D>) -> f64 {
        let [a, b] = [0, 1].map(|i| bodies.records[self.walls[i] as usize].position - self.from[i]);
        self.length + (b - a).dot(self.axis)
    }
}

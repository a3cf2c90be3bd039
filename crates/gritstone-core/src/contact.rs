//! What two bodies have in common where they are nearest.

use crate::Dim;

/// In world axes. `normal` points from a to b; `gap < 0` is overlap; `point_b − point_a = gap · normal`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<D: Dim> {
    /// Point of body a that is nearest to b, or deepest in it.
    pub point_a: D::Vec,
    /// Point of body b that is nearest to a, or deepest in it.
    pub point_b: D::Vec,
    /// Unit vector from a to b.
    pub normal: D::Vec,
    /// Signed distance: exact when apart, minus the least translation that separates when overlapping.
    pub gap: f64,
    /// Principal relative curvatures of the two surfaces, smallest first.
    pub curvature: D::Curvature,
}

impl<D: Dim> Contact<D> {
    /// Midway between the two points: where forces of this contact act on both bodies.
    pub fn midpoint(&self) -> D::Vec {
        (self.point_a + self.point_b) * 0.5
    }

    /// The same contact seen with a and b exchanged.
    pub fn swapped(&self) -> Self {
        Self { point_a: self.point_b, point_b: self.point_a, normal: -self.normal, ..*self }
    }
}

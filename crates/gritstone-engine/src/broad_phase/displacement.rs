//! Displacements of bodies since a list was built, and bounds for any two of them.

use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;

/// Displacement of each body since a list was built.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Displacement<D: Dimension> {
    /// By slot (m).
    pub(crate) of: Vec<f64>,
    /// Mean velocity, which does not count.
    pub(crate) common: D::Vec,
    /// Upper bound of the displacement of any two bodies together.
    #[serde(skip)]
    pub(crate) farthest: f64,
    /// Whether features of surfaces have moved since pairs were checked.
    #[serde(skip)]
    pub(crate) has_features_moved: bool,
}

/// The two largest displacements of some grains since a list was built.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LargestDisplacements {
    /// The longest, and the longest but one.
    pub(crate) longest: [f64; 2],
}

impl LargestDisplacements {
    /// One more grain.
    #[inline]
    pub(crate) fn see(&mut self, way: f64) {
        *self = self.and(Self { longest: [way, 0.0] });
    }

    /// The longest ways of all of them. What is not a number stays so.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        let [most, next] = [self.longest, other.longest].map(|[most, _]| most);
        let rest = longer(self.longest[1], other.longest[1]);
        Self { longest: [longer(most, next), longer(most.min(next), rest)] }
    }
}

/// The larger one, or what is not a number.
#[inline]
fn longer(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}

impl<D: Dimension> Displacement<D> {
    /// All displacements are zero.
    pub(crate) fn restart(&mut self, bodies: usize) {
        self.of.clear();
        self.of.resize(bodies, 0.0);
        self.farthest = 0.0;
    }

    /// Those of the walls.
    pub(crate) fn clone_walls(&self, walls: usize) -> Vec<f64> {
        self.of[..walls].to_vec()
    }

    /// These are the ways of all grains; pairs are those of two grains, one of which may be an image that slides, too.
    pub(crate) fn see_grains(&mut self, ways: LargestDisplacements, slide: f64) {
        let [most, next] = ways.longest;
        self.farthest = most + next + slide;
    }

    /// These are the ways of all grains; pairs are those of a grain and one of so many walls, or a feature of one, which has gone no
    /// farther than its wall.
    pub(crate) fn see_walls(&mut self, ways: LargestDisplacements, walls: usize) {
        let of_walls = self.of[..walls].iter().fold(0.0, |most, &way| longer(most, way));
        self.farthest = ways.longest[0] + of_walls;
    }
}

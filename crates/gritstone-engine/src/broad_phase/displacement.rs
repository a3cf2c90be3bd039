//! Displacements of bodies since a list was built, and bounds for any two of them.

use std::ops::Range;

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
    /// The longest way of a feature of a surface; none where it is not known.
    #[serde(skip)]
    pub(crate) farthest_feature: Option<f64>,
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
        self.farthest_feature = Some(0.0);
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

    /// These are the ways of all grains; pairs are those of a grain and a wall. `features` are the slots of the features of
    /// surfaces, behind all walls: their ways are compared only where one of them has moved.
    pub(crate) fn see_walls(&mut self, ways: LargestDisplacements, features: Range<usize>) {
        let most = |ways: &[f64]| ways.iter().fold(0.0, |most, &way| longer(most, way));
        let walls = most(&self.of[..features.start]);
        let of_features = *self.farthest_feature.get_or_insert_with(|| most(&self.of[features]));
        self.farthest = ways.longest[0] + longer(walls, of_features);
    }
}

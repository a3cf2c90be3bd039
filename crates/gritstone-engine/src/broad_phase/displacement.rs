//! How far bodies have gone since a list was made, and what follows for any two of them.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::dimension::Dimension;

/// How far each body has gone since a list was made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Displacement<D: Dimension> {
    /// By slot (m).
    pub(crate) of: Vec<f64>,
    /// Velocity that is not counted.
    pub(crate) common: D::Vec,
    /// No two bodies of a pair have gone farther together.
    #[serde(skip)]
    pub(crate) farthest: f64,
    /// The longest way of a feature of a surface; none where it is not known.
    #[serde(skip)]
    pub(crate) farthest_feature: Option<f64>,
}

/// The longest ways that some grains have gone since a list was made.
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
    /// Nobody has gone anywhere.
    pub(crate) fn restart(&mut self, bodies: usize) {
        self.of.clear();
        self.of.resize(bodies, 0.0);
        self.farthest = 0.0;
        self.farthest_feature = Some(0.0);
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

//! The particles: four shapes (Figure 14) in equal parts, sizes by a sieve curve.

use std::f64::consts::PI;

use gritstone_engine::{GrainClass, Mixture};
use gritstone_shape::Body as _;
use gritstone_shape::space::{Polyhedron, Solid};

use super::Trouble;
use crate::nezami2006::pairs::figure_14;

/// Density (kg/m³), which the paper does not say: steel.
pub(super) const DENSITY: f64 = 7800.0;

/// Classes of sizes, each with the same mass.
const CLASSES: u32 = 8;

/// Least size, the size that half of the mass is below, and the largest (m): diameters of balls of the same volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) least: f64,
    pub(super) median: f64,
    pub(super) most: f64,
}

impl Sizes {
    /// All sizes multiplied.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { least: self.least * factor, median: self.median * factor, most: self.most * factor }
    }

    /// The size that this part of the mass is below: the curve is straight over the logarithm on both sides of the median.
    fn at(&self, passing: f64) -> f64 {
        let between = |low: f64, high: f64, part: f64| low * (high / low).powf(part);
        if passing < 0.5 {
            between(self.least, self.median, 2.0 * passing)
        } else {
            between(self.median, self.most, 2.0 * passing - 1.0)
        }
    }

    /// Shapes of all classes, and how often each comes.
    pub(super) fn particles(&self) -> Result<(Vec<Solid>, Mixture), Trouble> {
        let (mut shapes, mut sorts) = (Vec::new(), Vec::new());
        for class in 0..CLASSES {
            let size = self.at((f64::from(class) + 0.5) / f64::from(CLASSES));
            for kind in 0..4 {
                let (hull, _) = Polyhedron::hull(&figure_14(kind))?;
                let volume = PI / 6.0 * size.powi(3);
                let grain = hull.scaled((volume / hull.mass().volume).cbrt())?;
                // Classes of equal mass: the small ones come more often.
                let sort = GrainClass {
                    shape: shapes.len() as u32,
                    material: 0,
                    mass: DENSITY * volume,
                    share: size.powi(-3),
                };
                shapes.push(grain.into());
                sorts.push(sort);
            }
        }
        let mix = Mixture::new(sorts).ok_or("no sizes")?;
        Ok((shapes, mix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the mass is in grains below the median, and none outside the range.
    #[test]
    fn sizes_follow_the_sieve() {
        let sizes = Sizes { least: 0.02, median: 0.038, most: 0.05 };
        let (shapes, mix) = sizes.particles().unwrap();
        let size = |shape: u32| {
            let volume = shapes[shape as usize].body().unwrap().mass().volume;
            (6.0 / PI * volume).cbrt()
        };
        let mass = |below: f64| -> f64 {
            mix.classes()
                .iter()
                .filter(|sort| size(sort.shape) < below)
                .map(|sort| sort.share * sort.mass)
                .sum()
        };
        assert!((mass(0.038) / mass(1.0) - 0.5).abs() < 1e-12);
        assert_eq!(mass(0.02), 0.0);
        assert_eq!(mass(0.05), mass(1.0));
    }
}

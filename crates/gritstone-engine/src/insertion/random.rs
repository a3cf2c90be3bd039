//! Random numbers that can be saved, the same for the same seed on every machine.

use glam::{DQuat, DVec2};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// Random numbers, the same for the same seed on every machine. What is saved continues where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomStream(Pcg64);

impl RandomStream {
    /// The numbers of a seed, from the first one on.
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    /// A number in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// A point in the unit disc, not next to its centre.
    fn in_disc(&mut self) -> DVec2 {
        loop {
            let point = DVec2::new(self.signed(), self.signed());
            let square = point.length_squared();
            if square <= 1.0 && square > 1e-4 {
                return point;
            }
        }
    }

    /// A rotation; all are equally likely. Marsaglia 1972: two points in discs make one on the sphere of four dimensions.
    pub fn rotation(&mut self) -> DQuat {
        let (a, b) = (self.in_disc(), self.in_disc());
        let rest = ((1.0 - a.length_squared()) / b.length_squared()).max(0.0).sqrt();
        DQuat::from_xyzw(a.x, a.y, b.x * rest, b.y * rest).normalize()
    }

    /// An angle; all are equally likely.
    pub fn angle(&mut self) -> f64 {
        std::f64::consts::PI * self.signed()
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// A turned axis points everywhere alike: its mean is zero and its second moment a third of the unit matrix, each with
    /// the error of 20 000 draws; and the cosine of half the angle has the mean of its square at a quarter.
    #[test]
    fn rotations_are_uniform() {
        let mut random = RandomStream::new(1);
        let n = 20_000;
        let (mut mean, mut square, mut half) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for _ in 0..n {
            let q = random.rotation();
            let x = q * DVec3::X;
            mean += x / f64::from(n);
            square += x * x / f64::from(n);
            half += q.w * q.w / f64::from(n);
        }
        let error = 4.0 / f64::from(n).sqrt();
        assert!(mean.length() < error, "{mean}");
        assert!((square - DVec3::splat(1.0 / 3.0)).abs().max_element() < error, "{square}");
        assert!((half - 0.25).abs() < error, "{half}");
    }
}

//! Random numbers that depend on where they are drawn and on nothing else.

use glam::{DQuat, DVec3, DVec4};

/// Odd constant of splitmix64 (Steele, Lea and Flood 2014): 2⁶⁴ over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers, one per pair.
#[derive(Clone, Debug)]
pub struct Draw {
    state: u64,
}

impl Draw {
    /// The stream of pair `index` of the family `stream` under `seed`.
    pub fn new(stream: u64, seed: u64, index: u64) -> Self {
        let mut state = 0;
        for word in [stream, seed, index] {
            state = mix(state ^ word).wrapping_add(GOLDEN);
        }
        Self { state }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// Uniform on `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (0.5 * f64::EPSILON)
    }

    /// Uniform on `[low, high)`; `low` itself where the two are equal.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Log-uniform on `[low, high)`.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }

    /// True with probability one half.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// Uniform among `0..count`.
    pub fn index(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// One of the given, each with the same probability.
    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// Each component uniform on `[low, high)`.
    pub fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.uniform(low, high), self.uniform(low, high), self.uniform(low, high))
    }

    /// Uniform on the unit sphere: the direction of a point that is uniform in the ball.
    pub fn direction(&mut self) -> DVec3 {
        loop {
            let x = self.vector(-1.0, 1.0);
            let square = x.length_squared();
            if square <= 1.0 && square > 1e-6 {
                return x / square.sqrt();
            }
        }
    }

    /// Uniform in SO(3): a quaternion that is uniform on the unit sphere of four dimensions.
    pub fn rotation(&mut self) -> DQuat {
        loop {
            let q = self.vector(-1.0, 1.0).extend(self.uniform(-1.0, 1.0));
            let square = q.length_squared();
            if square <= 1.0 && square > 1e-6 {
                let DVec4 { x, y, z, w } = q / square.sqrt();
                return DQuat::from_xyzw(x, y, z, w).normalize();
            }
        }
    }
}

/// The finaliser of splitmix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_gives_the_published_numbers() {
        // First outputs for the seed 1234567, as the reference implementation prints them.
        let mut draw = Draw { state: 1_234_567 };
        let expected = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| draw.bits()), expected);
    }

    #[test]
    fn moments_are_those_of_uniform_distributions() {
        let n = 200_000;
        let (mut mean, mut second, mut angle) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for index in 0..n {
            let mut draw = Draw::new(1, 2, index);
            let c = draw.direction();
            mean += c / n as f64;
            second += c * c / n as f64;
            // E[trace] of a uniform rotation is zero.
            angle += (4.0 * draw.rotation().w.powi(2) - 1.0) / n as f64;
        }
        assert!(
            mean.length() < 0.01 && (second - DVec3::splat(1.0 / 3.0)).length() < 0.01 && angle.abs() < 0.01
        );
    }
}

//! From rest to rest along 3u² − 2u³: speed is continuous, and greatest in the middle, where it is 1.5 times the mean.

/// From rest to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothStep {
    /// The whole way (m or rad).
    pub amount: f64,
}

impl SmoothStep {
    pub(super) fn at(&self, since: f64, whole: f64) -> [f64; 2] {
        let u = since / whole;
        [self.amount * u * u * (3.0 - 2.0 * u), self.amount * 6.0 * u * (1.0 - u) / whole]
    }
}

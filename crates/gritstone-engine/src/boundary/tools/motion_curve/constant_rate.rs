//! At constant speed.

/// Constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantRate {
    /// Speed (m/s or rad/s).
    pub rate: f64,
}

impl ConstantRate {
    pub(super) fn at(&self, since: f64) -> [f64; 2] {
        [self.rate * since, self.rate]
    }
}

//! At constant speed.

/// Constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Speed (m/s or rad/s).
    pub rate: f64,
}

impl Steady {
    pub(super) fn at(&self, since: f64) -> [f64; 2] {
        [self.rate * since, self.rate]
    }
}

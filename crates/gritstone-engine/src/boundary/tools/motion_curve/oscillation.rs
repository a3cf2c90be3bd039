//! A sinusoidal oscillation. A phase of a quarter turn starts from rest, at an end of the oscillation.

use std::f64::consts::TAU;

/// A sinusoidal oscillation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillation {
    /// Amplitude (m or rad).
    pub amplitude: f64,
    /// Frequency (1/s).
    pub frequency: f64,
    /// Phase at the start (rad).
    pub phase: f64,
}

impl Oscillation {
    pub(super) fn at(&self, since: f64) -> [f64; 2] {
        let angle = TAU * self.frequency * since + self.phase;
        let way = self.amplitude * (libm::sin(angle) - libm::sin(self.phase));
        [way, self.amplitude * TAU * self.frequency * libm::cos(angle)]
    }
}

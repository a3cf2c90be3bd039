//! To and fro as a sine. A phase of a quarter turn starts from rest, at the end of the swing.

use std::f64::consts::TAU;

/// To and fro.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oscillation {
    /// Half the way from end to end (m or rad).
    pub amplitude: f64,
    /// Swings per second (1/s).
    pub frequency: f64,
    /// Where in the swing it starts (rad).
    pub phase: f64,
}

impl Oscillation {
    pub(super) fn at(&self, since: f64) -> [f64; 2] {
        let angle = TAU * self.frequency * since + self.phase;
        let way = self.amplitude * (libm::sin(angle) - libm::sin(self.phase));
        [way, self.amplitude * TAU * self.frequency * libm::cos(angle)]
    }
}

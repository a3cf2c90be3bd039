//! Where the time of a step goes.

use std::time::{Duration, Instant};

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bodies are moved: both halves of velocity Verlet.
    Integration,
    /// Lists of near pairs are made again, and pairs that slept are looked at.
    BroadPhase,
    /// Contacts that are solved many at a time: narrow phase and law in one pass.
    Lanes,
    /// All other contacts: narrow phase and law.
    General,
    /// Forces are added up for each body.
    Gathering,
}

/// Hears when a part of a step has ended.
pub(crate) trait PhaseTimer {
    /// What was done since the last lap belongs to this part.
    fn lap(&mut self, phase: Phase);
}

/// Nobody asks.
impl PhaseTimer for () {
    #[inline(always)]
    fn lap(&mut self, _: Phase) {}
}

/// Time spent in each part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTimes {
    spent: [Duration; 5],
    last: Instant,
}

impl PhaseTimes {
    /// Starts now.
    pub fn start() -> Self {
        Self { spent: [Duration::ZERO; 5], last: Instant::now() }
    }

    /// Time spent in a part (s).
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase as usize].as_secs_f64()
    }

    /// Time spent in all parts (s).
    pub fn total(&self) -> f64 {
        self.spent.iter().sum::<Duration>().as_secs_f64()
    }
}

impl PhaseTimer for PhaseTimes {
    fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        self.spent[phase as usize] += now - self.last;
        self.last = now;
    }
}

//! Where the time of a step goes.

use std::time::{Duration, Instant};

/// A phase of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Velocity Verlet of grains, motion of walls and ghosts.
    Integration,
    /// Neighbour lists are rebuilt.
    NeighbourLists,
    /// Proximity tests of candidates that are due; those that touch become contacts.
    Activation,
    /// Contacts in lanes: narrow phase and law in one pass.
    Lanes,
    /// All other contacts: narrow phase and law.
    General,
    /// Contacts that have come apart become candidates; contacts are sorted by body.
    Sorting,
    /// Forces are summed by body; second half kick.
    Gathering,
}

/// Measures the phases of a step.
pub(crate) trait PhaseTimer {
    /// The time since the last lap belongs to this phase.
    fn lap(&mut self, phase: Phase);
}

/// No measurement.
impl PhaseTimer for () {
    #[inline(always)]
    fn lap(&mut self, _: Phase) {}
}

/// Time spent in each phase of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseTimes {
    spent: [Duration; Self::COUNT],
    last: Instant,
}

impl PhaseTimes {
    const COUNT: usize = Phase::Gathering as usize + 1;

    /// Starts now.
    pub fn start() -> Self {
        Self { spent: [Duration::ZERO; Self::COUNT], last: Instant::now() }
    }

    /// Time spent in a phase (s).
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase as usize].as_secs_f64()
    }

    /// Time spent in all phases (s).
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

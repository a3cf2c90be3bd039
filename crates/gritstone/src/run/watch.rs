//! The observer of a run.

use std::path::Path;
use std::time::Duration;

use gritstone_engine::Status;
use gritstone_io::checkpoint::Latest;
use gritstone_scene::Report;

/// Receives the progress of a run, and can request a stop. Every method has a default.
pub trait Watch: Send {
    /// The run starts, or resumes.
    fn start(&mut self, _start: &Start<'_>) {}

    /// Progress, a few times per second.
    fn progress(&mut self, _progress: &Progress) {}

    /// A message.
    fn note(&mut self, _text: &str) {}

    /// Whether it shall stop at the next step, with a checkpoint.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
impl Watch for () {}

/// What a run begins with.
#[derive(Debug)]
pub struct Start<'r> {
    /// The summary of the scene.
    pub report: &'r Report,
    /// Where files go.
    pub folder: &'r Path,
    /// The checkpoint that it continues from.
    pub resumed: Option<&'r Latest>,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The status of the world.
    pub status: Status,
    /// The step at which it ends, at the latest.
    pub last_step: u64,
    /// Simulated time of that step (s).
    pub end_time: f64,
    /// Steps times grains per second on the clock.
    pub particle_steps_per_second: f64,
    /// Time to the last step, at this pace.
    pub remaining: Option<Duration>,
    /// Energy drift relative to the energy exchanged.
    pub energy_error: f64,
    /// Where several processes share the world: the largest cost of one of them over the mean of all, from counts.
    pub imbalance: Option<f64>,
}

//! Ctrl-C, SIGTERM and the SIGHUP of a terminal that is closed: the first asks the run to stop, the second ends the program.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::failure::Failure;

/// What shells add to a signal's number.
const ENDED_BY: i32 = 128;

/// The signals that have come.
pub(crate) struct Signals {
    any: Arc<AtomicBool>,
    which: Arc<AtomicUsize>,
}

impl Signals {
    /// Listens from now on.
    pub(crate) fn catch() -> Result<Self, Failure> {
        let signals = Self { any: Arc::default(), which: Arc::default() };
        let hangup = hangup_counts().then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            // In this order: the first signal finds the flag down and raises it, the second finds it up.
            flag::register_conditional_shutdown(signal, ENDED_BY + signal, Arc::clone(&signals.any))
                .and_then(|_| flag::register(signal, Arc::clone(&signals.any)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&signals.which), signal as usize))
                .map_err(|error| Failure::Failed(format!("cannot listen to signals: {error}")))?;
        }
        Ok(signals)
    }

    /// Whether one has come.
    pub(crate) fn came(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// The code that tells which one it was.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from((ENDED_BY as usize + self.which.load(Ordering::Relaxed)) as u8)
    }
}

/// Whether SIGHUP ends programs here. `nohup` has it ignored, and then it stays so; where the system does not tell, it is left
/// as it is.
fn hangup_counts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    // The lowest bit is that of signal 1.
    ignored.is_some_and(|mask| mask >> (SIGHUP - 1) & 1 == 0)
}

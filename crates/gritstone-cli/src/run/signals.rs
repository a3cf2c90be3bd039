//! Ctrl-C and SIGTERM: the first asks the run to stop, the second ends the program.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
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
        for signal in [SIGINT, SIGTERM] {
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

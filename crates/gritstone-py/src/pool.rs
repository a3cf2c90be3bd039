//! The threads that simulations and contacts run on.
//!
//! Threads do not live on in a process that is forked off: there they are started anew when they are next asked for.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool with a thread for each core, once it has been asked for.
static SHARED: Mutex<Option<Threads>> = Mutex::new(None);

/// Threads, and the process that they are in.
#[derive(Clone, Debug)]
struct Threads {
    process: u32,
    pool: Arc<ThreadPool>,
}

impl Threads {
    fn start(count: usize) -> PyResult<Self> {
        let built = ThreadPoolBuilder::new().num_threads(count).build();
        let pool =
            built.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
        Ok(Self { process: std::process::id(), pool: Arc::new(pool) })
    }

    fn are_here(&self) -> bool {
        self.process == std::process::id()
    }
}

/// To drop the last reference to a pool is to tell its threads, which takes locks that they may have held when this process was
/// forked off.
impl Drop for Threads {
    fn drop(&mut self) {
        if !self.are_here() {
            std::mem::forget(self.pool.clone());
        }
    }
}

/// What a simulation steps on: threads of its own, or those that all share.
#[derive(Debug)]
pub(crate) struct Pool {
    own: Option<(usize, Threads)>,
}

impl Pool {
    /// So many threads of its own; for zero, those that all share.
    pub(crate) fn new(count: usize) -> PyResult<Self> {
        let own = if count == 0 { None } else { Some((count, Threads::start(count)?)) };
        Ok(Self { own })
    }

    /// The threads, of this process.
    pub(crate) fn threads(&mut self) -> PyResult<Arc<ThreadPool>> {
        let Some((count, threads)) = &mut self.own else { return shared() };
        if !threads.are_here() {
            *threads = Threads::start(*count)?;
        }
        Ok(threads.pool.clone())
    }
}

/// The pool with a thread for each core.
pub(crate) fn shared() -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(threads) = shared.as_ref().filter(|threads| threads.are_here()) {
        return Ok(threads.pool.clone());
    }
    let threads = Threads::start(0)?;
    let pool = threads.pool.clone();
    *shared = Some(threads);
    Ok(pool)
}

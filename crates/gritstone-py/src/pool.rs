//! The threads that simulations and contacts run on.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool of this process. Threads do not live on in a process that is forked off, so each process has its own.
static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// A pool of so many threads.
pub(crate) fn new(threads: usize) -> PyResult<Arc<ThreadPool>> {
    let built = ThreadPoolBuilder::new().num_threads(threads).build();
    built.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))
}

/// The pool with a thread for each core.
pub(crate) fn shared() -> PyResult<Arc<ThreadPool>> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((_, pool)) = shared.as_ref().filter(|(of, _)| *of == process) {
        return Ok(pool.clone());
    }
    let pool = new(0)?;
    if let Some((_, stale)) = shared.replace((process, pool.clone())) {
        // Its threads are in the parent process: dropping it would wait for them.
        std::mem::forget(stale);
    }
    Ok(pool)
}

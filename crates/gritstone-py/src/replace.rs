//! Files that are there whole or not at all.

use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

/// Writes a file aside, and gives it its name when it is complete.
#[pyfunction]
pub(crate) fn replace(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    let written = py.detach(|| gritstone::io::replace(&path, |file| file.write_all(content)));
    written.map_err(|error| PyOSError::new_err(error.to_string()))
}

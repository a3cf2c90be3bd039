//! Trajectories of runs, frame by frame.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gritstone::core::{Plane, Space};
use gritstone::io::FileError;
use gritstone::io::trajectory::Reader;
use numpy::IntoPyArray as _;
use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::state;

fn failed(error: &FileError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// An open trajectory.
#[pyclass(frozen, module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Trajectory(Mutex<Reader>);

impl Trajectory {
    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Trajectory {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Reader::open(&path).map(|reader| Self(Mutex::new(reader))).map_err(|error| failed(&error))
    }

    /// Two or three.
    #[getter]
    fn dimension(&self) -> usize {
        self.reader().dimension()
    }

    /// What the file says of shapes, materials and walls, as JSON.
    #[getter]
    fn description(&self) -> String {
        self.reader().description().to_string()
    }

    /// Why the file ends before its last byte, if it does.
    #[getter]
    fn broken(&self) -> Option<String> {
        self.reader().broken().map(ToString::to_string)
    }

    /// Looks for frames that have been written since; how many there are now.
    fn refresh(&self) -> PyResult<usize> {
        let mut reader = self.reader();
        reader.refresh().map_err(|error| failed(&error))?;
        Ok(reader.moments().len())
    }

    /// Step and time of every frame.
    fn moments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let (steps, times): (Vec<u64>, Vec<f64>) =
            self.reader().moments().iter().map(|moment| (moment.step, moment.time)).unzip();
        dict.set_item("step", steps.into_pyarray(py))?;
        dict.set_item("time", times.into_pyarray(py))?;
        Ok(dict)
    }

    /// Columns of a frame: `grains`, `walls`, `contacts`.
    fn frame<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyDict>> {
        let mut reader = self.reader();
        let count = reader.moments().len();
        if number >= count {
            return Err(PyIndexError::new_err(format!("there is no frame {number}; there are {count}")));
        }
        if reader.dimension() == 2 {
            state::frame(py, &reader.frame::<Plane>(number).map_err(|error| failed(&error))?)
        } else {
            state::frame(py, &reader.frame::<Space>(number).map_err(|error| failed(&error))?)
        }
    }
}

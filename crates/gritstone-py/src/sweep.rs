//! Sweeps: their cases, and the file of what is done. Who runs the cases is Python's affair.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gritstone::scene::{self, SweepFile};
use gritstone::sweep::{self, Case, Row};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::Value;

use crate::scene::{Scene, run_error, scene_error};

/// A scene with every combination of some values.
#[pyclass(frozen, module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Sweep {
    base: scene::Scene,
    has_lines: bool,
    cases: Vec<Case>,
    measure: Vec<String>,
}

#[pymethods]
impl Sweep {
    /// Values are lists by key, as JSON; what is measured are names.
    #[new]
    fn new(scene: &Scene, parameters: &str, measure: Vec<String>) -> PyResult<Self> {
        let parameters: Vec<(String, Vec<Value>)> = serde_json::from_str(parameters)
            .map_err(|error| PyValueError::new_err(format!("parameters must be lists by key: {error}")))?;
        let cases = sweep::cases(&parameters).map_err(PyValueError::new_err)?;
        Ok(Self { base: scene.scene.clone(), has_lines: scene.has_lines, cases, measure })
    }

    /// The sweep of a file, and the path of its results.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<(Self, PathBuf)> {
        let wrong = |problems| scene_error(&problems, true);
        let file = SweepFile::read_file(&path).map_err(wrong)?;
        let base = scene::Scene::read(Path::new(&file.scene)).map_err(wrong)?;
        let results = file.results_of(&path);
        let cases = sweep::cases(&file.parameters.list).map_err(PyValueError::new_err)?;
        Ok((Self { base, has_lines: true, cases, measure: file.measure }, results))
    }

    /// Names of what is measured.
    #[getter]
    fn measure(&self) -> Vec<String> {
        self.measure.clone()
    }

    /// The same cases, of which something else is measured.
    fn measuring(&self, measure: Vec<String>) -> Self {
        Self { base: self.base.clone(), has_lines: self.has_lines, cases: self.cases.clone(), measure }
    }

    /// The values of each case, as JSON.
    fn values(&self) -> Vec<Vec<(String, String)>> {
        let described =
            |case: &Case| case.values.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
        self.cases.iter().map(described).collect()
    }

    /// The scene of a case, and what tells the case from others.
    fn case(&self, number: usize) -> PyResult<(Scene, String)> {
        let case = self.cases.get(number).ok_or_else(|| PyValueError::new_err("there is no such case"))?;
        let scene = case.scene(&self.base).map_err(|problems| scene_error(&problems, self.has_lines))?;
        let key = sweep::key(&scene, &self.measure).map_err(|error| run_error(&error, self.has_lines))?;
        Ok((Scene { scene, has_lines: self.has_lines }, key))
    }
}

/// The cases that are done.
#[pyclass(frozen, module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Ledger(Mutex<sweep::Ledger>);

impl Ledger {
    fn with<T>(&self, work: impl FnOnce(&mut sweep::Ledger) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Ledger {
    /// Without a path, nothing is written.
    #[new]
    fn new(path: Option<PathBuf>) -> PyResult<Self> {
        let Some(path) = path else { return Ok(Self(Mutex::default())) };
        let opened = sweep::Ledger::open(&path);
        let failed = |error| PyOSError::new_err(format!("cannot write {}: {error}", path.display()));
        opened.map(|ledger| Self(Mutex::new(ledger))).map_err(failed)
    }

    /// What was measured of the case of this key, where it went well.
    fn done(&self, key: &str) -> Option<Vec<(String, f64)>> {
        let numbers = |row: &Row| {
            let number = |(name, x): &(String, Option<f64>)| (name.clone(), x.unwrap_or(f64::NAN));
            row.measured.iter().map(number).collect()
        };
        self.with(|ledger| ledger.done(key).map(numbers))
    }

    /// Notes a case: its key, its values as JSON, what was measured, why it failed.
    fn note(
        &self,
        key: String,
        values: Vec<(String, String)>,
        measured: Vec<(String, f64)>,
        error: String,
    ) -> PyResult<()> {
        let value = |(key, json): (String, String)| {
            let value = serde_json::from_str(&json);
            value.map(|value| (key, value)).map_err(|error| PyValueError::new_err(error.to_string()))
        };
        let values = values.into_iter().map(value).collect::<PyResult<_>>()?;
        let measured =
            measured.into_iter().map(|(name, x)| (name, Some(x).filter(|x| x.is_finite()))).collect();
        self.with(|ledger| ledger.note(Row { key, values, measured, error }))
            .map_err(|error| PyOSError::new_err(format!("cannot write the results of the sweep: {error}")))
    }
}

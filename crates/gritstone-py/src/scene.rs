//! Scenes: from a text, a file or plain values of Python.

use std::path::PathBuf;

use gritstone::run::RunError as Failed;
use gritstone::scene::{self, Assignment, Problems};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    gritstone,
    SceneError,
    PyValueError,
    "A scene is wrong; the message names keys, values and what is allowed."
);
pyo3::create_exception!(gritstone, RunError, PyRuntimeError, "A simulation failed or became unstable.");

/// What is wrong with a scene, with lines where it was a text.
pub(crate) fn scene_error(problems: &Problems, has_lines: bool) -> PyErr {
    if has_lines {
        return SceneError::new_err(problems.to_string());
    }
    let messages = problems.list.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>();
    SceneError::new_err(messages.join("\n"))
}

/// Why a simulation cannot continue.
pub(crate) fn run_error(error: &Failed, has_lines: bool) -> PyErr {
    match error {
        Failed::Scene(problems) => scene_error(problems, has_lines),
        error if error.is_bad_input() => PyValueError::new_err(error.to_string()),
        error => RunError::new_err(error.to_string()),
    }
}

/// A scene: what a simulation consists of.
#[pyclass(frozen, module = "gritstone._core")]
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) scene: scene::Scene,
    /// Whether it was a text whose lines mean something to the user.
    pub(crate) has_lines: bool,
}

#[pymethods]
impl Scene {
    /// Reads a file; other files are searched for beside it.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        let scene = scene::Scene::read(&path).map_err(|problems| scene_error(&problems, true))?;
        Ok(Self { scene, has_lines: true })
    }

    /// Reads a text; other files are searched for in `folder`.
    #[staticmethod]
    fn parse(text: &str, name: &str, folder: PathBuf, has_lines: bool) -> PyResult<Self> {
        let parsed = scene::Scene::parse(text, name);
        let mut scene = parsed.map_err(|problems| scene_error(&problems, has_lines))?;
        scene.folder = folder;
        Ok(Self { scene, has_lines })
    }

    /// Reads plain values, given as JSON.
    #[staticmethod]
    fn from_json(json: &str, folder: PathBuf) -> PyResult<Self> {
        let text = scene::json_to_toml(json).map_err(PyValueError::new_err)?;
        Self::parse(&text, "scene", folder, false)
    }

    /// The same scene with some keys set; values are given as JSON.
    fn assigned(&self, values: Vec<(String, String)>) -> PyResult<Self> {
        let assignment = |(key, json): (String, String)| {
            let value = serde_json::from_str(&json).ok().and_then(|value| scene::to_toml_value(&value));
            let wrong = || PyValueError::new_err(format!("{key} cannot be {json} in a scene"));
            Ok(Assignment { value: value.ok_or_else(wrong)?, key })
        };
        let assignments = values.into_iter().map(assignment).collect::<PyResult<Vec<_>>>()?;
        let scene =
            self.scene.with(&assignments).map_err(|problems| scene_error(&problems, self.has_lines))?;
        Ok(Self { scene, has_lines: self.has_lines })
    }

    /// The text that it was read from.
    #[getter]
    fn text(&self) -> &str {
        &self.scene.source().text
    }

    /// What the text is called in messages.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.source().name
    }

    /// The folder that other files are searched for in.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.scene.folder.clone()
    }

    /// Whether messages name lines.
    #[getter]
    fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The scene as TOML with every default written out.
    fn to_toml(&self) -> String {
        self.scene.to_toml()
    }

    /// Its summary before it runs, in words; raises where something is wrong.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        let report = py.detach(|| self.scene.check());
        report.map(|report| report.to_string()).map_err(|problems| scene_error(&problems, self.has_lines))
    }
}

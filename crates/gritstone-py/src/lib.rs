//! The extension module of the Python package `gritstone`: it forwards and converts, nothing else.
//!
//! What Python users see is in `python/gritstone`; the stubs there (`_core.pyi`) describe this module.

#![allow(clippy::needless_pass_by_value, reason = "Python hands arguments over by value")]
#![allow(clippy::doc_lazy_continuation, reason = "documentation for Python has its examples after >>>")]

mod array;
mod contacts;
mod edit;
mod external;
mod picture;
mod pool;
mod replace;
mod scene;
mod shape;
mod shapes;
mod simulation;
mod state;
mod sweep;
mod trajectory;
mod view;

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the command line `arguments`, whose first is the program's name, and returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| gritstone_cli::run(arguments.into_iter()));
    // An exit code tells its number only by comparison.
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SceneError", module.py().get_type::<scene::SceneError>())?;
    module.add("RunError", module.py().get_type::<scene::RunError>())?;
    module.add("ViewError", module.py().get_type::<view::ViewError>())?;
    shapes::register(module)?;
    module.add_class::<scene::Scene>()?;
    module.add_class::<simulation::Simulation>()?;
    module.add_class::<view::Memory>()?;
    module.add_class::<trajectory::Trajectory>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_class::<sweep::Ledger>()?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(picture::draw, module)?)?;
    module.add_function(wrap_pyfunction!(picture::page, module)?)?;
    module.add_function(wrap_pyfunction!(replace::replace, module)?)?;
    module.add_function(wrap_pyfunction!(contacts::contacts, module)?)?;
    module.add_function(wrap_pyfunction!(contacts::methods, module)?)
}

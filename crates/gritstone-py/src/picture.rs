//! Pictures and pages of runs.

use std::path::PathBuf;

use gritstone::picture::{Album, Coloring, Look, PictureError};
use gritstone::render::View;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The moment of a run nearest to a time, or its last, as PNG.
#[pyfunction]
pub(crate) fn draw<'py>(
    py: Python<'py>,
    folder: PathBuf,
    time: Option<f64>,
    view: &str,
    color: Option<&str>,
    width: u32,
    height: Option<u32>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (view, coloring) = (view_of(view)?, color.map(coloring_of).transpose()?);
    let look = Look { view, coloring, width, ..Look::default() };
    let pool = crate::pool::shared()?;
    let png = py.detach(|| pool.install(|| png(&folder, time, look, height)));
    png.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| {
        if error.is_bad_input() {
            PyValueError::new_err(error.to_string())
        } else {
            PyOSError::new_err(error.to_string())
        }
    })
}

fn png(
    folder: &std::path::Path,
    time: Option<f64>,
    mut look: Look,
    height: Option<u32>,
) -> Result<Vec<u8>, PictureError> {
    let mut album = Album::open(folder)?;
    let last = album.moments().len() - 1;
    let frame = time.map_or(Ok(last), |time| album.frame_at(time))?;
    look.height = match height {
        Some(height) => height,
        None => album.suiting_height(&[frame], &look)?,
    };
    Ok(album.draw(frame, &look)?.to_png()?)
}

fn view_of(name: &str) -> PyResult<View> {
    match name {
        "iso" => Ok(View::Iso),
        "x" => Ok(View::X),
        "y" => Ok(View::Y),
        "z" => Ok(View::Z),
        _ => Err(PyValueError::new_err(format!("view is {name:?}, but must be iso, x, y or z"))),
    }
}

fn coloring_of(name: &str) -> PyResult<Coloring> {
    let known = || Coloring::ALL.map(|(_, name)| name).join(", ");
    let found = Coloring::ALL.iter().find(|(_, of)| *of == name).map(|(coloring, _)| *coloring);
    found.ok_or_else(|| PyValueError::new_err(format!("color is {name:?}, but must be one of {}", known())))
}

/// The viewer's page with every so many frames of a run inside.
#[pyfunction]
pub(crate) fn page(py: Python<'_>, folder: PathBuf, every: u32) -> PyResult<String> {
    py.detach(|| gritstone_cli::page(&folder, every)).map_err(PyOSError::new_err)
}

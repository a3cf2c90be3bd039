//! Contacts on arrays: columns of NumPy in, columns out.

use gritstone::contact::columns::{self, Bodies, ColumnError, Columns};
use gritstone::contact::{Card, Goal, NarrowPhase};
use gritstone::core::{Plane, Pose, Space};
use numpy::{IntoPyArray as _, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::{column, indices, reals, table, text_of, whole};
use crate::shape::{Form, Shape};

fn refused(error: &ColumnError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Solves pairs of bodies; see `gritstone.contacts`, which calls this.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of the Python function")]
pub(crate) fn contacts<'py>(
    py: Python<'py>,
    shapes: Vec<Py<Shape>>,
    positions: &Bound<'py, PyAny>,
    rotations: Option<&Bound<'py, PyAny>>,
    pairs: &Bound<'py, PyAny>,
    shape_indices: Option<&Bound<'py, PyAny>>,
    method: &str,
    detect_only: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let goal = if detect_only { Goal::Detect } else { Goal::Distance };
    match shapes.first().map(|shape| &shape.get().form) {
        None => Err(PyValueError::new_err("shapes is empty, but must have at least one shape")),
        Some(Form::Space(_)) => {
            let shapes = of_one_dimension(&shapes, |form| match form {
                Form::Space(solid) => Some(solid.clone()),
                Form::Plane(_) => None,
            })?;
            let rows = rows_of::<3>(positions, "positions")?;
            let quaternions = match rotations {
                Some(given) => rows_of::<4>(given, "rotations")?,
                None => vec![[1.0, 0.0, 0.0, 0.0]; rows.len()],
            };
            let poses = columns::poses_in_space(&rows, &quaternions).map_err(|error| refused(&error))?;
            solve::<Space>(py, &shapes, &poses, pairs, shape_indices, method, goal)
        }
        Some(Form::Plane(_)) => {
            let shapes = of_one_dimension(&shapes, |form| match form {
                Form::Plane(figure) => Some(figure.clone()),
                Form::Space(_) => None,
            })?;
            let rows = rows_of::<2>(positions, "positions")?;
            let angles = match rotations {
                Some(given) => angles(given, rows.len())?,
                None => vec![0.0; rows.len()],
            };
            let poses = columns::poses_in_plane(&rows, &angles).map_err(|error| refused(&error))?;
            solve::<Plane>(py, &shapes, &poses, pairs, shape_indices, method, goal)
        }
    }
}

fn of_one_dimension<S>(shapes: &[Py<Shape>], pick: impl Fn(&Form) -> Option<S>) -> PyResult<Vec<S>> {
    let mixed =
        || PyTypeError::new_err("shapes holds shapes of the plane and of space, but must hold one sort");
    shapes.iter().map(|shape| pick(&shape.get().form).ok_or_else(mixed)).collect()
}

fn rows_of<const N: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; N]>> {
    let values = table(value, name, N)?;
    Ok(values.as_chunks::<N>().0.to_vec())
}

fn angles(value: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<f64>> {
    let array = reals(value, "rotations")?;
    if array.shape() != [count] {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!(
            "rotations has the shape {shape}, but must have ({count},): angles in the plane"
        )));
    }
    Ok(array.as_slice()?.to_vec())
}

fn solve<'py, D: NarrowPhase>(
    py: Python<'py>,
    shapes: &[D::Shape],
    poses: &[Pose<D>],
    pairs: &Bound<'py, PyAny>,
    shape_indices: Option<&Bound<'py, PyAny>>,
    method: &str,
    goal: Goal,
) -> PyResult<Bound<'py, PyDict>> {
    let of_bodies = indices_of_shapes(shape_indices, shapes.len(), poses.len())?;
    let pairs = read_pairs(pairs)?;
    let method = D::method(method).ok_or_else(|| unknown_method::<D>(method))?;
    let pool = crate::pool::shared()?;
    let solved = py.detach(|| {
        let bodies = Bodies::<D>::new(shapes, &of_bodies, poses)?;
        pool.install(|| columns::solve(&bodies, &pairs, method, goal))
    });
    to_python(py, solved.map_err(|error| refused(&error))?)
}

/// One shape for all, one for each, or as `shape_indices` says.
fn indices_of_shapes(given: Option<&Bound<'_, PyAny>>, shapes: usize, bodies: usize) -> PyResult<Vec<u32>> {
    match given {
        Some(given) => column(given, "shape_indices", bodies)?.into_iter().enumerate().map(index).collect(),
        None if shapes == 1 => Ok(vec![0; bodies]),
        None if shapes == bodies => Ok((0..bodies as u32).collect()),
        None => Err(PyValueError::new_err(format!(
            "there are {shapes} shapes and {bodies} positions: give one shape for all, one for each, or shape_indices"
        ))),
    }
}

fn index((row, value): (usize, i64)) -> PyResult<u32> {
    u32::try_from(value)
        .map_err(|_| PyValueError::new_err(format!("shape_indices[{row}] is {value}, but must be an index")))
}

fn read_pairs(value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 2]>> {
    let array = indices(value, "pairs")?;
    if array.ndim() != 2 || array.shape()[1] != 2 {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!("pairs has the shape {shape}, but must have (n, 2)")));
    }
    let values = array.as_slice()?;
    let row = |(row, pair): (usize, &[i64; 2])| {
        let bad = |_| PyValueError::new_err(format!("pairs[{row}] is {pair:?}, but must be two indices"));
        Ok([u32::try_from(pair[0]).map_err(bad)?, u32::try_from(pair[1]).map_err(bad)?])
    };
    values.as_chunks::<2>().0.iter().enumerate().map(row).collect()
}

fn unknown_method<D: NarrowPhase>(name: &str) -> PyErr {
    let known = D::methods().iter().map(|method| method.card().name).collect::<Vec<_>>().join(", ");
    PyValueError::new_err(format!("there is no method {name:?} for these shapes; there are {known}"))
}

/// Columns become arrays without a copy.
fn to_python(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let (count, width) = (columns.len(), columns.dimension);
    let dict = PyDict::new(py);
    for (name, column) in [("gap", columns.gap), ("lower", columns.lower), ("upper", columns.upper)] {
        dict.set_item(name, column.into_pyarray(py))?;
    }
    let vectors = [("normal", columns.normal), ("point_a", columns.point_a), ("point_b", columns.point_b)];
    for (name, column) in vectors {
        dict.set_item(name, column.into_pyarray(py).reshape([count, width])?)?;
    }
    let verdict: Vec<u8> = columns.outcome.iter().map(|outcome| *outcome as u8).collect();
    dict.set_item("verdict", verdict.into_pyarray(py))?;
    dict.set_item("iterations", columns.iterations.into_pyarray(py))?;
    dict.set_item("certified", columns.certified.into_pyarray(py))?;
    let refusal = columns.first_refusal.map(|(pair, why)| format!("pair {pair}: {why}"));
    dict.set_item("refusal", refusal)?;
    Ok(dict)
}

/// Name, source, shapes and guarantee of every contact method of a dimension.
#[pyfunction]
pub(crate) fn methods(#[pyo3(from_py_with = dimension)] dimension: u32) -> PyResult<Vec<[&'static str; 4]>> {
    let row = |card: Card| [card.name, card.source, card.shapes, card.guarantee];
    Ok(match dimension {
        2 => Plane::methods().iter().map(|method| row(method.card())).collect(),
        _ => Space::methods().iter().map(|method| row(method.card())).collect(),
    })
}

fn dimension(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole(value, "dimension", 2..=3)
}

//! Arrays of NumPy in and out: what is taken, what is refused, and in which words.

use std::ops::RangeInclusive;

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDescrMethods as _, PyArrayMethods as _, PyReadonlyArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods as _, ToPyArray as _,
};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Anything that NumPy takes for an array of real numbers, as `f64`; nothing is copied where it is one already.
pub(crate) fn reals<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    let array = as_array(value, name, b"iuf", "real numbers", "float64")?;
    array.extract().map_err(|_| PyTypeError::new_err(format!("{name} cannot be read as an array of numbers")))
}

/// The same for whole numbers.
pub(crate) fn indices<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let array = as_array(value, name, b"iu", "integers", "int64")?;
    array
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{name} cannot be read as an array of integers")))
}

fn as_array<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    kinds: &[u8],
    what: &str,
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    refuse_masked(value, name)?;
    let numpy = py.import("numpy")?;
    let given = numpy.call_method1("asarray", (value,)).map_err(|error| {
        // What else an object's own conversion raises is no word about its type.
        if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py) {
            PyTypeError::new_err(format!("{name} is no array of {what}: {}", error.value(py)))
        } else {
            error
        }
    })?;
    let kind = given.cast::<PyUntypedArray>()?.dtype().kind();
    let empty = given.cast::<PyUntypedArray>()?.is_empty();
    if !kinds.contains(&kind) && !empty {
        let dtype = given.getattr("dtype")?;
        return Err(PyTypeError::new_err(format!("{name} has the dtype {dtype}, but must hold {what}")));
    }
    let options = PyDict::new(py);
    options.set_item("dtype", dtype)?;
    numpy.call_method("ascontiguousarray", (given,), Some(&options))
}

/// An array of `numpy.ma` would be taken with the numbers that its mask hides.
fn refuse_masked(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let masked = value.get_type().name()? == "MaskedArray"
        && value.getattr("mask")?.call_method0("any")?.is_truthy()?;
    if masked {
        return Err(PyValueError::new_err(format!(
            "{name} has masked entries, but must have all its numbers"
        )));
    }
    Ok(())
}

/// A whole number of a range.
pub(crate) fn whole(value: &Bound<'_, PyAny>, name: &str, range: RangeInclusive<u32>) -> PyResult<u32> {
    match value.extract::<u32>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => {
            let class = value.get_type().name()?;
            Err(PyTypeError::new_err(format!("{name} must be a whole number, not a {class}")))
        }
        _ => {
            let (least, most) = range.into_inner();
            Err(PyValueError::new_err(format!("{name} is {value}, but must lie in [{least}, {most}]")))
        }
    }
}

/// "(5, 3)", as NumPy writes shapes.
pub(crate) fn text_of(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Refuses numbers that are not finite, and says where the first is.
pub(crate) fn check_finite(values: &[f64], columns: usize, name: &str) -> PyResult<()> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let place =
                if columns > 1 { format!("{}, {}", at / columns, at % columns) } else { at.to_string() };
            Err(PyValueError::new_err(format!("{name}[{place}] is {}, but must be finite", values[at])))
        }
    }
}

/// An array with so many columns, row by row.
pub(crate) fn table(value: &Bound<'_, PyAny>, name: &str, columns: usize) -> PyResult<Vec<f64>> {
    let array = reals(value, name)?;
    if array.ndim() != 2 || array.shape()[1] != columns {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!(
            "{name} has the shape {shape}, but must have (n, {columns})"
        )));
    }
    let values = array.as_slice()?.to_vec();
    check_finite(&values, columns, name)?;
    Ok(values)
}

/// One vector or an array of them, row by row, and whether it is one.
pub(crate) fn vectors(value: &Bound<'_, PyAny>, name: &str, columns: usize) -> PyResult<(Vec<f64>, bool)> {
    let array = reals(value, name)?;
    if !matches!(array.shape(), [n] | [_, n] if *n == columns) {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!(
            "{name} has the shape {shape}, but must have ({columns},) or (n, {columns})"
        )));
    }
    let values = array.as_slice()?.to_vec();
    check_finite(&values, columns, name)?;
    Ok((values, array.ndim() == 1))
}

/// A vector of known length.
pub(crate) fn vector<const N: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; N]> {
    let array = reals(value, name)?;
    if array.shape() != [N] {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!("{name} has the shape {shape}, but must have ({N},)")));
    }
    let values = array.as_slice()?;
    Ok(std::array::from_fn(|i| values[i]))
}

/// A column of known length: a number for each of `count` things.
pub(crate) fn column(value: &Bound<'_, PyAny>, name: &str, count: usize) -> PyResult<Vec<i64>> {
    let array = indices(value, name)?;
    if array.shape() != [count] {
        let shape = text_of(array.shape());
        return Err(PyValueError::new_err(format!("{name} has the shape {shape}, but must have ({count},)")));
    }
    Ok(array.as_slice()?.to_vec())
}

/// Rows as an array of two axes.
pub(crate) fn rows<'py, T: Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: &[[T; N]],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    PyArray1::from_slice(py, rows.as_flattened()).reshape([rows.len(), N])
}

/// Numbers as one vector or as rows of so many.
pub(crate) fn shaped(
    py: Python<'_>,
    values: Vec<f64>,
    columns: usize,
    single: bool,
) -> PyResult<Bound<'_, PyAny>> {
    let flat = values.to_pyarray(py);
    Ok(if single { flat.into_any() } else { flat.reshape([values.len() / columns, columns])?.into_any() })
}

//! Shapes as classes of Python: `Sphere(radius)`, `Superellipsoid(radii, exponents=…)` and the rest of the table.

use gritstone::core::{Mesh, Outline};
use gritstone::prelude::*;
use gritstone::shape::Trace as _;
use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::array::{rows, shaped, vectors, whole};

/// Vertices and faces of a mesh.
type MeshArrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<u32>>);

/// A shape of either dimension.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    Plane(Figure),
    Space(Solid),
}

/// What a parameter of a shape is.
#[derive(Clone, Debug)]
pub(crate) enum Parameter {
    Number(f64),
    Numbers(Vec<f64>),
    Points(Vec<Vec<f64>>),
}

impl Parameter {
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::Number(x) => x.into_pyobject(py)?.into_any(),
            Self::Numbers(x) => PyTuple::new(py, x)?.into_any(),
            Self::Points(x) => {
                let rows = x.iter().map(|row| PyTuple::new(py, row)).collect::<PyResult<Vec<_>>>()?;
                PyTuple::new(py, rows)?.into_any()
            }
        })
    }
}

/// A convex shape in its own frame: the base of all shapes.
#[pyclass(subclass, frozen, module = "gritstone")]
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) form: Form,
    /// By the names that scenes and JSON have for them.
    parameters: Vec<(&'static str, Parameter)>,
    /// Where the shape's own origin lies in the coordinates it was given in.
    origin: Vec<f64>,
}

fn refused(error: ShapeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// How fine a surface is to be.
fn detail(value: &Bound<'_, PyAny>) -> PyResult<u32> {
    whole(value, "detail", 1..=256)
}

impl Shape {
    pub(crate) fn solid(
        shape: Result<impl Into<Solid>, ShapeError>,
        parameters: Vec<(&'static str, Parameter)>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Self::solid_at(shape.map(|shape| (shape, DVec3::ZERO)), parameters)
    }

    pub(crate) fn solid_at(
        shape: Result<(impl Into<Solid>, DVec3), ShapeError>,
        parameters: Vec<(&'static str, Parameter)>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let (shape, origin) = shape.map_err(refused)?;
        let origin = origin.to_array().to_vec();
        Ok(PyClassInitializer::from(Self { form: Form::Space(shape.into()), parameters, origin }))
    }

    pub(crate) fn figure_at(
        shape: Result<(impl Into<Figure>, DVec2), ShapeError>,
        parameters: Vec<(&'static str, Parameter)>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let (shape, origin) = shape.map_err(refused)?;
        let origin = origin.to_array().to_vec();
        Ok(PyClassInitializer::from(Self { form: Form::Plane(shape.into()), parameters, origin }))
    }

    pub(crate) fn figure(
        shape: Result<impl Into<Figure>, ShapeError>,
        parameters: Vec<(&'static str, Parameter)>,
    ) -> PyResult<PyClassInitializer<Self>> {
        Self::figure_at(shape.map(|shape| (shape, DVec2::ZERO)), parameters)
    }

    fn word(&self) -> &'static str {
        match &self.form {
            Form::Plane(figure) => figure.word(),
            Form::Space(solid) => solid.word(),
        }
    }

    fn no_volume(&self) -> PyErr {
        PyTypeError::new_err(format!("a {} has no volume", self.word()))
    }
}

#[pymethods]
impl Shape {
    /// 2 for shapes in the plane, 3 for shapes in space.
    #[getter]
    fn dimension(&self) -> usize {
        match self.form {
            Form::Plane(_) => 2,
            Form::Space(_) => 3,
        }
    }

    /// The shape's name in scenes and in JSON.
    #[getter]
    fn kind(&self) -> &'static str {
        self.word()
    }

    /// Volume (m³), in the plane area (m²).
    #[getter]
    fn volume(&self) -> PyResult<f64> {
        match &self.form {
            Form::Plane(figure) if figure.size().is_finite() => Ok(figure.mass().volume),
            Form::Space(solid) => solid.body().map(|body| body.mass().volume).ok_or_else(|| self.no_volume()),
            Form::Plane(_) => Err(self.no_volume()),
        }
    }

    /// Inertia tensor about the centre of mass for density one (m⁵); in the plane the polar moment (m⁴).
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.form {
            Form::Plane(figure) if figure.size().is_finite() => {
                Ok(figure.mass().inertia().into_pyobject(py)?.into_any())
            }
            Form::Space(solid) => {
                let s = solid.body().ok_or_else(|| self.no_volume())?.mass().inertia();
                let tensor = [[s.xx, s.xy, s.xz], [s.xy, s.yy, s.yz], [s.xz, s.yz, s.zz]];
                Ok(rows(py, &tensor)?.into_any())
            }
            Form::Plane(_) => Err(self.no_volume()),
        }
    }

    /// Radius of the smallest ball about the shape's origin that holds it (m).
    #[getter]
    fn size(&self) -> f64 {
        match &self.form {
            Form::Plane(figure) => figure.size(),
            Form::Space(solid) => solid.size(),
        }
    }

    /// Where the shape's own origin lies in the coordinates it was given in: the centroid of vertices, zero for others.
    #[getter]
    fn origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.origin.clone().into_pyarray(py)
    }

    /// The parameters by name, as scenes and JSON have them.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in &self.parameters {
            dict.set_item(name, value.to_python(py)?)?;
        }
        Ok(dict)
    }

    /// The farthest points of the shape along directions.
    ///
    /// Parameters
    /// ----------
    /// directions : array_like, (d,) or (n, d)
    ///     Directions of any length but zero.
    ///
    /// Returns
    /// -------
    /// ndarray, as `directions`
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Sphere(2).support([[1, 0, 0], [0, -3, 0]])
    /// array([[ 2.,  0.,  0.],
    ///        [ 0., -2.,  0.]])
    fn support<'py>(&self, py: Python<'py>, directions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (directions, single) = vectors(directions, "directions", self.dimension())?;
        if directions.chunks_exact(self.dimension()).any(|row| row.iter().all(|x| *x == 0.0)) {
            return Err(PyValueError::new_err("directions has a row of zeros, but must have a direction"));
        }
        if self.size().is_infinite() {
            return Err(PyTypeError::new_err(format!("a {} has no end", self.word())));
        }
        let points = match &self.form {
            Form::Plane(figure) => {
                let point = |n: &[f64]| figure.support(DVec2::from_slice(n)).to_array().to_vec();
                directions.chunks_exact(2).flat_map(point).collect()
            }
            Form::Space(solid) => {
                let point = |n: &[f64]| solid.support(DVec3::from_slice(n)).to_array().to_vec();
                directions.chunks_exact(3).flat_map(point).collect::<Vec<_>>()
            }
        };
        shaped(py, points, self.dimension(), single)
    }

    /// The surface as triangles that run counter-clockwise seen from outside; in the plane as the sides of a closed polygon.
    ///
    /// Parameters
    /// ----------
    /// detail : int
    ///     How fine round surfaces are, in [1, 256]; shapes with flat faces have their own.
    ///
    /// Returns
    /// -------
    /// vertices : ndarray of float64, (n, d)
    ///     Points of the surface.
    /// faces : ndarray of uint32, (m, d)
    ///     Indices of the corners of each triangle, or of the ends of each side.
    ///
    /// Examples
    /// --------
    /// >>> vertices, faces = gritstone.Triangle([[0, 0, 0], [1, 0, 0], [0, 1, 0]]).mesh()
    /// >>> vertices.shape[1], faces.shape[1]
    /// (3, 3)
    #[pyo3(signature = (detail = 8))]
    fn mesh<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = detail)] detail: u32,
    ) -> PyResult<MeshArrays<'py>> {
        match &self.form {
            Form::Plane(figure) => {
                let Outline { positions, .. } = figure.outline(detail);
                if positions.is_empty() {
                    return Err(PyTypeError::new_err(format!("a {} has no end", self.word())));
                }
                let vertices: Vec<_> = positions.iter().map(DVec2::to_array).collect();
                let count = vertices.len() as u32;
                let sides: Vec<_> = (0..count).map(|i| [i, (i + 1) % count]).collect();
                Ok((rows(py, &vertices)?, rows(py, &sides)?))
            }
            Form::Space(solid) => {
                let surface = solid
                    .surface()
                    .ok_or_else(|| PyTypeError::new_err(format!("a {} has no end", self.word())))?;
                let Mesh { positions, triangles, .. } = surface.tessellate(detail);
                let vertices: Vec<_> = positions.iter().map(DVec3::to_array).collect();
                Ok((rows(py, &vertices)?, rows(py, &triangles)?))
            }
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.form == other.form && self.origin == other.origin
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash as _, Hasher as _};
        let mut hasher = DefaultHasher::new();
        (self.word(), self.size().to_bits()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get_type().name()?;
        let arguments = slf
            .get()
            .parameters
            .iter()
            .map(|(key, value)| Ok(format!("{key}={}", value.to_python(slf.py())?.repr()?)));
        Ok(format!("{name}({})", arguments.collect::<PyResult<Vec<_>>>()?.join(", ")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, shape) = (slf.py(), slf.get());
        let make = py.import("gritstone")?.getattr("_shape_of")?;
        let arguments = (slf.get_type().name()?, shape.parameters(py)?).into_pyobject(py)?;
        PyTuple::new(py, [make, arguments.into_any()])
    }
}

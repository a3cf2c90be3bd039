//! The classes of shapes, one line each.

use gritstone::glam::{DVec2, DVec3};
use gritstone::shape::{ShapeError, plane, space};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::array::{table, vector};
use crate::shape::{Parameter, Shape};

type Points3 = Vec<[f64; 3]>;
type Points2 = Vec<[f64; 2]>;

/// A parameter as Python gives it.
trait Given: Sized + Into<Parameter> + Clone {
    fn read(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self>;
}

impl Given for f64 {
    fn read(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        value.extract().map_err(|_| PyTypeError::new_err(format!("{name} must be a number")))
    }
}

impl<const N: usize> Given for [f64; N] {
    fn read(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        vector(value, name)
    }
}

impl<const N: usize> Given for Vec<[f64; N]> {
    fn read(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Ok(table(value, name, N)?.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])).collect())
    }
}

impl From<f64> for Parameter {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl<const N: usize> From<[f64; N]> for Parameter {
    fn from(numbers: [f64; N]) -> Self {
        Self::Numbers(numbers.to_vec())
    }
}

impl<const N: usize> From<Vec<[f64; N]>> for Parameter {
    fn from(points: Vec<[f64; N]>) -> Self {
        Self::Points(points.into_iter().map(|point| point.to_vec()).collect())
    }
}

/// A class for each shape: its parameters, which dimension it is of, and how it is made of them.
macro_rules! shapes {
    ($($(#[doc = $doc:literal])+ $name:ident($($parameter:ident: $type:ty),+) => $base:ident, $make:expr;)*) => {
        $(
            $(#[doc = $doc])+
            #[pyclass(extends = Shape, frozen, module = "gritstone")]
            #[derive(Debug)]
            pub(crate) struct $name;

            #[pymethods]
            impl $name {
                #[new]
                fn new($($parameter: &Bound<'_, PyAny>),+) -> PyResult<PyClassInitializer<Self>> {
                    $(let $parameter = <$type as Given>::read($parameter, stringify!($parameter))?;)+
                    let parameters = vec![$((stringify!($parameter), Parameter::from($parameter.clone()))),+];
                    #[allow(clippy::redundant_closure_call, reason = "the line of the table is the closure")]
                    let made = ($make)($($parameter),+);
                    Ok(Shape::$base(made, parameters)?.add_subclass(Self))
                }
            }
        )*

        /// Adds all of them to a module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            module.add_class::<Shape>()?;
            module.add_class::<Superellipsoid>()?;
            $(module.add_class::<$name>()?;)*
            Ok(())
        }
    };
}

#[rustfmt::skip]
shapes! {
    /// A ball.
    Sphere(radius: f64) => solid, space::Sphere::new;
    /// An ellipsoid.
    Ellipsoid(radii: [f64; 3]) => solid, |radii| space::Ellipsoid::new(DVec3::from_array(radii));
    /// A superquadric with three exponents, `|x/a|^n1 + |y/b|^n2 + |z/c|^n3 = 1`.
    Superquadric(semi_axes: [f64; 3], blockiness: [f64; 3]) => solid,
        |semi_axes, blockiness| space::Superquadric::new(DVec3::from_array(semi_axes), blockiness);
    /// The convex hull of points; its own origin is its centre of mass.
    Polyhedron(vertices: Points3) => solid_at, hull3;
    /// A cylinder along z.
    Cylinder(radius: f64, half_height: f64) => solid, space::Cylinder::new;
    /// A cylinder along z with half balls at its ends.
    Capsule(radius: f64, half_height: f64) => solid, space::Capsule::new;
    /// A triangle without thickness; its own origin is its centroid.
    Triangle(vertices: Points3) => solid_at, triangle;
    /// All points x with normal·x ≤ offset.
    HalfSpace(normal: [f64; 3], offset: f64) => solid,
        |normal, offset| space::HalfSpace::new(DVec3::from_array(normal), offset);
    /// A disc in the plane.
    Circle(radius: f64) => figure, plane::Circle::new;
    /// An ellipse in the plane.
    Ellipse(semi_axes: [f64; 2]) => figure, |semi_axes| plane::Ellipse::new(DVec2::from_array(semi_axes));
    /// A superellipse in the plane, `|x/a|^n + |y/b|^n = 1`.
    Superellipse(semi_axes: [f64; 2], blockiness: f64) => figure,
        |semi_axes, blockiness| plane::Superellipse::new(DVec2::from_array(semi_axes), blockiness);
    /// The convex hull of points in the plane; its own origin is its centre of mass.
    Polygon(vertices: Points2) => figure_at, hull2;
    /// A segment of a line in the plane; its own origin is its middle.
    Segment(vertices: Points2) => figure_at, segment;
    /// All points x of the plane with normal·x ≤ offset.
    HalfPlane(normal: [f64; 2], offset: f64) => figure,
        |normal, offset| plane::HalfPlane::new(DVec2::from_array(normal), offset);
}

fn hull3(points: Points3) -> Result<(space::Polyhedron, DVec3), ShapeError> {
    space::Polyhedron::hull(&points.into_iter().map(DVec3::from_array).collect::<Vec<_>>())
}

fn hull2(points: Points2) -> Result<(plane::Polygon, DVec2), ShapeError> {
    plane::Polygon::hull(&points.into_iter().map(DVec2::from_array).collect::<Vec<_>>())
}

fn triangle(points: Points3) -> Result<(space::Triangle, DVec3), ShapeError> {
    let count = points.len();
    let corners = <[[f64; 3]; 3]>::try_from(points).map_err(|_| ShapeError::TooFew { count, needed: 3 })?;
    space::Triangle::new(corners.map(DVec3::from_array))
}

fn segment(points: Points2) -> Result<(plane::Segment, DVec2), ShapeError> {
    let count = points.len();
    let ends = <[[f64; 2]; 2]>::try_from(points).map_err(|_| ShapeError::TooFew { count, needed: 2 })?;
    plane::Segment::between(ends.map(DVec2::from_array))
}

/// A superellipsoid: exponents ε1 (x–y section) and ε2 (along z), or blockiness (2/ε2, 2/ε1).
#[pyclass(extends = Shape, frozen, module = "gritstone")]
#[derive(Debug)]
pub(crate) struct Superellipsoid;

#[pymethods]
impl Superellipsoid {
    #[new]
    #[pyo3(signature = (radii, exponents = None, *, blockiness = None))]
    fn new(
        radii: &Bound<'_, PyAny>,
        exponents: Option<&Bound<'_, PyAny>>,
        blockiness: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let radii = vector::<3>(radii, "radii")?;
        let (made, name, numbers) = match (exponents, blockiness) {
            (Some(exponents), None) => {
                let numbers = vector::<2>(exponents, "exponents")?;
                (space::Superellipsoid::new(DVec3::from_array(radii), numbers), "exponents", numbers)
            }
            (None, Some(blockiness)) => {
                let numbers = vector::<2>(blockiness, "blockiness")?;
                (
                    space::Superellipsoid::with_blockiness(DVec3::from_array(radii), numbers),
                    "blockiness",
                    numbers,
                )
            }
            _ => return Err(PyValueError::new_err("give exponents or blockiness, one of the two")),
        };
        Ok(Shape::solid(made, vec![("radii", radii.into()), (name, numbers.into())])?.add_subclass(Self))
    }
}

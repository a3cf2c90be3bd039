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
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     Its radius (m).
    ///
    /// Examples
    /// --------
    /// >>> round(gritstone.Sphere(0.5).volume, 6)
    /// 0.523599
    Sphere(radius: f64) => solid, space::Sphere::new;
    /// An ellipsoid.
    ///
    /// Parameters
    /// ----------
    /// radii : array_like, (3,)
    ///     Its half axes along x, y and z (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Ellipsoid((1, 2, 3)).support((0, 0, 1))
    /// array([0., 0., 3.])
    Ellipsoid(radii: [f64; 3]) => solid, |radii| space::Ellipsoid::new(DVec3::from_array(radii));
    /// A superquadric with three exponents, `|x/a|^n1 + |y/b|^n2 + |z/c|^n3 = 1`.
    ///
    /// Parameters
    /// ----------
    /// semi_axes : array_like, (3,)
    ///     a, b and c (m).
    /// blockiness : array_like, (3,)
    ///     The exponents, more than 1.
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Superquadric((1, 2, 3), (2, 2, 4)).kind
    /// 'superquadric'
    Superquadric(semi_axes: [f64; 3], blockiness: [f64; 3]) => solid,
        |semi_axes, blockiness| space::Superquadric::new(DVec3::from_array(semi_axes), blockiness);
    /// The convex hull of points; its own origin is its centre of mass.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, (n, 3)
    ///     The points (m), in any order; `origin` tells where the centre of mass is among them.
    ///
    /// Examples
    /// --------
    /// >>> cube = gritstone.Polyhedron([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    /// >>> round(cube.volume, 12), cube.origin
    /// (1.0, array([0.5, 0.5, 0.5]))
    Polyhedron(vertices: Points3) => solid_at, hull3;
    /// A cylinder along z.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     Its radius (m).
    /// half_height : float
    ///     Half of its height (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Cylinder(radius=1, half_height=2).parameters
    /// {'radius': 1.0, 'half_height': 2.0}
    Cylinder(radius: f64, half_height: f64) => solid, space::Cylinder::new;
    /// A cylinder along z with half balls at its ends.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     Radius of the cylinder and of the balls (m).
    /// half_height : float
    ///     Half of the distance of the balls' centres (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Capsule(radius=1, half_height=2).size
    /// 3.0
    Capsule(radius: f64, half_height: f64) => solid, space::Capsule::new;
    /// A triangle without thickness; its own origin is its centroid.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, (3, 3)
    ///     Its corners (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Triangle([[0, 0, 0], [3, 0, 0], [0, 3, 0]]).origin
    /// array([1., 1., 0.])
    Triangle(vertices: Points3) => solid_at, triangle;
    /// All points x with normal·x ≤ offset.
    ///
    /// Parameters
    /// ----------
    /// normal : array_like, (3,)
    ///     The direction out of the half-space, of any length but zero.
    /// offset : float
    ///     The distance of its side from the origin (m).
    ///
    /// Examples
    /// --------
    /// >>> floor = gritstone.HalfSpace((0, 0, 1), 0)
    /// >>> round(gritstone.distance(floor, gritstone.Sphere(1), position_b=(0, 0, 3)).gap, 12)
    /// 2.0
    HalfSpace(normal: [f64; 3], offset: f64) => solid,
        |normal, offset| space::HalfSpace::new(DVec3::from_array(normal), offset);
    /// A disc in the plane.
    ///
    /// Parameters
    /// ----------
    /// radius : float
    ///     Its radius (m).
    ///
    /// Examples
    /// --------
    /// >>> round(gritstone.Circle(1).volume, 6)
    /// 3.141593
    Circle(radius: f64) => figure, plane::Circle::new;
    /// An ellipse in the plane.
    ///
    /// Parameters
    /// ----------
    /// semi_axes : array_like, (2,)
    ///     Its half axes along x and y (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Ellipse((2, 1)).support((1, 0))
    /// array([2., 0.])
    Ellipse(semi_axes: [f64; 2]) => figure, |semi_axes| plane::Ellipse::new(DVec2::from_array(semi_axes));
    /// A superellipse in the plane, `|x/a|^n + |y/b|^n = 1`.
    ///
    /// Parameters
    /// ----------
    /// semi_axes : array_like, (2,)
    ///     a and b (m).
    /// blockiness : float
    ///     The exponent n, more than 1.
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Superellipse((2, 1), 4).dimension
    /// 2
    Superellipse(semi_axes: [f64; 2], blockiness: f64) => figure,
        |semi_axes, blockiness| plane::Superellipse::new(DVec2::from_array(semi_axes), blockiness);
    /// The convex hull of points in the plane; its own origin is its centre of mass.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, (n, 2)
    ///     The points (m), in any order.
    ///
    /// Examples
    /// --------
    /// >>> round(gritstone.Polygon([[0, 0], [1, 0], [0, 1]]).volume, 12)
    /// 0.5
    Polygon(vertices: Points2) => figure_at, hull2;
    /// A segment of a line in the plane; its own origin is its middle.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, (2, 2)
    ///     Its ends (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.Segment([[0, 0], [2, 0]]).origin
    /// array([1., 0.])
    Segment(vertices: Points2) => figure_at, segment;
    /// All points x of the plane with normal·x ≤ offset.
    ///
    /// Parameters
    /// ----------
    /// normal : array_like, (2,)
    ///     The direction out of the half-plane, of any length but zero.
    /// offset : float
    ///     The distance of its side from the origin (m).
    ///
    /// Examples
    /// --------
    /// >>> gritstone.HalfPlane((0, 1), 0).kind
    /// 'half-plane'
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

/// A superellipsoid, by exponents or by blockiness.
///
/// Parameters
/// ----------
/// radii : array_like, (3,)
///     Its half axes along x, y and z (m).
/// exponents : array_like, (2,), optional
///     ε1 (x–y section) and ε2 (along z), each in (0, 2): 1 is an ellipsoid, 0 a box, 2 an octahedron.
/// blockiness : array_like, (2,), optional
///     The same as (2/ε2, 2/ε1); one of the two is needed.
///
/// Examples
/// --------
/// >>> one = gritstone.Superellipsoid((1, 2, 3), (0.5, 0.8))
/// >>> one == gritstone.Superellipsoid((1, 2, 3), blockiness=(2 / 0.8, 2 / 0.5))
/// True
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

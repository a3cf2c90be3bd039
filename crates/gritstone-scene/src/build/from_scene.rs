//! What differs between the plane and space.

use std::path::Path;

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::Dimension;
pub(crate) use gritstone_engine::RandomStream;
use gritstone_io::FileError;
use gritstone_io::dump::{Dump, Which, read_dump};
use gritstone_io::states::{State, Tabular};
use gritstone_shape::ShapeError;
use gritstone_shape::plane::{Circle, Conic, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
    Triangle,
};

use super::shapes::{BuiltShape, InvalidShape};
use crate::schema::{Orientation, Shape, Spin};

/// Grains of a dump with their types, or why there are none.
type Dumped<D> = Result<Vec<(State<D>, Option<u32>)>, FileError>;

/// A dimension that scenes can have.
pub(crate) trait FromScene: Dimension + Tabular {
    /// A shape, and where it is if nobody puts it anywhere else.
    fn make(shape: &Shape) -> Result<BuiltShape<Self>, InvalidShape>;

    /// Everything behind a plane or line, whose normal points out of it.
    fn half_space(normal: Self::Vec, offset: f64) -> Result<Self::Shape, ShapeError>;

    /// A ball or disc about the origin.
    fn ball(radius: f64) -> Result<Self::Shape, ShapeError>;

    /// Area of the largest flat face of a body, in the plane length of the longest side; zero where it is round everywhere.
    fn largest_face(shape: &Self::Shape, crown: f64) -> f64;

    /// The grains of a dump with their types; none where dumps have no such grains.
    fn dump(path: &Path, which: Which) -> Option<Dumped<Self>>;

    /// The orientation of a body.
    fn rotation_from(orientation: Orientation, random: &mut RandomStream) -> Self::Rotation;

    /// Moments of inertia: three numbers in space, one in the plane.
    fn moments(si: &[f64]) -> Self::Spin;

    /// How fast it turns.
    fn angular_velocity(spin: &Spin) -> Self::Spin;
}

impl FromScene for Space {
    fn make(shape: &Shape) -> Result<BuiltShape<Self>, InvalidShape> {
        let vector = |si: &[f64; 3], scale: f64| DVec3::from(*si) * scale;
        BuiltShape::centred(match shape {
            Shape::Sphere(s) => Sphere::new(s.radius.si * s.scale.si).map(Solid::from),
            Shape::Ellipsoid(s) => Ellipsoid::new(vector(&s.radii.si, s.scale.si)).map(Solid::from),
            Shape::Superellipsoid(s) => {
                let radii = vector(&s.radii.si, s.scale.si);
                match (&s.exponents, &s.blockiness) {
                    (Some(exponents), None) => Superellipsoid::new(radii, exponents.si).map(Solid::from),
                    (None, Some(n)) => Superellipsoid::with_blockiness(radii, n.si).map(Solid::from),
                    _ => return Err(InvalidShape::OneOf("exponents", "blockiness")),
                }
            }
            Shape::Superquadric(s) => {
                Superquadric::new(vector(&s.semi_axes.si, s.scale.si), s.blockiness.si).map(Solid::from)
            }
            Shape::Cylinder(s) => {
                Cylinder::new(s.radius.si * s.scale.si, s.half_height.si * s.scale.si).map(Solid::from)
            }
            Shape::Capsule(s) => {
                Capsule::new(s.radius.si * s.scale.si, s.half_height.si * s.scale.si).map(Solid::from)
            }
            Shape::HalfSpace(s) => HalfSpace::new(s.normal.si.into(), s.offset.si).map(Solid::from),
            Shape::Polyhedron(s) => {
                let points: Vec<_> = s.vertices.iter().map(|point| vector(&point.si, s.scale.si)).collect();
                return BuiltShape::moved(
                    Polyhedron::hull(&points).map(|(hull, centre)| (hull.into(), Pose::at(centre))),
                );
            }
            Shape::Triangle(s) => {
                let points: Vec<_> = s.vertices.iter().map(|point| vector(&point.si, s.scale.si)).collect();
                let corners =
                    <[DVec3; 3]>::try_from(points).map_err(|points| InvalidShape::Points(points.len(), 3))?;
                return BuiltShape::moved(
                    Triangle::new(corners).map(|(shape, centre)| (shape.into(), Pose::at(centre))),
                );
            }
            // Rocks are expanded before anything is built; without their files a ball stands for them.
            Shape::Mesh(_) => Sphere::new(1.0).map(Solid::from),
            Shape::Circle(_)
            | Shape::Ellipse(_)
            | Shape::Superellipse(_)
            | Shape::Conic(_)
            | Shape::Polygon(_)
            | Shape::Segment(_)
            | Shape::HalfPlane(_)
            // Built from their parts, elsewhere.
            | Shape::Compound(_) => {
                return Err(InvalidShape::Dimension("the plane, but the scene is in space (dimension = 3)"));
            }
        })
    }

    fn half_space(normal: DVec3, offset: f64) -> Result<Solid, ShapeError> {
        HalfSpace::new(normal, offset).map(Solid::from)
    }

    fn ball(radius: f64) -> Result<Solid, ShapeError> {
        Sphere::new(radius).map(Solid::from)
    }

    fn largest_face(shape: &Solid, crown: f64) -> f64 {
        let is_crowned = crown > 0.0 && matches!(shape, Solid::Cylinder(_));
        if is_crowned { 0.0 } else { shape.largest_face() }
    }

    fn dump(path: &Path, which: Which) -> Option<Dumped<Self>> {
        let pairs = |dump: Dump| dump.grains.into_iter().map(|grain| (grain.state, grain.kind)).collect();
        Some(read_dump(path, which).map(pairs))
    }

    fn rotation_from(orientation: Orientation, random: &mut RandomStream) -> DQuat {
        match orientation {
            Orientation::Random => random.rotation(),
            Orientation::Quaternion(q) => {
                let largest = q.si.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
                let [w, x, y, z] = q.si.map(|x| x / largest);
                DQuat::from_xyzw(x, y, z, w).normalize()
            }
            Orientation::Angle(angle) => gritstone_core::angle::about(DVec3::Z, angle.si),
        }
    }

    fn moments(si: &[f64]) -> DVec3 {
        DVec3::from_slice(si)
    }

    fn angular_velocity(spin: &Spin) -> DVec3 {
        spin.space()
    }
}

impl FromScene for Plane {
    fn make(shape: &Shape) -> Result<BuiltShape<Self>, InvalidShape> {
        let vector = |si: &[f64; 2], scale: f64| DVec2::from(*si) * scale;
        BuiltShape::centred(match shape {
            Shape::Circle(s) => Circle::new(s.radius.si * s.scale.si).map(Figure::from),
            Shape::Ellipse(s) => Ellipse::new(vector(&s.semi_axes.si, s.scale.si)).map(Figure::from),
            Shape::Superellipse(s) => {
                Superellipse::new(vector(&s.semi_axes.si, s.scale.si), s.blockiness.si).map(Figure::from)
            }
            Shape::HalfPlane(s) => HalfPlane::new(s.normal.si.into(), s.offset.si).map(Figure::from),
            Shape::Conic(s) => {
                // In coordinates u = s·x the quadratic terms get 1/s², the linear ones 1/s.
                let (k, [a, b, c, d, e, f]) = (1.0 / s.scale.si, s.coefficients.si);
                let conic = Conic { coefficients: [a * k * k, b * k * k, c * k * k, d * k, e * k, f] };
                return BuiltShape::moved(conic.to_ellipse().map(|(shape, pose)| (shape.into(), pose)));
            }
            Shape::Polygon(s) => {
                let points: Vec<_> = s.vertices.iter().map(|point| vector(&point.si, s.scale.si)).collect();
                return BuiltShape::moved(
                    Polygon::hull(&points).map(|(hull, centre)| (hull.into(), Pose::at(centre))),
                );
            }
            Shape::Segment(s) => {
                let points: Vec<_> = s.vertices.iter().map(|point| vector(&point.si, s.scale.si)).collect();
                let ends =
                    <[DVec2; 2]>::try_from(points).map_err(|points| InvalidShape::Points(points.len(), 2))?;
                return BuiltShape::moved(
                    Segment::between(ends).map(|(shape, middle)| (shape.into(), Pose::at(middle))),
                );
            }
            Shape::Sphere(_)
            | Shape::Ellipsoid(_)
            | Shape::Superellipsoid(_)
            | Shape::Superquadric(_)
            | Shape::Polyhedron(_)
            | Shape::Cylinder(_)
            | Shape::Capsule(_)
            | Shape::Triangle(_)
            | Shape::HalfSpace(_)
            | Shape::Mesh(_)
            // Built from their parts, elsewhere.
            | Shape::Compound(_) => {
                return Err(InvalidShape::Dimension("space, but the scene is in the plane (dimension = 2)"));
            }
        })
    }

    fn half_space(normal: DVec2, offset: f64) -> Result<Figure, ShapeError> {
        HalfPlane::new(normal, offset).map(Figure::from)
    }

    fn ball(radius: f64) -> Result<Figure, ShapeError> {
        Circle::new(radius).map(Figure::from)
    }

    fn largest_face(shape: &Figure, _: f64) -> f64 {
        shape.largest_face()
    }

    fn dump(_: &Path, _: Which) -> Option<Dumped<Self>> {
        None
    }

    fn rotation_from(orientation: Orientation, random: &mut RandomStream) -> f64 {
        match orientation {
            Orientation::Random => random.angle(),
            Orientation::Angle(angle) => angle.si,
            // Only that of no rotation is ever here.
            Orientation::Quaternion(_) => 0.0,
        }
    }

    fn moments(si: &[f64]) -> f64 {
        si.iter().sum()
    }

    fn angular_velocity(spin: &Spin) -> f64 {
        spin.plane()
    }
}

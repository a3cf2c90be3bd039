//! The table of shapes: which words there are, which keys each of them has, and how it is made.

use glam::{DQuat, DVec3};
use gritstone_contact::NarrowPhase;
use gritstone_core::{Dim, Plane, Pose, Space, Vector};
use gritstone_shape::ShapeError;
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Sphere, Superellipsoid, Superquadric, Triangle,
};
use serde_json::value::RawValue;

use super::figure;
use super::object::{Object, wrong};
use super::problem::Problem;
use crate::words::{nearest, quote};

/// A shape and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Grain<D: NarrowPhase = Space> {
    /// The shape, in its own frame.
    pub shape: D::Shape,
    /// Its position and orientation.
    pub pose: Pose<D>,
}

/// Two shapes of the same dimension.
#[allow(clippy::large_enum_variant, reason = "one is read at a time")]
pub(super) enum Grains {
    Plane([Grain<Plane>; 2]),
    Space([Grain<Space>; 2]),
}

/// A word of the format.
pub(super) struct Entry {
    word: &'static str,
    kind: Kind,
    keys: &'static [&'static str],
}

/// A shape, and where its own frame is in the coordinates it was given in.
pub(super) struct Made<D: NarrowPhase> {
    pub(super) shape: D::Shape,
    pub(super) origin: Pose<D>,
}

/// How values make a shape.
type Make<D> = fn(&Object<'_>) -> Result<Made<D>, Problem>;

enum Kind {
    /// A shape in space, and how its values make it.
    Space(Make<Space>),
    /// A shape in the plane, and how its values make it.
    Plane(Make<Plane>),
}

use Kind::{Plane as InPlane, Space as InSpace};

/// Every word of the format: one line each.
#[rustfmt::skip]
static SHAPES: &[Entry] = &[
    Entry { word: "sphere", kind: InSpace(sphere), keys: &["shape", "radius", "center"] },
    Entry { word: "ellipsoid", kind: InSpace(ellipsoid), keys: &["shape", "radii", "center", "quaternion"] },
    Entry { word: "superellipsoid", kind: InSpace(superellipsoid),
            keys: &["shape", "radii", "exponents", "blockiness", "center", "quaternion"] },
    Entry { word: "superquadric", kind: InSpace(superquadric),
            keys: &["shape", "semi_axes", "blockiness", "center", "quaternion"] },
    Entry { word: "polyhedron", kind: InSpace(polyhedron), keys: &["shape", "vertices", "center", "quaternion"] },
    Entry { word: "cylinder", kind: InSpace(cylinder),
            keys: &["shape", "radius", "half_height", "center", "quaternion"] },
    Entry { word: "capsule", kind: InSpace(capsule),
            keys: &["shape", "radius", "half_height", "center", "quaternion"] },
    Entry { word: "triangle", kind: InSpace(triangle), keys: &["shape", "vertices"] },
    Entry { word: "half-space", kind: InSpace(half_space), keys: &["shape", "normal", "offset"] },
    Entry { word: "circle", kind: InPlane(figure::circle), keys: &["shape", "radius", "center"] },
    Entry { word: "ellipse", kind: InPlane(figure::ellipse), keys: &["shape", "semi_axes", "angle_deg", "center"] },
    Entry { word: "conic", kind: InPlane(figure::conic), keys: &["shape", "coefficients"] },
    Entry { word: "superellipse", kind: InPlane(figure::superellipse),
            keys: &["shape", "semi_axes", "blockiness", "angle_deg", "center"] },
    Entry { word: "polygon", kind: InPlane(figure::polygon), keys: &["shape", "vertices", "angle_deg", "center"] },
    Entry { word: "segment", kind: InPlane(figure::segment), keys: &["shape", "vertices"] },
    Entry { word: "half-plane", kind: InPlane(figure::half_plane), keys: &["shape", "normal", "offset"] },
];

/// Reads two shapes, which must be of the same dimension.
pub(super) fn read_grains(a: &RawValue, b: &RawValue) -> Result<Grains, Problem> {
    let (a, b) = (Object::read("a", a)?, Object::read("b", b)?);
    let (entry_a, entry_b) = (entry(&a)?, entry(&b)?);
    let mixed =
        |plane: &Entry, space: &Entry| Problem::MixedDimensions { plane: plane.word, space: space.word };
    match (&entry_a.kind, &entry_b.kind) {
        (InPlane(make_a), InPlane(make_b)) => {
            let read = |make, entry, object| grain(make, entry, object, figure::pose);
            Ok(Grains::Plane([read(make_a, entry_a, &a)?, read(make_b, entry_b, &b)?]))
        }
        (InPlane(_), _) => Err(mixed(entry_a, entry_b)),
        (_, InPlane(_)) => Err(mixed(entry_b, entry_a)),
        (InSpace(make_a), InSpace(make_b)) => {
            let read = |make, entry, object| grain(make, entry, object, pose);
            Ok(Grains::Space([read(make_a, entry_a, &a)?, read(make_b, entry_b, &b)?]))
        }
    }
}

/// A placed shape.
fn grain<D: NarrowPhase>(
    make: &Make<D>,
    entry: &Entry,
    object: &Object<'_>,
    pose: fn(&Object<'_>) -> Result<Pose<D>, Problem>,
) -> Result<Grain<D>, Problem> {
    object.allow(entry.keys)?;
    let Made { shape, origin } = make(object)?;
    Ok(Grain { shape, pose: origin.moved_by(&pose(object)?) })
}

fn entry(object: &Object<'_>) -> Result<&'static Entry, Problem> {
    let word = object.string("shape")?;
    SHAPES.iter().find(|entry| entry.word == word).ok_or_else(|| Problem::UnknownShape {
        place: object.place.to_owned(),
        word: quote(&word),
        nearest: nearest(&word, SHAPES.iter().map(|entry| entry.word)),
        allowed: SHAPES.iter().map(|entry| entry.word).collect::<Vec<_>>().join(", "),
    })
}

fn sphere(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, Sphere::new(object.number("radius")?))
}

fn ellipsoid(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, Ellipsoid::new(object.numbers("radii")?.into()))
}

fn superellipsoid(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    let radii = DVec3::from(object.numbers("radii")?);
    match (object.get("exponents"), object.get("blockiness")) {
        (Some(_), Some(_)) => {
            Err(Problem::Both { place: object.place.to_owned(), keys: ["exponents", "blockiness"] })
        }
        (None, Some(_)) => {
            made(object, Superellipsoid::with_blockiness(radii, object.numbers("blockiness")?))
        }
        _ => made(object, Superellipsoid::new(radii, object.numbers("exponents")?)),
    }
}

fn superquadric(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, Superquadric::new(object.numbers("semi_axes")?.into(), object.numbers("blockiness")?))
}

/// Polyhedra are moved so that their centre of mass is their origin.
fn polyhedron(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    let points: Vec<DVec3> = object.points::<3>("vertices")?.into_iter().map(DVec3::from).collect();
    made_at(object, Polyhedron::hull(&points).map(|(shape, origin)| (shape, Pose::at(origin))))
}

fn cylinder(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, Cylinder::new(object.number("radius")?, object.number("half_height")?))
}

fn capsule(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, Capsule::new(object.number("radius")?, object.number("half_height")?))
}

/// Triangles are moved so that their centroid is their origin.
fn triangle(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    let points = object.points::<3>("vertices")?;
    let corners = <[[f64; 3]; 3]>::try_from(points).or_else(|_| {
        Err(wrong(&format!("{}.vertices", object.place), object.need("vertices")?, "an array of 3 points"))
    })?;
    made_at(object, Triangle::new(corners.map(DVec3::from)).map(|(shape, origin)| (shape, Pose::at(origin))))
}

fn half_space(object: &Object<'_>) -> Result<Made<Space>, Problem> {
    made(object, HalfSpace::new(object.numbers("normal")?.into(), object.number("offset")?))
}

/// A shape about its own origin, or what is wrong with it.
pub(super) fn made<D: NarrowPhase, S: Into<D::Shape>>(
    object: &Object<'_>,
    shape: Result<S, ShapeError>,
) -> Result<Made<D>, Problem> {
    made_at(object, shape.map(|shape| (shape, Pose::default())))
}

/// A shape and where it is, or what is wrong with it.
pub(super) fn made_at<D: NarrowPhase, S: Into<D::Shape>>(
    object: &Object<'_>,
    shape: Result<(S, Pose<D>), ShapeError>,
) -> Result<Made<D>, Problem> {
    match shape {
        Ok((shape, origin)) => Ok(Made { shape: shape.into(), origin }),
        Err(error) => Err(Problem::Shape { place: object.place.to_owned(), error }),
    }
}

/// Where the shape's own origin goes; the world's where nothing is said.
pub(super) fn center<D: Dim, const N: usize>(object: &Object<'_>) -> Result<D::Vec, Problem> {
    let Some(raw) = object.get("center") else { return Ok(D::Vec::default()) };
    let center: [f64; N] = object.numbers("center")?;
    // As for lengths: squares and cubes must stay finite.
    if center.iter().any(|x| x.abs() > 1e30) {
        return Err(wrong(&format!("{}.center", object.place), raw, "within 1e30 of the origin"));
    }
    Ok(D::Vec::from_fn(|i| center[i]))
}

fn pose(object: &Object<'_>) -> Result<Pose<Space>, Problem> {
    let rotation = match object.get("quaternion") {
        None => DQuat::IDENTITY,
        Some(raw) => {
            let [w, x, y, z] = object.numbers("quaternion")?;
            // Scaled first, so that the square of no component overflows or vanishes.
            let largest = w.abs().max(x.abs()).max(y.abs()).max(z.abs());
            if largest == 0.0 {
                return Err(wrong(&format!("{}.quaternion", object.place), raw, "other than zero"));
            }
            DQuat::from_xyzw(x / largest, y / largest, z / largest, w / largest)
        }
    };
    Ok(Pose::new(center::<Space, 3>(object)?, rotation))
}

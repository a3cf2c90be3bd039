//! The table of shapes: which words there are, which keys each of them has, and how it is made.

use glam::{DQuat, DVec3};
use gritstone_core::{Pose, Space};
use gritstone_shape::ShapeError;
use gritstone_shape::space::{Ellipsoid, Polyhedron, Solid, Sphere, Superellipsoid};
use serde_json::value::RawValue;

use super::object::{Object, wrong};
use super::problem::{Problem, nearest, quote};

/// A shape and where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Grain {
    /// The shape, in its own frame.
    pub shape: Solid,
    /// Where it is and how it is turned.
    pub pose: Pose<Space>,
}

/// A word of the format.
pub(super) struct Entry {
    word: &'static str,
    kind: Kind,
    keys: &'static [&'static str],
}

/// A shape, and where its own origin is in the coordinates it was given in.
struct Made {
    shape: Solid,
    origin: DVec3,
}

enum Kind {
    /// A shape in space, and how its values make it.
    Space(fn(&Object<'_>) -> Result<Made, Problem>),
    /// A shape in space that has no solver yet.
    SpaceLater,
    /// A shape in the plane; none has a solver yet.
    PlaneLater,
}

use Kind::{PlaneLater, Space as InSpace, SpaceLater};

/// Every word of the format: one line each.
#[rustfmt::skip]
static SHAPES: &[Entry] = &[
    Entry { word: "sphere", kind: InSpace(sphere), keys: &["shape", "radius", "center"] },
    Entry { word: "ellipsoid", kind: InSpace(ellipsoid), keys: &["shape", "radii", "center", "quaternion"] },
    Entry { word: "superellipsoid", kind: InSpace(superellipsoid),
            keys: &["shape", "radii", "exponents", "blockiness", "center", "quaternion"] },
    Entry { word: "superquadric", kind: SpaceLater, keys: &[] },
    Entry { word: "polyhedron", kind: InSpace(polyhedron), keys: &["shape", "vertices", "center", "quaternion"] },
    Entry { word: "cylinder", kind: SpaceLater, keys: &[] },
    Entry { word: "capsule", kind: SpaceLater, keys: &[] },
    Entry { word: "triangle", kind: SpaceLater, keys: &[] },
    Entry { word: "half-space", kind: SpaceLater, keys: &[] },
    Entry { word: "circle", kind: PlaneLater, keys: &[] },
    Entry { word: "ellipse", kind: PlaneLater, keys: &[] },
    Entry { word: "conic", kind: PlaneLater, keys: &[] },
    Entry { word: "superellipse", kind: PlaneLater, keys: &[] },
    Entry { word: "polygon", kind: PlaneLater, keys: &[] },
    Entry { word: "segment", kind: PlaneLater, keys: &[] },
    Entry { word: "half-plane", kind: PlaneLater, keys: &[] },
];

/// Reads two shapes, which must be of the same dimension.
pub(super) fn read_grains(a: &RawValue, b: &RawValue) -> Result<[Grain; 2], Problem> {
    let (a, b) = (Object::read("a", a)?, Object::read("b", b)?);
    let (kind_a, kind_b) = (entry(&a)?, entry(&b)?);
    match (kind_a.in_plane(), kind_b.in_plane()) {
        (true, false) => Err(Problem::MixedDimensions { plane: kind_a.word, space: kind_b.word }),
        (false, true) => Err(Problem::MixedDimensions { plane: kind_b.word, space: kind_a.word }),
        _ => Ok([kind_a.grain(&a)?, kind_b.grain(&b)?]),
    }
}

fn entry(object: &Object<'_>) -> Result<&'static Entry, Problem> {
    let word = object.string("shape")?;
    SHAPES.iter().find(|entry| entry.word == word).ok_or_else(|| Problem::UnknownShape {
        place: object.place.to_owned(),
        word: quote(&word),
        nearest: nearest(&word, SHAPES.iter().map(|entry| entry.word)),
        allowed: words(|_| true),
    })
}

fn words(which: impl Fn(&Entry) -> bool) -> String {
    let words: Vec<_> = SHAPES.iter().filter(|e| which(e)).map(|e| e.word).collect();
    words.join(", ")
}

impl Entry {
    fn in_plane(&self) -> bool {
        matches!(self.kind, PlaneLater)
    }

    fn grain(&self, object: &Object<'_>) -> Result<Grain, Problem> {
        let InSpace(make) = self.kind else {
            return Err(Problem::Unsupported {
                place: object.place.to_owned(),
                word: self.word,
                solvable: words(|entry| matches!(entry.kind, InSpace(_))),
            });
        };
        object.allow(self.keys)?;
        let Made { shape, origin } = make(object)?;
        let mut pose = pose(object)?;
        pose.position = pose.to_world(origin);
        Ok(Grain { shape, pose })
    }
}

fn sphere(object: &Object<'_>) -> Result<Made, Problem> {
    made(object, Sphere::new(object.number("radius")?))
}

fn ellipsoid(object: &Object<'_>) -> Result<Made, Problem> {
    made(object, Ellipsoid::new(object.numbers("radii")?.into()))
}

fn superellipsoid(object: &Object<'_>) -> Result<Made, Problem> {
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

/// Polyhedra are moved so that their centre of mass is their origin.
fn polyhedron(object: &Object<'_>) -> Result<Made, Problem> {
    let points: Vec<DVec3> = object.points::<3>("vertices")?.into_iter().map(DVec3::from).collect();
    match Polyhedron::hull(&points) {
        Ok((shape, origin)) => Ok(Made { shape: shape.into(), origin }),
        Err(error) => Err(Problem::Shape { place: object.place.to_owned(), error }),
    }
}

fn made<S: Into<Solid>>(object: &Object<'_>, shape: Result<S, ShapeError>) -> Result<Made, Problem> {
    match shape {
        Ok(shape) => Ok(Made { shape: shape.into(), origin: DVec3::ZERO }),
        Err(error) => Err(Problem::Shape { place: object.place.to_owned(), error }),
    }
}

fn pose(object: &Object<'_>) -> Result<Pose<Space>, Problem> {
    let place = object.place;
    let center = match object.get("center") {
        None => DVec3::ZERO,
        Some(raw) => {
            let center = DVec3::from(object.numbers("center")?);
            // As for lengths: squares and cubes must stay finite.
            if center.abs().max_element() > 1e30 {
                return Err(wrong(&format!("{place}.center"), raw, "within 1e30 of the origin"));
            }
            center
        }
    };
    let rotation = match object.get("quaternion") {
        None => DQuat::IDENTITY,
        Some(raw) => {
            let [w, x, y, z] = object.numbers("quaternion")?;
            // Scaled first, so that the square of no component overflows or vanishes.
            let largest = w.abs().max(x.abs()).max(y.abs()).max(z.abs());
            if largest == 0.0 {
                return Err(wrong(&format!("{place}.quaternion"), raw, "other than zero"));
            }
            DQuat::from_xyzw(x / largest, y / largest, z / largest, w / largest)
        }
    };
    Ok(Pose::new(center, rotation))
}

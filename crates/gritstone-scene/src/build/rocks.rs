//! Grains from triangle meshes.
//!
//! A shape from a file is replaced by one that the scene could have said itself: a polyhedron, a compound of polyhedra, or a
//! superellipsoid, of the volume that the surface encloses. Whatever comes after knows nothing of files, and the scene in the folder
//! of a run needs none.

use std::fmt::{self, Display, Formatter};

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Compound, MeshError, Part, Sides, TriangleMesh};
use gritstone_io::surfaces::read_triangles;
use gritstone_rock::{self as rock, Rock};
use serde_json::{Value, json};

use crate::diagnostics::Diagnostics;
use crate::display::{length, plural};
use crate::problem::Problems;
use crate::quantity::{Coordinates, Position, Quantity};
use crate::scene::Scene;
use crate::schema::{self, Approximation, CompoundPart, Dimension, MeshShape, Numbers, Shape};

/// Vertices that a hull or a part may have.
const VERTICES: std::ops::RangeInclusive<u32> = 4..=1000;
/// Parts that there may be.
const PARTS: std::ops::RangeInclusive<u32> = 1..=100;

/// What a shape from a file has become, and how far it is from the surface there.
#[derive(Clone, Debug, PartialEq)]
pub struct Rocky {
    /// Name of the shape.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Triangles in it.
    pub triangles: usize,
    /// What it has become, in words.
    pub becomes: String,
    /// Volume beyond that of the surface, relative to it, before it was scaled to the same volume.
    pub volume_error: f64,
    /// Hausdorff distance between the two surfaces (m), measured on some thousand points.
    pub distance: f64,
    /// Diameter of the sphere of the same volume (m).
    pub diameter: f64,
}

impl Rocky {
    /// The same as JSON.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "shape": self.name, "file": self.file, "triangles": self.triangles, "approximation": self.becomes,
            "volume_error": self.volume_error, "hausdorff_distance": self.distance, "diameter": self.diameter,
        })
    }
}

impl Display for Rocky {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { name, file, triangles, becomes, volume_error, distance, diameter } = self;
        write!(
            f,
            "{name}: {becomes} for {} of {file}, diameter {}; volume {:+.2} % (scaled to that of the file), Hausdorff distance {} \
             ({:.1} % of the diameter)",
            plural(*triangles, "triangle"),
            length(*diameter),
            100.0 * volume_error,
            length(*distance),
            100.0 * distance / diameter,
        )
    }
}

/// What replaces a shape, and the shapes that it needs.
struct Expanded {
    shape: Shape,
    parts: Vec<(String, Shape)>,
    rocky: Rocky,
}

impl Scene {
    /// The same scene with shapes that it could have said itself in the place of those from files, which are read; and what
    /// became of them.
    pub fn expanded(&self) -> Result<(Self, Vec<Rocky>), Problems> {
        let mut scene = self.clone();
        let mut diagnostics = Diagnostics::new(self, Vec::new());
        let mut rocks = Vec::new();
        if self.file.dimension == Dimension::Space {
            for (index, (name, shape)) in self.file.shapes.list.iter().enumerate() {
                let Shape::Mesh(spec) = shape else { continue };
                if let Some(expanded) = expand(self, name, spec, &mut diagnostics) {
                    scene.file.shapes.list[index].1 = expanded.shape;
                    scene.file.shapes.list.extend(expanded.parts);
                    rocks.push(expanded.rocky);
                }
            }
        }
        diagnostics.finish()?;
        Ok((scene, rocks))
    }
}

fn expand(
    scene: &Scene,
    name: &str,
    spec: &MeshShape,
    diagnostics: &mut Diagnostics<'_>,
) -> Option<Expanded> {
    let key = format!("shapes.{name}");
    for (of, count, range) in [("vertices", spec.vertices, VERTICES), ("parts", spec.parts, PARTS)] {
        if !range.contains(&count) {
            let (place, least, most) = (format!("{key}.{of}"), range.start(), range.end());
            diagnostics.error(&place, format_args!("{place} is {count}, but must be from {least} to {most}"));
            return None;
        }
    }
    let place = format!("{key}.file");
    let rock = read(scene, spec)
        .map_err(|why| diagnostics.error(&place, format_args!("{place} is \"{}\": {why}", spec.file)))
        .ok()?;
    let size = spec.size.map_or(1.0, |size| 0.5 * size.si / rock.radius());
    let rock = rock.scaled(size * spec.scale.si);
    let made = match spec.approximation {
        Approximation::Hull => hull(&rock, spec),
        Approximation::Parts => parts(&rock, name, spec, scene),
        Approximation::Superellipsoid => superellipsoid(&rock),
    };
    let (shape, parts, becomes, deviation) = made
        .map_err(|why| diagnostics.error(&place, format_args!("{place} is \"{}\": {why}", spec.file)))
        .ok()?;
    let rocky = Rocky {
        name: name.to_owned(),
        file: spec.file.clone(),
        triangles: rock.triangles(),
        becomes,
        volume_error: deviation.volume,
        distance: deviation.distance,
        diameter: 2.0 * rock.radius(),
    };
    Some(Expanded { shape, parts, rocky })
}

fn read(scene: &Scene, spec: &MeshShape) -> Result<Rock, String> {
    let path = scene.file_path(&spec.file)?;
    let mut triangles = read_triangles(&path).map_err(|error| scene.message(&path, &error))?;
    triangles.iter_mut().flatten().for_each(|corner| *corner *= spec.units.metres());
    let mesh = match TriangleMesh::new(&triangles, Sides::Outside) {
        Err(MeshError::TurnedOver { .. }) => {
            triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
            TriangleMesh::new(&triangles, Sides::Outside)
        }
        made => made,
    };
    let mesh = mesh.map_err(|error| match error {
        MeshError::Open { .. } => {
            "the surface is not closed: only what encloses a volume can be a grain".to_owned()
        }
        error => error.to_string(),
    })?;
    Rock::new(mesh.points(), mesh.triangles()).map_err(|error| error.to_string())
}

/// A shape, those that it needs, what it is in words, and how far it is from the surface.
type Made = Result<(Shape, Vec<(String, Shape)>, String, rock::Deviation), String>;

fn text(error: impl Display) -> String {
    error.to_string()
}

fn hull(rock: &Rock, spec: &MeshShape) -> Made {
    let hull = rock.hull(spec.vertices as usize).map_err(text)?;
    let volume = hull.volume();
    let factor = libm::cbrt(rock.mass().volume / volume);
    let words = format!("hull of {} vertices", hull.shape.polytope().vertices().len());
    let shape = polyhedron(&hull, factor);
    let deviation = deviation(rock, &[hull], volume, factor)?;
    Ok((shape, Vec::new(), words, deviation))
}

/// How far parts of this volume together are from a rock after they are scaled by a factor.
fn deviation(rock: &Rock, parts: &[rock::Part], volume: f64, factor: f64) -> Result<rock::Deviation, String> {
    let scaled: Result<Vec<_>, _> = parts.iter().map(|part| part.scaled(factor)).collect();
    let found = rock.deviation(&scaled.map_err(text)?, volume).map_err(text)?;
    Ok(found)
}

/// A part as a scene says it, about its own centre of mass.
fn polyhedron(part: &rock::Part, factor: f64) -> Shape {
    let vertices = part.shape.polytope().vertices().iter();
    let vertices = vertices.map(|vertex| Numbers::new((*vertex * factor).to_array())).collect();
    Shape::Polyhedron(schema::Polyhedron { vertices, scale: Quantity::new(1.0) })
}

fn parts(rock: &Rock, name: &str, spec: &MeshShape, scene: &Scene) -> Made {
    let parts = rock.parts(spec.parts as usize, spec.vertices as usize).map_err(text)?;
    if let [_] = parts[..] {
        return hull(rock, spec);
    }
    let placed =
        |part: &rock::Part| Part::<Space> { shape: part.shape.clone().into(), pose: Pose::at(part.position) };
    let (compound, _) = Compound::new(parts.iter().map(placed).collect()).map_err(text)?;
    let volume = compound.mass().volume;
    let factor = libm::cbrt(rock.mass().volume / volume);
    let free = |number: &usize| {
        let taken = |index: usize| scene.file.shapes.find(&part_name(name, *number, index)).is_some();
        !(0..parts.len()).any(taken)
    };
    // There is a free number, for there are not so many shapes.
    let number = (0..=scene.file.shapes.list.len()).find(free).unwrap_or_default();
    let shapes: Vec<(String, Shape)> = (0..)
        .zip(&parts)
        .map(|(index, part)| (part_name(name, number, index), polyhedron(part, factor)))
        .collect();
    let part = |(part, (shape, _)): (&rock::Part, &(String, Shape))| CompoundPart {
        shape: shape.clone(),
        position: Some(Coordinates::<Position>::new((part.position * factor).to_array())),
        orientation: None,
    };
    let compound = schema::Compound { parts: parts.iter().zip(&shapes).map(part).collect() };
    let words = plural(parts.len(), "convex part");
    let deviation = deviation(rock, &parts, volume, factor)?;
    Ok((Shape::Compound(compound), shapes, words, deviation))
}

fn part_name(name: &str, number: usize, index: usize) -> String {
    let again = if number == 0 { String::new() } else { format!("{number}-") };
    format!("{name}-part-{again}{}", index + 1)
}

fn superellipsoid(rock: &Rock) -> Made {
    let fitted = rock.superellipsoid().map_err(text)?;
    let (radii, exponents): (DVec3, _) = (fitted.shape.radii(), fitted.shape.exponents());
    let deviation = deviation(rock, &[fitted.part().map_err(text)?], rock.mass().volume, 1.0)?;
    let shape = schema::Superellipsoid {
        radii: Numbers::new(radii.to_array()),
        exponents: Some(Numbers::new(exponents)),
        blockiness: None,
        scale: Quantity::new(1.0),
    };
    let words = format!("superellipsoid with exponents {:.2} and {:.2}", exponents[0], exponents[1]);
    Ok((Shape::Superellipsoid(shape), Vec::new(), words, deviation))
}

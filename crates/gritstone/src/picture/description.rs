//! Shapes, materials and walls of a run, from the description at the start of its trajectory.

use glam::{DQuat, DVec3};
use gritstone_core::{Mesh, Space};
use gritstone_io::tessellation::Surfaces;
use serde_json::Value;

use super::Coloring;
use super::frame::Grain;

/// Divisions of an eighth of a prototype's girth from which its volume is taken.
const MEASURED: u32 = 16;

/// What stays the same in all frames. In the plane all is at z = 0.
#[derive(Clone, Debug)]
pub(super) struct Description {
    pub(super) dimension: usize,
    pub(super) title: String,
    pub(super) materials: Vec<String>,
    pub(super) prototypes: Vec<Prototype>,
    pub(super) shapes: Vec<Shape>,
    /// Names of the kinds of shapes.
    pub(super) kinds: Vec<String>,
    pub(super) walls: Vec<WallLook>,
}

/// A surface at unit size.
#[derive(Clone, Debug)]
pub(super) struct Prototype {
    /// As described, which gives the surface in any detail.
    shape: Value,
    /// The finest of the surfaces that the file holds.
    stored: Mesh,
    /// Whether it has plane faces, so that more detail makes no difference.
    pub(super) faceted: bool,
    /// Farthest point from its origin.
    reach: f64,
    /// Volume, or area in the plane.
    volume: f64,
}

/// What a grain refers to.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// What it is drawn as: itself, or the parts that it is made of.
    pub(super) pieces: Vec<Piece>,
    /// Index into the names of kinds.
    pub(super) kind: usize,
    /// Diameter of the sphere of the same volume, or of the circle of the same area (m).
    pub(super) diameter: f64,
    /// Radius of a sphere around the centre of mass that holds it (m).
    pub(super) radius: f64,
}

/// A prototype at a place in the frame of the grain's centre of mass.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) prototype: usize,
    pub(super) scale: DVec3,
    /// Where the prototype's own origin is.
    pub(super) position: DVec3,
    pub(super) rotation: DQuat,
}

/// A wall.
#[derive(Clone, Debug)]
pub(super) struct WallLook {
    pub(super) name: String,
    pub(super) form: Form,
}

/// What a wall looks like.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// All x with `normal·x ≤ offset` in its frame.
    Half { normal: DVec3, offset: f64 },
    /// Something with a surface.
    Body(Mesh),
    /// Nothing that could be drawn.
    Unseen,
}

impl Description {
    /// Reads what `docs/trajectory.md` describes; the error says what is missing.
    pub(super) fn of(description: &Value) -> Result<Self, String> {
        let dimension = description["dimension"].as_u64().unwrap_or(0) as usize;
        if dimension != 2 && dimension != 3 {
            return Err(format!("it has {dimension} dimensions, not 2 or 3"));
        }
        let words = |key: &str| list(&description[key]).iter().map(word).collect();
        let prototypes: Vec<Prototype> =
            list(&description["prototypes"]).iter().map(|entry| Prototype::of(entry, dimension)).collect();
        let mut kinds = Vec::new();
        let shapes: Option<Vec<Shape>> = list(&description["shapes"])
            .iter()
            .map(|entry| Shape::of(entry, dimension, &prototypes, &mut kinds))
            .collect();
        Ok(Self {
            dimension,
            title: word(&description["title"]),
            materials: words("materials"),
            shapes: shapes.ok_or("a shape refers to a prototype that does not exist")?,
            prototypes,
            kinds,
            walls: list(&description["walls"]).iter().map(|entry| WallLook::of(entry, dimension)).collect(),
        })
    }

    /// The colouring that tells these grains apart: shape, else size, else speed.
    pub(super) fn telling(&self, grains: &[Grain]) -> Coloring {
        // Walls have their shapes among the others.
        let shapes = || grains.iter().map(|grain| &self.shapes[grain.shape]);
        let sizes = || shapes().map(|shape| shape.diameter);
        let (least, largest) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
        let mut kinds = shapes().map(|shape| shape.kind);
        let first = kinds.next();
        if kinds.any(|kind| Some(kind) != first) {
            Coloring::Shape
        } else if largest > 1.01 * least {
            Coloring::Size
        } else {
            Coloring::Speed
        }
    }
}

impl Prototype {
    fn of(entry: &Value, dimension: usize) -> Self {
        let stored = list(&entry["levels"]).last().map(|level| surface(level, dimension)).unwrap_or_default();
        let faceted = list(&entry["levels"]).len() < 2;
        let mut prototype = Self { shape: entry["shape"].clone(), stored, faceted, reach: 0.0, volume: 0.0 };
        let mesh = prototype.surface(MEASURED);
        prototype.reach = mesh.positions.iter().map(|p| p.length()).fold(0.0, f64::max);
        prototype.volume = if dimension == 2 { area(&mesh) } else { volume(&mesh) };
        prototype
    }

    /// The surface in a detail; what the file holds where the shape is of a kind that is not known.
    pub(super) fn surface(&self, detail: u32) -> Mesh {
        let surface_mesh = if self.faceted || self.stored.triangles.is_empty() {
            None
        } else {
            Space::from_description(&self.shape).ok().and_then(|solid| Space::surface_mesh(&solid, detail))
        };
        surface_mesh.map_or_else(
            || self.stored.clone(),
            |surface_mesh| Mesh {
                positions: surface_mesh.points,
                normals: surface_mesh.normals,
                triangles: surface_mesh.faces.as_chunks().0.to_vec(),
            },
        )
    }

    /// The boundary in the plane.
    pub(super) fn outline(&self) -> &[DVec3] {
        &self.stored.positions
    }
}

impl Shape {
    fn of(
        entry: &Value,
        dimension: usize,
        prototypes: &[Prototype],
        kinds: &mut Vec<String>,
    ) -> Option<Self> {
        let name = entry["name"].as_str().or(entry["shape"]["shape"].as_str()).unwrap_or("grain");
        let name = without_size(name).to_owned();
        let kind = kinds.iter().position(|known| *known == name).unwrap_or_else(|| {
            kinds.push(name);
            kinds.len() - 1
        });
        let parts = list(&entry["parts"]);
        let parts = if parts.is_empty() { std::slice::from_ref(entry) } else { parts };
        let pieces: Vec<Piece> =
            parts.iter().map(|part| Piece::of(part, dimension, prototypes)).collect::<Option<_>>()?;
        let volume = |piece: &Piece| prototypes[piece.prototype].volume * piece.scale.element_product();
        let volume = entry["volume"].as_f64().unwrap_or_else(|| pieces.iter().map(volume).sum());
        let diameter = if dimension == 2 {
            2.0 * (volume / std::f64::consts::PI).sqrt()
        } else {
            (6.0 * volume / std::f64::consts::PI).cbrt()
        };
        let reach = |piece: &Piece| {
            let flat =
                if dimension == 2 { piece.scale.truncate().max_element() } else { piece.scale.max_element() };
            prototypes[piece.prototype].reach * flat + piece.position.length()
        };
        let radius = pieces.iter().map(reach).fold(0.0, f64::max);
        Some(Self { pieces, kind, diameter, radius })
    }
}

/// The name without the number of its class of sizes: "pebble.3" is a pebble.
fn without_size(name: &str) -> &str {
    let digits = |end: &str| !end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('.').filter(|(_, end)| digits(end)).map_or(name, |(base, _)| base)
}

impl Piece {
    fn of(entry: &Value, dimension: usize, prototypes: &[Prototype]) -> Option<Self> {
        let prototype = entry["prototype"].as_u64()? as usize;
        prototypes.get(prototype)?;
        let mut scale = vector(&entry["scale"]);
        if dimension == 2 {
            scale.z = 1.0;
        }
        let rotation = match numbers(&entry["rotation"])[..] {
            [w, x, y, z] => DQuat::from_xyzw(x, y, z, w).normalize(),
            _ => DQuat::IDENTITY,
        };
        let position = vector(&entry["position"]) - rotation * vector(&entry["centroid"]);
        Some(Self { prototype, scale, position, rotation })
    }
}

impl WallLook {
    fn of(entry: &Value, dimension: usize) -> Self {
        let shape = &entry["shape"];
        let form = if let (Some(_), Some(offset)) = (shape["normal"].as_array(), shape["offset"].as_f64()) {
            let normal = vector(&shape["normal"]);
            let length = normal.length();
            if length > 0.0 {
                Form::Half { normal: normal / length, offset: offset / length }
            } else {
                Form::Unseen
            }
        } else if entry["surface"].is_object() {
            Form::Body(surface(&entry["surface"], dimension))
        } else {
            Form::Unseen
        };
        Self { name: word(&entry["name"]), form }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|number| number.as_f64().unwrap_or(0.0)).collect()
}

fn vector(value: &Value) -> DVec3 {
    let numbers = numbers(value);
    let at = |i: usize| numbers.get(i).copied().unwrap_or(0.0);
    DVec3::new(at(0), at(1), at(2))
}

/// Points, normals and triangles; in the plane points alone.
fn surface(value: &Value, dimension: usize) -> Mesh {
    let points = |key: &str| -> Vec<DVec3> {
        let place = |c: &[f64]| DVec3::new(c[0], c[1], if dimension == 2 { 0.0 } else { c[2] });
        numbers(&value[key]).chunks_exact(dimension).map(place).collect()
    };
    let positions = points("points");
    let corners: Vec<u32> = list(&value["faces"]).iter().map(|i| i.as_u64().unwrap_or(0) as u32).collect();
    let triangles = if dimension == 2 { Vec::new() } else { corners.as_chunks().0.to_vec() };
    let there = |triangle: &[u32; 3]| triangle.iter().all(|i| (*i as usize) < positions.len());
    let triangles: Vec<[u32; 3]> = triangles.into_iter().filter(there).collect();
    let normals = points("normals");
    Mesh { positions, normals, triangles }
}

/// By the divergence theorem.
fn volume(mesh: &Mesh) -> f64 {
    let corner = |i: u32| mesh.positions[i as usize];
    let part = |[a, b, c]: &[u32; 3]| corner(*a).dot(corner(*b).cross(corner(*c))) / 6.0;
    mesh.triangles.iter().map(part).sum::<f64>().abs()
}

/// By the shoelace formula.
fn area(outline: &Mesh) -> f64 {
    let points = &outline.positions;
    let next = |i: usize| points[(i + 1) % points.len()];
    (0..points.len()).map(|i| 0.5 * points[i].truncate().perp_dot(next(i).truncate())).sum::<f64>().abs()
}

#[cfg(test)]
mod tests {
    use super::without_size;

    #[test]
    fn classes_of_sizes_are_one_kind() {
        let names = ["pebble.3", "pebble", "pebble.12", "stone.a", "x.", "1.5"];
        assert_eq!(names.map(without_size), ["pebble", "pebble", "pebble", "stone.a", "x.", "1"]);
    }
}

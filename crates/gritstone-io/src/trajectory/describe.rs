//! The description at the start of a trajectory: shapes, walls and materials, as JSON.

use gritstone_core::{Dim, Vector};
use gritstone_engine::Wall;
use gritstone_shape::Support;
use serde_json::{Value, json};

use super::{Description, compounds};
use crate::tessellation::{Scaling, SurfaceMesh, Surfaces, UnitShapes, surface_mesh_of};

/// Divisions of an eighth of a grain's girth, from far to near: 48, 432 and 3072 triangles.
pub(super) const LEVELS: [u32; 3] = [1, 3, 8];

/// Positions are stored in steps of a power of two, at most this part of the smallest grain's size.
const FINENESS: f64 = 4096.0;

/// The step that positions are stored in.
pub(super) fn quantum<D: Surfaces>(shapes: &[D::Shape]) -> f64 {
    let smallest = shapes.iter().map(Support::size).filter(|size| *size > 0.0).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { libm::exp2(libm::log2(smallest / FINENESS).floor()) } else { 1.0 / FINENESS }
}

/// What the first chunk says.
pub(super) fn json<D: Surfaces>(description: &Description<'_, D>) -> Value {
    let unit_shapes = UnitShapes::<D>::new(description.shapes, description.compounds);
    let mut prototypes: Vec<Value> = unit_shapes.units.iter().map(prototype::<D>).collect();
    let shapes =
        description.shapes.iter().zip(&unit_shapes.scalings).enumerate().map(|(i, (shape, scaling))| {
            let mut entry = piece::<D>(shape, scaling);
            entry["name"] = json!(description.shape_names.get(i));
            entry["volume"] = json!(D::volume(shape));
            entry
        });
    let mut shapes: Vec<Value> = shapes.collect();
    for (index, compound) in description.compounds.into_iter().flatten() {
        if let (Some(entry), Some(scalings)) = (shapes.get_mut(*index as usize), unit_shapes.parts.get(index))
        {
            compounds::describe(entry, compound, scalings, prototypes.len());
            prototypes.push(compounds::prototype::<D>(&unit_shapes, scalings));
        }
    }
    let walls = description.walls.iter().map(|wall| {
        json!({
            "name": wall.name,
            "material": wall.material,
            "shape": shape_of(wall),
            "surface": surface_mesh_of(wall, LEVELS[LEVELS.len() - 1]).map(|surface_mesh| surface(&surface_mesh)),
        })
    });
    json!({
        "dimension": D::N,
        "title": description.title,
        "materials": description.materials,
        "prototypes": prototypes,
        "shapes": shapes,
        "walls": walls.collect::<Vec<_>>(),
    })
}

/// A shape, and how it comes out of a prototype.
pub(super) fn piece<D: Surfaces>(shape: &D::Shape, scaling: &Scaling<D>) -> Value {
    json!({
        "shape": D::describe(shape),
        "prototype": scaling.unit,
        "scale": list::<D>(scaling.scale),
        "centroid": list::<D>(scaling.centroid),
    })
}

/// A wall's shape in words; of a mesh the surface says it all.
fn shape_of<D: Surfaces>(wall: &Wall<D>) -> Value {
    match &wall.surface {
        Some(surface) => json!({ "shape": "mesh", "triangles": surface.mesh().triangles().len() }),
        None => D::describe(&wall.shape),
    }
}

/// Whether two descriptions are of the same run: surfaces follow from shapes, and their last digits from the machine.
pub(super) fn same_run(a: &Value, b: &Value) -> bool {
    let walls = |description: &Value| -> Vec<Value> {
        let walls = description["walls"].as_array().map_or(&[][..], Vec::as_slice);
        walls.iter().map(|wall| json!([wall["name"], wall["material"], wall["shape"]])).collect()
    };
    ["dimension", "materials", "shapes"].iter().all(|key| a[key] == b[key]) && walls(a) == walls(b)
}

/// A unit shape with its surface at every level of detail; those that are the same as a coarser one are left out.
fn prototype<D: Surfaces>(unit: &D::Shape) -> Value {
    let mut levels: Vec<SurfaceMesh<D>> =
        LEVELS.iter().filter_map(|detail| D::surface_mesh(unit, *detail)).collect();
    levels.dedup();
    json!({ "shape": D::describe(unit), "levels": levels.iter().map(surface).collect::<Vec<_>>() })
}

/// Flat lists, rounded to a millionth of the shape's size: shorter text.
pub(super) fn surface<D: Surfaces>(surface_mesh: &SurfaceMesh<D>) -> Value {
    let size = surface_mesh.points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let grid = libm::log10(size * 1e-6).floor();
    let flat = |vectors: &[D::Vec], digits: f64| -> Vec<f64> {
        let scale = libm::pow(10.0, digits);
        let numbers = vectors.iter().flat_map(|v| list::<D>(*v));
        numbers.map(|x| (x * scale).round() / scale).collect()
    };
    json!({ "points": flat(&surface_mesh.points, -grid), "normals": flat(&surface_mesh.normals, 6.0), "faces": surface_mesh.faces })
}

pub(super) fn list<D: Dim>(v: D::Vec) -> Vec<f64> {
    (0..D::N).map(|i| v.component(i)).collect()
}

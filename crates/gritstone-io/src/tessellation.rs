//! Tessellated surfaces of shapes, for the formats that show grains: many shapes share one unit shape.
//!
//! Every sphere and ellipsoid is the unit sphere, scaled along its axes; superellipsoids of the same exponents, cylinders,
//! and polyhedra that differ in size only have a unit shape of their own likewise. So a sample of a hundred thousand
//! different ellipsoids is drawn from one mesh.

mod plane;
mod space;

use std::collections::{BTreeMap, HashMap};

use glam::DVec3;
use gritstone_contact::NarrowPhase;
use gritstone_core::{Pose, Vector};
use gritstone_engine::{Compounds, TriangleMesh, Wall};
use serde_json::Value;

use crate::json_lines::{AnyPair, read_pair};
use crate::states::Tabular;

/// A surface in space as triangles, a boundary in the plane as one polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceMesh<D: NarrowPhase> {
    /// Vertices.
    pub points: Vec<D::Vec>,
    /// Outward unit normals, one for each vertex; none in the plane.
    pub normals: Vec<D::Vec>,
    /// Vertices of the faces, counter-clockwise, one face after another.
    pub faces: Vec<u32>,
    /// Vertices of a face: three in space, all of them in the plane.
    pub corners: usize,
}

impl<D: NarrowPhase> SurfaceMesh<D> {
    /// The surface of a mesh: every triangle has corners of its own, so that its edges are seen.
    pub fn of_mesh(mesh: &TriangleMesh) -> Self {
        let vector = |x: DVec3| D::Vec::from_fn(|i| x[i]);
        let (mut points, mut normals) = (Vec::new(), Vec::new());
        for triangle in mesh.triangles() {
            let [a, b, c] = triangle.map(|v| mesh.points()[v as usize]);
            let normal = (b - a).cross(c - a).normalize_or_zero();
            points.extend([a, b, c].map(vector));
            normals.extend([vector(normal); 3]);
        }
        let faces = (0..points.len() as u32).collect();
        Self { points, normals, faces, corners: 3 }
    }
}

/// Half-axes and blockiness `[n1, n2]` of a shape that is a superquadric with two exponents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superquadric {
    /// Half-axes (m).
    pub semi_axes: [f64; 3],
    /// Blockiness, 2 for an ellipsoid; n1 along z, n2 across.
    pub blockiness: [f64; 2],
}

/// A dimension whose shapes can be shown.
pub trait Surfaces: NarrowPhase + Tabular {
    /// The shape in the words of [`json_lines`](crate::json_lines), without its place.
    fn describe(shape: &Self::Shape) -> Value;

    /// The shape that [`describe`](Self::describe) has described, or why there is none.
    fn from_description(description: &Value) -> Result<Self::Shape, String>;

    /// The shape at unit size, and the factor along each of its axes that leads back.
    fn unit(shape: &Self::Shape) -> (Self::Shape, Self::Vec);

    /// The surface; none for shapes without bounds.
    fn surface_mesh(shape: &Self::Shape, detail: u32) -> Option<SurfaceMesh<Self>>;

    /// Centre of mass in the shape's own frame.
    fn centroid(shape: &Self::Shape) -> Self::Vec;

    /// Volume, in the plane area; zero for shapes without any.
    fn volume(shape: &Self::Shape) -> f64;

    /// The shape as a superquadric, if it is one.
    fn superquadric(shape: &Self::Shape) -> Option<Superquadric>;

    /// The part of the boundary of an unbounded shape that lies near the ball `centre`, `radius`: a square in space, a
    /// segment in the plane. Points in the world, in order around.
    fn patch(
        shape: &Self::Shape,
        pose: &Pose<Self>,
        centre: Self::Vec,
        radius: f64,
    ) -> Option<Vec<Self::Vec>>;

    /// Components along x, y, z.
    fn xyz(v: Self::Vec) -> [f64; 3];

    /// Angular velocity about x, y, z.
    fn spin_xyz(spin: Self::Spin) -> [f64; 3];

    /// The rotation as a quaternion w, x, y, z.
    fn quaternion(rotation: Self::Rotation) -> [f64; 4];

    /// The rotation of a quaternion w, x, y, z.
    fn from_quaternion(quaternion: [f64; 4]) -> Self::Rotation;
}

/// The surface of a wall; none for walls without bounds.
pub(crate) fn surface_mesh_of<D: Surfaces>(wall: &Wall<D>, detail: u32) -> Option<SurfaceMesh<D>> {
    match &wall.surface {
        Some(surface) => Some(SurfaceMesh::of_mesh(surface.mesh())),
        None => D::surface_mesh(&wall.shape, detail),
    }
}

/// How a shape follows from a unit shape: `x = scale * unit − centroid` about the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling<D: NarrowPhase> {
    /// Index of the unit shape.
    pub unit: usize,
    /// Factor along each of the shape's axes.
    pub scale: D::Vec,
    /// Centre of mass in the shape's own frame.
    pub centroid: D::Vec,
}

/// The parts of a compound: how each follows from its unit shape, and its pose in the compound.
pub type PartScalings<D> = Vec<(Scaling<D>, Pose<D>)>;

/// The shapes of a run, each as a unit shape scaled.
#[derive(Clone, Debug)]
pub struct UnitShapes<D: NarrowPhase> {
    /// The different shapes at unit size.
    pub units: Vec<D::Shape>,
    /// How each shape follows from them, in the order of the shapes; for compounds how their first parts do.
    pub scalings: Vec<Scaling<D>>,
    /// How the parts of compounds follow from them, and their poses in the compound's frame.
    pub parts: BTreeMap<u32, PartScalings<D>>,
}

impl<D: Surfaces> UnitShapes<D> {
    /// Sorts shapes by what they share; those with the indices of compounds are these.
    pub fn new(shapes: &[D::Shape], compounds: Option<&Compounds<D>>) -> Self {
        let (mut units, mut known) = (Vec::new(), HashMap::new());
        let mut scaling = |shape: &D::Shape| {
            let (unit, scale) = D::unit(shape);
            let number = *known.entry(coarse(&D::describe(&unit))).or_insert_with(|| {
                units.push(unit);
                units.len() - 1
            });
            Scaling { unit: number, scale, centroid: D::centroid(shape) }
        };
        let scalings = shapes.iter().map(&mut scaling).collect();
        let mut parts = BTreeMap::new();
        for (index, compound) in compounds.into_iter().flatten() {
            parts.insert(
                *index,
                compound.parts().iter().map(|part| (scaling(&part.shape), part.pose)).collect(),
            );
        }
        Self { units, scalings, parts }
    }

    /// The surfaces of a grain of this shape, and their poses in its frame.
    pub fn pieces(&self, shape: u32) -> Vec<(Scaling<D>, Pose<D>)> {
        let whole = || self.scalings.get(shape as usize).map(|scaling| (*scaling, Pose::default()));
        self.parts.get(&shape).cloned().unwrap_or_else(|| whole().into_iter().collect())
    }

    /// The superquadric that a shape is; zeros for other shapes.
    pub fn superquadric(&self, shape: u32) -> Superquadric {
        let none = Superquadric { semi_axes: [0.0; 3], blockiness: [0.0; 2] };
        if self.parts.contains_key(&shape) {
            return none;
        }
        let Some(scaling) = self.scalings.get(shape as usize) else { return none };
        let scale = D::xyz(scaling.scale);
        D::superquadric(&self.units[scaling.unit]).map_or(none, |unit| Superquadric {
            semi_axes: std::array::from_fn(|i| unit.semi_axes[i] * scale[i]),
            ..unit
        })
    }

    /// The surfaces of the unit shapes; none for those without bounds.
    pub fn surface_meshes(&self, detail: u32) -> Vec<Option<SurfaceMesh<D>>> {
        self.units.iter().map(|unit| D::surface_mesh(unit, detail)).collect()
    }
}

impl<D: NarrowPhase> Scaling<D> {
    /// A point of the unit shape, in the frame of the grain's centre of mass.
    pub fn point(&self, unit: D::Vec) -> D::Vec {
        D::Vec::from_fn(|i| self.scale.component(i) * unit.component(i)) - self.centroid
    }

    /// A normal of the unit shape, in the frame of the grain.
    pub fn normal(&self, unit: D::Vec) -> D::Vec {
        let n = D::Vec::from_fn(|i| unit.component(i) / self.scale.component(i));
        n * (1.0 / n.length())
    }
}

/// Reads a shape as the first of a pair.
fn read_first(description: &Value) -> Result<AnyPair, String> {
    let line = format!("{{\"a\":{description},\"b\":{description}}}");
    read_pair(line.as_bytes()).map_err(|bad| bad.to_string())
}

/// Unit shapes with the same text look the same: numbers are rounded to what an eye could tell.
fn coarse(description: &Value) -> String {
    match description {
        Value::Number(number) => ((number.as_f64().unwrap_or(0.0) * 1e6).round() + 0.0).to_string(),
        Value::Array(items) => items.iter().map(coarse).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => fields.values().map(coarse).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    }
}

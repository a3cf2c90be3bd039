//! What a trajectory says of compounds: their parts, and one surface for those who draw a grain as one thing.

use gritstone_core::{Pose, Vector as _};
use gritstone_engine::Compound;
use serde_json::{Value, json};

use super::describe::{LEVELS, list, piece, surface};
use crate::tessellation::{Scaling, SurfaceMesh, Surfaces, UnitShapes};

/// Adds the parts of a compound to the description of its first part.
pub(super) fn describe<D: Surfaces>(
    description: &mut Value,
    compound: &Compound<D>,
    scalings: &[(Scaling<D>, Pose<D>)],
    prototype: usize,
) {
    let parts = compound.parts().iter().zip(scalings).map(|(part, (scaling, pose))| {
        let mut description = piece::<D>(&part.shape, scaling);
        description["position"] = json!(list::<D>(pose.position));
        description["rotation"] = json!(D::quaternion(pose.rotation));
        description
    });
    description["parts"] = parts.collect();
    description["volume"] = json!(compound.mass().volume);
    description["prototype"] = json!(prototype);
    description["scale"] = json!(vec![1.0; D::N]);
    description["centroid"] = json!(vec![0.0; D::N]);
}

/// The surface of all parts in space, at every level of detail; in the plane, where it must be one convex polygon, their hull.
pub(super) fn prototype<D: Surfaces>(
    unit_shapes: &UnitShapes<D>,
    scalings: &[(Scaling<D>, Pose<D>)],
) -> Value {
    let mut levels: Vec<SurfaceMesh<D>> =
        LEVELS.iter().map(|detail| joined(unit_shapes, scalings, *detail)).collect();
    levels.dedup();
    json!({ "shape": { "shape": "compound" }, "levels": levels.iter().map(surface).collect::<Vec<_>>() })
}

fn joined<D: Surfaces>(
    unit_shapes: &UnitShapes<D>,
    scalings: &[(Scaling<D>, Pose<D>)],
    detail: u32,
) -> SurfaceMesh<D> {
    let mut surface_mesh =
        SurfaceMesh { points: Vec::new(), normals: Vec::new(), faces: Vec::new(), corners: 3 };
    for (scaling, pose) in scalings {
        let Some(part) = D::surface_mesh(&unit_shapes.units[scaling.unit], detail) else { continue };
        let first = surface_mesh.points.len() as u32;
        surface_mesh.points.extend(part.points.iter().map(|&x| pose.to_world(scaling.point(x))));
        surface_mesh
            .normals
            .extend(part.normals.iter().map(|&n| D::rotate(pose.rotation, scaling.normal(n))));
        surface_mesh.faces.extend(part.faces.iter().map(|vertex| first + vertex));
    }
    if D::N == 2 {
        surface_mesh.points = hull::<D>(surface_mesh.points);
        surface_mesh.faces = (0..surface_mesh.points.len() as u32).collect();
        surface_mesh.corners = surface_mesh.points.len();
    }
    surface_mesh
}

/// The convex hull of points in the plane, counter-clockwise (Andrew 1979).
fn hull<D: Surfaces>(mut points: Vec<D::Vec>) -> Vec<D::Vec> {
    let key = |v: &D::Vec| (v.component(0), v.component(1));
    points.sort_by(|a, b| key(a).0.total_cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    let turns_left = |a: D::Vec, b: D::Vec, c: D::Vec| {
        let ((ux, uy), (vx, vy)) = (key(&(b - a)), key(&(c - b)));
        ux * vy - uy * vx > 0.0
    };
    let chain = |points: &mut dyn Iterator<Item = D::Vec>| {
        let mut chain: Vec<D::Vec> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns_left(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut around = chain(&mut points.iter().copied());
    around.extend(chain(&mut points.iter().rev().copied()));
    around
}

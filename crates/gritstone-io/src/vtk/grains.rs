//! Surfaces of grains.

use gritstone_core::{Dim, Pose, Vector};
use gritstone_engine::{BodyState, Snapshot};

use super::poly_data::{Array, Numbers, PolyData};
use crate::tessellation::{Scaling, SurfaceMesh, Surfaces, UnitShapes};

/// All grains, each with the surface of its shape.
pub(super) fn surfaces<D: Surfaces>(
    snapshot: &Snapshot<D>,
    unit_shapes: &UnitShapes<D>,
    surface_meshes: &[Option<SurfaceMesh<D>>],
) -> PolyData {
    let mut data = PolyData::default();
    let mut normals = Vec::new();
    let mut faces_of = Vec::with_capacity(snapshot.bodies.len());
    for body in &snapshot.bodies {
        let before = data.polygons.len();
        for (scaling, place) in unit_shapes.pieces(body.shape) {
            if let Some(surface_mesh) = &surface_meshes[scaling.unit] {
                add_surface(&mut data, &mut normals, &place.moved_by(&body.pose), &scaling, surface_mesh);
            }
        }
        faces_of.push(data.polygons.len() - before);
    }
    if !normals.is_empty() {
        data.point_data.push(Array { name: "Normals", components: 3, numbers: Numbers::F32(normals) });
    }
    data.cell_data = describe(&snapshot.bodies, &faces_of);
    data
}

/// Adds one grain, or a part of one.
fn add_surface<D: Surfaces>(
    data: &mut PolyData,
    normals: &mut Vec<f32>,
    pose: &Pose<D>,
    scaling: &Scaling<D>,
    surface_mesh: &SurfaceMesh<D>,
) {
    let first = data.points.len();
    data.points.extend(surface_mesh.points.iter().map(|&x| single::<D>(pose.to_world(scaling.point(x)))));
    normals.extend(
        surface_mesh.normals.iter().flat_map(|&n| single::<D>(D::rotate(pose.rotation, scaling.normal(n)))),
    );
    surface_mesh.faces.chunks(surface_mesh.corners).for_each(|face| data.polygons.push(first, face));
}

/// What every grain is coloured by, on each of `times` cells.
pub(super) fn describe<D: Dim>(bodies: &[BodyState<D>], times: &[usize]) -> Vec<Array> {
    let spread = |value: fn(&BodyState<D>) -> u32| {
        let each = bodies.iter().zip(times);
        Numbers::U32(each.flat_map(|(body, &times)| std::iter::repeat_n(value(body), times)).collect())
    };
    let speeds = bodies.iter().zip(times);
    let speeds = speeds.flat_map(|(body, &times)| std::iter::repeat_n(body.velocity.length() as f32, times));
    let array = |name, numbers| Array { name, components: 1, numbers };
    vec![
        array("id", spread(|body| body.id)),
        array("shape", spread(|body| body.shape)),
        array("material", spread(|body| body.material.into())),
        array("coordination", spread(|body| body.coordination.into())),
        array("speed", Numbers::F32(speeds.collect())),
    ]
}

/// Coordinates in single precision.
pub(super) fn single<D: Surfaces>(v: D::Vec) -> [f32; 3] {
    D::xyz(v).map(|x| x as f32)
}

//! Centres of grains, with all that glyphs need.

use gritstone_engine::{BodyState, Snapshot};

use super::grains::{describe, single};
use super::poly_data::{Array, Numbers, PolyData};
use crate::tessellation::{Surfaces, UnitShapes};

/// One vertex for each grain.
pub(super) fn centres<D: Surfaces>(snapshot: &Snapshot<D>, unit_shapes: &UnitShapes<D>) -> PolyData {
    let bodies = &snapshot.bodies;
    let mut data = PolyData::default();
    for (i, body) in bodies.iter().enumerate() {
        data.points.push(single::<D>(body.pose.position));
        data.vertices.push(i, &[0]);
    }
    data.point_data = describe(bodies, &vec![1; bodies.len()]);
    let per_grain = |components, value: &dyn Fn(&BodyState<D>) -> Vec<f64>| {
        let numbers = bodies.iter().flat_map(value).map(|x| x as f32).collect();
        (components, Numbers::F32(numbers))
    };
    let glyph = |body: &BodyState<D>| unit_shapes.superquadric(body.shape);
    let arrays = [
        ("velocity", per_grain(3, &|body| D::xyz(body.velocity).into())),
        ("spin", per_grain(3, &|body| D::spin_xyz(body.spin).into())),
        ("force", per_grain(3, &|body| D::xyz(body.force).into())),
        ("quaternion", per_grain(4, &|body| D::quaternion(body.pose.rotation).into())),
        ("semi_axes", per_grain(3, &|body| glyph(body).semi_axes.into())),
        ("blockiness", per_grain(2, &|body| glyph(body).blockiness.into())),
        ("tensor", per_grain(9, &|body| tensor(D::quaternion(body.pose.rotation), glyph(body).semi_axes))),
    ];
    let arrays = arrays.map(|(name, (components, numbers))| Array { name, components, numbers });
    data.point_data.extend(arrays);
    data
}

/// Columns a·e₁, c·e₃, −b·e₂: VTK's superquadric has its own z axis where y is, and turns about it.
fn tensor([w, x, y, z]: [f64; 4], [a, b, c]: [f64; 3]) -> Vec<f64> {
    let frame = glam::DMat3::from_quat(glam::DQuat::from_xyzw(x, y, z, w));
    [frame.x_axis * a, frame.z_axis * c, frame.y_axis * -b].into_iter().flat_map(|v| v.to_array()).collect()
}

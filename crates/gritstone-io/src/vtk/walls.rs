//! Walls: their surfaces, or of those without end the part near the grains.

use gritstone_core::{Pose, Vector};
use gritstone_engine::{Snapshot, Wall};

use super::grains::single;
use super::poly_data::{Array, Numbers, PolyData};
use crate::tessellation::{Surfaces, surface_mesh_of};

/// All walls that are there.
pub(super) fn walls<D: Surfaces>(snapshot: &Snapshot<D>, described: &[Wall<D>], detail: u32) -> PolyData {
    let (centre, radius) = ball_around(snapshot);
    let mut data = PolyData::default();
    // What has two ends is a line; a file has its lines before its polygons.
    let mut walls_of = [Vec::new(), Vec::new()];
    for (number, (wall, described)) in snapshot.walls.iter().zip(described).enumerate() {
        if !wall.present {
            continue;
        }
        let first = data.points.len();
        let (points, faces, corners) = surface(described, &wall.pose, centre, radius, detail);
        data.points.extend(points.into_iter().map(single::<D>));
        for face in faces.chunks(corners.max(1)) {
            let (cells, of) = match corners {
                2 => (&mut data.lines, &mut walls_of[0]),
                _ => (&mut data.polygons, &mut walls_of[1]),
            };
            cells.push(first, face);
            of.push(number);
        }
    }
    let walls_of = walls_of.concat();
    let forces = walls_of.iter().flat_map(|&number| single::<D>(snapshot.walls[number].force)).collect();
    let numbers = walls_of.iter().map(|&number| number as u32).collect();
    data.cell_data = vec![
        Array { name: "wall", components: 1, numbers: Numbers::U32(numbers) },
        Array { name: "force", components: 3, numbers: Numbers::F32(forces) },
    ];
    data
}

/// Points in the world, faces, and corners of a face.
fn surface<D: Surfaces>(
    wall: &Wall<D>,
    pose: &Pose<D>,
    centre: D::Vec,
    radius: f64,
    detail: u32,
) -> (Vec<D::Vec>, Vec<u32>, usize) {
    if let Some(patch) = D::patch(&wall.shape, pose, centre, radius) {
        let corners = patch.len();
        return (patch, (0..corners as u32).collect(), corners);
    }
    surface_mesh_of(wall, detail).map_or_else(Default::default, |surface_mesh| {
        (
            surface_mesh.points.iter().map(|&x| pose.to_world(x)).collect(),
            surface_mesh.faces,
            surface_mesh.corners,
        )
    })
}

/// A ball that holds the grains' centres with some room around; the unit ball where there are none.
fn ball_around<D: Surfaces>(snapshot: &Snapshot<D>) -> (D::Vec, f64) {
    let points = || {
        snapshot.bodies.iter().map(|body| body.pose.position).chain(snapshot.contacts.iter().map(|c| c.point))
    };
    let end =
        |i: usize, pick: fn(f64, f64) -> f64| points().map(|x| x.component(i)).reduce(pick).unwrap_or(0.0);
    let low = D::Vec::from_fn(|i| end(i, f64::min));
    let high = D::Vec::from_fn(|i| end(i, f64::max));
    let radius = 0.75 * (high - low).length();
    ((low + high) * 0.5, if radius > 0.0 { radius } else { 1.0 })
}

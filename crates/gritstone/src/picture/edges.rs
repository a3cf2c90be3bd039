//! The edges of a surface that an eye looks for: its rim, and where it bends sharply.

use std::collections::HashMap;

use glam::DVec3;
use gritstone_core::Mesh;

/// Cosine between the normals of neighbours below which they meet in an edge.
const SHARP: f64 = 0.8;

/// Corners nearer to each other than this part of the surface's size are one.
const SAME: f64 = 1e-6;

/// The ends of the edges.
pub(super) fn sharp_edges(mesh: &Mesh) -> Vec<[DVec3; 2]> {
    let size = mesh.positions.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    if size <= 0.0 {
        return Vec::new();
    }
    let place = |p: DVec3| (p / (SAME * size)).round().to_array().map(|x| x as i64);
    // In the order in which they are met, so that pictures do not depend on hashes.
    let (mut sides, mut known) = (Vec::<([DVec3; 2], Vec<DVec3>)>::new(), HashMap::new());
    for triangle in &mesh.triangles {
        let corners = triangle.map(|i| mesh.positions[i as usize]);
        let places = corners.map(place);
        // Slivers at the poles of a sphere have no side.
        if (0..3).any(|i| places[i] == places[(i + 1) % 3]) {
            continue;
        }
        let Some(normal) = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize() else {
            continue;
        };
        for i in 0..3 {
            let ends = [corners[i], corners[(i + 1) % 3]];
            let mut key = ends.map(place);
            key.sort_unstable();
            let number = *known.entry(key).or_insert_with(|| {
                sides.push((ends, Vec::new()));
                sides.len() - 1
            });
            sides[number].1.push(normal);
        }
    }
    // Sheets may be turned either way: only the angle between them counts.
    let smooth = |normals: &[DVec3]| matches!(normals, [a, b] if a.dot(*b).abs() > SHARP);
    sides.into_iter().filter(|(_, normals)| !smooth(normals)).map(|(ends, _)| ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_render::solid;

    /// A box has twelve edges, not the diagonals of its faces; a cylinder two rims; a sphere none.
    #[test]
    fn edges_are_where_surfaces_bend() {
        let length = |mesh: &Mesh| sharp_edges(mesh).iter().map(|[a, b]| a.distance(*b)).sum::<f64>();
        assert_eq!(sharp_edges(&solid::cuboid(DVec3::new(1.0, 2.0, 3.0))).len(), 12);
        let rims = length(&solid::cylinder(100));
        assert!((rims / (4.0 * std::f64::consts::PI) - 1.0).abs() < 1e-3, "{rims}");
        assert_eq!(length(&solid::sphere(40)), 0.0);
    }
}

//! Points that are spread evenly over triangle meshes.

use glam::DVec3;

/// A point for each share of the area, the same every time: `count` in all, about. Each triangle with an area has one at least, which
/// stands for the whole of it; areas come with the points.
pub(crate) fn spread(triangles: &[[DVec3; 3]], count: usize) -> Vec<(DVec3, f64)> {
    let areas: Vec<f64> = triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).collect();
    let all: f64 = areas.iter().sum();
    let mut points = Vec::with_capacity(count + triangles.len());
    for (&[a, b, c], &area) in triangles.iter().zip(&areas).filter(|(_, area)| **area > 0.0) {
        // As many rows of small triangles as give the share.
        let share = count as f64 * area / all;
        let rows = (share.sqrt().ceil() as usize).max(1);
        let each = area / (rows * rows) as f64;
        let at = |i: f64, j: f64| a + (b - a) * (i / rows as f64) + (c - a) * (j / rows as f64);
        for (i, j) in (0..rows).flat_map(|i| (0..rows - i).map(move |j| (i as f64, j as f64))) {
            points.push((at(i + 1.0 / 3.0, j + 1.0 / 3.0), each));
            if (i + j) as usize + 1 < rows {
                points.push((at(i + 2.0 / 3.0, j + 2.0 / 3.0), each));
            }
        }
    }
    points
}

//! Points that are spread evenly over triangle meshes.

use glam::DVec3;

/// Triangles for each point that is asked for, above which not every triangle has one.
const CROWD: usize = 4;

/// A point for each share of the area, the same every time: `count` in all, about. Each triangle with an area has one at least, which
/// stands for the whole of it; areas come with the points. Where there are far more triangles than points, those have one that a share
/// begins on, so that the fineness of a scan costs nothing.
pub(crate) fn spread(triangles: &[[DVec3; 3]], count: usize) -> Vec<(DVec3, f64)> {
    let areas: Vec<f64> = triangles.iter().map(|[a, b, c]| 0.5 * (*b - *a).cross(*c - *a).length()).collect();
    let all: f64 = areas.iter().sum();
    if triangles.len() > CROWD * count {
        return thinned(triangles, &areas, all / count as f64);
    }
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

/// Centres of triangles in the middle of each share of the area, one for all shares that fall on the same.
fn thinned(triangles: &[[DVec3; 3]], areas: &[f64], share: f64) -> Vec<(DVec3, f64)> {
    let (mut points, mut before, mut taken) = (Vec::new(), 0.0, 0.0);
    for (&[a, b, c], &area) in triangles.iter().zip(areas) {
        before += area;
        let shares = (before / share + 0.5).floor() - taken;
        if shares >= 1.0 {
            points.push(((a + b + c) / 3.0, shares * share));
            taken += shares;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square of so many rows of pairs of triangles, far wider on one side.
    fn square(rows: usize) -> Vec<[DVec3; 3]> {
        let at = |i: usize, j: usize| {
            let x = i as f64 / rows as f64;
            DVec3::new(x * x, j as f64 / rows as f64, 0.0)
        };
        let pair =
            |(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]];
        (0..rows).flat_map(|i| (0..rows).map(move |j| (i, j))).flat_map(pair).collect()
    }

    #[test]
    fn points_stand_for_all_of_the_area_however_fine_the_triangles_are() {
        for rows in [2, 20, 200] {
            let points = spread(&square(rows), 1000);
            assert!(points.len() <= 5000, "{}", points.len());
            let area: f64 = points.iter().map(|(_, area)| area).sum();
            let mean: DVec3 = points.iter().map(|(x, area)| *x * *area).sum();
            assert!((area - 1.0).abs() < 2e-3, "{area}");
            // Random points would be off by 0.013.
            assert!((mean / area - DVec3::new(0.5, 0.5, 0.0)).length() < 0.02, "{mean}");
        }
    }
}

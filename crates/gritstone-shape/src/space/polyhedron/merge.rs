//! Triangles of a hull that lie in one plane become one polygon.
//!
//! Rounded coordinates never lie exactly in a plane: a corner belongs to a face if it is no farther from its plane than
//! the rounding of the input explains. Faces are grown from their largest triangle, whose plane is the best known.

use glam::DVec3;

use super::hull::Triangle;
use crate::space::polytope::twice_vector_area;

/// Corners of each face, counter-clockwise seen from outside, as numbers of points; `None` where merging to within
/// `tolerance` would not leave a closed surface of simple polygons.
pub(super) fn polygons(points: &[DVec3], triangles: &[Triangle], tolerance: f64) -> Option<Vec<Vec<u32>>> {
    let (regions, count) = regions(points, triangles, tolerance);
    let mut loops = rims(triangles, &regions, count, points.len())?;
    drop_straight_corners(&mut loops, points.len());
    loops.iter().all(|l| l.len() >= 3).then_some(loops)
}

/// Every triangle as a face of its own.
pub(super) fn unmerged(triangles: &[Triangle]) -> Vec<Vec<u32>> {
    triangles.iter().map(|t| t.corners.to_vec()).collect()
}

/// The region of every triangle, and how many there are.
fn regions(points: &[DVec3], triangles: &[Triangle], tolerance: f64) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let normals: Vec<DVec3> = triangles
        .iter()
        .map(|t| {
            let [x, y, z] = t.corners.map(|p| points[p as usize]);
            twice_vector_area(x, y, z)
        })
        .collect();
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    let area = |t: u32| normals[t as usize].length_squared();
    order.sort_by(|&s, &t| area(t).total_cmp(&area(s)));
    let mut region = vec![NONE; triangles.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for seed in order {
        if region[seed as usize] != NONE {
            continue;
        }
        let normal = normals[seed as usize].normalize_or_zero();
        let origin = points[triangles[seed as usize].corners[0] as usize];
        let flat = |t: u32| {
            let near = |p: u32| normal.dot(points[p as usize] - origin).abs() <= tolerance;
            normals[t as usize].dot(normal) >= 0.0 && triangles[t as usize].corners.into_iter().all(near)
        };
        region[seed as usize] = count;
        stack.push(seed);
        while let Some(t) = stack.pop() {
            for other in triangles[t as usize].neighbours {
                if region[other as usize] == NONE && flat(other) {
                    region[other as usize] = count;
                    stack.push(other);
                }
            }
        }
        count += 1;
    }
    (region, count as usize)
}

/// The rim of each region, if it is one simple loop.
fn rims(triangles: &[Triangle], region: &[u32], count: usize, points: usize) -> Option<Vec<Vec<u32>>> {
    let mut edges: Vec<Vec<(u32, u32)>> = vec![Vec::new(); count];
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            if region[triangle.neighbours[i] as usize] != region[t] {
                let c = triangle.corners;
                edges[region[t] as usize].push((c[(i + 1) % 3], c[(i + 2) % 3]));
            }
        }
    }
    let mut next = vec![u32::MAX; points];
    let mut loops = Vec::with_capacity(count);
    for rim in edges {
        let &(start, _) = rim.first()?;
        for &(from, to) in &rim {
            next[from as usize] = to;
        }
        let mut corners = Vec::with_capacity(rim.len());
        let mut at = start;
        while corners.len() <= rim.len() && at != u32::MAX {
            corners.push(at);
            // Each corner is left once; a rim that crosses itself or has two parts does not come out even.
            at = std::mem::replace(&mut next[at as usize], u32::MAX);
            if at == start {
                break;
            }
        }
        if at != start || corners.len() != rim.len() {
            return None;
        }
        loops.push(corners);
    }
    Some(loops)
}

/// Takes corners out that only two faces share: they lie in the middle of an edge.
fn drop_straight_corners(loops: &mut [Vec<u32>], points: usize) {
    let mut uses = vec![0_u32; points];
    loops.iter().flatten().for_each(|&p| uses[p as usize] += 1);
    for corners in loops {
        corners.retain(|&p| uses[p as usize] >= 3);
    }
}

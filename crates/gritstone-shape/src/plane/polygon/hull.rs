//! The convex hull of points in the plane, by exact orientation.

use glam::DVec2;
use robust::{Coord, orient2d};

/// Corners of the hull, counter-clockwise from the lowest of the leftmost points (Andrew's monotone chain). Points that
/// lie within `rounding` of the line through their neighbours are no corners.
pub(super) fn corners(mut points: Vec<DVec2>, rounding: f64) -> Vec<DVec2> {
    points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    let mut chain = half(points.iter().copied());
    let upper = half(points.iter().copied().rev());
    // The last point of each half is the first of the other.
    chain.pop();
    chain.extend_from_slice(&upper[..upper.len().saturating_sub(1)]);
    straightened(chain, rounding)
}

/// The chain that turns left all the way from the first to the last point.
fn half(points: impl Iterator<Item = DVec2>) -> Vec<DVec2> {
    let mut chain: Vec<DVec2> = Vec::new();
    for p in points {
        while let [.., q, r] = chain[..]
            && !turns_left(q, r, p)
        {
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

fn turns_left(p: DVec2, q: DVec2, r: DVec2) -> bool {
    let coord = |v: DVec2| Coord { x: v.x, y: v.y };
    orient2d(coord(p), coord(q), coord(r)) > 0.0
}

/// Leaves out every corner that rounding may have made, as long as a triangle is left. The first one, an end of the
/// order, is looked at last.
fn straightened(corners: Vec<DVec2>, rounding: f64) -> Vec<DVec2> {
    let straight = |p: DVec2, q: DVec2, r: DVec2| {
        let line = r - p;
        line.perp_dot(p - q).abs() <= rounding * line.length()
    };
    let Some(&first) = corners.first() else { return corners };
    let mut kept: Vec<DVec2> = Vec::with_capacity(corners.len());
    for p in corners.into_iter().chain([first]) {
        while let [.., q, r] = kept[..]
            && straight(q, r, p)
        {
            kept.pop();
        }
        kept.push(p);
    }
    kept.pop();
    if let [first, second, .., last] = kept[..]
        && kept.len() > 3
        && straight(last, first, second)
    {
        kept.remove(0);
    }
    kept
}

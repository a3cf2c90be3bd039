//! A box cut by planes: its corners.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;

/// Points that are this near are one, relative to the diagonal of the box.
const SAME: f64 = 1e-10;

/// The corners of the part of a box that is behind all of some planes `normal · x = offset`.
pub(super) fn cut([low, high]: [DVec3; 2], planes: &[(DVec3, f64)]) -> Vec<DVec3> {
    let near = SAME * (high - low).length();
    let mut faces = faces_of_box(low, high);
    for &plane in planes {
        cut_by(&mut faces, plane, near);
    }
    let mut corners: Vec<DVec3> = Vec::new();
    for &x in faces.iter().flatten() {
        add(&mut corners, x, near);
    }
    corners
}

fn faces_of_box(low: DVec3, high: DVec3) -> Vec<Vec<DVec3>> {
    let mut faces = Vec::with_capacity(6);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for end in [low, high] {
            let corner = |first: DVec3, second: DVec3| {
                let mut x = end;
                (x[u], x[v]) = (first[u], second[v]);
                x
            };
            faces.push(vec![corner(low, low), corner(high, low), corner(high, high), corner(low, high)]);
        }
    }
    faces
}

/// Cuts every face after Sutherland and Hodgman 1974, and closes the body with a face in the plane.
fn cut_by(faces: &mut Vec<Vec<DVec3>>, (normal, offset): (DVec3, f64), near: f64) {
    let height = |x: DVec3| normal.dot(x) - offset;
    if faces.iter().flatten().all(|&x| height(x) <= near) {
        return;
    }
    let mut lid: Vec<DVec3> = Vec::new();
    for face in faces.iter_mut() {
        let mut left = Vec::with_capacity(face.len() + 1);
        for i in 0..face.len() {
            let (x, y) = (face[i], face[(i + 1) % face.len()]);
            let (here, there) = (height(x), height(y));
            if here <= near {
                left.push(x);
                if here >= -near {
                    add(&mut lid, x, near);
                }
            }
            if (here < -near && there > near) || (here > near && there < -near) {
                let between = x + (y - x) * (here / (here - there));
                left.push(between);
                add(&mut lid, between, near);
            }
        }
        *face = left;
    }
    faces.retain(|face| face.len() >= 3);
    if lid.len() >= 3 {
        faces.push(around(normal, lid));
    }
}

/// Points of a plane in order around their middle.
fn around(normal: DVec3, mut points: Vec<DVec3>) -> Vec<DVec3> {
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let tangent = Tangent::across(normal);
    let axes = [tangent.lift(DVec2::X), tangent.lift(DVec2::Y)];
    let angle = |x: DVec3| libm::atan2(axes[1].dot(x - middle), axes[0].dot(x - middle));
    points.sort_by(|&x, &y| angle(x).total_cmp(&angle(y)));
    points
}

fn add(points: &mut Vec<DVec3>, x: DVec3, near: f64) {
    if points.iter().all(|y| y.distance(x) > near) {
        points.push(x);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube without one corner, and without a slice on the other side: 8 − 1 + 3 corners.
    #[test]
    fn a_cube_is_cut() {
        let planes = [(DVec3::splat(1.0 / 3_f64.sqrt()), 2.5 / 3_f64.sqrt()), (-DVec3::X, -0.25)];
        let corners = cut([DVec3::ZERO, DVec3::ONE], &planes);
        assert_eq!(corners.len(), 10);
        for x in [DVec3::new(0.25, 0.0, 1.0), DVec3::new(1.0, 0.5, 1.0), DVec3::new(0.5, 1.0, 1.0)] {
            assert!(corners.iter().any(|y| y.distance(x) < 1e-14), "{corners:?}");
        }
    }

    /// Planes that only touch it, or pass through corners, leave what is behind them.
    #[test]
    fn planes_through_corners_are_no_trouble() {
        let half = cut([DVec3::ZERO, DVec3::ONE], &[(DVec3::new(0.6, -0.8, 0.0), 0.6)]);
        assert_eq!(half.len(), 8);
        let diagonal = DVec3::new(1.0, 1.0, 0.0).normalize();
        let half = cut([DVec3::ZERO, DVec3::ONE], &[(diagonal, 0.5_f64.sqrt())]);
        assert_eq!(half.len(), 6, "{half:?}");
        let none = cut([DVec3::ZERO, DVec3::ONE], &[(DVec3::X, -1.0)]);
        assert!(none.is_empty());
    }
}

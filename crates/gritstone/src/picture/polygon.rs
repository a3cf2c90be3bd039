//! Convex polygons in space, cut by planes.

use glam::DVec3;

/// All x with `normal·x ≤ offset`; the normal is of unit length.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfSpace {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
}

impl HalfSpace {
    /// How far a point is outside.
    pub(super) fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// The square of a plane around the foot of a point, counter-clockwise about the normal.
pub(super) fn square(plane: &HalfSpace, around: DVec3, half: f64) -> Vec<DVec3> {
    let foot = around - plane.above(around) * plane.normal;
    let (u, v) = plane.normal.any_orthonormal_pair();
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(s, t)| foot + half * (s * u + t * v)).into()
}

/// The part of a polygon outside a half-space (Sutherland and Hodgman).
pub(super) fn cut(polygon: &[DVec3], solid: &HalfSpace) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, here) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (a, b) = (solid.above(*here), solid.above(next));
        if a >= 0.0 {
            kept.push(*here);
        }
        if (a >= 0.0) != (b >= 0.0) {
            kept.push(here.lerp(next, a / (a - b)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A corner of a square is cut off: the rest has 7/8 of its area.
    #[test]
    fn a_cut_leaves_what_is_outside() {
        let floor = HalfSpace { normal: DVec3::Z, offset: 2.0 };
        let whole = square(&floor, DVec3::new(5.0, 6.0, 9.0), 1.0);
        assert!(whole.iter().all(|corner| corner.z == 2.0));
        let area =
            |p: &[DVec3]| -> f64 { (0..p.len()).map(|i| 0.5 * p[i].cross(p[(i + 1) % p.len()]).z).sum() };
        assert!((area(&whole) - 4.0).abs() < 1e-12);
        let normal = (DVec3::X + DVec3::Y).normalize();
        let solid = HalfSpace { normal: -normal, offset: -normal.dot(DVec3::new(6.0, 6.0, 0.0)) };
        let rest = cut(&whole, &solid);
        assert_eq!(rest.len(), 5);
        assert!((area(&rest) - 3.5).abs() < 1e-12);
    }
}

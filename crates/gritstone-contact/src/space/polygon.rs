//! Convex polygons.

use glam::DVec2;

/// Shows `keep` the corners of the part of a convex polygon where the linear function `height` is not negative
/// (Sutherland and Hodgman 1974).
#[inline]
pub(crate) fn cut(corners: &[DVec2], height: impl Fn(DVec2) -> f64, mut keep: impl FnMut(DVec2)) {
    let Some(&last) = corners.last() else { return };
    let (mut from, mut h_from) = (last, height(last));
    for &to in corners {
        let h_to = height(to);
        if (h_from >= 0.0) != (h_to >= 0.0) {
            keep(from + (to - from) * (h_from / (h_from - h_to)));
        }
        if h_to >= 0.0 {
            keep(to);
        }
        (from, h_from) = (to, h_to);
    }
}

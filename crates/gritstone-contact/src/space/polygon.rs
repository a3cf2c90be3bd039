//! Convex polygons.

use glam::DVec2;

/// Shows `keep` the corners of the part of a convex polygon where the linear function `height` is not negative
/// (Sutherland and Hodgman 1974).
pub(crate) fn cut(corners: &[DVec2], height: impl Fn(DVec2) -> f64, mut keep: impl FnMut(DVec2)) {
    for (i, &from) in corners.iter().enumerate() {
        let to = corners[(i + 1) % corners.len()];
        let (h_from, h_to) = (height(from), height(to));
        if h_from >= 0.0 {
            keep(from);
        }
        if (h_from >= 0.0) != (h_to >= 0.0) {
            keep(from + (to - from) * (h_from / (h_from - h_to)));
        }
    }
}

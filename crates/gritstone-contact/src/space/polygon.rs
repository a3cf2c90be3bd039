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

/// Leaves of a convex polygon the part where the linear function `height` is not negative, by way of `spare`.
#[inline]
pub(crate) fn clip(polygon: &mut Vec<DVec2>, spare: &mut Vec<DVec2>, height: impl Fn(DVec2) -> f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &x in &*polygon {
        // Comparisons, since `min` and `max` take care of what is no number, which costs as much again.
        let h = height(x);
        (low, high) = (if h < low { h } else { low }, if h > high { h } else { high });
    }
    if low >= 0.0 {
        return;
    }
    if high < 0.0 {
        polygon.clear();
        return;
    }
    let Some(&last) = polygon.last() else { return };
    spare.clear();
    spare.resize(2 * polygon.len() + 1, DVec2::ZERO);
    let (mut from, mut h_from, mut count) = (last, height(last), 0);
    for &to in &*polygon {
        // Written in any case and counted if it is wanted: no processor can foretell which corners are.
        let h_to = height(to);
        spare[count] = from + (to - from) * (h_from / (h_from - h_to));
        count += usize::from((h_from >= 0.0) != (h_to >= 0.0));
        spare[count] = to;
        count += usize::from(h_to >= 0.0);
        (from, h_from) = (to, h_to);
    }
    spare.truncate(count);
    std::mem::swap(polygon, spare);
}

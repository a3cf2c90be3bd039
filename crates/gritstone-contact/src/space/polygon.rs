//! Convex polygons.

use glam::DVec2;
use gritstone_core::Linear;

/// Corners of a polygon: of twelve, and one more for each of twelve cuts and two to spare.
const MOST: usize = 26;

/// Sideways extent of a segment, relative to the length of another, up to which it lies along it.
const PARALLEL: f64 = 1e-6;

/// Ratio of a polygon's area to the square of its length below which rounding spoils its centroid.
const THIN: f64 = 1e-7;

/// Shows `keep` the corners of the part of a convex polygon where the linear function `height` is not negative
/// (Sutherland and Hodgman 1974).
#[inline]
pub(crate) fn cut<P: Linear>(corners: &[P], height: impl Fn(P) -> f64, mut keep: impl FnMut(P)) {
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

/// The middle of what two segments have in common, the second one being no shorter: of what they share where they lie along
/// each other, else the point where they cross. `None` where that is nothing.
pub(crate) fn common_middle([p, q]: [DVec2; 2], [from, to]: [DVec2; 2]) -> Option<DVec2> {
    let length = from.distance(to);
    let along = (to - from) / length;
    let place = |x: DVec2| DVec2::new(along.dot(x - from), along.perp_dot(x - from));
    let (p, q) = (place(p), place(q));
    let (low, high) = (p.x.min(q.x).max(0.0), p.x.max(q.x).min(length));
    let slope = q.y - p.y;
    let at =
        if slope.abs() <= PARALLEL * length { 0.5 * (low + high) } else { p.x - p.y * (q.x - p.x) / slope };
    let slack = PARALLEL * length;
    (low - slack..=high + slack).contains(&at).then(|| from + along * at)
}

/// Two corners as far apart as a look from the first finds; `None` without corners.
pub(crate) fn ends(corners: &[DVec2]) -> Option<[DVec2; 2]> {
    let farthest = |from: DVec2| {
        let farther = |p: DVec2, q: DVec2| if q.distance(from) > p.distance(from) { q } else { p };
        corners.iter().copied().fold(from, farther)
    };
    let end = farthest(*corners.first()?);
    Some([farthest(end), end])
}

/// A convex polygon with counter-clockwise corners.
#[derive(Clone, Copy)]
pub(crate) struct Polygon {
    corners: [DVec2; MOST],
    count: usize,
}

impl Default for Polygon {
    fn default() -> Self {
        Self { corners: [DVec2::ZERO; MOST], count: 0 }
    }
}

impl Polygon {
    pub(crate) fn push(&mut self, corner: DVec2) {
        if self.count < MOST {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// The part to the left of the line from `p` to `q`.
    pub(crate) fn cut(&self, p: DVec2, q: DVec2) -> Self {
        let mut kept = Self::default();
        cut(&self.corners[..self.count], |x| (q - p).perp_dot(x - p), |x| kept.push(x));
        kept
    }

    /// The centroid; that of a line where the polygon is thinner than [`THIN`]; `None` without corners.
    pub(crate) fn centroid(&self) -> Option<DVec2> {
        let corners = &self.corners[..self.count];
        let origin = *corners.first()?;
        let [start, end] = ends(corners)?;
        let (mut area, mut moment) = (0.0, DVec2::ZERO);
        for i in 1..self.count.saturating_sub(1) {
            let (u, v) = (corners[i] - origin, corners[i + 1] - origin);
            let twice = u.perp_dot(v);
            area += twice;
            moment += (u + v) * (twice / 3.0);
        }
        let thin = area <= THIN * start.distance_squared(end);
        Some(if thin { 0.5 * (start + end) } else { origin + moment / area })
    }
}

//! Evaluated directions around the whole circle, and the upper bound of the signed distance that they prove.
//!
//! **Idea.** Every evaluated d is a point of the Minkowski difference D, so `g(c) ≤ d·c` for all c. Between two
//! evaluated directions the smaller of their two bounds holds, and its maximum over the arc is known: the bounds cross
//! at the normal of the chord between the two points. The largest of these maxima over all arcs bounds g everywhere, so
//! **the signed distance is no larger**. Where bodies overlap, the points are the corners of a polygon in D around the
//! origin, and the bound is the distance of its nearest edge; where they are apart, it is the nearest point of a chord.
//!
//! The arcs' order is that of the directions. Rounding cannot fold it, and no arc depends on another.

use glam::DVec2;

use super::pair::{PointPair, Sample};

/// Directions that a ring can hold.
pub(crate) const CAPACITY: usize = 2048;

/// Evaluated directions with the arcs between them. Keep it and [`clear`](Self::clear) it: then growing does not
/// allocate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ring {
    arcs: Vec<Arc>,
}

/// The directions from one evaluated direction, turning left, to the next; no more than half a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    from: Sample,
    to: Sample,
    /// No direction of the arc has a larger g.
    pub(crate) upper: f64,
    /// Where it might have that: the direction to evaluate next.
    pub(crate) at: DVec2,
}

impl Ring {
    /// Forgets everything but the memory.
    pub(crate) fn clear(&mut self) {
        self.arcs.clear();
    }

    /// Two opposite directions: the smallest ring.
    pub(crate) fn start(&mut self, front: Sample, back: Sample) {
        self.arcs.clear();
        self.arcs.extend([Arc::new(front, back), Arc::new(back, front)]);
    }

    /// Divides the arc in which the sample's direction lies; false when it is there already, or the ring is full.
    pub(crate) fn insert(&mut self, sample: Sample) -> bool {
        let Some(i) = self.arcs.iter().position(|arc| arc.holds(sample.c)) else { return false };
        if self.arcs.len() >= CAPACITY {
            return false;
        }
        let Arc { from, to, .. } = self.arcs[i];
        self.arcs[i] = Arc::new(from, sample);
        self.arcs.push(Arc::new(sample, to));
        true
    }

    /// The arc with the largest bound.
    pub(crate) fn worst(&self) -> Option<&Arc> {
        self.worst_by(|arc| arc.upper)
    }

    /// The arc with the largest bound, where bounds of arcs that end at the direction `c` count less by `allowance`.
    pub(crate) fn worst_but_at(&self, c: DVec2, allowance: f64) -> Option<&Arc> {
        self.worst_by(|arc| if arc.ends_at(c) { arc.upper - allowance } else { arc.upper })
    }

    fn worst_by(&self, key: impl Fn(&Arc) -> f64) -> Option<&Arc> {
        self.arcs.iter().max_by(|x, y| key(x).total_cmp(&key(y)))
    }

    /// Points of the chord beside the direction `c` at which d is nearest to the origin.
    pub(crate) fn witness_at(&self, c: DVec2) -> Option<PointPair> {
        let beside = self.arcs.iter().filter(|arc| arc.ends_at(c));
        beside.max_by(|x, y| x.upper.total_cmp(&y.upper)).map(|arc| nearest(&arc.from, &arc.to))
    }

    /// Upper bound of the signed distance.
    pub(crate) fn upper(&self) -> f64 {
        self.worst().map_or(f64::INFINITY, |arc| arc.upper)
    }
}

impl Arc {
    /// The arc that turns left from one evaluated direction to another.
    pub(crate) fn new(from: Sample, to: Sample) -> Self {
        let whole = [from.c, to.c];
        // Where the bounds do not cross, one of them is the smaller one all along.
        let (x, y) = (peak(from.d, whole), peak(to.d, whole));
        let (mut upper, mut at) = if x.0 <= y.0 { x } else { y };
        // As c turns left, d runs around D so that its way, turned left, points along c.
        if let Some(n) = (to.d - from.d).perp().try_normalize()
            && holds(whole, n)
        {
            let crossing = (n.dot(from.d).max(n.dot(to.d)), n);
            let candidates = [peak(from.d, [from.c, n]), crossing, peak(to.d, [n, to.c])];
            (upper, at) = candidates.into_iter().max_by(|x, y| x.0.total_cmp(&y.0)).unwrap_or(crossing);
        }
        let rounding = 4.0 * f64::EPSILON * from.d.abs().max(to.d.abs()).max_element();
        Self { from, to, upper: upper + rounding, at }
    }

    /// Whether `c` is where it begins or ends.
    pub(crate) fn ends_at(&self, c: DVec2) -> bool {
        self.from.c == c || self.to.c == c
    }

    fn holds(&self, c: DVec2) -> bool {
        holds([self.from.c, self.to.c], c)
    }
}

/// The points between two samples at which d is nearest to the origin.
pub(crate) fn nearest(from: &Sample, to: &Sample) -> PointPair {
    let way = to.d - from.d;
    let fraction = -from.d.dot(way) / way.length_squared();
    // Where the two are the same, any fraction will do.
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    from.points().lerp(&to.points(), fraction)
}

/// Whether a direction lies strictly between two others, of which the second is less than half a turn left of the first,
/// or just half a turn.
fn holds([from, to]: [DVec2; 2], c: DVec2) -> bool {
    from.perp_dot(c) > 0.0 && c.perp_dot(to) > 0.0
}

/// The largest d·c over the unit vectors c from one direction to another, and where it is.
fn peak(d: DVec2, [from, to]: [DVec2; 2]) -> (f64, DVec2) {
    if holds([from, to], d) {
        let length = d.length();
        return (length, d / length);
    }
    let (x, y) = (d.dot(from), d.dot(to));
    if x >= y { (x, from) } else { (y, to) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(angle: f64, d: DVec2) -> Sample {
        let c = DVec2::from_angle(angle);
        Sample { c, d, g: c.dot(d), ..Sample::default() }
    }

    proptest! {
        /// The bound of an arc is the largest value, on a fine grid, of the smaller of the two bounds.
        #[test]
        fn arcs_have_the_bound_of_their_ends(a in -3.0..3.0_f64, turn in 0.01..3.1, x in -1.0..1.0, y in -1.0..1.0,
                                             dx in 0.0..1.0, dy in -1.0..1.0) {
            let from = sample(a, DVec2::new(x, y));
            // As on a convex curve: the other point lies farther along the first direction, and less along its own.
            let way = -DVec2::from_angle(a + 0.5 * turn).perp() * dx + DVec2::from_angle(a + 0.5 * turn) * (dy * 1e-3);
            let to = sample(a + turn, from.d + way);
            prop_assume!(to.g <= to.c.dot(from.d) && from.g <= from.c.dot(to.d));
            let arc = Arc::new(from, to);
            let grid = (0..=4000).map(|i| DVec2::from_angle(a + turn * f64::from(i) / 4000.0));
            let known = grid.map(|c| c.dot(from.d).min(c.dot(to.d))).fold(f64::MIN, f64::max);
            prop_assert!(arc.upper >= known - 1e-14 && arc.upper <= known + 2e-3, "{} {known}", arc.upper);
        }
    }
}

//! Apart: the walk to the nearest point of the Minkowski difference.

use glam::DVec3;

use super::expansion::below_origin;
use super::minkowski_difference::{Corner, MinkowskiDifference, highest};
use super::warm_start::WarmStart;

/// Steps after which rounding is to blame.
const MAX_STEPS: u32 = 64;

/// Up to four vertices of the Minkowski difference, and the direction of their point v nearest to the origin. The walk
/// needs neither a root nor a division: where v lies exactly is worked out at its end.
pub(super) struct Descent<'c, 's> {
    difference: &'c MinkowskiDifference<'s>,
    // Every access has a constant index, so that all of this stays in registers.
    corners: [Corner; 4],
    count: u32,
    /// The direction of v, of any length: across what carries v.
    u: DVec3,
    /// u·w: how far along u the Minkowski difference begins.
    along: f64,
    /// |u|/|v| for a vertex or an edge, whose directions are only as good as v is long; zero for a triangle, whose normal
    /// is right to rounding however near the origin is.
    scale: f64,
    pub(super) evaluations: u32,
}

/// How a walk ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A separating plane was found, and is all that was wanted.
    Apart,
    /// No vertex lies nearer than v.
    Nearest,
    /// The four vertices hold the origin.
    Overlap,
    /// Rounding hides the answer.
    Lost,
}

/// Where a walk arrived.
pub(super) struct Arrival {
    /// Unit direction of v.
    pub(super) c: DVec3,
    /// |v|.
    pub(super) gap: f64,
    /// How far along c the Minkowski difference begins.
    pub(super) lower: f64,
    /// v as a mean of the vertices.
    pub(super) weights: [f64; 3],
}

/// What of a triangle carries its point nearest to the origin.
#[derive(Clone, Copy)]
enum Carrier {
    P,
    Q,
    R,
    Pq,
    Pr,
    Qr,
    Inside,
}

impl<'c, 's> Descent<'c, 's> {
    /// Starts from the vertices that are kept, else from the direction `start` in the world, else from the centres' line.
    #[inline(always)]
    pub(super) fn new(
        difference: &'c MinkowskiDifference<'s>,
        kept: &WarmStart,
        start: Option<DVec3>,
    ) -> Self {
        let u = start.map_or(difference.offset, |c| difference.turn_from_world(c));
        let (corners, count) = kept.simplex(difference);
        let u = if u == DVec3::ZERO { DVec3::X } else { u };
        Self { difference, corners, count, u, along: 0.0, scale: 0.0, evaluations: 0 }
    }

    /// Walks until v is found or, where detection is all that is wanted, a separating plane.
    #[inline(always)]
    pub(super) fn run(&mut self, detect: bool) -> Outcome {
        if self.count > 0 {
            self.reduce();
            if self.at_origin() {
                return self.complete();
            }
            if self.holds() {
                return Outcome::Nearest;
            }
        }
        for _ in 0..MAX_STEPS {
            let w = self.difference.support(self.u, &self.corners[0]);
            self.evaluations += 1;
            self.along = self.u.dot(w.d);
            if detect && self.along > 0.0 {
                return Outcome::Apart;
            }
            if self.count > 0 && (self.arrived() || self.has(&w)) {
                return Outcome::Nearest;
            }
            if !self.advance(w) {
                return Outcome::Overlap;
            }
            if self.at_origin() {
                return self.complete();
            }
        }
        Outcome::Lost
    }

    /// Whether the vertices to start from are the right ones already, by their neighbours alone.
    #[inline(always)]
    fn holds(&mut self) -> bool {
        let (p, u) = (self.corners[0], self.u);
        let above_a = highest(self.difference.a.rays(p.a), u);
        let above_b = highest(self.difference.b.rays(p.b), self.difference.turn_back(-u));
        self.along = u.dot(p.d) - self.difference.stray(above_a, above_b);
        let level = self.difference.level * u.length();
        self.evaluations = 1;
        self.along > 0.0 && above_a <= level && above_b <= level
    }

    /// Whether no vertex lies below v, to rounding.
    #[inline(always)]
    fn arrived(&self) -> bool {
        let below = self.u.dot(self.corners[0].d) - self.along;
        let tight = self.difference.tight();
        below <= 2.0 * tight * self.difference.reach * self.scale
            || below * below <= tight * tight * self.u.length_squared()
    }

    /// The plane that separates the bodies, and what of the walk lies on it.
    #[inline(always)]
    pub(super) fn arrival(&self) -> Arrival {
        let [p, q, r, _] = &self.corners;
        let inverse = self.u.length().recip();
        let lower = self.along * inverse;
        if self.count == 2 {
            // v itself has digits that its direction, found without a division, has lost.
            let e = q.d - p.d;
            let t = -p.d.dot(e) / e.length_squared();
            let v = p.d + e * t;
            let gap = v.length();
            return Arrival { c: v / gap, gap, lower, weights: [1.0 - t, t, 0.0] };
        }
        let weights = if self.count == 3 { below_origin(p.d, q.d, r.d) } else { [1.0, 0.0, 0.0] };
        Arrival { c: self.u * inverse, gap: self.u.dot(p.d) * inverse, lower, weights }
    }

    /// The vertices that carry v.
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count as usize]
    }

    /// The four vertices that hold the origin.
    pub(super) fn tetrahedron(&self) -> &[Corner; 4] {
        &self.corners
    }

    /// Whether v is the origin, to rounding, and no triangle's normal tells where to continue.
    #[inline(always)]
    fn at_origin(&self) -> bool {
        let limit = self.difference.tight() * self.scale;
        self.scale > 0.0 && self.u.length_squared() <= limit * limit
    }

    /// Adds vertices to those that have the origin between them until there are four: the origin lies on the tetrahedron's
    /// surface, and whether also on that of the Minkowski difference is left to the expansion.
    #[cold]
    fn complete(&mut self) -> Outcome {
        while self.count < 4 {
            let [p, q, r, _] = self.corners.map(|corner| corner.d);
            let (e, f) = (q - p, r - p);
            // Directions to look along, and across which the new vertex must lie.
            let across = match self.count {
                1 => [DVec3::X, DVec3::Y, DVec3::Z],
                2 => {
                    let (u, v) = e.normalize_or(DVec3::X).any_orthonormal_pair();
                    [u, v, u + v]
                }
                _ => [e.cross(f).normalize_or(DVec3::X); 3],
            };
            let directions = across.into_iter().flat_map(|u| [u, -u]);
            let found = directions.map(|u| self.difference.support(u, &self.corners[0]));
            let away = |w: &Corner| match self.count {
                1 => (w.d - p).length(),
                2 => e.normalize_or_zero().cross(w.d - p).length(),
                _ => e.cross(f).normalize_or_zero().dot(w.d - p).abs(),
            };
            let farthest = found.max_by(|v, w| away(v).total_cmp(&away(w)));
            let Some(w) = farthest.filter(|w| away(w) > self.difference.tight()) else {
                return Outcome::Lost;
            };
            self.push(w);
        }
        Outcome::Overlap
    }

    #[inline(always)]
    fn has(&self, w: &Corner) -> bool {
        let [p, q, r, _] = &self.corners;
        (self.count > 0 && p.is(w)) || (self.count > 1 && q.is(w)) || (self.count > 2 && r.is(w))
    }

    #[inline(always)]
    fn push(&mut self, corner: Corner) {
        match self.count {
            0 => self.corners[0] = corner,
            1 => self.corners[1] = corner,
            2 => self.corners[2] = corner,
            _ => self.corners[3] = corner,
        }
        self.count += 1;
    }

    /// Shrinks the vertices to start from to those that carry their point nearest to the origin.
    #[inline(always)]
    fn reduce(&mut self) {
        let [p, q, r, _] = self.corners;
        match self.count {
            1 => self.at_point(p),
            2 => self.at_segment(p, q),
            _ => self.settle([p, q, r], carrier(p.d, q.d, r.d)),
        }
    }

    /// Adds a vertex that lies below v and shrinks to those that carry the nearest point, of which it is one; false when
    /// four of them hold the origin.
    #[inline(always)]
    fn advance(&mut self, w: Corner) -> bool {
        let [p, q, r, _] = &self.corners;
        match self.count {
            0 => self.at_point(w),
            1 => {
                let e = p.d - w.d;
                let along = -e.dot(w.d);
                if along <= 0.0 {
                    self.at_point(w);
                } else {
                    self.on_edge(*p, w, e, along, e.length_squared());
                }
            }
            2 => self.take(*p, *q, w, &Side::new(p.d, q.d, w.d)),
            _ => return self.beside_tetrahedron(*p, *q, *r, w),
        }
        true
    }

    /// Keeps of a triangle with the newest vertex what carries the nearest point.
    #[inline(always)]
    fn take(&mut self, p: Corner, q: Corner, w: Corner, side: &Side) {
        match side.carrier() {
            Carrier::R => self.at_point(w),
            Carrier::Pr => self.on_edge(p, w, side.e, side.along_e, side.ee),
            Carrier::Qr => self.on_edge(q, w, side.f, side.along_f, side.ff),
            _ => self.within_triangle([p, q, w]),
        }
    }

    /// The origin's foot lies on the edge from w along `e` to p.
    #[inline(always)]
    fn on_edge(&mut self, p: Corner, w: Corner, e: DVec3, along: f64, square: f64) {
        (self.corners[0], self.corners[1], self.count) = (p, w, 2);
        (self.u, self.scale) = (w.d * square + e * along, square);
    }

    /// The nearest point lies on one of the three triangles that have the newest vertex.
    #[inline(always)]
    fn beside_tetrahedron(&mut self, p: Corner, q: Corner, r: Corner, w: Corner) -> bool {
        let (e, f, g) = (p.d - w.d, q.d - w.d, r.d - w.d);
        let (one, two, three) = (e.cross(f), f.cross(g), g.cross(e));
        let tight = self.difference.tight();
        let volume = one.dot(g);
        // A flat tetrahedron has no inside.
        let flat = |n: DVec3| volume * volume <= tight * tight * n.length_squared();
        let beyond = |n: DVec3| n.dot(w.d) * volume > 0.0 || flat(n);
        let (one, two, three) = (beyond(one), beyond(two), beyond(three));
        if !(one || two || three) {
            self.corners[3] = w;
            self.count = 4;
            return false;
        }
        // Beyond several sides, the one that has the foot of the origin carries the nearest point, else the nearest.
        let (mut least, mut best) = (f64::INFINITY, (p, q, Side::default()));
        for (counts, x, y) in [(one, p, q), (two, q, r), (three, r, p)] {
            if counts && least > 0.0 {
                let side = Side::new(x.d, y.d, w.d);
                let distance = side.distance(w.d);
                if distance < least {
                    (least, best) = (distance, (x, y, side));
                }
            }
        }
        self.take(best.0, best.1, w, &best.2);
        true
    }

    #[inline(always)]
    fn at_point(&mut self, p: Corner) {
        (self.corners[0], self.count) = (p, 1);
        (self.u, self.scale) = (p.d, 1.0);
    }

    #[inline(always)]
    fn at_segment(&mut self, p: Corner, q: Corner) {
        let e = q.d - p.d;
        let along = -p.d.dot(e);
        if along <= 0.0 {
            self.at_point(p);
        } else if along >= e.length_squared() {
            self.at_point(q);
        } else {
            self.within_segment(p, q);
        }
    }

    #[inline(always)]
    fn within_segment(&mut self, p: Corner, q: Corner) {
        let e = q.d - p.d;
        let square = e.length_squared();
        (self.corners[0], self.corners[1], self.count) = (p, q, 2);
        // From the nearer end, for the sake of digits.
        let near = if p.d.length_squared() <= q.d.length_squared() { p.d } else { q.d };
        (self.u, self.scale) = (near * square - e * near.dot(e), square);
    }

    #[inline(always)]
    fn within_triangle(&mut self, [p, q, r]: [Corner; 3]) {
        let n = (q.d - p.d).cross(r.d - p.d);
        let height = n.dot(p.d);
        let tight = self.difference.tight();
        // Where the origin lies in the triangle's plane, the centres tell on which side the Minkowski difference is.
        let flat = height * height <= tight * tight * n.length_squared();
        let inward = if flat { n.dot(self.difference.offset) } else { height };
        (self.u, self.scale) = (n * 1.0_f64.copysign(inward), 0.0);
        (self.corners[0], self.corners[1], self.corners[2], self.count) = (p, q, r, 3);
    }

    /// Keeps those of three vertices that carry the nearest point of their triangle.
    #[inline(always)]
    fn settle(&mut self, [p, q, r]: [Corner; 3], carrier: Carrier) {
        match carrier {
            Carrier::Inside => self.within_triangle([p, q, r]),
            Carrier::Pq => self.within_segment(p, q),
            Carrier::Pr => self.within_segment(p, r),
            Carrier::Qr => self.within_segment(q, r),
            Carrier::P => self.at_point(p),
            Carrier::Q => self.at_point(q),
            Carrier::R => self.at_point(r),
        }
    }
}

/// A triangle with the newest vertex w, seen from there.
#[derive(Clone, Copy, Default)]
struct Side {
    /// Its edges from w.
    e: DVec3,
    f: DVec3,
    /// How far the origin lies along them, times their lengths.
    along_e: f64,
    along_f: f64,
    ee: f64,
    ff: f64,
    ef: f64,
}

impl Side {
    #[inline(always)]
    fn new(p: DVec3, q: DVec3, w: DVec3) -> Self {
        let (e, f) = (p - w, q - w);
        Self { e, f, along_e: -e.dot(w), along_f: -f.dot(w), ee: e.dot(e), ff: f.dot(f), ef: e.dot(f) }
    }

    /// What carries the point nearest to the origin, w being part of it.
    #[inline(always)]
    fn carrier(&self) -> Carrier {
        let &Self { along_e, along_f, ee, ff, ef, .. } = self;
        if along_e <= 0.0 && along_f <= 0.0 {
            Carrier::R
        } else if along_e > 0.0 && ee * along_f - ef * along_e <= 0.0 {
            Carrier::Pr
        } else if along_f > 0.0 && ff * along_e - ef * along_f <= 0.0 {
            Carrier::Qr
        } else {
            Carrier::Inside
        }
    }

    /// The square of the distance of its nearest point; zero where that lies inside, which makes it the nearest of all.
    #[inline(always)]
    fn distance(&self, w: DVec3) -> f64 {
        match self.carrier() {
            Carrier::Inside => 0.0,
            Carrier::Pr => w.length_squared() - self.along_e * self.along_e / self.ee,
            Carrier::Qr => w.length_squared() - self.along_f * self.along_f / self.ff,
            _ => w.length_squared(),
        }
    }
}

/// What carries the point of a triangle nearest to the origin (Ericson, Real-Time Collision Detection, section 5.1.5).
#[inline(always)]
fn carrier(p: DVec3, q: DVec3, r: DVec3) -> Carrier {
    let (pq, pr) = (q - p, r - p);
    let (d1, d2) = (-pq.dot(p), -pr.dot(p));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Carrier::P;
    }
    let (d3, d4) = (-pq.dot(q), -pr.dot(q));
    if d3 >= 0.0 && d4 <= d3 {
        return Carrier::Q;
    }
    let vr = d1 * d4 - d3 * d2;
    if vr <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return Carrier::Pq;
    }
    let (d5, d6) = (-pq.dot(r), -pr.dot(r));
    if d6 >= 0.0 && d5 <= d6 {
        return Carrier::R;
    }
    let vq = d5 * d2 - d1 * d6;
    if vq <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return Carrier::Pr;
    }
    let vp = d3 * d6 - d5 * d4;
    if vp <= 0.0 && d4 >= d3 && d5 >= d6 {
        return Carrier::Qr;
    }
    if vp + vq + vr > 0.0 { Carrier::Inside } else { Carrier::P }
}

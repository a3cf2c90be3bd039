//! Apart: the walk to the nearest point of the Minkowski difference.

use glam::DVec3;

use super::couple::{Corner, Couple};
use super::kept::Kept;
use crate::space::surface::closest_on_triangle;

/// Steps after which rounding is to blame.
const MAX_STEPS: u32 = 64;

/// Up to four vertices of the Minkowski difference, and their point v nearest to the origin.
pub(super) struct Descent<'c, 's> {
    couple: &'c Couple<'s>,
    // Every access has a constant index, so that all of this stays in registers.
    corners: [Corner; 4],
    count: u32,
    /// v as a mean of the vertices.
    pub(super) weights: [f64; 3],
    /// The direction of v, of any length: that of v itself or, where v lies inside a triangle, the triangle's normal,
    /// which is right to rounding however near the origin is.
    pub(super) u: DVec3,
    /// u·v.
    pub(super) height: f64,
    /// u·w: how far along u the Minkowski difference begins.
    pub(super) along: f64,
    /// How exactly u·w is known.
    slack: f64,
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

impl<'c, 's> Descent<'c, 's> {
    /// Starts from the vertices that are kept, else from the direction `start` in the world, else from the centres' line.
    #[inline(always)]
    pub(super) fn new(couple: &'c Couple<'s>, kept: &Kept, start: Option<DVec3>) -> Self {
        let u = start.map_or(couple.offset, |c| couple.turn_from_world(c));
        let (corners, count) = kept.simplex(couple);
        Self {
            couple,
            corners,
            count,
            weights: [0.0; 3],
            u: if u == DVec3::ZERO { DVec3::X } else { u },
            height: f64::INFINITY,
            along: 0.0,
            slack: 0.0,
            evaluations: 0,
        }
    }

    /// Walks until v is found or, where detection is all that is wanted, a separating plane.
    #[inline(always)]
    pub(super) fn run(&mut self, detect: bool) -> Outcome {
        for _ in 0..MAX_STEPS {
            if !self.reduce() {
                return Outcome::Overlap;
            }
            if self.at_origin() {
                return self.complete();
            }
            let w = self.couple.support(self.u, &self.corners[0]);
            self.evaluations += 1;
            self.along = self.u.dot(w.d);
            if detect && self.along > 0.0 {
                return Outcome::Apart;
            }
            if self.height - self.along <= self.slack || self.has(&w) {
                return Outcome::Nearest;
            }
            self.push(w);
        }
        Outcome::Lost
    }

    /// Whether the bounds agree within the certificate's tolerance.
    pub(super) fn closed(&self) -> bool {
        self.height - self.along <= self.couple.tolerance * self.u.length()
    }

    /// The vertices that carry v.
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners[..self.count as usize]
    }

    /// The four vertices that hold the origin.
    pub(super) fn tetrahedron(&self) -> &[Corner; 4] {
        &self.corners
    }

    /// Whether v is the origin, to rounding, and no triangle's normal tells where to go on.
    #[inline(always)]
    fn at_origin(&self) -> bool {
        let tight = self.couple.tight();
        self.count < 3 && self.height <= tight * tight
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
            let found = directions.map(|u| self.couple.support(u, &self.corners[0]));
            let away = |w: &Corner| match self.count {
                1 => (w.d - p).length(),
                2 => e.normalize_or_zero().cross(w.d - p).length(),
                _ => e.cross(f).normalize_or_zero().dot(w.d - p).abs(),
            };
            let farthest = found.max_by(|v, w| away(v).total_cmp(&away(w)));
            let Some(w) = farthest.filter(|w| away(w) > self.couple.tight()) else { return Outcome::Lost };
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

    /// Shrinks to the vertices that carry the point nearest to the origin, at most three, and finds it; false when four of
    /// them hold the origin.
    #[inline(always)]
    fn reduce(&mut self) -> bool {
        let [p, q, r, _] = self.corners;
        match self.count {
            0 => {}
            1 => self.at_point(p),
            2 => self.at_segment(p, q),
            3 => self.settle([p, q, r], closest_on_triangle(p.d, q.d, r.d)),
            _ => return self.at_tetrahedron(),
        }
        true
    }

    /// v is known as such, and its direction is as good as it is long.
    #[inline(always)]
    fn set(&mut self, v: DVec3) {
        self.u = v;
        self.height = v.length_squared();
        self.slack = self.couple.tight() * (self.height.sqrt() + self.couple.reach);
    }

    #[inline(always)]
    fn at_point(&mut self, p: Corner) {
        (self.corners[0], self.count, self.weights) = (p, 1, [1.0, 0.0, 0.0]);
        self.set(p.d);
    }

    #[inline(always)]
    fn at_segment(&mut self, p: Corner, q: Corner) {
        let e = q.d - p.d;
        let (along, whole) = (-p.d.dot(e), e.length_squared());
        if along <= 0.0 {
            self.at_point(p);
        } else if along >= whole {
            self.at_point(q);
        } else {
            let t = along / whole;
            self.within_segment(p, q, [1.0 - t, t]);
        }
    }

    #[inline(always)]
    fn within_segment(&mut self, p: Corner, q: Corner, [s, t]: [f64; 2]) {
        (self.corners[0], self.corners[1], self.count, self.weights) = (p, q, 2, [s, t, 0.0]);
        self.set(p.d * s + q.d * t);
    }

    /// Keeps those of three vertices that carry the nearest point of their triangle.
    #[inline(always)]
    fn settle(&mut self, [p, q, r]: [Corner; 3], weights: [f64; 3]) {
        let [s, t, o] = weights;
        match weights.map(|w| w > 0.0) {
            [true, true, true] => self.within_triangle([p, q, r], weights),
            [true, true, false] => self.within_segment(p, q, [s, t]),
            [true, false, true] => self.within_segment(p, r, [s, o]),
            [false, true, true] => self.within_segment(q, r, [t, o]),
            [_, false, false] => self.at_point(p),
            [_, true, _] => self.at_point(q),
            _ => self.at_point(r),
        }
    }

    #[inline(always)]
    fn within_triangle(&mut self, [p, q, r]: [Corner; 3], weights: [f64; 3]) {
        let n = (q.d - p.d).cross(r.d - p.d);
        let height = n.dot(p.d);
        self.slack = self.couple.tight() * n.length();
        // Where the origin lies in the triangle's plane, the centres tell on which side the Minkowski difference is.
        let inward = if height.abs() > self.slack { height } else { n.dot(self.couple.offset) };
        let sign = 1.0_f64.copysign(inward);
        (self.u, self.height, self.weights) = (n * sign, height * sign, weights);
        (self.corners[0], self.corners[1], self.corners[2], self.count) = (p, q, r, 3);
    }

    /// The last vertex is the newest, and the nearest point lies on one of the three triangles that have it.
    #[inline(always)]
    fn at_tetrahedron(&mut self) -> bool {
        let [p, q, r, w] = self.corners;
        let (one, two, three) = (self.side(p, q, r, w), self.side(q, r, p, w), self.side(r, p, q, w));
        let least = one.0.min(two.0).min(three.0);
        if least == f64::INFINITY {
            return false;
        }
        if one.0 == least {
            self.settle([p, q, w], one.1);
        } else if two.0 == least {
            self.settle([q, r, w], two.1);
        } else {
            self.settle([r, p, w], three.1);
        }
        true
    }

    /// The square of the distance of a triangle of a tetrahedron, and its nearest point, if the origin lies beyond it.
    #[inline(always)]
    fn side(&self, p: Corner, q: Corner, opposite: Corner, w: Corner) -> (f64, [f64; 3]) {
        let tight = self.couple.tight();
        let n = (p.d - w.d).cross(q.d - w.d);
        let (inside, origin) = (n.dot(opposite.d - w.d), -n.dot(w.d));
        // A flat tetrahedron has no inside.
        let flat = inside * inside <= tight * tight * n.length_squared();
        if !flat && inside * origin >= 0.0 {
            return (f64::INFINITY, [0.0; 3]);
        }
        let weights = closest_on_triangle(p.d, q.d, w.d);
        ((p.d * weights[0] + q.d * weights[1] + w.d * weights[2]).length_squared(), weights)
    }
}

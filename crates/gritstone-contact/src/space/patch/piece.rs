//! Convex polygons of few corners, in the tangent plane.

use glam::DVec2;

/// A convex polygon of at most N corners, counter-clockwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon<const N: usize> {
    corners: [DVec2; N],
    count: usize,
}

impl<const N: usize> Default for Polygon<N> {
    #[inline(always)]
    fn default() -> Self {
        Self { corners: [DVec2::ZERO; N], count: 0 }
    }
}

/// A line, from which points within a polygon have positive heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) normal: DVec2,
    pub(super) offset: f64,
}

impl Line {
    /// From one point to another; what lies to the left has positive heights.
    #[inline(always)]
    fn between(from: DVec2, to: DVec2) -> Self {
        let normal = (to - from).perp();
        Self { normal, offset: -normal.dot(from) }
    }

    /// How far a point lies on its positive side, times the length of the normal.
    #[inline(always)]
    fn height(&self, x: DVec2) -> f64 {
        self.normal.dot(x) + self.offset
    }
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    low: DVec2,
    high: DVec2,
}

impl Bounds {
    /// Whether two rectangles overlap.
    #[inline(always)]
    pub(super) fn meet(&self, other: &Self) -> bool {
        let (low, high) = (&self.low, &self.high);
        low.x < other.high.x && other.low.x < high.x && low.y < other.high.y && other.low.y < high.y
    }

    /// Its area.
    #[inline(always)]
    pub(super) fn area(&self) -> f64 {
        (self.high.x - self.low.x) * (self.high.y - self.low.y)
    }

    /// What two rectangles that overlap have in common.
    #[inline(always)]
    fn and(&self, other: &Self) -> Self {
        let low = DVec2::new(most(self.low.x, other.low.x), most(self.low.y, other.low.y));
        let high = DVec2::new(least(self.high.x, other.high.x), least(self.high.y, other.high.y));
        Self { low, high }
    }

    /// The largest height over a line of points in it.
    #[inline(always)]
    fn highest(&self, line: &Line) -> f64 {
        let (p, q) = (line.normal * self.low, line.normal * self.high);
        most(p.x, q.x) + most(p.y, q.y) + line.offset
    }

    /// The least height over a line of points in it.
    #[inline(always)]
    fn lowest(&self, line: &Line) -> f64 {
        let (p, q) = (line.normal * self.low, line.normal * self.high);
        least(p.x, q.x) + least(p.y, q.y) + line.offset
    }
}

impl<const N: usize> Polygon<N> {
    /// Takes these corners, of which there are no more than N.
    #[inline(always)]
    pub(super) fn set(&mut self, corners: &[DVec2]) {
        self.count = 0;
        for &corner in corners {
            self.push_if(true, corner);
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Written in any case and counted if it is wanted: no processor can foretell which corners are.
    #[inline(always)]
    pub(super) fn push_if(&mut self, wanted: bool, corner: DVec2) {
        self.corners[self.count.min(N - 1)] = corner;
        self.count += usize::from(wanted);
    }

    /// Corners the other way round.
    #[inline(always)]
    pub(super) fn reverse(&mut self) {
        let count = self.count.min(N);
        self.corners[..count].reverse();
    }

    #[inline(always)]
    pub(super) fn corners(&self) -> &[DVec2] {
        &self.corners[..self.count.min(N)]
    }

    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in self.corners() {
            low = DVec2::new(least(low.x, corner.x), least(low.y, corner.y));
            high = DVec2::new(most(high.x, corner.x), most(high.y, corner.y));
        }
        Bounds { low, high }
    }

    /// Writes the part on the positive side of a line to `to`; false where the line leaves all of it.
    #[inline(always)]
    fn cut(&self, line: &Line, to: &mut Self) -> bool {
        let corners = self.corners();
        // One bit for each corner inside: a run of them, since the polygon is convex.
        let (mut heights, mut inside) = ([0.0; N], 0_u32);
        for (i, (height, &corner)) in heights.iter_mut().zip(corners).enumerate() {
            *height = line.height(corner);
            inside |= u32::from(*height >= 0.0) << i;
        }
        let count = corners.len() as u32;
        let all = (1 << count) - 1;
        if inside == all {
            return false;
        }
        to.count = 0;
        if inside == 0 {
            return true;
        }
        // The first corner inside after one outside, the first outside after one inside.
        let before = (inside << 1 | inside >> (count - 1)) & all;
        let (first, end) = ((inside & !before).trailing_zeros(), (before & !inside).trailing_zeros());
        let previous = |i: u32| (if i == 0 { count } else { i }) as usize - 1;
        let crossing = |from: usize, to: usize| {
            let part = heights[from] / (heights[from] - heights[to]);
            corners[from] + (corners[to] - corners[from]) * part
        };
        to.push_if(true, crossing(previous(first), first as usize));
        let mut at = first;
        while at != end {
            to.push_if(true, corners[at as usize]);
            at = if at + 1 == count { 0 } else { at + 1 };
        }
        to.push_if(true, crossing(previous(end), end as usize));
        true
    }
}

/// Two polygons of which the part that they have in common is wanted, as far as it lies on the positive side of a line.
pub(super) struct Common<'p, const M: usize> {
    pub(super) inner: (&'p Polygon<M>, &'p Bounds),
    pub(super) outer: (&'p Polygon<M>, &'p Bounds),
    pub(super) line: Line,
}

impl<const M: usize> Common<'_, M> {
    /// Finds it, by way of two rooms; what there is stands in the room that is returned.
    #[inline(always)]
    pub(super) fn find<'p, const N: usize>(
        &self,
        [mut here, mut there]: [&'p mut Polygon<N>; 2],
    ) -> &'p Polygon<N> {
        let (corners, bounds) = (self.outer.0.corners(), self.inner.1);
        here.clear();
        // That they have nothing in common, a line shows sooner than cutting does.
        let common = bounds.and(self.outer.1);
        let mut missed = common.highest(&self.line) < 0.0;
        let mut lines = [self.line; M];
        let mut from = corners.last().copied().unwrap_or_default();
        for (line, &to) in lines.iter_mut().zip(corners) {
            *line = Line::between(from, to);
            missed |= common.highest(line) < 0.0;
            from = to;
        }
        if missed {
            return here;
        }
        here.set(self.inner.0.corners());
        // Most lines cut nothing off, and the bounds show it.
        if bounds.lowest(&self.line) < 0.0 && here.cut(&self.line, there) {
            std::mem::swap(&mut here, &mut there);
        }
        for line in &lines[..corners.len()] {
            if bounds.lowest(line) < 0.0 && here.count > 0 && here.cut(line, there) {
                std::mem::swap(&mut here, &mut there);
            }
        }
        here
    }
}

/// The smaller number: a comparison, since `min` takes care of what is no number, which costs as much again.
#[inline(always)]
pub(super) fn least(x: f64, y: f64) -> f64 {
    if y < x { y } else { x }
}

/// The larger number.
#[inline(always)]
pub(super) fn most(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

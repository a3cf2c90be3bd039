//! A quarter of a superellipse, divided so that pictures of it look even.
//!
//! **Idea.** Points are spaced by a mean of two measures from one end to the other: how far the curve has come, and how
//! far its normal has turned. Bends then get their share of points. Both have closed forms when the length is taken as
//! the sum of the two coordinates' changes, which is within √2 of the true one.
//!
//! **Notation.** The curve is `|x/a|^(2/ε) + |y/b|^(2/ε) = 1` from (a, 0) to (0, b); `t = (y/b)/(x/a)`, at most one in
//! the first half; its normal turns by `atan((a/b) t^((2−ε)/ε))`.
//!
//! **Deviations.** The normals of pointed shapes turn within less than a rounding of the vertex, and those of needles
//! within a tiny cap. The exponent of t and the ratio a/b are kept within limits, so that no two points are too close.

use std::f64::consts::FRAC_PI_2;

/// What the turn of the normal counts for where the curve is the body's outline; the rest is length.
pub(crate) const TURN_SHARE: f64 = 0.5;
/// Range of the exponent `(2 − ε)/ε` with which the turn is measured: corners of ε = 1.3 to 0.1.
const BEND: (f64, f64) = (0.5, 19.0);
/// Largest ratio a/b, and its inverse the least, with which the turn is measured; one for pointed shapes.
const SLENDER: f64 = 4.0;
/// Halvings of the bracket of t: it then is far narrower than a division.
const HALVINGS: usize = 36;

/// A quarter of a superellipse between two half-axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    a: f64,
    b: f64,
    exponent: f64,
    bend: f64,
    slope: f64,
    turn_share: f64,
}

impl Profile {
    /// The curve from the half-axis `a` to the half-axis `b` with exponent ε, and what the turn counts for.
    pub(crate) fn new(a: f64, b: f64, epsilon: f64, turn_share: f64) -> Self {
        let bend = ((2.0 - epsilon) / epsilon).clamp(BEND.0, BEND.1);
        // A pointed shape has points enough at its tips.
        let slender = libm::pow(SLENDER, (2.0 * bend - 1.0).min(1.0));
        let slope = (a / b).clamp(slender.recip(), slender);
        Self { a, b, exponent: 2.0 / epsilon, bend, slope, turn_share }
    }

    /// The point `[x/a, y/b]` at a fraction of the way from (a, 0) to (0, b).
    pub(crate) fn at(&self, fraction: f64) -> [f64; 2] {
        if fraction <= self.measure(1.0) {
            return self.first_half(fraction);
        }
        let mirrored = Self { a: self.b, b: self.a, slope: self.slope.recip(), ..*self };
        let [y, x] = mirrored.first_half(1.0 - fraction);
        [x, y]
    }

    /// The part of the unit normal along the first half-axis at the point `[x/a, y/b]`.
    pub(crate) fn lean(&self, [x, y]: [f64; 2]) -> f64 {
        let (n_x, n_y) =
            (libm::pow(x, self.exponent - 1.0) / self.a, libm::pow(y, self.exponent - 1.0) / self.b);
        n_x / libm::hypot(n_x, n_y)
    }

    fn first_half(&self, fraction: f64) -> [f64; 2] {
        if fraction <= 0.0 {
            return [1.0, 0.0];
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.measure(middle) < fraction {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.point(high)
    }

    /// The way from (a, 0) to the ratio `t`, at most one, as a fraction of the whole.
    fn measure(&self, t: f64) -> f64 {
        let [x, y] = self.point(t);
        let length = (self.a * (1.0 - x) + self.b * y) / (self.a + self.b);
        let turn = libm::atan(self.slope * libm::pow(t, self.bend)) / FRAC_PI_2;
        length + self.turn_share * (turn - length)
    }

    fn point(&self, t: f64) -> [f64; 2] {
        let x = libm::pow(1.0 + libm::pow(t, self.exponent), -self.exponent.recip());
        [x, t * x]
    }
}

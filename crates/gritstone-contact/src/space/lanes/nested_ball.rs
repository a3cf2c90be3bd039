//! Balls inside superellipsoids that touch the surface at one point, in lanes.
//!
//! As [`Superellipsoid`](gritstone_shape::space::Superellipsoid) has them: what the second derivatives of the gauge are in a
//! ball bounds how far the gauge can rise in it.

use gritstone_core::lanes::{Real, Vec3, pow};

use super::superellipsoid_support::PowerShape;

/// Exponents of the gauge of a superellipsoid: `2/ε1`, `2/ε2`.
struct Exponents<R> {
    p: R,
    q: R,
}

impl<R: Real> PowerShape<R> {
    /// The radii `wanted` where a ball of that radius is known to be inside which touches the surface at `x`, with the unit
    /// normal `n`; otherwise zero. As the shape's own `nested_ball`.
    #[inline(always)]
    pub(super) fn nested_ball(&self, n: Vec3<R>, x: Vec3<R>, wanted: R) -> R {
        let one = R::splat(1.0);
        let [p, q] = self.gauge_exponents();
        let exponents = Exponents { p, q };
        let smallest = self.radii.x.min(self.radii.y).min(self.radii.z);
        let bend = exponents.bend(self.gauge_range(n, x, wanted)) / (smallest * smallest);
        let inside = (wanted * n.dot(x) * bend).le(one);
        R::select(inside, wanted, R::splat(0.0))
    }

    /// The least and the largest `|x|/r` of a ball.
    #[inline(always)]
    fn gauge_range(&self, n: Vec3<R>, x: Vec3<R>, radius: R) -> [Vec3<R>; 2] {
        let (zero, r) = (R::splat(0.0), self.radii);
        let middle = x - n * radius;
        let (x, y, z) = (middle.x.abs(), middle.y.abs(), middle.z.abs());
        [
            Vec3::new(
                ((x - radius) / r.x).max(zero),
                ((y - radius) / r.y).max(zero),
                ((z - radius) / r.z).max(zero),
            ),
            Vec3::new((x + radius) / r.x, (y + radius) / r.y, (z + radius) / r.z),
        ]
    }
}

impl<R: Real> Exponents<R> {
    /// The largest second derivative of the gauge N in a range, for equal radii of one.
    #[inline(always)]
    fn bend(&self, [low, high]: [Vec3<R>; 2]) -> R {
        let (one, two) = (R::splat(1.0), R::splat(2.0));
        let Self { p, q } = *self;
        let (sigma_low, sigma_high) = (norm(p, low.x, low.y), norm(p, high.x, high.y));
        let lowest = norm(q, sigma_low, low.z);
        // ∇²N is that of the outer norm along the change of (σ, u3), plus ∂N/∂σ = (σ/N)^(q−1) times ∇²σ.
        let widest = R::select(two.le(p), one, two);
        let outer = second(q, [sigma_low, low.z], [sigma_high, high.z]) / lowest;
        let is_steep = two.le(q);
        let rise = pow(R::select(is_steep, sigma_high, sigma_low), (q - two).abs());
        let rise = R::select(is_steep, rise, one / rise);
        let inner = second(p, [low.x, low.y], [high.x, high.y]) * rise / pow(lowest, q - one);
        widest.mul_add(outer, inner)
    }
}

/// The power norm of two numbers.
#[inline(always)]
fn norm<R: Real>(p: R, a: R, b: R) -> R {
    let one = R::splat(1.0);
    let (m, l) = (a.max(b), a.min(b));
    let ratio = R::select(R::splat(0.0).lt(m), l / m, R::splat(0.0));
    m * pow(one + pow(ratio, p), one / p)
}

/// The largest second derivative of the power norm of two numbers between `low` and `high`, times the norm: with w the
/// ratio of the smaller to the larger it is `(p − 1) (1 + w²) w^(p−2) (1 + w^p)^(2/p−2)`, for p ≥ 2 no more than p − 1.
#[inline(always)]
fn second<R: Real>(p: R, low: [R; 2], high: [R; 2]) -> R {
    let (one, two) = (R::splat(1.0), R::splat(2.0));
    let least = (low[0] / high[1]).min(low[1] / high[0]).min(one);
    let most = (high[0] / low[1]).min(high[1] / low[0]).min(one);
    let is_flat = two.le(p);
    let power = pow(R::select(is_flat, most, least), (p - two).abs());
    let at = R::select(is_flat, (two * power).min(one), two / power);
    (p - one) * at
}

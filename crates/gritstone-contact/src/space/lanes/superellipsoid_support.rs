//! Support function of superellipsoids in lanes.
//!
//! The same formulas as the shape's own, with `w^(p−1)` as the power that is computed: it serves the gradient, times w
//! the value, and over w the second derivative. Notation as there: of two numbers m is the larger, l the smaller,
//! `w = l/m`, `v = w^(p−1)`, `t = w^p`, `k = (1 + t)^(1/p − 1)`; then `N = m k (1 + t)`, `∂N/∂m = k`, `∂N/∂l = k v`,
//! `∇²N = (p − 1) k² (v/w) / N · (−w, 1)(−w, 1)ᵀ` on (m, l).

use gritstone_core::lanes::{Real, Sym2, Vec3, pow_fraction, pow_one_plus};
use gritstone_shape::space::Superellipsoid;

/// Components of a unit normal are at least this large, and ratios of components a square of it: no zero, no
/// subnormal number. The support point stays exact, for a normal that differs by this.
const LEAST_COMPONENT: f64 = 1e-150;
const LEAST_RATIO: f64 = 1e-300;

/// A power norm in lanes.
#[derive(Clone, Copy, Debug)]
struct Norm<R> {
    /// `p − 1`.
    power: R,
    /// `1/p − 1`.
    fall: R,
    /// Largest `v/w` that second derivatives see.
    steepest: R,
}

/// A norm of (a, b) with its derivatives.
struct NormJet<R> {
    /// N.
    value: R,
    /// `N/m`.
    rho: R,
    gradient: [R; 2],
    /// `(−w, 1)` on (m, l): the change of (a, b) that the second derivative sees.
    across: [R; 2],
    /// `N · N_ll`.
    scaled_second: R,
    /// `(∂N/∂a) · m/a`.
    scaled_first: R,
    /// t.
    t: R,
    /// `1/m` and `1/l`.
    by_m: R,
    by_l: R,
}

impl<R: Real> Norm<R> {
    #[inline(always)]
    fn jet(&self, a: R, b: R) -> NormJet<R> {
        let one = R::splat(1.0);
        let a_is_larger = b.le(a);
        let (m, l) = (a.max(b), a.min(b));
        // One quotient for all.
        let by_both = one / (m * l);
        let (by_m, by_l) = (l * by_both, m * by_both);
        let w = (l * by_m).max(R::splat(LEAST_RATIO));
        let v = pow_fraction(w, self.power);
        let t = v * w;
        let k = pow_one_plus(t, self.fall);
        let rho = k.mul_add(t, k);
        let bend = (v * (m * by_l)).min(self.steepest);
        let small = k * v;
        NormJet {
            value: m * rho,
            rho,
            gradient: [R::select(a_is_larger, k, small), R::select(a_is_larger, small, k)],
            across: [R::select(a_is_larger, -w, one), R::select(a_is_larger, one, -w)],
            scaled_second: (self.power * bend) * (k * k),
            scaled_first: k * R::select(a_is_larger, one, bend),
            t,
            by_m,
            by_l,
        }
    }

    /// `∇³N / ∇²N` along a change of (a, b), and the relative change of l against m.
    #[inline(always)]
    fn skew(&self, jet: &NormJet<R>, a: R, b: R) -> (R, R) {
        let one = R::splat(1.0);
        let x = jet.across[0].mul_add(a, jet.across[1] * b);
        let stretch = R::select(jet.across[0].lt(jet.across[1]), a, b) * jet.by_m;
        let change = x * jet.by_l;
        // p − 2 + (1 − 2p) t/(1 + t), with p − 1.
        let bend = (self.power + self.power + one).neg_mul_add(jet.t / (one + jet.t), self.power - one);
        (bend.mul_add(change, R::splat(-3.0) * stretch), change.abs())
    }

    /// The norm whose exponent q is conjugate, `1/p + 1/q = 1`; first derivatives only.
    #[inline(always)]
    fn dual(&self) -> Self {
        let one = R::splat(1.0);
        Self { power: one / self.power, fall: -one / (one + self.power), steepest: self.steepest }
    }

    #[inline(always)]
    fn gradient(&self, a: R, b: R) -> (R, [R; 2]) {
        let a_is_larger = b.le(a);
        let (m, l) = (a.max(b), a.min(b));
        let w = (l / m).max(R::splat(LEAST_RATIO));
        let v = pow_fraction(w, self.power);
        let t = v * w;
        let k = pow_one_plus(t, self.fall);
        let small = k * v;
        (m * k.mul_add(t, k), [R::select(a_is_larger, k, small), R::select(a_is_larger, small, k)])
    }
}

/// A superellipsoid in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PowerShape<R> {
    pub(super) radii: Vec3<R>,
    inner: Norm<R>,
    outer: Norm<R>,
}

/// What [`PowerShape::from_numbers`] takes for this shape.
pub(super) fn numbers(shape: &Superellipsoid) -> [f64; 9] {
    let ([x, y, z], [e1, e2]) = (shape.radii().to_array(), shape.exponents());
    let [steepest_1, steepest_2] = shape.steepest();
    // Of the exponent p = 2/(2 − ε): p − 1, 1/p − 1.
    let [p1, p2, p3] = [e1 / (2.0 - e1), -0.5 * e1, steepest_1.max(1.0)];
    let [q1, q2, q3] = [e2 / (2.0 - e2), -0.5 * e2, steepest_2.max(1.0)];
    [x, y, z, p1, p2, p3, q1, q2, q3]
}

/// A support point with the derivatives of the support function.
pub(super) struct SupportJet<R> {
    /// The support point.
    pub(super) point: Vec3<R>,
    /// Radii with the signs of n.
    signed: Vec3<R>,
    inner: NormJet<R>,
    outer: NormJet<R>,
    /// Second derivative of the outer norm.
    along_weight: R,
    /// Second derivative of the inner norm times the slope of the outer.
    around_weight: R,
}

impl<R: Real> SupportJet<R> {
    /// The Hessian on the plane of u and v: the sum of two squares, one for each norm.
    #[inline(always)]
    pub(super) fn restrict(&self, u: Vec3<R>, v: Vec3<R>) -> Sym2<R> {
        let (a, [s_1, s_2], [x, y]) = (self.signed, self.inner.gradient, self.inner.across);
        let [across_s, across_3] = self.outer.across;
        let along = a.scaled(Vec3::new(across_s * s_1, across_s * s_2, across_3));
        let (x, y) = (a.x * x, a.y * y);
        let zero = R::splat(0.0);
        Sym2 { xx: zero, yy: zero, xy: zero }
            .plus_outer(self.along_weight, [u.dot(along), v.dot(along)])
            .plus_outer(self.around_weight, [u.x.mul_add(x, u.y * y), v.x.mul_add(x, v.y * y)])
    }
}

impl<R: Real> PowerShape<R> {
    /// From the numbers of [`numbers`].
    #[inline(always)]
    pub(super) fn from_numbers([x, y, z, p1, p2, p3, q1, q2, q3]: [R; 9]) -> Self {
        Self {
            radii: Vec3::new(x, y, z),
            inner: Norm { power: p1, fall: p2, steepest: p3 },
            outer: Norm { power: q1, fall: q2, steepest: q3 },
        }
    }

    /// Exponents of the gauge, `2/ε1` and `2/ε2`: conjugate to those of the norms.
    #[inline(always)]
    pub(super) fn gauge_exponents(&self) -> [R; 2] {
        let one = R::splat(1.0);
        [(one + self.inner.power) / self.inner.power, (one + self.outer.power) / self.outer.power]
    }

    /// A vector along the outward normal of the scaled body on whose surface `x` lies: the gradient of the gauge, which is
    /// the dual norm and made like the support function.
    #[inline(always)]
    pub(super) fn normal_at(&self, x: Vec3<R>) -> Vec3<R> {
        let (r, one, least) = (self.radii, R::splat(1.0), R::splat(LEAST_COMPONENT));
        let inverse = Vec3::new(one / r.x, one / r.y, one / r.z);
        let u = Vec3::new(x.x.abs(), x.y.abs(), x.z.abs()).scaled(inverse);
        let u = Vec3::new(u.x.max(least), u.y.max(least), u.z.max(least));
        let (sigma, [s_1, s_2]) = self.inner.dual().gradient(u.x, u.y);
        let (_, [h_s, h_3]) = self.outer.dual().gradient(sigma, u.z);
        let n = inverse.scaled(Vec3::new(h_s * s_1, h_s * s_2, h_3));
        Vec3::new(n.x.copysign(x.x), n.y.copysign(x.y), n.z.copysign(x.z))
    }

    /// The support point along the unit vector `n` with derivatives there.
    #[inline(always)]
    pub(super) fn jet(&self, n: Vec3<R>) -> SupportJet<R> {
        let u = self.magnitudes(n);
        let signed = self.signed_radii(n);
        let inner = self.inner.jet(u.x, u.y);
        let outer = self.outer.jet(inner.value, u.z);
        let ([s_1, s_2], [h_s, h_3]) = (inner.gradient, outer.gradient);
        let inverse = R::splat(1.0) / outer.value;
        SupportJet {
            point: signed.scaled(Vec3::new(h_s * s_1, h_s * s_2, h_3)),
            signed,
            along_weight: outer.scaled_second * inverse,
            around_weight: (outer.scaled_first * outer.rho) * (inverse * inner.scaled_second),
            inner,
            outer,
        }
    }

    /// The largest relative change that s makes to what the derivatives depend on: without the third derivative, the error is
    /// at most a few times this part of the second-order term.
    #[inline(always)]
    pub(super) fn change(&self, jet: &SupportJet<R>, s: Vec3<R>) -> R {
        let SupportJet { inner, outer, .. } = jet;
        let u = jet.signed.scaled(s);
        let x_1 = inner.across[0].mul_add(u.x, inner.across[1] * u.y);
        let sigma = inner.gradient[0].mul_add(u.x, inner.gradient[1] * u.y);
        let x_2 = outer.across[0].mul_add(sigma, outer.across[1] * u.z);
        (x_1 * inner.by_l).abs().max((x_2 * outer.by_l).abs())
    }

    /// The third derivative of the support function along s, and the largest relative change that s makes to what it
    /// depends on. As the shape's own [`Cubic`](gritstone_shape::Cubic).
    #[inline(always)]
    pub(super) fn third(&self, jet: &SupportJet<R>, s: Vec3<R>) -> (R, R) {
        let SupportJet { inner, outer, .. } = jet;
        let u = jet.signed.scaled(s);
        let x_1 = inner.across[0].mul_add(u.x, inner.across[1] * u.y);
        let sigma = inner.gradient[0].mul_add(u.x, inner.gradient[1] * u.y);
        let x_2 = outer.across[0].mul_add(sigma, outer.across[1] * u.z);
        let (inner_skew, inner_change) = self.inner.skew(inner, u.x, u.y);
        let (outer_skew, outer_change) = self.outer.skew(outer, sigma, u.z);
        let bend = R::splat(3.0) * jet.along_weight * outer.across[0] * x_2 / outer.gradient[0];
        let around = (jet.around_weight * x_1) * x_1 * (inner_skew + bend);
        ((jet.along_weight * x_2).mul_add(x_2 * outer_skew, around), inner_change.max(outer_change))
    }

    #[inline(always)]
    fn magnitudes(&self, n: Vec3<R>) -> Vec3<R> {
        let least = R::splat(LEAST_COMPONENT);
        let n = Vec3::new(n.x.abs().max(least), n.y.abs().max(least), n.z.abs().max(least));
        self.radii.scaled(n)
    }

    #[inline(always)]
    fn signed_radii(&self, n: Vec3<R>) -> Vec3<R> {
        let r = self.radii;
        Vec3::new(r.x.copysign(n.x), r.y.copysign(n.y), r.z.copysign(n.z))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use gritstone_core::lanes::{Backend, Kernel, Lanes, WIDTH};
    use gritstone_shape::Support;

    use super::*;

    /// Support point, second and third derivative along `s` and the relative change, at the unit normal `n`.
    struct Evaluate {
        shape: Superellipsoid,
        n: DVec3,
        s: DVec3,
    }

    impl Kernel for Evaluate {
        type Output = [f64; 6];

        #[inline(always)]
        fn run<L: Lanes>(self) -> [f64; 6] {
            let vector = |v: DVec3| Vec3::new(L::splat(v.x), L::splat(v.y), L::splat(v.z));
            let shape = PowerShape::from_numbers(numbers(&self.shape).map(L::splat));
            let (jet, s) = (shape.jet(vector(self.n)), vector(self.s));
            let (third, change) = shape.third(&jet, s);
            let second = jet.restrict(s, s).xx;
            [jet.point.x, jet.point.y, jet.point.z, second, third, change].map(|x| x.to_array()[WIDTH - 1])
        }
    }

    #[test]
    fn derivatives_are_those_of_the_shape() {
        for exponents in [[0.3, 0.5], [1.0, 1.0], [1.4, 0.6], [0.8, 1.7]] {
            let shape = Superellipsoid::new(DVec3::new(1.0, 0.7, 1.3), exponents).unwrap();
            for k in 1..40 {
                let k = f64::from(k);
                let n = DVec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()).normalize();
                let s = DVec3::new((0.9 * k).cos(), (1.7 * k).sin(), (2.3 * k).cos()).cross(n);
                let (jet, cubic) = shape.cubic_jet(n);
                let (third, change) = cubic.unwrap().along(s);
                let second = s.dot(jet.hessian * s);
                let [x, y, z, of_lanes @ ..] = Backend::best().run(Evaluate { shape, n, s });
                assert!(DVec3::new(x, y, z).distance(jet.point) < 1e-13);
                for (found, expected) in of_lanes.into_iter().zip([second, third, change]) {
                    assert!((found - expected).abs() < 1e-10 * expected.abs().max(1.0), "{found} {expected}");
                }
            }
        }
    }
}

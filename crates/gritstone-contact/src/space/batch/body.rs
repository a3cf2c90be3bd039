//! Support function of superellipsoids in lanes.
//!
//! The same formulas as the shape's own, with `w^(p−1)` as the power that is computed: it serves the gradient, times w
//! the value, and over w the second derivative. Notation as there: of two numbers m is the larger, l the smaller,
//! `w = l/m`, `v = w^(p−1)`, `t = w^p`, `k = (1 + t)^(1/p − 1)`; then `N = m k (1 + t)`, `∂N/∂m = k`, `∂N/∂l = k v`,
//! `∇²N = (p − 1) k² (v/w) / N · (−w, 1)(−w, 1)ᵀ` on (m, l).

use gritstone_core::lanes::{Real, Sym2, Vec3, pow_normal, pow_one_plus};

/// Components of a unit normal are at least this large, and ratios of components a square of it: no zero, no
/// subnormal number. The support point stays exact, for a normal that differs by this.
const LEAST_COMPONENT: f64 = 1e-150;
const LEAST_RATIO: f64 = 1e-300;
/// Least ratio of two components that second derivatives see, as in the scalar code.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// A power norm in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Norm<R> {
    /// `p − 1`.
    pub(super) power: R,
    /// `1/p − 1`.
    pub(super) fall: R,
    /// Largest `v/w` that second derivatives see.
    pub(super) steepest: R,
}

/// `[power, fall, steepest]` of the support function's norm for the exponent ε: `p = 2/(2 − ε)`.
pub(super) fn norm_constants(exponent: f64) -> [f64; 3] {
    let power = exponent / (2.0 - exponent);
    [power, -0.5 * exponent, DERIVATIVE_FLOOR.powf(power - 1.0).max(1.0)]
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
}

impl<R: Real> Norm<R> {
    #[inline(always)]
    fn jet(&self, a: R, b: R) -> NormJet<R> {
        let one = R::splat(1.0);
        let a_is_larger = b.le(a);
        let (m, l) = (a.max(b), a.min(b));
        let w = (l / m).max(R::splat(LEAST_RATIO));
        let v = pow_normal(w, self.power);
        let t = v * w;
        let k = pow_one_plus(t, self.fall);
        let rho = k.mul_add(t, k);
        let bend = (v / w).min(self.steepest);
        let small = k * v;
        NormJet {
            value: m * rho,
            rho,
            gradient: [R::select(a_is_larger, k, small), R::select(a_is_larger, small, k)],
            across: [R::select(a_is_larger, -w, one), R::select(a_is_larger, one, -w)],
            scaled_second: (self.power * bend) * (k * k),
            scaled_first: k * R::select(a_is_larger, one, bend),
        }
    }

    #[inline(always)]
    fn gradient(&self, a: R, b: R) -> (R, [R; 2]) {
        let a_is_larger = b.le(a);
        let (m, l) = (a.max(b), a.min(b));
        let w = (l / m).max(R::splat(LEAST_RATIO));
        let v = pow_normal(w, self.power);
        let t = v * w;
        let k = pow_one_plus(t, self.fall);
        let small = k * v;
        (m * k.mul_add(t, k), [R::select(a_is_larger, k, small), R::select(a_is_larger, small, k)])
    }
}

/// A superellipsoid in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<R> {
    pub(super) radii: Vec3<R>,
    pub(super) inner: Norm<R>,
    pub(super) outer: Norm<R>,
}

/// A support point with the Hessian of the support function: `Σ weight · vector vectorᵀ`.
pub(super) struct BodyJet<R> {
    pub(super) point: Vec3<R>,
    /// Weight and vector that come from the outer norm.
    along: (R, Vec3<R>),
    /// Weight and vector (without third component) that come from the inner norm.
    around: (R, [R; 2]),
}

impl<R: Real> BodyJet<R> {
    /// The Hessian on the plane of u and v.
    #[inline(always)]
    pub(super) fn restrict(&self, u: Vec3<R>, v: Vec3<R>) -> Sym2<R> {
        let (weight, vector) = self.along;
        let zero = R::splat(0.0);
        let along = Sym2 { xx: zero, yy: zero, xy: zero }.plus_outer(weight, [u.dot(vector), v.dot(vector)]);
        let (weight, [x, y]) = self.around;
        along.plus_outer(weight, [u.x.mul_add(x, u.y * y), v.x.mul_add(x, v.y * y)])
    }
}

impl<R: Real> Body<R> {
    /// The support point along the unit vector `n` with the Hessian there.
    #[inline(always)]
    pub(super) fn jet(&self, n: Vec3<R>) -> BodyJet<R> {
        let u = self.magnitudes(n);
        let a = self.signed_radii(n);
        let inner = self.inner.jet(u.x, u.y);
        let outer = self.outer.jet(inner.value, u.z);
        let [s_1, s_2] = inner.gradient;
        let [h_s, h_3] = outer.gradient;
        let inverse = R::splat(1.0) / outer.value;
        let [across_s, across_3] = outer.across;
        BodyJet {
            point: a.scaled(Vec3::new(h_s * s_1, h_s * s_2, h_3)),
            along: (
                outer.scaled_second * inverse,
                a.scaled(Vec3::new(across_s * s_1, across_s * s_2, across_3)),
            ),
            around: (
                (outer.scaled_first * outer.rho) * (inverse * inner.scaled_second),
                [a.x * inner.across[0], a.y * inner.across[1]],
            ),
        }
    }

    /// The support point along the unit vector `n`.
    #[inline(always)]
    pub(super) fn support(&self, n: Vec3<R>) -> Vec3<R> {
        let u = self.magnitudes(n);
        let (sigma, [s_1, s_2]) = self.inner.gradient(u.x, u.y);
        let (_, [h_s, h_3]) = self.outer.gradient(sigma, u.z);
        self.signed_radii(n).scaled(Vec3::new(h_s * s_1, h_s * s_2, h_3))
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

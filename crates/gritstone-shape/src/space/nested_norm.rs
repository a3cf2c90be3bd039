//! Two power norms nested in each other: the gauge of a superellipsoid, and its support function.
//!
//! **Idea.** `N(x) = N_q(N_p(u1, u2), u3)` with `u_i = |k_i x_i|` and `N_p(a, b) = (a^p + b^p)^(1/p)`. The second
//! derivative of a norm of two numbers has rank one, since it annihilates its argument. Hence ∇²N is the sum of two
//! squares, one for each norm: positive semi-definite and `∇²N x = 0` to the last bit, however large it is.
//!
//! **Notation.** Of two numbers m is the larger, l the smaller, `w = l/m`, `t = w^p`, `ρ = (1 + t)^(1/p)`; then
//! `N = mρ`, `∂N/∂m = k = ρ/(1 + t)`, `∂N/∂l = k t/w`, and `∇²N = N_ll (−w, 1)(−w, 1)ᵀ` on (m, l) with
//! `N_ll = (p − 1) k² (t/w²) / N`.
//!
//! **Deviations.** Where a component nears zero, `t/w²` goes to infinity (p < 2), one (p = 2) or zero (p > 2). It is
//! taken at `w` of [`DERIVATIVE_FLOOR`] or more, so it stays finite; values and gradients know no floor.
//!
//! **Cost.** Two powers for each of the two norms, with or without derivatives.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Sym3;

/// Least ratio of two components that second derivatives see.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// A nested power norm with a scale on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NestedNorm {
    inner: PowerNorm,
    outer: PowerNorm,
    scale: DVec3,
}

impl NestedNorm {
    /// The norm with exponents p (of the first two components) and q, and these scales.
    pub(crate) fn new(p: f64, q: f64, scale: DVec3) -> Self {
        Self { inner: PowerNorm::new(p), outer: PowerNorm::new(q), scale }
    }

    /// N(x).
    pub(crate) fn value(&self, x: DVec3) -> f64 {
        let u = (self.scale * x).abs();
        self.outer.value(self.inner.value(u.x, u.y), u.z)
    }

    /// ∇N(x).
    #[inline]
    pub(crate) fn gradient(&self, x: DVec3) -> DVec3 {
        self.value_with_gradient(x).1
    }

    /// N(x) and ∇N(x).
    #[inline]
    pub(crate) fn value_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        let u = (self.scale * x).abs();
        let (sigma, s) = self.inner.gradient(u.x, u.y);
        let (value, h) = self.outer.gradient(sigma, u.z);
        (value, self.signed_scale(x) * DVec3::new(h.x * s.x, h.x * s.y, h.y))
    }

    /// N(x), ∇N(x) and ∇²N(x).
    #[inline]
    pub(crate) fn jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        let u = (self.scale * x).abs();
        let inner = self.inner.jet(u.x, u.y);
        let outer = self.outer.jet(inner.value, u.z);
        let (s, h, a) = (inner.gradient, outer.gradient, self.signed_scale(x));
        // ∇²N = N_q'' along the change of (σ, u3), plus ∂N/∂σ · N_p'' along the change of (u1, u2). The second is
        // written with σ N_p'', which depends on w alone, and (∂N/∂σ)/σ, which has a limit where σ vanishes.
        let along = a * DVec3::new(outer.across.x * s.x, outer.across.x * s.y, outer.across.y);
        let around = DVec3::new(a.x * inner.across.x, a.y * inner.across.y, 0.0);
        let hessian = Sym3::outer(along, outer.scaled_second * outer.inverse_value)
            + Sym3::outer(around, outer.first_over_a * inner.scaled_second);
        (outer.value, a * DVec3::new(h.x * s.x, h.x * s.y, h.y), hessian)
    }

    fn signed_scale(&self, x: DVec3) -> DVec3 {
        self.scale * x.signum()
    }
}

/// `(a^p + b^p)^(1/p)` for a, b ≥ 0, p > 1, without overflow.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PowerNorm {
    p: f64,
    inverse: f64,
    /// `t/w²` at the floor.
    floor: f64,
}

/// A norm of (a, b) with its derivatives: `∇²N = (scaled_second/N) · across acrossᵀ`.
struct NormJet {
    value: f64,
    /// `1/N`; zero at the origin, which has no derivatives.
    inverse_value: f64,
    gradient: DVec2,
    /// `(−w, 1)` on (m, l): the change of (a, b) that the second derivative sees.
    across: DVec2,
    /// `N · N_ll`.
    scaled_second: f64,
    /// `(∂N/∂a) / a`.
    first_over_a: f64,
}

impl PowerNorm {
    fn new(p: f64) -> Self {
        Self { p, inverse: p.recip(), floor: DERIVATIVE_FLOOR.powf(p - 2.0) }
    }

    fn value(&self, a: f64, b: f64) -> f64 {
        let (m, w) = ordered(a, b);
        if w == 0.0 { m } else { m * (1.0 + w.powf(self.p)).powf(self.inverse) }
    }

    #[inline]
    fn gradient(&self, a: f64, b: f64) -> (f64, DVec2) {
        let (m, w) = ordered(a, b);
        if w == 0.0 {
            return (m, placed(a >= b, 1.0, 0.0));
        }
        let t = w.powf(self.p);
        let rho = (1.0 + t).powf(self.inverse);
        let k = rho / (1.0 + t);
        (m * rho, placed(a >= b, k, k * (t / w)))
    }

    #[inline]
    fn jet(&self, a: f64, b: f64) -> NormJet {
        let (m, w) = ordered(a, b);
        let t = w.powf(self.p);
        let rho = (1.0 + t).powf(self.inverse);
        let k = rho / (1.0 + t);
        let t_w = if w == 0.0 { 0.0 } else { t / w };
        let t_ww = if w < DERIVATIVE_FLOOR { self.floor } else { t_w / w };
        let inverse_m = if m == 0.0 { 0.0 } else { m.recip() };
        let a_is_larger = a >= b;
        NormJet {
            value: m * rho,
            inverse_value: inverse_m / rho,
            gradient: placed(a_is_larger, k, k * t_w),
            across: placed(a_is_larger, -w, 1.0),
            scaled_second: (self.p - 1.0) * k * k * t_ww,
            first_over_a: k * inverse_m * if a_is_larger { 1.0 } else { t_ww },
        }
    }
}

/// The larger of two numbers, and the smaller as a fraction of it. At the origin every ratio is a limit; one, the
/// middle, gives finite derivatives.
#[inline]
fn ordered(a: f64, b: f64) -> (f64, f64) {
    let (m, l) = (a.max(b), a.min(b));
    (m, if m == 0.0 { 1.0 } else { l / m })
}

/// A value for the larger and one for the smaller of (a, b), in the order of (a, b).
#[inline]
fn placed(a_is_larger: bool, larger: f64, smaller: f64) -> DVec2 {
    if a_is_larger { DVec2::new(larger, smaller) } else { DVec2::new(smaller, larger) }
}

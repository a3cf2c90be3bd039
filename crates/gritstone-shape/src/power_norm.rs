//! The power norm of two numbers: the gauge of a superellipse, its support function, and half of a superellipsoid's.
//!
//! **Notation.** Of two numbers m is the larger, l the smaller, `w = l/m`, `t = w^p`, `ρ = (1 + t)^(1/p)`; then
//! `N = mρ`, `∂N/∂m = k = ρ/(1 + t)`, `∂N/∂l = k t/w`, and `∇²N = N_ll (−w, 1)(−w, 1)ᵀ` on (m, l) with
//! `N_ll = (p − 1) k² (t/w²) / N`: of rank one, since it annihilates its argument. Along a change (m', l') of (m, l) the
//! third derivative is `N_ll x² ((p − 2 + (1 − 2p) t/(1 + t)) x/l − 3 m'/m)` with `x = l' − w m'`.
//!
//! **Deviations.** Where a component nears zero, `t/w²` goes to infinity (p < 2), one (p = 2) or zero (p > 2). It is
//! taken at `w` of [`DERIVATIVE_FLOOR`] or more, so it stays finite; values and gradients know no floor.
//!
//! **Cost.** Two powers, with or without derivatives.

use glam::DVec2;

/// Least ratio of two components that second derivatives see.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// `(a^p + b^p)^(1/p)` for a, b ≥ 0, p > 1, without overflow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PowerNorm {
    p: f64,
    inverse: f64,
    /// `t/w²` at the floor.
    floor: f64,
}

/// A norm of (a, b) with its derivatives: `∇²N = (scaled_second/N) · across acrossᵀ`.
pub(crate) struct NormJet {
    /// N.
    pub(crate) value: f64,
    /// `1/N`; zero at the origin, which has no derivatives.
    pub(crate) inverse_value: f64,
    /// ∇N.
    pub(crate) gradient: DVec2,
    /// `(−w, 1)` on (m, l): the change of (a, b) that the second derivative sees.
    pub(crate) across: DVec2,
    /// `N · N_ll`.
    pub(crate) scaled_second: f64,
    /// `(∂N/∂a) / a`.
    pub(crate) first_over_a: f64,
    /// ∇³N is ∇²N times the linear form `skew · across − 3 · stretch`.
    pub(crate) skew: f64,
    /// `1/m` on m, nothing on l.
    pub(crate) stretch: DVec2,
    /// `1/l`; infinite on an axis.
    pub(crate) inverse_l: f64,
}

impl PowerNorm {
    /// The norm with exponent p.
    pub(crate) fn new(p: f64) -> Self {
        Self { p, inverse: p.recip(), floor: libm::pow(DERIVATIVE_FLOOR, p - 2.0) }
    }

    /// The largest `t/w²` that second derivatives see, where p < 2.
    pub(crate) fn steepest(&self) -> f64 {
        self.floor
    }

    /// N.
    pub(crate) fn value(&self, a: f64, b: f64) -> f64 {
        let (m, w) = ordered(a, b);
        if w == 0.0 { m } else { m * libm::pow(1.0 + libm::pow(w, self.p), self.inverse) }
    }

    /// N and ∇N.
    #[inline]
    pub(crate) fn gradient(&self, a: f64, b: f64) -> (f64, DVec2) {
        let (m, w) = ordered(a, b);
        if w == 0.0 {
            return (m, placed(a >= b, 1.0, 0.0));
        }
        let t = libm::pow(w, self.p);
        let rho = libm::pow(1.0 + t, self.inverse);
        let k = rho / (1.0 + t);
        (m * rho, placed(a >= b, k, k * (t / w)))
    }

    /// N with its derivatives.
    #[inline]
    pub(crate) fn jet(&self, a: f64, b: f64) -> NormJet {
        let (m, w) = ordered(a, b);
        let t = libm::pow(w, self.p);
        let rho = libm::pow(1.0 + t, self.inverse);
        let k = rho / (1.0 + t);
        let t_w = if w == 0.0 { 0.0 } else { t / w };
        let t_ww = if w < DERIVATIVE_FLOOR { self.floor } else { t_w / w };
        let inverse_m = if m == 0.0 { 0.0 } else { m.recip() };
        let inverse_l = inverse_m / w;
        let a_is_larger = a >= b;
        NormJet {
            value: m * rho,
            inverse_value: inverse_m / rho,
            gradient: placed(a_is_larger, k, k * t_w),
            across: placed(a_is_larger, -w, 1.0),
            scaled_second: (self.p - 1.0) * k * k * t_ww,
            first_over_a: k * inverse_m * if a_is_larger { 1.0 } else { t_ww },
            skew: (self.p - 2.0 + (1.0 - 2.0 * self.p) * (t / (1.0 + t))) * inverse_l,
            stretch: placed(a_is_larger, inverse_m, 0.0),
            inverse_l,
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

/// Largest `√(x² + y²)` on `|x/a|^(2/ε) + |y/b|^(2/ε) = 1`. In squares it is a linear form over a power norm with
/// the exponent 1/ε: its dual norm for ε < 1, and the larger half-axis otherwise.
pub(crate) fn farthest(a: f64, b: f64, exponent: f64) -> f64 {
    let (m, l) = (a.max(b), a.min(b));
    if exponent >= 1.0 {
        return m;
    }
    let dual = 1.0 / (1.0 - exponent);
    m * libm::pow(1.0 + libm::pow(l / m, 2.0 * dual), 0.5 / dual)
}

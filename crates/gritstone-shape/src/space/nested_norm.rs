//! Two power norms nested in each other: the gauge of a superellipsoid, and its support function.
//!
//! `N(x) = N_q(N_p(|k1 x1|, |k2 x2|), |k3 x3|)` with `N_p(a, b) = (a^p + b^p)^(1/p)`.

use glam::DVec3;
use gritstone_core::linalg::Sym3;

/// Floor of ratios of components in second derivatives: where these are unbounded (p < 2 and a component near zero)
/// they stay large but finite.
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
        let (sigma, [s_1, s_2]) = self.inner.gradient(u.x, u.y);
        let (value, [h_s, h_3]) = self.outer.gradient(sigma, u.z);
        (value, self.signed_scale(x) * DVec3::new(h_s * s_1, h_s * s_2, h_3))
    }

    /// ∇N(x) and ∇²N(x).
    #[inline]
    pub(crate) fn jet(&self, x: DVec3) -> (DVec3, Sym3) {
        let u = (self.scale * x).abs();
        let floor = DERIVATIVE_FLOOR * u.max_element();
        let (sigma, [s_1, s_2], [s_11, s_12, s_22]) = self.inner.jet(u.x, u.y, floor);
        let (_, [h_s, h_3], [h_ss, h_s3, h_33]) = self.outer.jet(sigma, u.z, floor);
        let a = self.signed_scale(x);
        let hessian = Sym3 {
            xx: a.x * a.x * (h_ss * s_1 * s_1 + h_s * s_11),
            yy: a.y * a.y * (h_ss * s_2 * s_2 + h_s * s_22),
            xy: a.x * a.y * (h_ss * s_1 * s_2 + h_s * s_12),
            xz: a.x * a.z * h_s3 * s_1,
            yz: a.y * a.z * h_s3 * s_2,
            zz: a.z * a.z * h_33,
        };
        (a * DVec3::new(h_s * s_1, h_s * s_2, h_3), hessian)
    }

    fn signed_scale(&self, x: DVec3) -> DVec3 {
        self.scale * x.signum()
    }
}

/// `(a^p + b^p)^(1/p)` for a, b ≥ 0, p > 1, without overflow: with `m = max`, `w = min/max`, `N = m (1 + w^p)^(1/p)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PowerNorm {
    p: f64,
    inverse: f64,
}

/// `[∂aa, ∂ab, ∂bb]`.
type Second = [f64; 3];

impl PowerNorm {
    fn new(p: f64) -> Self {
        Self { p, inverse: p.recip() }
    }

    fn value(&self, a: f64, b: f64) -> f64 {
        let (m, l) = (a.max(b), a.min(b));
        if l == 0.0 { m } else { m * (1.0 + (l / m).powf(self.p)).powf(self.inverse) }
    }

    #[inline]
    fn gradient(&self, a: f64, b: f64) -> (f64, [f64; 2]) {
        let (m, l) = (a.max(b), a.min(b));
        if l == 0.0 {
            // On an axis, and at the origin, where any subgradient will do.
            return (m, if a >= b { [1.0, 0.0] } else { [0.0, 1.0] });
        }
        let w = l / m;
        let t = w.powf(self.p);
        let rho = (1.0 + t).powf(self.inverse);
        let n_m = rho / (1.0 + t);
        let n_l = t / w * n_m;
        (m * rho, if a >= b { [n_m, n_l] } else { [n_l, n_m] })
    }

    /// Value, first and second derivatives. Value and gradient are exact; N is at least `floor` in the second.
    #[inline]
    fn jet(&self, a: f64, b: f64, floor: f64) -> (f64, [f64; 2], Second) {
        let (m, l) = (a.max(b), a.min(b));
        let w = if l == 0.0 { 0.0 } else { l / m };
        let t = w.powf(self.p);
        let rho = (1.0 + t).powf(self.inverse);
        let n_m = rho / (1.0 + t);
        let n_l = if l == 0.0 { 0.0 } else { t / w * n_m };
        let factor = (self.p - 1.0) * n_m * n_m / (m * rho).max(floor);
        let steep = w.max(DERIVATIVE_FLOOR);
        let power = if w < DERIVATIVE_FLOOR { steep.powf(self.p) } else { t };
        let (n_mm, n_lm, n_ll) = (factor * t, -factor * power / steep, factor * power / (steep * steep));
        if a >= b {
            (m * rho, [n_m, n_l], [n_mm, n_lm, n_ll])
        } else {
            (m * rho, [n_l, n_m], [n_ll, n_lm, n_mm])
        }
    }
}

//! Two power norms nested in each other: the gauge of a superellipsoid, and its support function.
//!
//! **Idea.** `N(x) = N_q(N_p(u1, u2), u3)` with `u_i = |k_i x_i|` and `N_p(a, b) = (a^p + b^p)^(1/p)`. The second
//! derivative of a norm of two numbers has rank one, since it annihilates its argument. Hence ∇²N is the sum of two
//! squares, one for each norm: positive semi-definite and `∇²N x = 0` to the last bit, however large it is.
//!
//! **Cost.** Two powers for each of the two norms, with or without derivatives.

use glam::{DVec2, DVec3};
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use crate::power_norm::{NormJet, PowerNorm};
use crate::{Cubic, CubicTerm};

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

    /// See [`PowerNorm::steepest`]: of the inner and of the outer norm.
    pub(crate) fn steepest(&self) -> [f64; 2] {
        [self.inner.steepest(), self.outer.steepest()]
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
        self.assemble(x, &inner, &outer)
    }

    #[inline]
    fn assemble(&self, x: DVec3, inner: &NormJet, outer: &NormJet) -> (f64, DVec3, Sym3) {
        let (s, h, a) = (inner.gradient, outer.gradient, self.signed_scale(x));
        // ∇²N = N_q'' along the change of (σ, u3), plus ∂N/∂σ · N_p'' along the change of (u1, u2). The second is
        // written with σ N_p'', which depends on w alone, and (∂N/∂σ)/σ, which has a limit where σ vanishes.
        let along = a * DVec3::new(outer.across.x * s.x, outer.across.x * s.y, outer.across.y);
        let around = DVec3::new(a.x * inner.across.x, a.y * inner.across.y, 0.0);
        let hessian = Sym3::outer(along, outer.scaled_second * outer.inverse_value)
            + Sym3::outer(around, outer.first_over_a * inner.scaled_second);
        (outer.value, a * DVec3::new(h.x * s.x, h.x * s.y, h.y), hessian)
    }

    /// N(x), ∇N(x), ∇²N(x) and ∇³N(x).
    #[inline]
    pub(crate) fn cubic_jet(&self, x: DVec3) -> (f64, DVec3, Sym3, Cubic<Space>) {
        let u = (self.scale * x).abs();
        let inner = self.inner.jet(u.x, u.y);
        let outer = self.outer.jet(inner.value, u.z);
        let (s, a) = (inner.gradient, self.signed_scale(x));
        // Vectors whose products with a change of x are linear forms of the changes of (u1, u2) and of (σ, u3).
        let of_inner = |form: DVec2| a * form.extend(0.0);
        let of_outer = |form: DVec2| a * DVec3::new(form.x * s.x, form.x * s.y, form.y);
        let (around, along) = (of_inner(inner.across), of_outer(outer.across));
        let second = outer.scaled_second * outer.inverse_value;
        // The third derivative of the outer norm; then that of the inner norm, and the bend of the outer one along the
        // second derivative of the inner.
        let bend = 3.0 * second * outer.across.x / outer.gradient.x;
        let outer_term = CubicTerm {
            weight: second,
            square: along,
            factor: along * outer.skew - of_outer(outer.stretch) * 3.0,
            change: along * outer.inverse_l,
        };
        let inner_term = CubicTerm {
            weight: outer.first_over_a * inner.scaled_second,
            square: around,
            factor: around * inner.skew - of_inner(inner.stretch) * 3.0 + along * bend,
            change: around * inner.inverse_l,
        };
        let terms = [outer_term, inner_term, CubicTerm::default(), CubicTerm::default()];
        let (value, gradient, hessian) = self.assemble(x, &inner, &outer);
        (value, gradient, hessian, Cubic { terms })
    }

    fn signed_scale(&self, x: DVec3) -> DVec3 {
        self.scale * x.signum()
    }
}

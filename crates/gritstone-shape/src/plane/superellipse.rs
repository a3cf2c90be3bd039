//! Superellipses: Lamé's curves, from diamonds over ellipses to rectangles.
//!
//! **Idea.** The gauge is a power norm with the exponent n. The dual of a power norm is the power norm with the
//! conjugate exponent `n/(n − 1)`, so the support function and its derivatives are in closed form, two powers for all.
//!
//! **Notation.** n is the *blockiness*; `ε = 2/n` where formulas of superellipsoids are used. Area `4ab G(ε/2, ε/2)`,
//! `∫x² = 4/3 a³b G(3ε/2, ε/2)`, with G as for [superellipsoids](crate::space::Superellipsoid).

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use super::outline;
use super::unit::unit;
use crate::dirichlet::ratio;
use crate::power_norm::{PowerNorm, farthest};
use crate::{Body, Implicit, Jet, ShapeError, Support, Trace};

/// `|x/a|^n + |y/b|^n ≤ 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superellipse {
    semi_axes: DVec2,
    blockiness: f64,
    gauge: ScaledNorm,
    support: ScaledNorm,
    size: f64,
}

impl Superellipse {
    /// A superellipse with semi-axes a and b and blockiness n, above 1: 2 is an ellipse, towards 1 it becomes a diamond,
    /// towards infinity a rectangle.
    pub fn new(semi_axes: DVec2, blockiness: f64) -> Result<Self, ShapeError> {
        for (i, r) in semi_axes.to_array().into_iter().enumerate() {
            ShapeError::check_length(format!("semi_axes[{i}]"), r)?;
        }
        ShapeError::check_range("blockiness", blockiness, 1.0, f64::INFINITY)?;
        let gauge = ScaledNorm { norm: PowerNorm::new(blockiness), scale: semi_axes.recip() };
        let dual = PowerNorm::new(blockiness / (blockiness - 1.0));
        let support = ScaledNorm { norm: dual, scale: semi_axes };
        let size = farthest(semi_axes.x, semi_axes.y, 2.0 / blockiness);
        Ok(Self { semi_axes, blockiness, gauge, support, size })
    }

    /// The semi-axes.
    pub fn semi_axes(&self) -> DVec2 {
        self.semi_axes
    }

    /// The exponent n.
    pub fn blockiness(&self) -> f64 {
        self.blockiness
    }
}

/// A power norm with a scale on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ScaledNorm {
    norm: PowerNorm,
    scale: DVec2,
}

impl ScaledNorm {
    fn value(&self, x: DVec2) -> f64 {
        let u = (self.scale * x).abs();
        self.norm.value(u.x, u.y)
    }

    #[inline]
    fn value_with_gradient(&self, x: DVec2) -> (f64, DVec2) {
        let u = (self.scale * x).abs();
        let (value, gradient) = self.norm.gradient(u.x, u.y);
        (value, self.scale * x.signum() * gradient)
    }

    #[inline]
    fn jet(&self, x: DVec2) -> (f64, DVec2, Sym2) {
        let u = (self.scale * x).abs();
        let jet = self.norm.jet(u.x, u.y);
        let signed = self.scale * x.signum();
        let hessian = Sym2::outer(signed * jet.across, jet.scaled_second * jet.inverse_value);
        (jet.value, signed * jet.gradient, hessian)
    }
}

impl Support<Plane> for Superellipse {
    #[inline]
    fn support(&self, n: DVec2) -> DVec2 {
        self.support.value_with_gradient(n).1
    }

    #[inline]
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        let (_, point, hessian) = self.support.jet(n);
        Jet { point, hessian }
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn implicit(&self) -> Option<&dyn Implicit<Plane>> {
        Some(self)
    }
}

impl Implicit<Plane> for Superellipse {
    fn inside_outside(&self, x: DVec2) -> f64 {
        libm::pow(self.gauge.value(x), self.blockiness)
    }

    /// With the gauge N: `F = N^n`, hence `∇F = n N^(n−1) ∇N`.
    fn gradient(&self, x: DVec2) -> DVec2 {
        let n = self.blockiness;
        let (gauge, gradient) = self.gauge.value_with_gradient(x);
        // Powers overflow far outside; the largest number times zero is zero, as it should be.
        gradient * (n * libm::pow(gauge, n - 1.0)).min(f64::MAX)
    }

    /// `∇²F = n N^(n−2) (N ∇²N + (n−1) ∇N ∇Nᵀ)`; zero at the origin, where it is zero or unbounded.
    fn curvature(&self, x: DVec2) -> Sym2 {
        let n = self.blockiness;
        let (gauge, gradient, hessian) = self.gauge.jet(x);
        if gauge == 0.0 {
            return Sym2::default();
        }
        (hessian * gauge + Sym2::outer(gradient, n - 1.0)) * (n * libm::pow(gauge, n - 2.0)).min(f64::MAX)
    }

    fn gauge(&self, x: DVec2) -> f64 {
        self.gauge.value(x)
    }

    fn gauge_with_gradient(&self, x: DVec2) -> (f64, DVec2) {
        self.gauge.value_with_gradient(x)
    }

    fn gauge_jet(&self, x: DVec2) -> (f64, DVec2, Sym2) {
        self.gauge.jet(x)
    }

    fn normal(&self, x: DVec2) -> DVec2 {
        unit(self.gauge.value_with_gradient(x).1)
    }
}

impl Body<Plane> for Superellipse {
    fn mass(&self) -> Mass<Plane> {
        let half = self.blockiness.recip();
        let four = 4.0 * self.semi_axes.element_product();
        let second = four / 3.0 * ratio(3.0 * half, half);
        Mass::symmetric(four * ratio(half, half), self.semi_axes * self.semi_axes * second)
    }

    fn half_extents(&self) -> DVec2 {
        self.semi_axes
    }
}

impl Trace for Superellipse {
    fn outline(&self, detail: u32) -> Outline {
        outline::trace(self.semi_axes, 2.0 / self.blockiness, detail, |x| self.normal(x))
    }
}

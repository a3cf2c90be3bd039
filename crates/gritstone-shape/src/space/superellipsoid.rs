//! Superellipsoids as Barr and [wellmann2008] define them.
//!
//! **Idea.** The inside-outside function (eq. 1) nests two power norms: of x1, x2 with the exponent 2/ε1, and of the
//! result and x3 with 2/ε2. The dual of a nested norm is the nested dual norm, so the support function has the same
//! form with the conjugate exponents `p = 2/(2 − ε1)`, `q = 2/(2 − ε2)` and the radii as scales. Its gradient and
//! Hessian are in closed form: four powers for all of them, where eqs (4) and (2) take about nine and as many angles
//! for the point alone.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::linalg::Sym3;

use super::nested_norm::NestedNorm;
use super::unit::unit;
use crate::power_norm::farthest;
use crate::{Cubic, Implicit, Jet, ShapeError, Support};

/// `(|x1/r1|^(2/ε1) + |x2/r2|^(2/ε1))^(ε1/ε2) + |x3/r3|^(2/ε2) ≤ 1`, eq. (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superellipsoid {
    radii: DVec3,
    exponents: [f64; 2],
    /// Minkowski gauge: eq. (1) to the power ε2/2.
    gauge: NestedNorm,
    /// Support function.
    support: NestedNorm,
    size: f64,
    /// See [`bend`](super::superellipsoid_ball::bend).
    pub(super) bend: f64,
}

impl Superellipsoid {
    /// A superellipsoid with radii `r1 r2 r3` and exponents `ε1` (x–y section) and `ε2` (along z), both in (0, 2).
    pub fn new(radii: DVec3, exponents: [f64; 2]) -> Result<Self, ShapeError> {
        for (i, r) in radii.to_array().into_iter().enumerate() {
            ShapeError::check_length(format_args!("radii[{i}]"), r)?;
        }
        for (i, e) in exponents.into_iter().enumerate() {
            ShapeError::check_range(format_args!("exponents[{i}]"), e, 0.0, 2.0)?;
        }
        let [e1, e2] = exponents;
        let gauge = NestedNorm::new(2.0 / e1, 2.0 / e2, radii.recip());
        let support = NestedNorm::new(2.0 / (2.0 - e1), 2.0 / (2.0 - e2), radii);
        let size = farthest(farthest(radii.x, radii.y, e1), radii.z, e2);
        let bend = super::superellipsoid_ball::bend(radii, exponents);
        Ok(Self { radii, exponents, gauge, support, size, bend })
    }

    /// A superellipsoid with blockiness `[n1, n2] = [2/ε2, 2/ε1]`, both above 1, as in LIGGGHTS.
    pub fn with_blockiness(radii: DVec3, blockiness: [f64; 2]) -> Result<Self, ShapeError> {
        for (i, n) in blockiness.into_iter().enumerate() {
            ShapeError::check_range(format_args!("blockiness[{i}]"), n, 1.0, f64::INFINITY)?;
        }
        Self::new(radii, [2.0 / blockiness[1], 2.0 / blockiness[0]])
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.radii * factor, self.exponents)
    }

    /// The radii r1, r2, r3.
    pub fn radii(&self) -> DVec3 {
        self.radii
    }

    /// The exponents ε1 (x–y section) and ε2 (along z).
    pub fn exponents(&self) -> [f64; 2] {
        self.exponents
    }

    /// The largest `w^(p−2)` that second derivatives of the two norms of the support function see, `p = 2/(2 − ε)`, with w the
    /// ratio of the smaller to the larger component: where w goes to zero it is bounded for ε < 1.
    pub fn steepest(&self) -> [f64; 2] {
        self.support.steepest()
    }

    /// A ball of this radius over h(n) is inside wherever it touches the surface with the normal n; zero where an exponent
    /// exceeds one, since the surface has sharp edges then.
    pub fn ball_radius_by_height(&self) -> f64 {
        self.bend.recip()
    }
}

impl Support<Space> for Superellipsoid {
    fn support(&self, n: DVec3) -> DVec3 {
        self.support.gradient(n)
    }

    fn jet(&self, n: DVec3) -> Jet<Space> {
        let (_, point, hessian) = self.support.jet(n);
        Jet { point, hessian }
    }

    fn cubic_jet(&self, n: DVec3) -> (Jet<Space>, Option<Cubic<Space>>) {
        let (_, point, hessian, cubic) = self.support.cubic_jet(n);
        (Jet { point, hessian }, Some(cubic))
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn nested_ball(&self, n: DVec3, x: DVec3, wanted: f64) -> f64 {
        let everywhere = 1.0 / (n.dot(x) * self.bend);
        if everywhere >= wanted { everywhere } else { everywhere.max(self.ball_at(n, x, wanted)) }
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

impl Implicit<Space> for Superellipsoid {
    fn inside_outside(&self, x: DVec3) -> f64 {
        libm::pow(self.gauge.value(x), 2.0 / self.exponents[1])
    }

    /// With the gauge N: `F = N^m`, `m = 2/ε2`, hence `∇F = m N^(m−1) ∇N`.
    fn gradient(&self, x: DVec3) -> DVec3 {
        let m = 2.0 / self.exponents[1];
        let (gauge, gradient) = self.gauge.value_with_gradient(x);
        gradient * finite(m * libm::pow(gauge, m - 1.0))
    }

    /// `∇²F = m N^(m−2) (N ∇²N + (m−1) ∇N ∇Nᵀ)`; zero at the origin, where it is zero or unbounded.
    fn curvature(&self, x: DVec3) -> Sym3 {
        let m = 2.0 / self.exponents[1];
        let (gauge, gradient, hessian) = self.gauge.jet(x);
        if gauge == 0.0 {
            return Sym3::default();
        }
        (hessian * gauge + Sym3::outer(gradient, m - 1.0)) * finite(m * libm::pow(gauge, m - 2.0))
    }

    fn gauge(&self, x: DVec3) -> f64 {
        self.gauge.value(x)
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        self.gauge.value_with_gradient(x)
    }

    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        self.gauge.jet(x)
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        unit(self.gauge.gradient(x))
    }
}

/// Powers of the gauge overflow far outside a boxy shape; the largest number times zero is zero, as it should be.
fn finite(x: f64) -> f64 {
    x.min(f64::MAX)
}

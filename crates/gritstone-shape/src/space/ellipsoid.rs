//! Ellipsoids: superellipsoids with ε1 = ε2 = 1, in closed form without powers.

use std::f64::consts::PI;

use glam::{DVec3, Vec3Swizzles};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Space};

use super::unit::unit;
use crate::{Body, Cubic, CubicTerm, Implicit, Jet, ShapeError, Support};

/// `(x1/r1)² + (x2/r2)² + (x3/r3)² ≤ 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    radii: DVec3,
}

impl Ellipsoid {
    /// An ellipsoid with these semi-axes.
    pub fn new(radii: DVec3) -> Result<Self, ShapeError> {
        for (i, r) in radii.to_array().into_iter().enumerate() {
            ShapeError::check_length(format_args!("radii[{i}]"), r)?;
        }
        Ok(Self { radii })
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.radii * factor)
    }

    /// The semi-axes.
    pub fn radii(&self) -> DVec3 {
        self.radii
    }
}

/// `|u|`, `u = k∘x`, with its derivatives in x. With `e = u/|u|` they are `p = k∘e` and `(diag(k²) − p pᵀ)/|u|`; written
/// with e2² + e3² for 1 − e1² the small entries of slender ellipsoids keep their digits.
#[inline]
fn scaled_length(k: DVec3, x: DVec3) -> (f64, DVec3, Sym3) {
    let u = k * x;
    let length = u.length();
    let inverse = 1.0 / length;
    let e = u * inverse;
    let (gradient, squares) = (k * e, e * e);
    let diagonal = k * k * (squares.yzx() + squares.zxy()) * inverse;
    let across = gradient * gradient.yzx() * -inverse;
    let hessian =
        Sym3 { xx: diagonal.x, yy: diagonal.y, zz: diagonal.z, xy: across.x, yz: across.y, xz: across.z };
    (length, gradient, hessian)
}

impl Support<Space> for Ellipsoid {
    fn support(&self, n: DVec3) -> DVec3 {
        let u = self.radii * n;
        self.radii * u / u.length()
    }

    fn jet(&self, n: DVec3) -> Jet<Space> {
        let (_, point, hessian) = scaled_length(self.radii, n);
        Jet { point, hessian }
    }

    /// Along a change s of n: `h' = p·s`, `h'' = (|r∘s|² − h'²)/h`, `h''' = −3 h' h''/h`.
    fn cubic_jet(&self, n: DVec3) -> (Jet<Space>, Option<Cubic<Space>>) {
        let (value, point, hessian) = scaled_length(self.radii, n);
        let inverse = value.recip();
        let term = |weight: f64, square: DVec3| CubicTerm {
            weight: weight * inverse,
            square,
            factor: point * (-3.0 * inverse),
            change: square * inverse,
        };
        let [x, y, z] = DVec3::AXES.map(|axis| term(1.0, axis * self.radii));
        (Jet { point, hessian }, Some(Cubic { terms: [x, y, z, term(-1.0, point)] }))
    }

    /// Of h and of its first derivative.
    fn change(&self, n: DVec3, s: DVec3) -> Option<f64> {
        Some((self.radii * s).length() / (self.radii * n).length())
    }

    fn size(&self) -> f64 {
        self.radii.max_element()
    }

    /// From x the inside-outside function rises by no more than `∇F·s + |s|²/r²`, r the smallest semi-axis, and its
    /// gradient is `2n/h(n)`: the ball of radius `r²/h(n)` is inside.
    fn nested_ball(&self, n: DVec3, x: DVec3, _: f64) -> f64 {
        let smallest = self.radii.min_element();
        smallest * smallest / n.dot(x)
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

impl Implicit<Space> for Ellipsoid {
    fn inside_outside(&self, x: DVec3) -> f64 {
        (x / self.radii).length_squared()
    }

    fn gradient(&self, x: DVec3) -> DVec3 {
        2.0 * x / (self.radii * self.radii)
    }

    fn curvature(&self, _: DVec3) -> Sym3 {
        Sym3::diagonal(2.0 / (self.radii * self.radii))
    }

    fn gauge(&self, x: DVec3) -> f64 {
        (x / self.radii).length()
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        let scaled = x / self.radii;
        (scaled.length(), scaled.normalize_or(DVec3::Z) / self.radii)
    }

    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        if x == DVec3::ZERO {
            return (0.0, DVec3::Z / self.radii, Sym3::default());
        }
        scaled_length(self.radii.recip(), x)
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        unit(x / self.radii * (self.radii.min_element() / self.radii))
    }
}

impl Body<Space> for Ellipsoid {
    fn mass(&self) -> Mass<Space> {
        let volume = 4.0 / 3.0 * PI * self.radii.element_product();
        Mass::symmetric(volume, self.radii * self.radii * (volume / 5.0))
    }

    fn half_extents(&self) -> DVec3 {
        self.radii
    }
}

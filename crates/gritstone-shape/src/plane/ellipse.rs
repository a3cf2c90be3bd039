//! Ellipses.

use std::f64::consts::PI;

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use super::outline;
use super::unit::unit;
use crate::{Body, Implicit, Jet, ShapeError, Support, Trace};

/// `(x/a)² + (y/b)² ≤ 1`, eq. (2.2) of \[martinez2003\] about its own centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    semi_axes: DVec2,
}

impl Ellipse {
    /// An ellipse with the semi-axes a along x and b along y; either may be the larger one.
    pub fn new(semi_axes: DVec2) -> Result<Self, ShapeError> {
        for (i, r) in semi_axes.to_array().into_iter().enumerate() {
            ShapeError::check_length(format!("semi_axes[{i}]"), r)?;
        }
        Ok(Self { semi_axes })
    }

    /// The semi-axes.
    pub fn semi_axes(&self) -> DVec2 {
        self.semi_axes
    }
}

/// `|u|`, `u = k∘x`, with its derivatives in x: with `e = u/|u|` the gradient `k∘e`, and `k_x² k_y² x^⊥ x^⊥ᵀ/|u|³`, a
/// square, for the Hessian.
#[inline]
fn scaled_length(k: DVec2, x: DVec2) -> (f64, DVec2, Sym2) {
    let u = k * x;
    let length = u.length();
    let e = u / length;
    (length, k * e, Sym2::outer(DVec2::new(-k.x * e.y, k.y * e.x), length.recip()))
}

impl Support<Plane> for Ellipse {
    #[inline]
    fn support(&self, n: DVec2) -> DVec2 {
        let u = self.semi_axes * n;
        self.semi_axes * u / u.length()
    }

    #[inline]
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        let (_, point, hessian) = scaled_length(self.semi_axes, n);
        Jet { point, hessian }
    }

    /// Of h and of its first derivative.
    fn change(&self, n: DVec2, s: DVec2) -> Option<f64> {
        Some((self.semi_axes * s).length() / (self.semi_axes * n).length())
    }

    fn size(&self) -> f64 {
        self.semi_axes.max_element()
    }

    /// The largest one, whose centre lies on the longer axis: `b²/h(n)`.
    #[inline]
    fn nested_ball(&self, n: DVec2, x: DVec2, _: f64) -> f64 {
        let shorter = self.semi_axes.min_element();
        shorter * shorter / n.dot(x)
    }

    fn implicit(&self) -> Option<&dyn Implicit<Plane>> {
        Some(self)
    }
}

impl Implicit<Plane> for Ellipse {
    fn inside_outside(&self, x: DVec2) -> f64 {
        (x / self.semi_axes).length_squared()
    }

    fn gradient(&self, x: DVec2) -> DVec2 {
        2.0 * x / (self.semi_axes * self.semi_axes)
    }

    fn curvature(&self, _: DVec2) -> Sym2 {
        Sym2::diagonal(2.0 / (self.semi_axes * self.semi_axes))
    }

    fn gauge(&self, x: DVec2) -> f64 {
        (x / self.semi_axes).length()
    }

    fn gauge_with_gradient(&self, x: DVec2) -> (f64, DVec2) {
        let scaled = x / self.semi_axes;
        (scaled.length(), scaled.normalize_or(DVec2::Y) / self.semi_axes)
    }

    fn gauge_jet(&self, x: DVec2) -> (f64, DVec2, Sym2) {
        if x == DVec2::ZERO {
            return (0.0, DVec2::Y / self.semi_axes, Sym2::default());
        }
        scaled_length(self.semi_axes.recip(), x)
    }

    fn normal(&self, x: DVec2) -> DVec2 {
        unit(x / self.semi_axes * (self.semi_axes.min_element() / self.semi_axes))
    }
}

impl Body<Plane> for Ellipse {
    fn mass(&self) -> Mass<Plane> {
        let area = PI * self.semi_axes.element_product();
        Mass::symmetric(area, self.semi_axes * self.semi_axes * (0.25 * area))
    }

    fn half_extents(&self) -> DVec2 {
        self.semi_axes
    }
}

impl Trace for Ellipse {
    fn outline(&self, detail: u32) -> Outline {
        outline::trace(self.semi_axes, 1.0, detail, |x| self.normal(x))
    }
}

//! Circles.

use std::f64::consts::PI;

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use super::outline;
use super::unit::unit;
use crate::{Body, Implicit, Jet, ShapeError, Support, Trace};

/// A disc about its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    radius: f64,
}

impl Circle {
    /// A disc of this radius.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        ShapeError::check_length("radius", radius)?;
        Ok(Self { radius })
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Support<Plane> for Circle {
    fn support(&self, n: DVec2) -> DVec2 {
        n * (self.radius / n.length())
    }

    /// `h = R|n|`, so `∇²h = R t tᵀ` for unit n, with the tangent t.
    fn jet(&self, n: DVec2) -> Jet<Plane> {
        Jet { point: n * self.radius, hessian: Sym2::outer(n.perp(), self.radius) }
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn change(&self, _: DVec2, _: DVec2) -> Option<f64> {
        Some(0.0)
    }

    fn nested_ball(&self, _: DVec2, _: DVec2, _: f64) -> f64 {
        self.radius
    }

    fn implicit(&self) -> Option<&dyn Implicit<Plane>> {
        Some(self)
    }
}

impl Implicit<Plane> for Circle {
    fn inside_outside(&self, x: DVec2) -> f64 {
        (x / self.radius).length_squared()
    }

    fn gradient(&self, x: DVec2) -> DVec2 {
        x * (2.0 / (self.radius * self.radius))
    }

    fn curvature(&self, _: DVec2) -> Sym2 {
        Sym2::scalar(2.0 / (self.radius * self.radius))
    }

    fn gauge(&self, x: DVec2) -> f64 {
        x.length() / self.radius
    }

    fn gauge_with_gradient(&self, x: DVec2) -> (f64, DVec2) {
        (self.gauge(x), self.normal(x) / self.radius)
    }

    /// `N = |x|/R`, so `∇²N = t tᵀ/(R |x|)` with the tangent t.
    fn gauge_jet(&self, x: DVec2) -> (f64, DVec2, Sym2) {
        let (gauge, n) = (self.gauge(x), self.normal(x));
        let bend = if gauge == 0.0 { 0.0 } else { 1.0 / (gauge * self.radius * self.radius) };
        (gauge, n / self.radius, Sym2::outer(n.perp(), bend))
    }

    fn normal(&self, x: DVec2) -> DVec2 {
        unit(x)
    }
}

impl Body<Plane> for Circle {
    fn mass(&self) -> Mass<Plane> {
        let area = PI * self.radius * self.radius;
        Mass::symmetric(area, DVec2::splat(0.25 * area * self.radius * self.radius))
    }

    fn half_extents(&self) -> DVec2 {
        DVec2::splat(self.radius)
    }
}

impl Trace for Circle {
    fn outline(&self, detail: u32) -> Outline {
        outline::trace(DVec2::splat(self.radius), 1.0, detail, |x| self.normal(x))
    }
}

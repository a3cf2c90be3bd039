//! Spheres.

use std::f64::consts::PI;

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Space};

use super::unit::unit;
use crate::{Body, Cubic, Implicit, Jet, ShapeError, Support};

/// A sphere about its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere of this radius.
    pub fn new(radius: f64) -> Result<Self, ShapeError> {
        ShapeError::check_length("radius", radius)?;
        Ok(Self { radius })
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.radius * factor)
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Support<Space> for Sphere {
    fn support(&self, n: DVec3) -> DVec3 {
        n * (self.radius / n.length())
    }

    /// `h = R|n|`, so `∇²h = R (I − nnᵀ)` for unit n.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        let hessian = Sym3::diagonal(DVec3::splat(self.radius)) + Sym3::outer(n, -self.radius);
        Jet { point: n * self.radius, hessian }
    }

    /// Across n the third derivative vanishes.
    fn cubic_jet(&self, n: DVec3) -> (Jet<Space>, Option<Cubic<Space>>) {
        (self.jet(n), Some(Cubic::default()))
    }

    fn size(&self) -> f64 {
        self.radius
    }

    fn change(&self, _: DVec3, _: DVec3) -> Option<f64> {
        Some(0.0)
    }

    fn rolling_ball(&self) -> f64 {
        self.radius
    }

    fn nested_ball(&self, _: DVec3, _: DVec3, _: f64) -> f64 {
        self.radius
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

impl Implicit<Space> for Sphere {
    fn inside_outside(&self, x: DVec3) -> f64 {
        (x / self.radius).length_squared()
    }

    fn gradient(&self, x: DVec3) -> DVec3 {
        x * (2.0 / (self.radius * self.radius))
    }

    fn curvature(&self, _: DVec3) -> Sym3 {
        Sym3::diagonal(DVec3::splat(2.0 / (self.radius * self.radius)))
    }

    fn gauge(&self, x: DVec3) -> f64 {
        x.length() / self.radius
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        (self.gauge(x), self.normal(x) / self.radius)
    }

    /// `N = |x|/R`, so `∇²N = (I − nnᵀ)/(R |x|)`, `n = x/|x|`.
    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        let (gauge, n) = (self.gauge(x), self.normal(x));
        let bend = if gauge == 0.0 { 0.0 } else { 1.0 / (gauge * self.radius * self.radius) };
        (gauge, n / self.radius, Sym3::diagonal(DVec3::splat(bend)) + Sym3::outer(n, -bend))
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        unit(x)
    }
}

impl Body<Space> for Sphere {
    fn mass(&self) -> Mass<Space> {
        let volume = 4.0 / 3.0 * PI * self.radius.powi(3);
        Mass::symmetric(volume, DVec3::splat(volume * self.radius * self.radius / 5.0))
    }

    fn half_extents(&self) -> DVec3 {
        DVec3::splat(self.radius)
    }
}

//! Cylinders. The worked example of `docs/shapes.md`: all that a shape has to say of itself stands in this file.
//!
//! **Idea.** A cylinder is the sum of a disc and a segment, so its support function is the sum of theirs,
//! `h(n) = R √(n_x² + n_y²) + H |n_z|`. Its gauge is the larger of theirs, `N(x) = max(√(x² + y²)/R, |z|/H)`.
//!
//! **Notation.** R: radius; H: half the height; t: the unit tangent around the axis.
//!
//! **Fails when** a direction lies across a cap or across the side: a whole cap or line is farthest there. Its middle is
//! returned, with a Hessian that is large where the surface is flat.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Mesh, Space};

use super::lathe::{Ring, turn};
use crate::{Body, Implicit, Jet, ShapeError, Support, Tessellate};

/// Least lean of a unit normal from the axis that second derivatives see.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// `x² + y² ≤ R²` and `|z| ≤ H`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
}

impl Cylinder {
    /// A cylinder about the z axis.
    pub fn new(radius: f64, half_height: f64) -> Result<Self, ShapeError> {
        ShapeError::check_length("radius", radius)?;
        ShapeError::check_length("half_height", half_height)?;
        Ok(Self { radius, half_height })
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.radius * factor, self.half_height * factor)
    }

    /// The radius.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the height.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// Gauges of the side and of the caps at `x`.
    fn gauges(&self, x: DVec3) -> [f64; 2] {
        [x.truncate().length() / self.radius, x.z.abs() / self.half_height]
    }
}

/// Minus one, zero or one.
pub(super) fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// The square of the tangent around the axis at a point in the direction `across` of it, and `across`' length.
fn around(across: DVec2) -> (Sym3, f64) {
    let lean = across.length();
    (Sym3::outer(across.perp().normalize_or_zero().extend(0.0), 1.0), lean)
}

impl Support<Space> for Cylinder {
    fn support(&self, n: DVec3) -> DVec3 {
        let rim = n.truncate().normalize_or_zero() * self.radius;
        rim.extend(self.half_height * sign(n.z))
    }

    /// `∇²h = (R/√(n_x² + n_y²)) t tᵀ`: the rim. Across a cap, or across the side, the part that is flat is added.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        let (square, lean) = around(n.truncate());
        let mut hessian = square * (self.radius / lean.max(DERIVATIVE_FLOOR));
        if lean == 0.0 {
            hessian = Sym3::diagonal(DVec3::new(1.0, 1.0, 0.0)) * (self.radius / DERIVATIVE_FLOOR);
        }
        if n.z == 0.0 {
            hessian.zz = self.half_height / DERIVATIVE_FLOOR;
        }
        Jet { point: self.support(n), hessian }
    }

    fn creased(&self) -> bool {
        true
    }

    /// The caps.
    fn round_face(&self, n: DVec3, slope: f64) -> Option<(DVec3, f64)> {
        let cap = DVec3::Z * (self.half_height * sign(n.z));
        (n.truncate().length() <= slope).then_some((cap, self.radius))
    }

    fn size(&self) -> f64 {
        libm::hypot(self.radius, self.half_height)
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

/// F is the gauge.
impl Implicit<Space> for Cylinder {
    fn inside_outside(&self, x: DVec3) -> f64 {
        self.gauge(x)
    }

    fn gradient(&self, x: DVec3) -> DVec3 {
        self.gauge_with_gradient(x).1
    }

    fn curvature(&self, x: DVec3) -> Sym3 {
        self.gauge_jet(x).2
    }

    fn gauge(&self, x: DVec3) -> f64 {
        let [side, caps] = self.gauges(x);
        side.max(caps)
    }

    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        let [side, caps] = self.gauges(x);
        if side > caps {
            (side, x.truncate().normalize_or_zero().extend(0.0) / self.radius)
        } else {
            (caps, DVec3::Z.copysign(x) / self.half_height)
        }
    }

    /// The caps are flat; on the side `∇²N = t tᵀ/(R √(x² + y²))`.
    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        let [side, caps] = self.gauges(x);
        let (gauge, gradient) = self.gauge_with_gradient(x);
        let (square, distance) = around(x.truncate());
        let hessian = if side > caps { square * (self.radius * distance).recip() } else { Sym3::default() };
        (gauge, gradient, hessian)
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        let [side, caps] = self.gauges(x);
        if side > caps { x.truncate().normalize_or_zero().extend(0.0) } else { DVec3::Z.copysign(x) }
    }
}

impl Body<Space> for Cylinder {
    fn mass(&self) -> Mass<Space> {
        let (r, h) = (self.radius, self.half_height);
        let volume = 2.0 * PI * r * r * h;
        let across = 0.25 * volume * r * r;
        Mass::symmetric(volume, DVec3::new(across, across, volume * h * h / 3.0))
    }

    fn half_extents(&self) -> DVec3 {
        DVec3::new(self.radius, self.radius, self.half_height)
    }
}

impl Tessellate for Cylinder {
    fn tessellate(&self, detail: u32) -> Mesh {
        let (r, h) = (self.radius, self.half_height);
        let ring = |radius, height, normal| Ring { radius, height, normal };
        let (down, out, up) = (DVec2::NEG_Y, DVec2::X, DVec2::Y);
        turn(
            &[
                &[ring(0.0, -h, down), ring(r, -h, down)],
                &[ring(r, -h, out), ring(r, h, out)],
                &[ring(r, h, up), ring(0.0, h, up)],
            ],
            detail,
        )
    }
}

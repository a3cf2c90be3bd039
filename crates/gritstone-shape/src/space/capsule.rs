//! Capsules: cylinders with hemispheres for caps.
//!
//! **Idea.** A capsule is the sum of a segment and a ball: `h(n) = H |n_z| + R |n|`. Its gauge is that of the cylinder's
//! side, `√(x² + y²)/R`, or the root of `x² + y² + (|z| − N H)² = N² R²` where that lies on a hemisphere.
//!
//! **Notation.** R: radius; H: half the length of the segment.
//!
//! **Fails when** a direction lies across the side: a whole line is farthest there. Its middle is returned, with a Hessian
//! that is large along it.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Mesh, Space};

use super::cylinder::sign;
use super::lathe::{Ring, turn};
use super::unit::unit;
use crate::{Body, Implicit, Jet, ShapeError, Support, Tessellate};

/// Least part of a unit normal along the axis that second derivatives see.
const DERIVATIVE_FLOOR: f64 = 1e-12;

/// All points within R of the segment from −H to H on the z axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_height: f64,
}

impl Capsule {
    /// A capsule about the z axis; `half_height` is that of the cylinder, without the hemispheres.
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

    /// Half the length of the segment.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// The gauge at `x`, and the point of the segment below the surface point x/N, as a fraction of H.
    fn rooted(&self, x: DVec3) -> (f64, f64) {
        let (r, h) = (self.radius, self.half_height);
        let (rho, z) = (x.truncate().length(), x.z.abs());
        if rho * h >= z * r {
            let gauge = rho / r;
            return (gauge, if gauge == 0.0 { 0.0 } else { x.z / (gauge * h) });
        }
        // N²(R² − H²) + 2 N |z| H − |x|² = 0, its positive root without cancellation. The discriminant R²|x|² − H²ρ² is
        // a sum of positive terms here.
        let root = (r * r * rho * rho + (r * z - h * rho) * (r * z + h * rho)).sqrt();
        ((rho * rho + z * z) / (z * h + root), 1.0_f64.copysign(x.z))
    }
}

impl Support<Space> for Capsule {
    fn support(&self, n: DVec3) -> DVec3 {
        n * (self.radius / n.length()) + DVec3::Z * (self.half_height * sign(n.z))
    }

    /// That of the ball; across the side the segment is added, which is flat.
    fn jet(&self, n: DVec3) -> Jet<Space> {
        let mut hessian = Sym3::diagonal(DVec3::splat(self.radius)) + Sym3::outer(n, -self.radius);
        if n.z == 0.0 {
            hessian.zz += self.half_height / DERIVATIVE_FLOOR;
        }
        Jet { point: self.support(n), hessian }
    }

    fn creased(&self) -> bool {
        true
    }

    fn size(&self) -> f64 {
        self.radius + self.half_height
    }

    fn nested_ball(&self, _: DVec3, _: DVec3, _: f64) -> f64 {
        self.radius
    }

    fn implicit(&self) -> Option<&dyn Implicit<Space>> {
        Some(self)
    }
}

/// F is the gauge.
impl Implicit<Space> for Capsule {
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
        self.rooted(x).0
    }

    /// `∇N = n/h(n)`, since it points along the normal and `∇N·x = N`.
    fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
        let n = self.normal(x);
        (self.gauge(x), n / (self.radius + self.half_height * n.z.abs()))
    }

    /// With W the shape operator at `y = x/N`: `∇²N = (I − ∇N yᵀ) W (I − y ∇Nᵀ) / (N h(n))`. `W = (I − nnᵀ)/R` on the
    /// hemispheres, and on the side the same without the part along z.
    fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
        let ((gauge, place), n) = (self.rooted(x), self.normal(x));
        let height = self.radius + self.half_height * n.z.abs();
        let gradient = n / height;
        if gauge == 0.0 {
            return (gauge, gradient, Sym3::default());
        }
        let (y, around) = (x / gauge, n.truncate().perp().normalize_or(DVec2::Y).extend(0.0));
        let bend = (self.radius * gauge * height).recip();
        let side = place.abs() < 1.0;
        let tangents = [around, if side { DVec3::ZERO } else { n.cross(around) }];
        let squares = tangents.map(|t| Sym3::outer(t - gradient * y.dot(t), bend));
        (gauge, gradient, squares[0] + squares[1])
    }

    fn normal(&self, x: DVec3) -> DVec3 {
        let (gauge, place) = self.rooted(x);
        if place.abs() < 1.0 {
            return unit(x.truncate().extend(0.0));
        }
        unit(x - DVec3::Z * (gauge * place * self.half_height))
    }
}

impl Body<Space> for Capsule {
    /// A cylinder and two hemispheres, whose centres of mass lie 3/8 R beyond the segment's ends.
    fn mass(&self) -> Mass<Space> {
        let (r, h) = (self.radius, self.half_height);
        let (side, ball) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r.powi(3));
        let across = side * r * r / 4.0 + ball * r * r / 5.0;
        let along = side * h * h / 3.0 + ball * (h * h + 0.75 * h * r + 0.2 * r * r);
        Mass::symmetric(side + ball, DVec3::new(across, across, along))
    }

    fn half_extents(&self) -> DVec3 {
        DVec3::new(self.radius, self.radius, self.radius + self.half_height)
    }
}

impl Tessellate for Capsule {
    fn tessellate(&self, detail: u32) -> Mesh {
        let quarter = 2 * detail.clamp(1, super::lathe::FINEST);
        let ring = |i: u32, end: f64| {
            let normal = match i {
                0 => DVec2::X,
                i if i == quarter => DVec2::Y,
                i => gritstone_core::angle::direction(0.5 * PI * f64::from(i) / f64::from(quarter)),
            };
            Ring {
                radius: self.radius * normal.x,
                height: end * (self.half_height + self.radius * normal.y),
                normal: DVec2::new(normal.x, end * normal.y),
            }
        };
        let below = (0..=quarter).rev().map(|i| ring(i, -1.0));
        let rings: Vec<Ring> = below.chain((0..=quarter).map(|i| ring(i, 1.0))).collect();
        turn(&[&rings], detail)
    }
}

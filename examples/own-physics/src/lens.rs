//! A shape: a lens, what two equal balls have in common.

use std::f64::consts::PI;
use std::sync::Arc;

use gritstone::core::linalg::Sym3;
use gritstone::core::{Mass, Space};
use gritstone::glam::{DVec2, DVec3};
use gritstone::shape::{Body, Jet, ShapeError, Support, UserShape};

/// Two balls of this radius, with centres at ±`offset` on the z axis; the lens has two caps and a sharp rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// R (m).
    pub radius: f64,
    /// d, smaller than R (m).
    pub offset: f64,
}

impl Lens {
    /// Half the thickness on the axis (m).
    pub fn half_thickness(&self) -> f64 {
        self.radius - self.offset
    }

    /// Radius of the rim (m).
    pub fn rim(&self) -> f64 {
        (self.radius * self.radius - self.offset * self.offset).sqrt()
    }

    /// The centre of the ball whose cap has this normal, if a cap has it: the upper cap belongs to the lower ball.
    fn centre(&self, n: DVec3) -> Option<DVec3> {
        let on_cap = self.radius * n.z.abs() > self.offset * n.length();
        on_cap.then(|| DVec3::NEG_Z * self.offset.copysign(n.z))
    }
}

impl Support<Space> for Lens {
    fn support(&self, n: DVec3) -> DVec3 {
        let n = n.normalize();
        match self.centre(n) {
            Some(centre) => centre + n * self.radius,
            None => DVec3::new(n.x, n.y, 0.0).normalize() * self.rim(),
        }
    }

    fn jet(&self, n: DVec3) -> Jet<Space> {
        let hessian = if self.centre(n).is_some() {
            // h = R |n| + const · n: curved equally across the normal, R (I − n nᵀ).
            let (k, n) = (self.radius, n.normalize());
            Sym3 {
                xx: k * (1.0 - n.x * n.x),
                yy: k * (1.0 - n.y * n.y),
                zz: k * (1.0 - n.z * n.z),
                xy: -k * n.x * n.y,
                xz: -k * n.x * n.z,
                yz: -k * n.y * n.z,
            }
        } else {
            // h = ρ |(n_x, n_y)| at the rim: curved around the axis alone.
            let across = DVec2::new(n.x, n.y);
            let t = across.normalize().perp();
            let k = self.rim() / across.length();
            Sym3 { xx: k * t.x * t.x, yy: k * t.y * t.y, xy: k * t.x * t.y, ..Sym3::default() }
        };
        Jet { point: self.support(n), hessian }
    }

    fn size(&self) -> f64 {
        self.rim().max(self.half_thickness())
    }
}

impl Body<Space> for Lens {
    /// Discs of radius² `s(u) = R² − u²` at the distance u from the centre of their ball, from u = d to R.
    fn mass(&self) -> Mass<Space> {
        let (r, d) = (self.radius, self.offset);
        let between = |f: &dyn Fn(f64) -> f64| f(r) - f(d);
        let volume = 2.0 * PI * between(&|u| r * r * u - u.powi(3) / 3.0); // ∫ s
        let across = 0.5 * PI * between(&|u| r.powi(4) * u - 2.0 / 3.0 * r * r * u.powi(3) + 0.2 * u.powi(5)); // ∫ s²
        let along = 2.0
            * PI
            * between(&|u| {
                r * r * (u.powi(3) / 3.0 - d * u * u + d * d * u) - 0.2 * u.powi(5) + 0.5 * d * u.powi(4)
                    - d * d * u.powi(3) / 3.0
            }); // ∫ s (u − d)²
        Mass::symmetric(volume, DVec3::new(across, across, along))
    }

    fn half_extents(&self) -> DVec3 {
        DVec3::new(self.rim(), self.rim(), self.half_thickness())
    }
}

impl UserShape<Space> for Lens {
    fn name(&self) -> &'static str {
        "lens"
    }

    fn scaled(&self, factor: f64) -> Result<Arc<dyn UserShape<Space>>, ShapeError> {
        Ok(Arc::new(Self { radius: self.radius * factor, offset: self.offset * factor }))
    }
}

//! Half-planes: walls without end.

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Mass, Outline, Plane};

use crate::{Body, Jet, ShapeError, Support, Trace, points};

/// `normal·x ≤ offset`. It has no bounds: its support points are at infinity in all directions but that of the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    normal: DVec2,
    offset: f64,
}

impl HalfPlane {
    /// The points with `normal·x ≤ offset`, for a normal of any length but zero.
    pub fn new(normal: DVec2, offset: f64) -> Result<Self, ShapeError> {
        let largest = normal.abs().max_element();
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(ShapeError::NoDirection { name: "normal" });
        }
        // Scaled first, so that no square overflows or vanishes.
        let length = (normal / largest).length();
        let offset = offset / largest / length;
        if !points::usable(offset) {
            return Err(ShapeError::Coordinate { name: "offset".to_owned(), value: offset });
        }
        Ok(Self { normal: normal / largest / length, offset })
    }

    /// The outward unit normal.
    pub fn normal(&self) -> DVec2 {
        self.normal
    }

    /// How far the boundary lies from the origin along the normal.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

impl Support<Plane> for HalfPlane {
    fn support(&self, n: DVec2) -> DVec2 {
        if n.perp_dot(self.normal) == 0.0 && n.dot(self.normal) > 0.0 {
            return self.normal * self.offset;
        }
        let far = |x: f64| if x == 0.0 { 0.0 } else { f64::INFINITY.copysign(x) };
        DVec2::new(far(n.x), far(n.y))
    }

    fn jet(&self, n: DVec2) -> Jet<Plane> {
        Jet { point: self.support(n), hessian: Sym2::default() }
    }

    fn size(&self) -> f64 {
        f64::INFINITY
    }
}

impl Body<Plane> for HalfPlane {
    /// Everything is infinite.
    fn mass(&self) -> Mass<Plane> {
        Mass::symmetric(f64::INFINITY, DVec2::INFINITY)
    }

    fn half_extents(&self) -> DVec2 {
        DVec2::INFINITY
    }
}

impl Trace for HalfPlane {
    fn outline(&self, _: u32) -> Outline {
        Outline::default()
    }
}

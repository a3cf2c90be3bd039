//! Half-spaces: all that lies on one side of a plane. Floors and walls.

use glam::DVec3;
use gritstone_core::Space;

use crate::{Jet, ShapeError, Support, points};

/// `normal·x ≤ offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// The half-space `normal·x ≤ offset`; the normal has any length but zero.
    pub fn new(normal: DVec3, offset: f64) -> Result<Self, ShapeError> {
        let largest = normal.abs().max_element();
        if !(largest > 0.0 && normal.is_finite()) {
            return Err(ShapeError::NoDirection { name: "normal" });
        }
        let scaled = normal / largest;
        let offset = offset / largest / scaled.length();
        if !points::usable(offset) {
            return Err(ShapeError::Coordinate { name: "offset".to_owned(), value: offset });
        }
        Ok(Self { normal: scaled.normalize(), offset })
    }

    /// The same shape with all lengths multiplied by `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
        Self::new(self.normal, self.offset * factor)
    }

    /// Outward unit normal.
    pub fn normal(&self) -> DVec3 {
        self.normal
    }

    /// Distance of the plane from the origin along the normal.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

/// Unbounded in every direction but one.
impl Support<Space> for HalfSpace {
    /// A point of the plane along the normal, the point at infinity otherwise.
    fn support(&self, n: DVec3) -> DVec3 {
        if n.cross(self.normal) == DVec3::ZERO && n.dot(self.normal) > 0.0 {
            return self.normal * self.offset;
        }
        n.map(|x| if x == 0.0 { 0.0 } else { f64::INFINITY.copysign(x) })
    }

    fn jet(&self, n: DVec3) -> Jet<Space> {
        Jet { point: self.support(n), ..Jet::default() }
    }

    fn size(&self) -> f64 {
        f64::INFINITY
    }
}

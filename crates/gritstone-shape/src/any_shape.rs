//! What the tables of shapes in the plane and in space answer alike.

use std::fmt::Debug;

use glam::{DVec2, DVec3};
use gritstone_core::{Dim, Mass, Plane, Space};

use crate::plane::Figure;
use crate::space::Solid;
use crate::{Body as _, Support};

/// Any shape of a dimension.
pub trait AnyShape<D: Dim>: Support<D> + Clone + Debug + PartialEq + Send + Sync {
    /// The shape's name in scenes and in JSON.
    fn word(&self) -> &'static str;

    /// Mass properties for density one, for shapes that have a volume.
    fn mass_properties(&self) -> Option<Mass<D>>;

    /// Half-axes of balls and ellipsoids.
    fn semi_axes(&self) -> Option<D::Vec>;

    /// Outward normal of a half-space or half-plane.
    fn plane_normal(&self) -> Option<D::Vec>;
}

impl AnyShape<Plane> for Figure {
    fn word(&self) -> &'static str {
        self.word()
    }

    fn mass_properties(&self) -> Option<Mass<Plane>> {
        let mass = self.mass();
        (self.size().is_finite() && mass.volume > 0.0).then_some(mass)
    }

    fn semi_axes(&self) -> Option<DVec2> {
        self.semi_axes()
    }

    fn plane_normal(&self) -> Option<DVec2> {
        if let Self::HalfPlane(half) = self { Some(half.normal()) } else { None }
    }
}

impl AnyShape<Space> for Solid {
    fn word(&self) -> &'static str {
        self.word()
    }

    fn mass_properties(&self) -> Option<Mass<Space>> {
        self.body().map(crate::Body::mass)
    }

    fn semi_axes(&self) -> Option<DVec3> {
        self.semi_axes()
    }

    fn plane_normal(&self) -> Option<DVec3> {
        if let Self::HalfSpace(half) = self { Some(half.normal()) } else { None }
    }
}

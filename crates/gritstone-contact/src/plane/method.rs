//! The table of methods in the plane.

use gritstone_core::Plane;
use gritstone_shape::plane::Figure;

use super::ring::Ring;
use super::{Auto, Curvature, Gjk, OverlapPoint, SupportNewton};
use crate::{CommonPlane, FastCommonPlane, Method, Setting, ShortestLink, ShortestLinkMended};

/// A shape in the plane and where it is.
pub type Placed<'s> = crate::Placed<'s, Plane>;

/// Working memory of the methods; keep one per thread and no query allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) ring: Ring,
}

impl Setting for Plane {
    type Shape = Figure;
    type Scratch = Scratch;

    fn methods() -> &'static [&'static dyn Method<Self>] {
        METHODS
    }
}

/// Every method, the default first.
#[rustfmt::skip]
pub static METHODS: &[&dyn Method<Plane>] = &[
    &Auto,
    &SupportNewton,
    &Gjk,
    &OverlapPoint::PUBLISHED,
    &OverlapPoint::MENDED,
    &Curvature::PUBLISHED,
    &Curvature::MENDED,
    &CommonPlane,
    &FastCommonPlane,
    &ShortestLink,
    &ShortestLinkMended,
];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static dyn Method<Plane>> {
    Plane::method(name)
}

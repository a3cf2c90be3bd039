//! The table of methods in the plane.

use glam::DVec2;
use gritstone_core::Plane;
use gritstone_shape::plane::Figure;

use super::ring::Ring;
use super::{Auto, Curvature, Gjk, OverlapPoint, SupportNewton};
use crate::{
    Answer, CommonPlane, FastCommonPlane, Method, NarrowPhase, Query, Refusal, ShortestLink,
    ShortestLinkMended,
};

/// A shape in the plane and where it is.
pub type Placed<'s> = crate::Placed<'s, Plane>;

/// Working memory of the methods; keep one per thread and no query allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) ring: Ring,
}

impl NarrowPhase for Plane {
    type Shape = Figure;
    type Scratch = Scratch;
    /// The direction of the last answer.
    type Memory = Option<DVec2>;

    fn methods() -> &'static [&'static dyn Method<Self>] {
        METHODS
    }

    fn solve_warm(
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Self>,
        memory: &mut Option<DVec2>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        let query = Query { start: query.start.or(*memory), ..query };
        let answer = Auto.solve(a, b, query, scratch)?;
        *memory = Some(answer.direction());
        Ok(answer)
    }

    fn remember(direction: DVec2) -> Option<DVec2> {
        Some(direction)
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

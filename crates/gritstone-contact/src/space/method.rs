//! The table of methods in space.

use gritstone_core::{Pose, Space};
use gritstone_shape::space::Solid;

use super::hull::Hull;
use super::{Auto, CommonNormal, Gjk, InteriorPoint, SupportNewton};
use crate::{Answer, Card, Query, Refusal};

/// A shape and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'s> {
    /// The shape, in its own frame.
    pub shape: &'s Solid,
    /// Where it is and how it is turned.
    pub pose: Pose<Space>,
}

/// Working memory of the methods; keep one per thread and no query allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) hull: Hull,
}

/// A way to find the contact of two bodies.
pub trait Method: Sync {
    /// What it says of itself.
    fn card(&self) -> Card;

    /// Solves one pair, or says that it does not take these shapes.
    fn solve(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Space>,
        scratch: &mut Scratch,
    ) -> Result<Answer<Space>, Refusal>;
}

/// Every method, the default first.
#[rustfmt::skip]
pub static METHODS: &[&dyn Method] = &[
    &Auto,
    &SupportNewton,
    &Gjk,
    &CommonNormal::RELATIVE,
    &InteriorPoint::POLISHED,
];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static dyn Method> {
    METHODS.iter().copied().find(|m| m.card().name == name)
}

//! The table of methods in space.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_shape::space::Solid;

use super::hull::Hull;
use super::polytope_pair::Expansion;
use super::revolved::Extremum;
use super::{Auto, CommonNormal, Gjk, InteriorPoint, Memory, Pair, SupportNewton};
pub use crate::Method;
use crate::{
    Answer, Card, CommonPlane, FastCommonPlane, NarrowPhase, Query, Refusal, ShortestLink, ShortestLinkMended,
};

/// A shape in space and where it is.
pub type Placed<'s> = crate::Placed<'s, Space>;

impl<'s> Placed<'s> {
    /// The two bodies as one function of direction; `None` where one of them has no end.
    pub fn pair_with(self, b: Self) -> Option<Pair<'s, Solid, Solid>> {
        let bounded = self.shape.is_bounded() && b.shape.is_bounded();
        bounded.then(|| Pair::new(self.shape, &self.pose, b.shape, &b.pose))
    }

    /// The refusal of these two shapes by the method with this card.
    pub(crate) fn refused(self, b: Self, card: Card) -> Refusal {
        card.refuse([self.shape.word(), b.shape.word()])
    }
}

/// Working memory of the methods; keep one per thread and no query allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) hull: Hull,
    pub(crate) expansion: Expansion,
    /// Answers of many pairs, as far as lanes give them.
    pub(crate) in_lanes: Vec<Option<Answer<Space>>>,
    /// Extrema of the depth of a body in a [`Band`](super::revolved::Band), for those who look for them.
    pub extrema: Vec<Extremum>,
}

impl NarrowPhase for Space {
    type Shape = Solid;
    type Scratch = Scratch;
    type Memory = Memory;

    fn methods() -> &'static [&'static dyn Method] {
        METHODS
    }

    #[inline]
    fn solve_warm(
        a: Placed<'_>,
        b: Placed<'_>,
        query: Query<Self>,
        memory: &mut Memory,
        scratch: &mut Scratch,
    ) -> Result<Answer<Self>, Refusal> {
        Auto.solve_warm(a, b, query, memory, scratch)
    }

    fn remember(direction: DVec3) -> Memory {
        let mut memory = Memory::default();
        memory.direction = Some(direction);
        memory
    }
}

/// Every method, the default first.
#[rustfmt::skip]
pub static METHODS: &[&dyn Method] = &[
    &Auto,
    &SupportNewton,
    &Gjk,
    &CommonNormal::RELATIVE,
    &InteriorPoint::POLISHED,
    &CommonPlane,
    &FastCommonPlane,
    &ShortestLink,
    &ShortestLinkMended,
];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static dyn Method> {
    Space::method(name)
}

//! The table of methods in space.

use gritstone_core::Space;
use gritstone_shape::space::Solid;

use super::hull::Hull;
use super::{Auto, CommonNormal, Gjk, InteriorPoint, SupportNewton};
pub use crate::Method;
use crate::Setting;

/// A shape in space and where it is.
pub type Placed<'s> = crate::Placed<'s, Space>;

/// Working memory of the methods; keep one per thread and no query allocates.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(crate) hull: Hull,
}

impl Setting for Space {
    type Shape = Solid;
    type Scratch = Scratch;

    fn methods() -> &'static [&'static dyn Method] {
        METHODS
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
];

/// The method of that name.
pub fn method(name: &str) -> Option<&'static dyn Method> {
    Space::method(name)
}

//! A worked example: physics of one's own, without a change to Gritstone.
//!
//! | file | what is added | trait |
//! |---|---|---|
//! | `power_law` | a contact law `F = k δᵖ` | [`ContactLaw`](gritstone::force::ContactLaw) |
//! | `lens` | a shape, what two balls have in common | [`UserShape`](gritstone::shape::UserShape) |
//! | `drag` | a force on every grain, `F = −c (v − u)` | [`ExternalForce`](gritstone::engine::ExternalForce) |
//! | `temperature` | a probe, the granular temperature | [`Measure`](gritstone::probe::Measure) |
//!
//! The tests in `tests/` compare each with its closed form, and show how a world uses it.

mod drag;
mod lens;
mod power_law;
mod temperature;

pub use drag::Drag;
pub use lens::Lens;
pub use power_law::PowerLaw;
pub use temperature::Temperature;

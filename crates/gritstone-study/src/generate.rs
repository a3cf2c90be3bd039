//! Pairs of grains, one file per family.
//!
//! A pair is fixed by its class, a seed and its index, whatever the order or the thread it is made in. Random numbers
//! are the same on every machine; lengths that pass through `pow` may differ in the last bit between platforms.

mod class;
mod construct;
mod draw;
mod harsh;
mod mixed;
mod paper;
mod solids;
mod stack;

pub use class::{Class, Recipe, class, classes, paper_class};
pub use construct::{Built, Case};
pub use draw::Draw;
pub use harsh::{Facing, Harsh};
pub use mixed::{MIXED, Mixed};
pub use paper::{INTERVALS, Interval, Series};
pub use stack::{EXPONENTS, Stack, TILTS};

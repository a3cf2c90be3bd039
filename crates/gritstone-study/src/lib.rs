//! Studies of contact methods: pairs to measure them on, answers to measure them against, papers to reproduce.
//!
//! - [`generate`]: families of pairs, each reproducible from (class, seed, index): the generator of
//!   \[wellmann2008\], harsher ones, and stacks of flat faces;
//! - [`truth`]: signed distances between proven bounds, by a search that shares nothing with the contact methods;
//! - [`mod@reproduce`]: the papers whose validation can be repeated, one file each ([`wellmann2008`],
//!   [`mod@podlozhnyuk`], [`martinez2003`], [`nezami2006`]), as reports with published and measured numbers side by side;
//!   [`statistics`] for them;
//! - [`verify`]: cases of mechanics whose outcome is known, run in the engine.

pub mod generate;
pub mod martinez2003;
pub mod nezami2006;
pub mod podlozhnyuk;
pub mod reproduce;
pub mod statistics;
mod sweep;
pub mod truth;
pub mod verify;
pub mod wellmann2008;

//! Insertion and removal of grains: regions, mixtures, random placement without overlap, inlets and outlets.

pub(crate) mod inlet;
pub(crate) mod insert;
pub(crate) mod mixture;
pub(crate) mod packing_grid;
pub(crate) mod random;
pub(crate) mod region;

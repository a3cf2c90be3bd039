//! Zones in cells that repeat.
//!
//! Everything in the cell is there again, a cell farther on, so that a place may be in a zone with another of its images than
//! the one in the cell. Along sides along which a zone has no end it is looked at in the cell alone.

use gritstone_engine::{Lattice, Realm, Zone};

/// Whether a place is in a zone, with any of its images.
pub(crate) fn holds<D: Realm>(lattice: &Lattice<D>, zone: &Zone<D>, x: D::Vec) -> bool {
    lattice.is_in(zone, x)
}

/// How many images of a place are in a zone.
pub(crate) fn count<D: Realm>(lattice: &Lattice<D>, zone: &Zone<D>, x: D::Vec) -> usize {
    lattice.images_in(zone, x)
}

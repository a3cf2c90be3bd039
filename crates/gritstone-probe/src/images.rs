//! Zones in cells that repeat.
//!
//! Everything in the cell is there again, a cell farther on, so that a place may be in a zone with another of its images than
//! the one in the cell. Along sides along which a zone has no end it is looked at in the cell alone.

use gritstone_engine::{Lattice, Realm, Zone};

/// Whether a place is in a zone, with any of its images.
pub(crate) fn holds<D: Realm>(lattice: &Lattice<D>, zone: &Zone<D>, x: D::Vec) -> bool {
    zone.holds(x) || count(lattice, zone, x) > 0
}

/// How many images of a place are in a zone.
pub(crate) fn count<D: Realm>(lattice: &Lattice<D>, zone: &Zone<D>, x: D::Vec) -> usize {
    let shifts = lattice.reaching(x, 0.0, zone.corners());
    shifts.filter(|shift| zone.holds(x + lattice.way(*shift))).count()
}

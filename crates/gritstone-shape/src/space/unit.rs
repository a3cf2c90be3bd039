//! Unit vectors of vectors of any length.

use glam::DVec3;

/// The unit vector along `v`, whose square may overflow or vanish; z for the zero vector.
pub(crate) fn unit(v: DVec3) -> DVec3 {
    (v / v.abs().max_element()).normalize_or(DVec3::Z)
}

//! Unit vectors of vectors of any length.

use glam::DVec2;

/// The unit vector along `v`, whose square may overflow or vanish; y for the zero vector.
pub(crate) fn unit(v: DVec2) -> DVec2 {
    (v / v.abs().max_element()).normalize_or(DVec2::Y)
}

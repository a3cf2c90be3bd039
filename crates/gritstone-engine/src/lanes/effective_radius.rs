//! Effective radius in lanes: as [`gritstone_force::radius`].

use gritstone_contact::space::lanes::Curvature;
use gritstone_core::lanes::{Lanes, Mask};

/// Relative curvature times size from which contact patches play no part, as these have it.
const CURVED: f64 = 0.5;

/// R* from the relative curvature at the contact, and where the surfaces count as curved.
#[inline(always)]
pub(super) fn from_curvature<L: Lanes>(curvature: Curvature<L>, size: L) -> (L, L::Mask) {
    let high = curvature.largest();
    let low = curvature.product / high;
    let (k1, k2) = (bounded(low * size), bounded(high * size));
    let geometric = (k1 * k2).sqrt();
    let fourth_root = (L::splat(0.5) * (k1 + k2) / geometric).sqrt().sqrt();
    let radius = size * fourth_root * fourth_root.sqrt() / geometric;
    (radius, L::splat(CURVED).le(high * size))
}

/// A curvature times size, kept within bounds.
#[inline(always)]
fn bounded<L: Lanes>(k: L) -> L {
    use gritstone_force::radius::{FLAT, SHARP};
    let (one, two, flat, sharp) = (L::splat(1.0), L::splat(2.0), L::splat(FLAT), L::splat(SHARP));
    let k = k.max(L::splat(0.0)); // Convex bodies have no other curvatures, but for rounding.
    let (below, above) = (k.lt(flat), sharp.lt(k));
    if !(below | above).any() {
        return k;
    }
    let low = flat / (two - k / flat);
    let high = sharp + sharp / (one + sharp / (k - sharp));
    L::select(below, low, L::select(above, high, k))
}

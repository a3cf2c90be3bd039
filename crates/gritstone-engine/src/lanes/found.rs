//! Eight contacts as lanes find them.

use gritstone_core::lanes::{Lanes, Mask, Sym3, Vec3, WIDTH};

use super::block::Kept;
use super::body::Body;

/// Relative curvature times size from which patches play no part; as contact patches have it.
const CURVED: f64 = 0.5;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Whether the effective radius comes from the curvature.
    pub(super) curvature: bool,
    /// Whether flat contacts are to be handed over.
    pub(super) patches: bool,
}

/// Eight contacts.
pub(super) struct Found<L: Lanes> {
    /// Unit vector from a to b.
    pub(super) normal: Vec3<L>,
    pub(super) gap: L,
    /// Lower bound of the gap, and the direction of that bound.
    pub(super) lower: L,
    pub(super) direction: Vec3<L>,
    /// Midway between the bodies' points.
    pub(super) point: Vec3<L>,
    /// Effective radius.
    pub(super) radius: L,
    /// Size of the smaller grain.
    pub(super) size: L,
    /// Lanes in which all this is certified.
    pub(super) good: L::Mask,
    /// The bodies' points, each in the frame of its body, where they are kept.
    pub(super) points: [Vec3<L>; 2],
}

/// Where eight contacts are looked for.
#[derive(Clone, Copy)]
pub(super) struct Start<L> {
    /// Unit vectors from a to b.
    pub(super) direction: Vec3<L>,
    /// The bodies' points in the last step, each in the frame of its body, where they are kept.
    pub(super) points: [Vec3<L>; 2],
}

/// No points.
#[inline(always)]
pub(super) fn none<L: Lanes>() -> [Vec3<L>; 2] {
    let zero = L::splat(0.0);
    [Vec3::new(zero, zero, zero); 2]
}

/// Bodies of certain kinds, in lanes.
pub(super) trait Finder: Default + Clone + std::fmt::Debug + Send + Sync {
    /// What is kept of contacts beside their normals, to find them again.
    type Kept: Kept;
    /// Whether shapes need the second of their rows.
    const WIDE: bool;
    /// How many of the bodies, a first, turn when they are pushed: the normals of balls pass through their centres.
    const TURNING: usize;

    /// Finds eight contacts near where they `start`; only lanes of `active` count. `radius` is the effective radius from the
    /// bodies' volumes.
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        shapes: [[[L; WIDTH]; 2]; 2],
        start: Start<L>,
        radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L>;
}

/// Smallest ratio of the principal radii of curvature. At ridges their product, a difference of nearly equal numbers, can
/// round to less than nothing.
const LEAST_RATIO: f64 = 1e-12;

/// Sum and product of the principal curvatures of a surface whose support function has this Hessian.
#[inline(always)]
pub(super) fn curvatures<L: Lanes>(hessian: Sym3<L>) -> [L; 2] {
    of_radii(hessian.trace(), hessian.second_invariant())
}

/// Sum and product of the principal curvatures, from the sum and the product of the principal radii.
#[inline(always)]
pub(super) fn of_radii<L: Lanes>(sum: L, product: L) -> [L; 2] {
    let curvature = L::splat(1.0) / product.max(L::splat(LEAST_RATIO) * sum * sum);
    [sum * curvature, curvature]
}

/// Effective radius from the principal curvatures, given by half their sum and their product; and where the surfaces count
/// as curved. As [`gritstone_force::radius::from_curvature`].
#[inline(always)]
fn effective_radius<L: Lanes>(half: L, product: L, size: L) -> (L, L::Mask) {
    let high = half + half.mul_sub(half, product).max(L::splat(0.0)).sqrt();
    let low = product / high;
    let (k1, k2) = (bounded(low * size), bounded(high * size));
    let geometric = (k1 * k2).sqrt();
    let fourth_root = (L::splat(0.5) * (k1 + k2) / geometric).sqrt().sqrt();
    let radius = size * fourth_root * fourth_root.sqrt() / geometric;
    (radius, L::splat(CURVED).le(high * size))
}

/// Takes the effective radius from the curvature, and flat contacts out of the good ones, as far as that is wanted.
#[inline(always)]
pub(super) fn curvature_radius<L: Lanes>(
    wanted: Wanted,
    half: L,
    product: L,
    size: L,
    radius: &mut L,
    good: &mut L::Mask,
) {
    let (effective, curved) = effective_radius(half, product, size);
    if wanted.curvature {
        *radius = effective;
    }
    if wanted.patches {
        *good = *good & curved;
    }
}

/// A curvature times size, kept within bounds: as [`gritstone_force::radius`].
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

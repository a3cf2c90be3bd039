//! Effective radius in lanes: as [`gritstone_force::radius`].

use gritstone_contact::space::lanes::{Contacts, Curvature};
use gritstone_core::lanes::{Lanes, Mask, Vec3};
use gritstone_force::radius::{BodyCurvature, EffectiveRadius};
use gritstone_force::{InLanes, Wrench};

use super::kinds::ContactKind;

/// R* from the body functions, and its gradient; `cubes` are the reciprocal cubes of the radii of spheres of the same volumes.
#[inline(always)]
pub(super) fn of_bodies<K: ContactKind, L: Lanes>(
    found: &Contacts<L>,
    cubes: [L; 2],
    [centre_a, centre_b]: [Vec3<L>; 2],
) -> (L, Wrench<InLanes<L>>) {
    let (normal, half_gap) = (found.normal, found.normal * (L::splat(0.5) * found.gap));
    let curvature_a = BodyCurvature::<InLanes<L>>::new(cubes[0], normal, (found.point - half_gap) - centre_a);
    if K::TURNED == 1 {
        let effective = EffectiveRadius::of(curvature_a, BodyCurvature::flat());
        return (effective.radius, effective.gradient_on_plane(normal));
    }
    let curvature_b = BodyCurvature::new(cubes[1], -normal, (found.point + half_gap) - centre_b);
    let effective = EffectiveRadius::of(curvature_a, curvature_b);
    // H_a + H_b − δ on the plane across the direction.
    let [radii_a, radii_b] = found.radii;
    let model = (radii_a + radii_b).plus_scalar(found.gap);
    let (zero, one, determinant) = (L::splat(0.0), L::splat(1.0), model.determinant());
    let is_maximum = zero.lt(determinant) & zero.lt(model.trace());
    let by = L::select(is_maximum, one / determinant, zero);
    let ([u, v], t) = (found.direction.tangents(), effective.turn());
    let t = [u.dot(t) * by, v.dot(t) * by];
    let y = [model.yy.mul_sub(t[0], model.xy * t[1]), model.xx.mul_sub(t[1], model.xy * t[0])];
    let h_a_y = radii_a.apply(y);
    let [y, h_a_y] = [u.mul_add(y[0], v * y[1]), u.mul_add(h_a_y[0], v * h_a_y[1])];
    (effective.radius, effective.gradient(normal, -found.gap, y, h_a_y))
}

/// R* from the relative curvature at the contact.
#[inline(always)]
pub(super) fn from_curvature<L: Lanes>(curvature: Curvature<L>, size: L) -> L {
    let high = curvature.largest();
    let low = curvature.product / high;
    let (k1, k2) = (bounded(low * size), bounded(high * size));
    let geometric = (k1 * k2).sqrt();
    let fourth_root = (L::splat(0.5) * (k1 + k2) / geometric).sqrt().sqrt();
    size * fourth_root * fourth_root.sqrt() / geometric
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

//! How bodies rock on each other, in lanes: as [`crate::contacts`] has it for single contacts.

use gritstone_contact::space::lanes::Contacts;
use gritstone_core::lanes::{Lanes, Mask, Sym2, Vec3};
use gritstone_force::{InLanes, Rocking};

use super::kinds::ContactKind;
use crate::contacts::ROLLING;

/// Smallest determinant over squared trace: that of a sum of radii of curvature may be lost in rounding.
const NARROWEST: f64 = 1e-13;

/// How bodies rock; none where all of them roll. `turning` gives reciprocals of effective moments of inertia.
#[inline(always)]
pub(super) fn of<K: ContactKind, L: Lanes>(
    found: &Contacts<L>,
    touching: L::Mask,
    turning: &impl Fn(Vec3<L>) -> L,
) -> Option<[Rocking<InLanes<L>>; 2]> {
    let (zero, one, half) = (L::splat(0.0), L::splat(1.0), L::splat(0.5));
    let radii = if K::TURNED == 2 { relative(found.radii) } else { found.radii[0] };
    let (mean, lean) = (half * radii.trace(), half * (radii.xx - radii.yy));
    let spread = lean.mul_add(lean, radii.xy * radii.xy).sqrt();
    let rolling = L::splat(ROLLING) * found.size;
    let beyond = [mean + spread - rolling, mean - spread - rolling];
    if !(touching & zero.lt(beyond[0])).any() {
        return None;
    }
    // The direction of the larger radius, from the row of `radii − smaller` that is the longer one.
    let upright = lean.lt(zero);
    let (x, y) = (L::select(upright, radii.xy, lean + spread), L::select(upright, spread - lean, radii.xy));
    let length = x.mul_add(x, y * y).sqrt();
    let by = L::select(zero.lt(length), one / length, zero);
    let x = L::select(zero.lt(length), x * by, one);
    let [u, v] = found.direction.tangents();
    let flattest = u.mul_add(x, v * (y * by));
    let axes = [found.direction.cross(flattest), flattest];
    let [first, second] = [0, 1].map(|i| Rocking {
        axis: axes[i],
        radius: beyond[i].max(zero),
        inertia: one / turning(axes[i]),
    });
    Some([first, second])
}

/// Relative radii of curvature of two bodies with these: `A (A + B)⁻¹ B`.
#[inline(always)]
fn relative<L: Lanes>([a, b]: [Sym2<L>; 2]) -> Sym2<L> {
    let sum = a + b;
    let trace = sum.trace();
    let by = L::splat(1.0) / sum.determinant().max(L::splat(NARROWEST) * trace * trace);
    // The columns of the inverse of the sum times B.
    let first = [sum.yy.mul_sub(b.xx, sum.xy * b.xy), sum.xx.mul_sub(b.xy, sum.xy * b.xx)];
    let second = [sum.yy.mul_sub(b.xy, sum.xy * b.yy), sum.xx.mul_sub(b.yy, sum.xy * b.xy)];
    let ([xx, yx], [xy, yy]) = (a.apply(first), a.apply(second));
    Sym2 { xx: xx * by, yy: yy * by, xy: L::splat(0.5) * (xy + yx) * by }
}

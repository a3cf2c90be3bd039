//! The certificate for overlap in lanes: rings of directions about the best one.
//!
//! As the scalar [`tower`](crate::space::tower), up to slivers: a triangle whose normal drowns in rounding proves nothing
//! here, and the pair is left to the scalar code.

use gritstone_core::lanes::{Lanes, Mask, Sym2, Vec3};

use super::kind::{Pairs, Tangential};
use super::step::square;
use crate::space::surface::SLIVER;
use crate::space::tower::{FIRST_WIDEST, FLATNESS, GROWTH, RINGS, WIDEST, WIDTH};

/// Upper bounds of the signed distances of overlapping pairs, and how many directions were evaluated for them.
///
/// Rings are added until every pair of `lanes` is within its tolerance of g, or they are used up; pairs outside of
/// `lanes` keep an infinite bound.
#[inline(always)]
pub(super) fn certify<L: Lanes, P: Pairs<L>>(
    pairs: &P,
    jets: &Tangential<L>,
    tolerance: L,
    lanes: L::Mask,
) -> (L, L) {
    let depth = -jets.g;
    let (mut upper, mut evaluations) = (L::splat(f64::INFINITY), L::splat(0.0));
    let mut pending = lanes;
    if !pending.any() {
        return (upper, evaluations);
    }
    let (axes, radii) = principal_axes(jets);
    let far = pairs.difference(-jets.c);
    evaluations = L::select(pending, L::splat(1.0), evaluations);
    let top = jets.x_b - jets.x_a;
    let mut inner = [top; 4];
    let mut walls = L::splat(f64::NEG_INFINITY);
    let mut tilt = first_tilt(jets, radii, depth, tolerance);
    for level in 0..RINGS {
        let outer = ring(pairs, jets.c, axes, tilt);
        evaluations = L::select(pending, evaluations + L::splat(4.0), evaluations);
        walls = walls.max(band(&inner, &outer, level > 0));
        let bound = walls.max(close(far, &outer));
        upper = L::select(pending, bound, upper);
        pending = pending & (tolerance + jets.g).lt(upper);
        if !pending.any() {
            break;
        }
        inner = outer;
        tilt = [wider(tilt[0], radii[0], depth), wider(tilt[1], radii[1], depth)];
    }
    (upper, evaluations)
}

/// Principal axes of H_a + H_b in the tangent plane, with the radii of curvature.
#[inline(always)]
fn principal_axes<L: Lanes>(jets: &Tangential<L>) -> ([Vec3<L>; 2], [L; 2]) {
    let Sym2 { xx, yy, xy } = jets.h_a + jets.h_b;
    let (half, zero) = (L::splat(0.5), L::splat(0.0));
    let (mean, deviation) = (half * (xx + yy), half * (xx - yy));
    let spread = square([deviation, xy]).sqrt();
    // The row of H − λ_max·I that does not cancel.
    let upright = zero.le(deviation);
    let x = L::select(upright, -xy, spread - deviation);
    let y = L::select(upright, deviation + spread, -xy);
    let length = square([x, y]).sqrt();
    let round = length.le(zero);
    let inverse = L::splat(1.0) / L::select(round, L::splat(1.0), length);
    let (x, y) = (L::select(round, L::splat(1.0), x * inverse), y * inverse);
    let [u, v] = jets.c.tangents();
    ([u.mul_add(x, v * y), v.mul_add(x, u * -y)], [mean - spread, mean + spread])
}

#[inline(always)]
fn first_tilt<L: Lanes>(jets: &Tangential<L>, radii: [L; 2], depth: L, tolerance: L) -> [L; 2] {
    let flat_enough = L::splat(FLATNESS) * ((tolerance + tolerance) / depth).sqrt();
    let residual = square(jets.d_t).sqrt().max(L::splat(f64::MIN_POSITIVE));
    let steady = L::splat(0.5) * tolerance / residual;
    let widest = flat_enough.min(steady).min(L::splat(FIRST_WIDEST));
    let width = L::splat(WIDTH) * depth;
    [(width / radii[0]).min(widest), (width / radii[1]).min(widest)]
}

#[inline(always)]
fn wider<L: Lanes>(tilt: L, radius: L, depth: L) -> L {
    let (factor, least, most) = GROWTH;
    let growth = (L::splat(factor) * radius / depth).max(L::splat(least)).min(L::splat(most));
    (tilt * growth).min(L::splat(WIDEST))
}

/// Points of the Minkowski difference in the four directions tilted along the axes.
#[inline(always)]
fn ring<L: Lanes, P: Pairs<L>>(pairs: &P, c: Vec3<L>, axes: [Vec3<L>; 2], tilt: [L; 2]) -> [Vec3<L>; 4] {
    let mut points = [c; 4];
    for (i, point) in points.iter_mut().enumerate() {
        let tilt = if i < 2 { tilt[i] } else { -tilt[i - 2] };
        let inverse = L::splat(1.0) / tilt.mul_add(tilt, L::splat(1.0)).sqrt();
        *point = pairs.difference(axes[i % 2].mul_add(tilt, c) * inverse);
    }
    points
}

/// Bound from the triangles between two rings; the inner one may be a single point.
#[inline(always)]
fn band<L: Lanes>(inner: &[Vec3<L>; 4], outer: &[Vec3<L>; 4], open: bool) -> L {
    let mut bound = L::splat(f64::NEG_INFINITY);
    for i in 0..4 {
        let j = (i + 1) % 4;
        bound = bound.max(face_bound(inner[i], outer[i], outer[j]));
        if open {
            bound = bound.max(face_bound(inner[i], outer[j], inner[j]));
        }
    }
    bound
}

/// Bound from the triangles that close the surface at the back.
#[inline(always)]
fn close<L: Lanes>(far: Vec3<L>, outer: &[Vec3<L>; 4]) -> L {
    let mut bound = L::splat(f64::NEG_INFINITY);
    for i in 0..4 {
        bound = bound.max(face_bound(far, outer[(i + 1) % 4], outer[i]));
    }
    bound
}

/// Bound from the triangle with these corners, counter-clockwise seen from inside; infinite for slivers.
#[inline(always)]
fn face_bound<L: Lanes>(x: Vec3<L>, y: Vec3<L>, z: Vec3<L>) -> L {
    let (e, f) = (y - x, z - x);
    let cross = e.cross(f);
    let area_squared = cross.dot(cross);
    let sliver = area_squared.le(L::splat(SLIVER * SLIVER) * e.dot(e) * f.dot(f));
    let inverse = L::splat(1.0) / area_squared.sqrt();
    let n = cross * inverse;
    let height = n.dot(x).max(n.dot(y)).max(n.dot(z));
    let largest = magnitude(x).max(magnitude(y)).max(magnitude(z));
    L::select(sliver, L::splat(f64::INFINITY), L::splat(4.0 * f64::EPSILON).mul_add(largest, height))
}

#[inline(always)]
fn magnitude<L: Lanes>(v: Vec3<L>) -> L {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}

//! The certificate for overlap in lanes: rings of directions about the best one.
//!
//! As the scalar [`ring_certificate`](crate::space::ring_certificate), up to slivers: a triangle whose normal drowns in rounding proves nothing
//! here, and the pair is left to the scalar code.

use gritstone_core::lanes::{Lanes, Mask, Sym2, Vec3};

use crate::space::ring_certificate::{FIRST_WIDEST, FLATNESS, GROWTH, RINGS, WIDEST, WIDTH};
use crate::space::surface::{DOUBTFUL, SLIVER};

/// Pairs of bodies as functions of direction.
pub(super) trait Minkowski<L> {
    /// `d = p_b(−c) − p_a(c)`: points of the Minkowski differences in the unit directions `c`.
    fn difference(&self, c: Vec3<L>) -> Vec3<L>;
}

/// The best direction of each pair.
pub(super) struct Optimum<L> {
    pub(super) g: L,
    pub(super) c: Vec3<L>,
    pub(super) d: Vec3<L>,
    /// d across c, on the plane of [`Vec3::tangents`].
    pub(super) d_t: [L; 2],
    /// H_a + H_b, on the same plane.
    pub(super) hessian: Sym2<L>,
}

/// Upper bounds of the signed distances from one evaluation: with ρ the sum of the radii of two balls inside the bodies that
/// touch the support points, `√((g + ρ)² + |d_t|²) − ρ`, the distance of their centres less the radii; `across` is |d_t|².
#[inline(always)]
pub(super) fn ball_bound<L: Lanes>(g: L, across: L, radii: L) -> L {
    let inner = g + radii;
    inner.mul_add(inner, across).sqrt() - radii
}

/// Upper bounds of the signed distances of overlapping pairs, none above `upper`, and how many directions were evaluated for
/// them.
///
/// Rings are added until every overlap of `lanes` is known within `width`, or they are used up.
#[inline(always)]
pub(super) fn certify<L: Lanes, P: Minkowski<L>>(
    pairs: &P,
    best: &Optimum<L>,
    width: L,
    upper: L,
    lanes: L::Mask,
) -> (L, L) {
    let depth = -best.g;
    let (mut upper, mut evaluations) = (upper, L::splat(0.0));
    let mut pending = lanes & best.g.lt(L::splat(0.0)) & width.lt(upper - best.g);
    if !pending.any() {
        return (upper, evaluations);
    }
    let (axes, radii) = principal_axes(best);
    let far = pairs.difference(-best.c);
    evaluations = L::select(pending, L::splat(1.0), evaluations);
    let mut inner = [best.d; 4];
    let mut walls = L::splat(f64::NEG_INFINITY);
    let mut tilt = first_tilt(best, radii, depth, width);
    for level in 0..RINGS {
        let outer = ring(pairs, best.c, axes, tilt);
        evaluations = L::select(pending, evaluations + L::splat(4.0), evaluations);
        walls = walls.max(band(&inner, &outer, level > 0));
        let bound = walls.max(close(far, &outer));
        upper = L::select(pending, bound.min(upper), upper);
        pending = pending & width.lt(upper - best.g);
        if !pending.any() {
            break;
        }
        inner = outer;
        tilt = [wider(tilt[0], radii[0], depth), wider(tilt[1], radii[1], depth)];
    }
    (upper, evaluations)
}

/// Squared length.
#[inline(always)]
fn square<L: Lanes>([x, y]: [L; 2]) -> L {
    x.mul_add(x, y * y)
}

/// Principal axes of H_a + H_b in the tangent plane, with the radii of curvature.
#[inline(always)]
fn principal_axes<L: Lanes>(best: &Optimum<L>) -> ([Vec3<L>; 2], [L; 2]) {
    let Sym2 { xx, yy, xy } = best.hessian;
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
    let [u, v] = best.c.tangents();
    ([u.mul_add(x, v * y), v.mul_add(x, u * -y)], [mean - spread, mean + spread])
}

#[inline(always)]
fn first_tilt<L: Lanes>(best: &Optimum<L>, radii: [L; 2], depth: L, tolerance: L) -> [L; 2] {
    let flat_enough = L::splat(FLATNESS) * ((tolerance + tolerance) / depth).sqrt();
    let residual = square(best.d_t).sqrt().max(L::splat(f64::MIN_POSITIVE));
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
fn ring<L: Lanes, P: Minkowski<L>>(pairs: &P, c: Vec3<L>, axes: [Vec3<L>; 2], tilt: [L; 2]) -> [Vec3<L>; 4] {
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

/// Bound from the triangle with these corners, counter-clockwise seen from inside; infinite where rounding leaves doubt.
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
    // Nearer to the plane than this, rounding may put the origin on the wrong side; nor is a NaN a bound.
    let sound = height.lt(L::splat(-DOUBTFUL) * largest) & !sliver;
    L::select(sound, L::splat(4.0 * f64::EPSILON).mul_add(largest, height), L::splat(f64::INFINITY))
}

#[inline(always)]
fn magnitude<L: Lanes>(v: Vec3<L>) -> L {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}

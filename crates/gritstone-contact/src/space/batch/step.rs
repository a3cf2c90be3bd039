//! The step of a trust-region method in two unknowns, in lanes.
//!
//! As [`trust_region::step`](gritstone_core::solve::trust_region::step), with the length of steps to the boundary right
//! to a tenth, which is all that a trust region is worth.

use gritstone_core::lanes::{Lanes, Mask, Real, Sym2};

/// Steps to the boundary have its radius within this fraction.
const SLACK: f64 = 0.1;
/// Newton's method on the secular equation starts within a factor √2 of the radius: two steps are the rule.
const SECULAR_ITERATIONS: usize = 6;

/// Minimiser of the model `½ sᵀ B s − gᵀ s` over `|s| ≤ radius`. Only lanes of `active` are looked at.
#[inline(always)]
pub(super) fn step<L: Lanes>(b: Sym2<L>, g: [L; 2], radius: L, active: L::Mask) -> [L; 2] {
    let (newton, definite) = solve(b, g);
    let inside = definite & square(newton).le(radius * radius);
    let outside = active & !inside;
    if !outside.any() {
        return newton;
    }
    let boundary = boundary_step(b, g, radius, outside);
    [L::select(inside, newton[0], boundary[0]), L::select(inside, newton[1], boundary[1])]
}

/// `B⁻¹ g`, and where B is positive definite.
#[inline(always)]
pub(super) fn solve<L: Lanes>(b: Sym2<L>, [x, y]: [L; 2]) -> ([L; 2], L::Mask) {
    let determinant = b.determinant();
    let inverse = L::splat(1.0) / determinant;
    let zero = L::splat(0.0);
    let definite = zero.lt(determinant) & zero.lt(b.trace());
    ([b.yy.mul_sub(x, b.xy * y) * inverse, b.xx.mul_sub(y, b.xy * x) * inverse], definite)
}

#[inline(always)]
pub(super) fn square<R: Real>([x, y]: [R; 2]) -> R {
    x.mul_add(x, y * y)
}

/// The minimiser on the circle: `(B + λI) s = g`. Not a number in the hard case, where g has no part along the lowest
/// eigenvector.
#[inline(always)]
pub(super) fn boundary_step<L: Lanes>(b: Sym2<L>, g: [L; 2], radius: L, lanes: L::Mask) -> [L; 2] {
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    let mean = half * b.trace();
    let deviation = half * (b.xx - b.yy);
    let spread = deviation.mul_add(deviation, b.xy * b.xy).sqrt();
    let (low, high) = (mean - spread, mean + spread);
    // Squares of the parts of g along the two eigenvectors: gᵀ(high·I − B)g = (high − low)·g1².
    let bg = b.apply(g);
    let form = g[0].mul_add(bg[0], g[1] * bg[1]);
    let all = square(g);
    let part = (high.mul_sub(all, form) / (spread + spread).max(L::splat(f64::MIN_POSITIVE))).max(zero);
    let g1_squared = part.min(all);
    let g2_squared = all - g1_squared;
    let floor = (-low).max(zero);
    let inverse_radius = L::splat(1.0) / radius;
    // λ at which each part alone would fill the radius.
    let alone =
        (g1_squared.sqrt().mul_sub(inverse_radius, low)).max(g2_squared.sqrt().mul_sub(inverse_radius, high));
    let mut lambda = floor.max(alone);
    let mut pending = lanes;
    for _ in 0..SECULAR_ITERATIONS {
        let (p, q) = (low + lambda, high + lambda);
        let inverse = L::splat(1.0) / (p * q);
        let (p_inverse, q_inverse) = (q * inverse, p * inverse);
        let (s1, s2) = (g1_squared * p_inverse * p_inverse, g2_squared * q_inverse * q_inverse);
        let squared = s1 + s2;
        let excess = squared.sqrt().mul_sub(inverse_radius, L::splat(1.0));
        pending = pending & L::splat(SLACK).lt(excess.abs());
        if !pending.any() {
            break;
        }
        let slope = s1.mul_add(p_inverse, s2 * q_inverse);
        let better = (excess * squared / slope + lambda).max(floor);
        lambda = L::select(pending, better, lambda);
    }
    solve(b.plus_scalar(lambda), g).0
}

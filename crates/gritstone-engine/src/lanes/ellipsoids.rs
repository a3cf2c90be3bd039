//! Ellipsoids and spheres on each other, in lanes.
//!
//! **Idea.** With `A = R diag(r²) Rᵀ`, `h(c) = √(c·A c)`, `p(c) = A c/h`, `∇²h = H = (A − p pᵀ)/h`. Newton's step s of g on
//! the sphere of directions needs no basis of the tangent plane: with `M = H_a + H_b`,
//! `s = ((tr M + g) d_t − M d_t) / (I2(M) + g tr M + g²)`, I2 the second invariant. The contact is then taken where the
//! step leads, without another evaluation: gap `(g + ½ d_t·s + ½ g s²)/√(1 + s²)`, points `x_a + H_a s` and `x_b − H_b s`.
//!
//! **Notation.** As in the contact crate's `pair`; ρ: sum of the least radii of curvature.

use gritstone_core::lanes::{Lanes, Mask, Sym3, Vec3, WIDTH};
use gritstone_shape::space::Solid;

use super::block::Change;
use super::body::Body;
use super::found::{Finder, Found, Start, Wanted, curvature_radius, curvatures, none};
use super::kernel::LaneRow;
use crate::contacts::SLACK;

/// Longest step (rad) after which the model's error, of third order, is below what counts.
const LONGEST_STEP: f64 = 1e-3;
/// Evaluations after which a contact is handed over.
const EVALUATIONS: usize = 4;

/// What lanes know of a shape: squares of the radii, least radius of curvature, size.
pub(super) fn numbers(shape: &Solid) -> Option<[LaneRow; 2]> {
    let radii = shape.semi_axes()?;
    let [least, size] = [radii.min_element(), radii.max_element()];
    let [x, y, z] = (radii * radii).to_array();
    Some([[x, y, z, least * least / size, size, 0.0, 0.0, 0.0], LaneRow::default()])
}

/// Pairs of ellipsoids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EllipsoidPairs;

/// Two ellipsoids, evaluated in a direction.
struct Jet<L> {
    c: Vec3<L>,
    g: L,
    /// d across c.
    d_t: Vec3<L>,
    /// Support points from the bodies' centres.
    x_a: Vec3<L>,
    x_b: Vec3<L>,
    h_a: Sym3<L>,
    h_b: Sym3<L>,
    /// Newton's step, and its square; zero where there is none.
    s: Vec3<L>,
    squared: L,
}

impl<L: Lanes> Jet<L> {
    /// Evaluates unit directions.
    #[inline(always)]
    fn at(c: Vec3<L>, a: Sym3<L>, b: Sym3<L>, offset: Vec3<L>) -> Self {
        let one = L::splat(1.0);
        let (a_c, b_c) = (a.apply(c), b.apply(c));
        let (h_a, h_b) = (c.dot(a_c).sqrt(), c.dot(b_c).sqrt());
        let by_both = one / (h_a * h_b);
        let (by_a, by_b) = (h_b * by_both, h_a * by_both);
        let (x_a, x_b) = (a_c * by_a, -(b_c * by_b));
        let d = offset + (x_b - x_a);
        let g = c.dot(d);
        let d_t = c.mul_add(-g, d);
        let (h_a, h_b) = (a.minus_square(x_a).scaled(by_a), b.minus_square(x_b).scaled(by_b));
        let m = h_a + h_b;
        let trace = m.trace();
        let determinant = g.mul_add(trace + g, m.second_invariant());
        let definite = L::splat(0.0).lt(determinant) & L::splat(0.0).lt(trace + g + g);
        let newton = (d_t * (trace + g) - m.apply(d_t)) * (one / determinant);
        let s = newton * L::select(definite, one, L::splat(0.0));
        let squared = L::select(definite, s.dot(s), L::splat(f64::INFINITY));
        Self { c, g, d_t, x_a, x_b, h_a, h_b, s, squared }
    }

    /// Where it is exact enough and certified: the bounds agree to [`SLACK`] of the depth.
    #[inline(always)]
    fn is_good(&self, rolling: L, size: L) -> L::Mask {
        let inner = self.g + rolling;
        let allowed =
            (L::splat(-SLACK) * self.g).max(L::splat(gritstone_contact::tolerance::CERTIFICATE) * size);
        // √(inner² + d_t²) ≤ inner + allowed, without the root.
        L::splat(0.0).lt(inner)
            & self.d_t.dot(self.d_t).le(allowed * (inner + inner + allowed))
            & self.squared.le(L::splat(LONGEST_STEP * LONGEST_STEP))
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            c: Vec3::select(mask, yes.c, no.c),
            g: L::select(mask, yes.g, no.g),
            d_t: Vec3::select(mask, yes.d_t, no.d_t),
            x_a: Vec3::select(mask, yes.x_a, no.x_a),
            x_b: Vec3::select(mask, yes.x_b, no.x_b),
            h_a: Sym3::select(mask, yes.h_a, no.h_a),
            h_b: Sym3::select(mask, yes.h_b, no.h_b),
            s: Vec3::select(mask, yes.s, no.s),
            squared: L::select(mask, yes.squared, no.squared),
        }
    }
}

impl Finder for EllipsoidPairs {
    type Kept = Change;
    const WIDE: bool = false;
    const TURNING: usize = 2;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[shape_a, _], [shape_b, _]]: [[[L; WIDTH]; 2]; 2],
        Start { direction: c, .. }: Start<L>,
        mut radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let [a1, a2, a3, rolling_a, size_a, ..] = shape_a;
        let [b1, b2, b3, rolling_b, size_b, ..] = shape_b;
        let (tensor_a, tensor_b) = (a.tensor([a1, a2, a3]), b.tensor([b1, b2, b3]));
        let (rolling, size) = (rolling_a + rolling_b, size_a.min(size_b));
        let offset = b.position - a.position;
        let mut jet = Jet::at(c, tensor_a, tensor_b, offset);
        let mut good = jet.is_good(rolling, size);
        for _ in 1..EVALUATIONS {
            let again = active & !good;
            if !again.any() {
                break;
            }
            let c = jet.c + jet.s;
            let next = Jet::at(c * (one / c.length()), tensor_a, tensor_b, offset);
            jet = Jet::select(again, &next, &jet);
            good = jet.is_good(rolling, size);
        }
        // 1/√(1 + s²): steps are so short that the third term is below rounding.
        let stretch = jet.squared.mul_add(jet.squared.mul_sub(L::splat(0.375), half), one);
        let value = (half * jet.squared).mul_add(jet.g, half.mul_add(jet.d_t.dot(jet.s), jet.g));
        let x_a = a.position + (jet.x_a + jet.h_a.apply(jet.s));
        let x_b = b.position + (jet.x_b - jet.h_b.apply(jet.s));
        if wanted.curvature || wanted.patches {
            let [[sum_a, product_a], [sum_b, product_b]] = [curvatures(jet.h_a), curvatures(jet.h_b)];
            let product = (jet.h_a + jet.h_b).second_invariant() * product_a * product_b;
            curvature_radius(wanted, half * (sum_a + sum_b), product, size, &mut radius, &mut good);
        }
        Found {
            normal: (jet.c + jet.s) * stretch,
            gap: value * stretch,
            lower: jet.g,
            direction: jet.c,
            point: (x_a + x_b) * half,
            radius,
            size,
            good,
            points: none(),
        }
    }
}

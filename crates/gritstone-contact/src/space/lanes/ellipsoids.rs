//! Ellipsoids and spheres on each other, in lanes.
//!
//! **Idea.** With `A = R diag(r²) Rᵀ`, `h(c) = √(c·A c)`, `p(c) = A c/h`, `∇²h = H = (A − p pᵀ)/h`. Newton's step s of g on
//! the sphere of directions needs no basis of the tangent plane: with `M = H_a + H_b`,
//! `s = ((tr M + g) d_t − M d_t) / (I2(M) + g tr M + g²)`, I2 the second invariant. The contact is then taken where the
//! step leads, without another evaluation: gap `(g + ½ d_t·s + ½ g s²)/√(1 + s²)`, points `x_a + H_a s` and `x_b − H_b s`.
//!
//! **Notation.** As in [`pair`](crate::space::Pair); ρ: sum of the least radii of curvature.

use gritstone_core::lanes::{Lanes, Mask, Sym3, Vec3, WIDTH};
use gritstone_shape::space::Solid;

use super::class::ShapeRows;
use super::{
    Body, CONVERGED_STEP, Contacts, Curvature, LONGEST_STEP, PairSolver, Request, Start, ball_bound,
    no_points, no_radii,
};
use crate::tolerance;

/// Longest step (rad) after which the model's error, of third order, is below what counts.
const EXTRAPOLATED_STEP: f64 = 1e-3;
/// Evaluations from the last time step after which a pair is left unsolved.
const EVALUATIONS: usize = 4;

/// Squares of the radii, least radius of curvature, size, square of the least radius, `1/R³` of the ball of the same volume.
pub(super) fn shape_rows(shape: &Solid) -> Option<ShapeRows> {
    let radii = shape.semi_axes()?;
    let [least, size] = [radii.min_element(), radii.max_element()];
    let [x, y, z] = (radii * radii).to_array();
    let inverse_cube = radii.element_product().recip();
    Some([[x, y, z, least * least / size, size, least * least, inverse_cube, 0.0], [0.0; WIDTH]])
}

/// Pairs of ellipsoids.
#[derive(Clone, Copy, Debug, Default)]
pub struct EllipsoidPairs;

/// Two ellipsoids in the world.
struct Pairs<L> {
    /// `R diag(r²) Rᵀ`.
    a: Sym3<L>,
    b: Sym3<L>,
    /// The centre of b from the centre of a.
    offset: Vec3<L>,
}

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

impl<L: Lanes> Pairs<L> {
    /// Evaluates unit directions.
    #[inline(always)]
    fn at(&self, c: Vec3<L>, request: Request) -> Jet<L> {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let (a_c, b_c) = (self.a.apply(c), self.b.apply(c));
        let (h_a, h_b) = (c.dot(a_c).sqrt(), c.dot(b_c).sqrt());
        let by_both = one / (h_a * h_b);
        let (by_a, by_b) = (h_b * by_both, h_a * by_both);
        let (x_a, x_b) = (a_c * by_a, -(b_c * by_b));
        let d = self.offset + (x_b - x_a);
        let g = c.dot(d);
        let d_t = c.mul_add(-g, d);
        let (h_a, h_b) = (self.a.minus_square(x_a).scaled(by_a), self.b.minus_square(x_b).scaled(by_b));
        let m = h_a + h_b;
        let trace = m.trace();
        let determinant = g.mul_add(trace + g, m.second_invariant());
        let definite = zero.lt(determinant) & zero.lt(trace + g + g);
        let newton = (d_t * (trace + g) - m.apply(d_t)) * (one / determinant);
        let mut s = newton * L::select(definite, one, zero);
        if request.cold {
            s = Vec3::select(definite, newton, d_t * (one / trace.max(-g)));
            s = s * (L::splat(LONGEST_STEP) / s.length()).min(one);
        }
        let squared = L::select(definite, s.dot(s), L::splat(f64::INFINITY));
        Jet { c, g, d_t, x_a, x_b, h_a, h_b, s, squared }
    }
}

impl<L: Lanes> Jet<L> {
    /// Where no further evaluation is needed: from a guess, where Newton's method has converged, and else, where the step
    /// is short enough and the bounds agree.
    #[inline(always)]
    fn is_done(&self, rolling: L, size: L, request: Request) -> L::Mask {
        if request.cold {
            let witness = L::splat(tolerance::WITNESS) * size;
            return self.squared.le(L::splat(CONVERGED_STEP * CONVERGED_STEP))
                & self.d_t.dot(self.d_t).le(witness * witness);
        }
        let inner = self.g + rolling;
        let width = request.width(self.g, size);
        // √(inner² + d_t²) ≤ inner + width, without the root.
        L::splat(0.0).lt(inner)
            & self.d_t.dot(self.d_t).le(width * (inner + inner + width))
            & self.squared.le(L::splat(EXTRAPOLATED_STEP * EXTRAPOLATED_STEP))
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

impl PairSolver for EllipsoidPairs {
    const WIDE: bool = false;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [[shape_a, _], [shape_b, _]]: [[[L; WIDTH]; 2]; 2],
        Start { direction: c, .. }: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let [a1, a2, a3, rolling_a, size_a, ball_a, ..] = shape_a;
        let [b1, b2, b3, rolling_b, size_b, ball_b, ..] = shape_b;
        let (rolling, size) = (rolling_a + rolling_b, size_a.min(size_b));
        let pairs =
            Pairs { a: a.tensor([a1, a2, a3]), b: b.tensor([b1, b2, b3]), offset: b.position - a.position };
        let mut evaluations = one;
        let mut jet = pairs.at(c, request);
        let mut done = jet.is_done(rolling, size, request);
        for _ in 1..request.evaluations(EVALUATIONS) {
            let again = active & !done;
            if !again.any() {
                break;
            }
            let c = jet.c + jet.s;
            let next = pairs.at(c * (one / c.length()), request);
            jet = Jet::select(again, &next, &jet);
            done = jet.is_done(rolling, size, request);
            evaluations = L::select(again, evaluations + one, evaluations);
        }
        let mut upper = ball_bound(jet.g, jet.d_t.dot(jet.d_t), rolling);
        if request.cold {
            let balls = ball_a / jet.c.dot(jet.x_a) - ball_b / jet.c.dot(jet.x_b);
            upper = ball_bound(jet.g, jet.d_t.dot(jet.d_t), balls);
            done = done & (upper - jet.g).le(request.width(jet.g, size));
        }
        // 1/√(1 + s²): steps are so short that the third term is below rounding.
        let stretch = jet.squared.mul_add(jet.squared.mul_sub(L::splat(0.375), half), one);
        let value = (half * jet.squared).mul_add(jet.g, half.mul_add(jet.d_t.dot(jet.s), jet.g));
        let x_a = a.position + (jet.x_a + jet.h_a.apply(jet.s));
        let x_b = b.position + (jet.x_b - jet.h_b.apply(jet.s));
        let (mut curvature, mut radii) = (Curvature::zero(), no_radii());
        if request.radii {
            let [u, v] = jet.c.tangents();
            radii = [jet.h_a.restrict(u, v), jet.h_b.restrict(u, v)];
        }
        if request.curvature {
            curvature = Curvature::relative(jet.h_a, jet.h_b);
        }
        Contacts {
            normal: (jet.c + jet.s) * stretch,
            gap: value * stretch,
            lower: jet.g,
            direction: jet.c,
            upper,
            point: (x_a + x_b) * half,
            curvature,
            radii,
            size,
            certified: done,
            points: no_points(),
            evaluations,
        }
    }
}

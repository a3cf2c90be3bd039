//! Superellipsoids on each other and on half-spaces, in lanes.
//!
//! **Idea.** As for ellipsoids, one evaluation is taken to second order, and third derivatives say what that is worth. Where
//! it is worth too little the direction is improved, but not by Newton's step itself: near a flat face a small turn of the
//! normal moves the point far, and the step would overshoot. Instead the flatter body's point takes its part of the step,
//! `x + H s`, which is small there, and the next direction is the normal at that point.
//!
//! **Notation.** As in [`pair`](crate::space::Pair). θ: largest relative change that a step makes to a component on which the
//! support functions depend by a power. Over R³, g is homogeneous: its value on the sphere is that at `c + s` divided by
//! `√(1 + |s|²)`.

use gritstone_core::lanes::{Lanes, Mask, Sym2, Turn, Two, Vec3, WIDTH};
use gritstone_shape::Support;
use gritstone_shape::space::{Solid, Superellipsoid};

use super::class::ShapeRows;
use super::half_spaces::inward_normal;
use super::superellipsoid_support::{self, PowerShape};
use super::{
    Body, CONVERGED_STEP, Contacts, Curvature, LONGEST_STEP, PairSolver, Request, Start, ball_bound,
    no_points, no_radii,
};
use crate::tolerance;

/// Evaluations from the last time step after which a pair is left unsolved.
const EVALUATIONS: usize = 5;
/// Largest turn (rad) and largest relative change θ of a component for which the series is trusted.
const LARGEST_TURN: f64 = 0.2;
const LARGEST_CHANGE: f64 = 0.5;
/// Error of the gap that is allowed, as a fraction of it.
const ERROR: f64 = 1e-4;
/// Part of the second-order term that the third derivative is at most, for a relative change of one: |p − 2|, 3 and the
/// like, a sixth of their sum, with room.
const SHORT: f64 = 4.0;
/// Largest ball inside a body, relative to the smaller one's size, that is looked for at a contact point.
const LARGEST_BALL: f64 = 0.05;
/// Balls are looked for that are this much larger than needed.
const BALL_MARGIN: f64 = 1.05;

/// Radii, radius of a ball that rolls inside, size, constants of the two norms, reciprocals of the radii, and the radius times
/// h of balls that touch the surface from inside, and `1/R³` of the ball of the same volume. The radius of the rolling ball and the
/// last one are what takes time.
pub(super) fn shape_rows(shape: &Solid, costly: impl Fn(&Superellipsoid) -> [f64; 2]) -> Option<ShapeRows> {
    let shape = match shape {
        Solid::Superellipsoid(shape) => *shape,
        other => Superellipsoid::new(other.semi_axes()?, [1.0; 2]).ok()?,
    };
    let [x, y, z, p1, p2, p3, q1, q2, q3] = superellipsoid_support::numbers(&shape);
    let [rolling, inverse_cube] = costly(&shape);
    let first = [x, y, z, rolling, shape.size(), p1, p2, p3];
    Some([first, [q1, q2, q3, 1.0 / x, 1.0 / y, 1.0 / z, shape.ball_radius_by_height(), inverse_cube]])
}

/// Pairs of superellipsoids.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuperellipsoidPairs;

/// Superellipsoids on half-spaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct SuperellipsoidsOnHalfSpaces;

/// Eight pairs.
struct Pairs<L> {
    bodies: PowerShape<Two<L>>,
    turn_a: Turn<L>,
    turn_b: Turn<L>,
    /// The centre of b from the centre of a.
    offset: Vec3<L>,
    rolling: L,
    size: L,
}

/// Eight pairs, evaluated in a direction.
struct Jet<L: Lanes> {
    c: Vec3<L>,
    g: L,
    d_t: [L; 2],
    x_a: Vec3<L>,
    x_b: Vec3<L>,
    h_a: Sym2<L>,
    h_b: Sym2<L>,
    /// Newton's step, zero where there is none.
    s: [L; 2],
    squared: L,
    /// The gap where the step leads.
    gap: L,
    /// Where no further evaluation is needed.
    done: L::Mask,
}

impl<L: Lanes> Pairs<L> {
    #[inline(always)]
    fn new(a: &Body<L>, b: &Body<L>, [shape_a, shape_b]: [[[L; WIDTH]; 2]; 2]) -> Self {
        let [[a1, a2, a3, rolling_a, size_a, ap1, ap2, ap3], [aq1, aq2, aq3, ..]] = shape_a;
        let [[b1, b2, b3, rolling_b, size_b, bp1, bp2, bp3], [bq1, bq2, bq3, ..]] = shape_b;
        Self {
            bodies: PowerShape::from_numbers([
                Two(a1, b1),
                Two(a2, b2),
                Two(a3, b3),
                Two(ap1, bp1),
                Two(ap2, bp2),
                Two(ap3, bp3),
                Two(aq1, bq1),
                Two(aq2, bq2),
                Two(aq3, bq3),
            ]),
            turn_a: a.turn(),
            turn_b: b.turn(),
            offset: b.position - a.position,
            rolling: rolling_a + rolling_b,
            size: size_a.min(size_b),
        }
    }

    /// Vectors of the world in the frames of both bodies.
    #[inline(always)]
    fn undo(&self, a: Vec3<L>, b: Vec3<L>) -> Vec3<Two<L>> {
        Vec3::both(self.turn_a.undo(a), self.turn_b.undo(b))
    }

    #[inline(always)]
    fn at(&self, c: Vec3<L>, request: Request) -> Jet<L> {
        let (zero, half, one) = (L::splat(0.0), L::splat(0.5), L::splat(1.0));
        let [u, v] = c.tangents();
        let jet = self.bodies.jet(self.undo(c, -c));
        let [p_a, p_b] = jet.point.each();
        let [h_a, h_b] = jet.restrict(self.undo(u, u), self.undo(v, v)).each();
        let (x_a, x_b) = (self.turn_a.apply(p_a), self.turn_b.apply(p_b));
        let d = self.offset + (x_b - x_a);
        let g = c.dot(d);
        let d_t = [u.dot(d), v.dot(d)];
        let model = (h_a + h_b).plus_scalar(g);
        let determinant = model.determinant();
        let definite = zero.lt(determinant) & zero.lt(model.trace());
        let by = L::select(definite, one / determinant, zero);
        let mut s = [
            model.yy.mul_sub(d_t[0], model.xy * d_t[1]) * by,
            model.xx.mul_sub(d_t[1], model.xy * d_t[0]) * by,
        ];
        if request.cold {
            s = safe_step(s, definite, d_t, (h_a + h_b).trace().max(-g));
        }
        let squared = s[0].mul_add(s[0], s[1] * s[1]);
        let along = u.mul_add(s[0], v * s[1]);
        let slope = d_t[0].mul_add(s[0], d_t[1] * s[1]);
        let allowed = if request.cold {
            L::splat(tolerance::CONVERGENCE) * self.size
        } else {
            (L::splat(-ERROR) * g).max(L::splat(tolerance::CERTIFICATE) * self.size)
        };
        // Most steps are so short that the third derivative does not count.
        let along = self.undo(along, -along);
        let Two(change_a, change_b) = self.bodies.change(&jet, along);
        let turn = squared.sqrt();
        let change = change_a.max(change_b).max(turn);
        let short = (L::splat(SHORT) * slope.abs() * change).le(allowed);
        let (mut third, mut error) = (zero, zero);
        let known = definite & turn.le(L::splat(LARGEST_TURN)) & change.le(L::splat(LARGEST_CHANGE));
        if (definite & !short).any() {
            let (Two(third_a, third_b), _) = self.bodies.third(&jet, along);
            third = L::select(short, zero, (third_a + third_b) * L::splat(-1.0 / 6.0));
            error = L::splat(2.0) * third.abs() * change;
        }
        let value = (half * squared).mul_add(g, half.mul_add(slope, g)) + third;
        let gap = value / (one + squared).sqrt();

        let mut done = known & error.le(allowed);
        let across = d_t[0].mul_add(d_t[0], d_t[1] * d_t[1]);
        if request.cold {
            let witness = L::splat(tolerance::WITNESS) * self.size;
            done =
                done & squared.le(L::splat(CONVERGED_STEP * CONVERGED_STEP)) & across.le(witness * witness);
        } else {
            let inner = g + self.rolling;
            let upper = inner.mul_add(inner, across).sqrt() - self.rolling;
            let width = request.width(g, self.size);
            let proven = zero.lt(inner) & (upper - g).le(width);
            // Where no ball rolls inside, one that touches at the contact point may do, if it need not be large.
            let small = ball_radius(g, across, width).le(L::splat(LARGEST_BALL) * self.size);
            done = done & (proven | (self.rolling.le(zero) & small));
        }
        Jet { c, g, d_t, x_a, x_b, h_a, h_b, s, squared, gap, done }
    }

    /// Upper bounds, with the sums of the radii of balls inside both bodies that touch the support points; and the lanes in
    /// which the bounds agree. Where these balls are too small, others are looked for.
    #[inline(always)]
    fn certify(&self, jet: &Jet<L>, balls: L, request: Request, active: L::Mask) -> (L, L::Mask) {
        let across = jet.d_t[0].mul_add(jet.d_t[0], jet.d_t[1] * jet.d_t[1]);
        let mut upper = ball_bound(jet.g, across, balls);
        let width = request.width(jet.g, self.size);
        // Only where they are needed: what a pair gets does not depend on the pairs beside it.
        let too_small = active & jet.done & width.lt(upper - jet.g);
        if too_small.any() {
            let radius = ball_radius(jet.g, across, width);
            let normals = self.undo(jet.c, -jet.c);
            let Two(ball_a, ball_b) =
                self.bodies.nested_ball(normals, self.undo(jet.x_a, jet.x_b), Two(radius, radius));
            upper = L::select(too_small, upper.min(ball_bound(jet.g, across, ball_a + ball_b)), upper);
        }
        (upper, jet.done & (upper - jet.g).le(width))
    }

    /// Better directions: the normals where the flatter bodies' points go.
    #[inline(always)]
    fn next(&self, jet: &Jet<L>) -> Vec3<L> {
        let [u, v] = jet.c.tangents();
        let (t_a, t_b) = (jet.h_a.apply(jet.s), jet.h_b.apply(jet.s));
        let x_a = jet.x_a + u.mul_add(t_a[0], v * t_a[1]);
        let x_b = jet.x_b - u.mul_add(t_b[0], v * t_b[1]);
        let [n_a, n_b] = self.bodies.normal_at(self.undo(x_a, x_b)).each();
        let a_is_flatter = jet.h_b.trace().le(jet.h_a.trace());
        let c = Vec3::select(a_is_flatter, self.turn_a.apply(n_a), -self.turn_b.apply(n_b));
        c * (L::splat(1.0) / c.length())
    }
}

/// Radius of a ball inside one body, touching its support point, with which the bounds agree within `width`: the upper bound
/// exceeds g by less than `|d_t|²/2(g + radius)`; `across` is |d_t|².
#[inline(always)]
fn ball_radius<L: Lanes>(g: L, across: L, width: L) -> L {
    let zero = L::splat(0.0);
    let (depth, gap) = ((-g).max(zero), g.max(zero));
    L::splat(BALL_MARGIN) * (L::splat(0.5) * across / width + depth) - gap
}

/// Newton's step where the model is `definite`, else one along the gradient that the largest `curvature` allows; never longer
/// than [`LONGEST_STEP`].
#[inline(always)]
fn safe_step<L: Lanes>(newton: [L; 2], definite: L::Mask, gradient: [L; 2], curvature: L) -> [L; 2] {
    let one = L::splat(1.0);
    let by = one / curvature;
    let s =
        [L::select(definite, newton[0], gradient[0] * by), L::select(definite, newton[1], gradient[1] * by)];
    let shorter = (L::splat(LONGEST_STEP) / s[0].mul_add(s[0], s[1] * s[1]).sqrt()).min(one);
    [s[0] * shorter, s[1] * shorter]
}

impl<L: Lanes> Jet<L> {
    #[inline(always)]
    fn select(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            c: Vec3::select(mask, yes.c, no.c),
            g: L::select(mask, yes.g, no.g),
            d_t: [L::select(mask, yes.d_t[0], no.d_t[0]), L::select(mask, yes.d_t[1], no.d_t[1])],
            x_a: Vec3::select(mask, yes.x_a, no.x_a),
            x_b: Vec3::select(mask, yes.x_b, no.x_b),
            h_a: Sym2::select(mask, yes.h_a, no.h_a),
            h_b: Sym2::select(mask, yes.h_b, no.h_b),
            s: [L::select(mask, yes.s[0], no.s[0]), L::select(mask, yes.s[1], no.s[1])],
            squared: L::select(mask, yes.squared, no.squared),
            gap: L::select(mask, yes.gap, no.gap),
            done: (mask & yes.done) | (!mask & no.done),
        }
    }
}

impl PairSolver for SuperellipsoidPairs {
    const WIDE: bool = true;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        shapes: [[[L; WIDTH]; 2]; 2],
        Start { direction: c, .. }: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let pairs = Pairs::new(a, b, shapes);
        let mut evaluations = one;
        let mut jet = pairs.at(c, request);
        for _ in 1..request.evaluations(EVALUATIONS) {
            let again = active & !jet.done;
            if !again.any() {
                break;
            }
            let next = pairs.at(pairs.next(&jet), request);
            jet = Jet::select(again, &next, &jet);
            evaluations = L::select(again, evaluations + one, evaluations);
        }
        let mut balls = pairs.rolling;
        if request.cold {
            let [[_, [.., ball_a, _]], [_, [.., ball_b, _]]] = shapes;
            balls = ball_a / jet.c.dot(jet.x_a) - ball_b / jet.c.dot(jet.x_b);
        }
        let (upper, certified) = pairs.certify(&jet, balls, request, active);
        let [u, v] = jet.c.tangents();
        let (t_a, t_b) = (jet.h_a.apply(jet.s), jet.h_b.apply(jet.s));
        let x_a = a.position + (jet.x_a + u.mul_add(t_a[0], v * t_a[1]));
        let x_b = b.position + (jet.x_b - u.mul_add(t_b[0], v * t_b[1]));
        let mut curvature = Curvature::zero();
        if request.curvature {
            curvature = Curvature::relative(jet.h_a, jet.h_b);
        }
        Contacts {
            normal: (jet.c + u.mul_add(jet.s[0], v * jet.s[1])) * (one / (one + jet.squared).sqrt()),
            gap: jet.gap,
            lower: jet.g,
            direction: jet.c,
            upper,
            point: (x_a + x_b) * half,
            curvature,
            radii: [jet.h_a, jet.h_b],
            size: pairs.size,
            certified,
            points: no_points(),
            evaluations,
        }
    }
}

impl PairSolver for SuperellipsoidsOnHalfSpaces {
    const WIDE: bool = true;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [shape_a, shape_b]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let half = L::splat(0.5);
        let [[a1, a2, a3, _, size, p1, p2, p3], [q1, q2, q3, ..]] = shape_a;
        let [[x, y, z, offset, ..], _] = shape_b;
        let shape = PowerShape::from_numbers([a1, a2, a3, p1, p2, p3, q1, q2, q3]);
        let turn = a.turn();
        let normal = inward_normal(b, Vec3::new(x, y, z));
        let jet = shape.jet(turn.undo(normal));
        let lowest = turn.apply(jet.point);
        let gap = (normal.dot(b.position - a.position) - offset) - normal.dot(lowest);
        let (mut curvature, mut radii) = (Curvature::zero(), no_radii());
        if request.curvature || request.radii {
            let [u, v] = normal.tangents();
            radii[0] = jet.restrict(turn.undo(u), turn.undo(v));
            curvature = Curvature::of(radii[0]);
        }
        Contacts {
            normal,
            gap,
            lower: gap,
            direction: normal,
            upper: gap,
            point: a.position + normal.mul_add(half * gap, lowest),
            curvature,
            radii,
            size,
            certified: active,
            points: no_points(),
            evaluations: L::splat(1.0),
        }
    }
}

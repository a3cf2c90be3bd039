//! Superellipsoids on each other and on planes, in lanes.
//!
//! **Idea.** As for ellipsoids, one evaluation is taken to second order, and third derivatives say what that is worth. Where
//! it is worth too little the direction is improved, but not by Newton's step itself: near a flat face a small turn of the
//! normal moves the point far, and the step would overshoot. Instead the flatter body's point takes its part of the step,
//! `x + H s`, which is small there, and the next direction is the normal at that point.
//!
//! **Notation.** As in the contact crate's `pair` and `follow`.

use gritstone_contact::space::batch::{self, lane_numbers};
use gritstone_core::lanes::{Lanes, Mask, Sym2, Turn, Two, Vec3, WIDTH};
use gritstone_shape::space::{Solid, Superellipsoid};

use super::block::Change;
use super::body::Body;
use super::found::{Finder, Found, Start, Wanted, curvature_radius, none, of_radii};
use super::kernel::LaneRow;
use super::rolling;
use crate::contacts::SLACK;

/// Evaluations after which a contact is handed over.
const EVALUATIONS: usize = 5;
/// Largest turn (rad) and largest relative change of a component for which the series is trusted: as the contact crate's
/// `follow` has them.
const LARGEST_TURN: f64 = 0.2;
const LARGEST_CHANGE: f64 = 0.5;
/// Error of the gap that is allowed, as a fraction of it.
const ERROR: f64 = 1e-4;
/// Part of the second-order term that the third derivative is at most, for a relative change of one: |p − 2|, 3 and the
/// like, a sixth of their sum, with room.
const SHORT: f64 = 4.0;

/// What lanes know of a shape: radii, rolling radius, size, constants of the two norms, reciprocals of the radii.
pub(super) fn numbers(shape: &Solid) -> Option<[LaneRow; 2]> {
    let shape = match shape {
        Solid::Superellipsoid(shape) => *shape,
        other => Superellipsoid::new(other.semi_axes()?, [1.0; 2]).ok()?,
    };
    let [x, y, z, p1, p2, p3, q1, q2, q3] = lane_numbers(&shape);
    let size = gritstone_shape::Support::size(&shape);
    let first = [x, y, z, rolling::radius(&shape), size, p1, p2, p3];
    Some([first, [q1, q2, q3, 1.0 / x, 1.0 / y, 1.0 / z, 0.0, 0.0]])
}

/// Pairs of superellipsoids.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuperellipsoidPairs;

/// Superellipsoids on planes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SuperellipsoidsOnPlanes;

/// Eight pairs.
struct Pairs<L> {
    bodies: batch::Body<Two<L>>,
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
    good: L::Mask,
}

impl<L: Lanes> Pairs<L> {
    #[inline(always)]
    fn new(a: &Body<L>, b: &Body<L>, [shape_a, shape_b]: [[[L; WIDTH]; 2]; 2]) -> Self {
        let [[a1, a2, a3, rolling_a, size_a, ap1, ap2, ap3], [aq1, aq2, aq3, ..]] = shape_a;
        let [[b1, b2, b3, rolling_b, size_b, bp1, bp2, bp3], [bq1, bq2, bq3, ..]] = shape_b;
        Self {
            bodies: batch::Body::from_numbers([
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
    fn at(&self, c: Vec3<L>) -> Jet<L> {
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
        let s = [
            model.yy.mul_sub(d_t[0], model.xy * d_t[1]) * by,
            model.xx.mul_sub(d_t[1], model.xy * d_t[0]) * by,
        ];
        let squared = s[0].mul_add(s[0], s[1] * s[1]);
        let along = u.mul_add(s[0], v * s[1]);
        let slope = d_t[0].mul_add(s[0], d_t[1] * s[1]);
        let certificate = L::splat(gritstone_contact::tolerance::CERTIFICATE) * self.size;
        let allowed = (L::splat(-ERROR) * g).max(certificate);
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

        let inner = g + self.rolling;
        let across = d_t[0].mul_add(d_t[0], d_t[1] * d_t[1]);
        let upper = inner.mul_add(inner, across).sqrt() - self.rolling;
        let good = known
            & zero.lt(inner)
            & (upper - g).le((L::splat(-SLACK) * g).max(certificate))
            & error.le(allowed);
        Jet { c, g, d_t, x_a, x_b, h_a, h_b, s, squared, gap, good }
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
            good: (mask & yes.good) | (!mask & no.good),
        }
    }
}

impl Finder for SuperellipsoidPairs {
    type Kept = Change;
    const WIDE: bool = true;
    const TURNING: usize = 2;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        shapes: [[[L; WIDTH]; 2]; 2],
        Start { direction: c, .. }: Start<L>,
        mut radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let pairs = Pairs::new(a, b, shapes);
        let mut jet = pairs.at(c);
        for _ in 1..EVALUATIONS {
            let again = active & !jet.good;
            if !again.any() {
                break;
            }
            let next = pairs.at(pairs.next(&jet));
            jet = Jet::select(again, &next, &jet);
        }
        let [u, v] = jet.c.tangents();
        let (t_a, t_b) = (jet.h_a.apply(jet.s), jet.h_b.apply(jet.s));
        let x_a = a.position + (jet.x_a + u.mul_add(t_a[0], v * t_a[1]));
        let x_b = b.position + (jet.x_b - u.mul_add(t_b[0], v * t_b[1]));
        let mut good = jet.good;
        if wanted.curvature || wanted.patches {
            let [sum_a, product_a] = of_radii(jet.h_a.trace(), jet.h_a.determinant());
            let [sum_b, product_b] = of_radii(jet.h_b.trace(), jet.h_b.determinant());
            let product = (jet.h_a + jet.h_b).determinant() * product_a * product_b;
            curvature_radius(wanted, half * (sum_a + sum_b), product, pairs.size, &mut radius, &mut good);
        }
        Found {
            normal: (jet.c + u.mul_add(jet.s[0], v * jet.s[1])) * (one / (one + jet.squared).sqrt()),
            gap: jet.gap,
            lower: jet.g,
            direction: jet.c,
            point: (x_a + x_b) * half,
            radius,
            size: pairs.size,
            good,
            points: none(),
        }
    }
}

impl Finder for SuperellipsoidsOnPlanes {
    type Kept = ();
    const WIDE: bool = true;
    const TURNING: usize = 1;

    #[inline(always)]
    fn find<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [shape_a, shape_b]: [[[L; WIDTH]; 2]; 2],
        _: Start<L>,
        mut radius: L,
        wanted: Wanted,
        active: L::Mask,
    ) -> Found<L> {
        let half = L::splat(0.5);
        let [[a1, a2, a3, _, size, p1, p2, p3], [q1, q2, q3, ..]] = shape_a;
        let [[x, y, z, plane_offset, ..], _] = shape_b;
        let shape = batch::Body::from_numbers([a1, a2, a3, p1, p2, p3, q1, q2, q3]);
        let turn = a.turn();
        // From the grain into the plane's solid side.
        let normal = -b.turn().apply(Vec3::new(x, y, z)).renormalized();
        let jet = shape.jet(turn.undo(normal));
        let lowest = turn.apply(jet.point);
        let gap = (normal.dot(b.position - a.position) - plane_offset) - normal.dot(lowest);
        let point = a.position + normal.mul_add(half * gap, lowest);
        let mut good = active;
        if wanted.curvature || wanted.patches {
            let [u, v] = normal.tangents();
            let hessian = jet.restrict(turn.undo(u), turn.undo(v));
            let [sum, product] = of_radii(hessian.trace(), hessian.determinant());
            curvature_radius(wanted, half * sum, product, size, &mut radius, &mut good);
        }
        Found { normal, gap, lower: gap, direction: normal, point, radius, size, good, points: none() }
    }
}

//! Boxes with round edges, `|x/a|⁴ + |y/b|⁴ + |z/c|⁴ ≤ 1`, on each other, in lanes: without powers.
//!
//! **Idea.** In the middle of a flat face a small turn of the normal moves the point far: directions are bad unknowns there,
//! points are good ones. So each contact keeps its two points, each in the frame of its body. With outward normals n, points
//! p, W the derivative of the normal along the surface, `d = p_b − p_a` and `g = c·d`, Newton's step (t_a, t_b) in the plane
//! across c makes the normals opposite and d parallel to them:
//!
//! `n_b + W_a t_a + W_b t_b = 0`, `d + t_b − t_a − g W_a t_a = 0`, hence `(W_a + W_b + g W_b W_a) t_a = W_b d − n_b`.
//!
//! Everything is a polynomial but for one root and one quotient per normal.
//!
//! **Certificate.** The support function at c is at most that at the normal n plus |c − n| times the size: g(c) from below.
//! The balls that roll inside the bodies touch the points from within: with ρ their radii, the distance of their centres less
//! both radii is a bound from above, for the reason given in [`super`].

use glam::{DQuat, DVec3};
use gritstone_core::lanes::{Lanes, Mask, Sym2, Turn, Vec3, WIDTH};
use gritstone_shape::space::Superellipsoid;

use super::class::ShapeRows;
use super::superellipsoid_support::PowerShape;
use super::{Body, Contacts, Curvature, PairSolver, Request, Start, no_radii};

/// Steps after which a pair is left unsolved.
const STEPS: usize = 4;
/// Longest step of a point, as a part of the smaller grain's size.
const LONGEST: f64 = 0.1;
/// How far off the surfaces points may lie: rounding, and what is left when they are pulled back.
const OFF: f64 = 1e-13;
/// Largest square of the normals' sum that is taken for opposite normals.
const OPPOSITE: f64 = 1e-6;

/// Whether a shape is one of these.
pub(super) fn is_quartic(shape: &Superellipsoid) -> bool {
    shape.exponents() == [0.5; 2]
}

/// The support point along a unit vector of the world, in the frame of the body: where a new contact starts. In the lanes' own
/// arithmetic, so that whatever follows them operation by operation has the same bits.
pub fn quartic_support(
    [[x, y, z, _, _, p1, p2, p3], [q1, q2, q3, ..]]: &ShapeRows,
    rotation: DQuat,
    direction: DVec3,
) -> DVec3 {
    let turn = Turn::<f64>::from_quaternion([rotation.w, rotation.x, rotation.y, rotation.z]);
    let along = turn.undo(Vec3::new(direction.x, direction.y, direction.z));
    let shape = PowerShape::from_numbers([*x, *y, *z, *p1, *p2, *p3, *q1, *q2, *q3]);
    let point = shape.jet(along).point;
    DVec3::new(point.x, point.y, point.z)
}

/// Pairs of boxes with round edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuarticPairs;

/// One body of each of eight pairs.
#[derive(Clone, Copy)]
struct Side<L> {
    turn: Turn<L>,
    by_radii: Vec3<L>,
    rolling: L,
    size: L,
}

/// A point of a body, and its surface there.
#[derive(Clone, Copy)]
struct Spot<L> {
    /// In the frame of the body.
    point: Vec3<L>,
    /// From the body's centre, in the world.
    lever: Vec3<L>,
    /// Outward, in the world.
    normal: Vec3<L>,
    /// Support function along the normal.
    height: L,
    /// How far off the surface it lies, as a part of its distance from the centre.
    off: L,
    /// The derivative of the normal, in the frame of the body, as a diagonal matrix; to be looked at across the normal.
    bend: Vec3<L>,
}

impl<L: Lanes> Side<L> {
    #[inline(always)]
    fn new(body: &Body<L>, [[_, _, _, rolling, size, ..], [_, _, _, x, y, z, ..]]: [[L; WIDTH]; 2]) -> Self {
        Self { turn: body.turn(), by_radii: Vec3::new(x, y, z), rolling, size }
    }

    #[inline(always)]
    fn at(&self, point: Vec3<L>) -> Spot<L> {
        let s = point.scaled(self.by_radii);
        let squares = s.scaled(s);
        let value = squares.dot(squares);
        let gradient = squares.scaled(s).scaled(self.by_radii);
        let by_length = L::splat(1.0) / gradient.length();
        let bend = squares.scaled(self.by_radii.scaled(self.by_radii)) * (L::splat(3.0) * by_length);
        Spot {
            point,
            lever: self.turn.apply(point),
            normal: self.turn.apply(gradient * by_length),
            height: by_length,
            off: (value - L::splat(1.0)).abs(),
            bend,
        }
    }

    /// The point that this one becomes when it moves by `step` and is pulled back to the surface.
    #[inline(always)]
    fn moved(&self, point: Vec3<L>, step: Vec3<L>) -> Vec3<L> {
        let point = point + step;
        let s = point.scaled(self.by_radii);
        let squares = s.scaled(s);
        // (1 + x)^(−1/4)
        let x = squares.dot(squares) - L::splat(1.0);
        let series = x.mul_sub(L::splat(-15.0 / 128.0), L::splat(-5.0 / 32.0));
        point * x.mul_add(x.mul_add(series, L::splat(-0.25)), L::splat(1.0))
    }

    /// The derivative of the normal on the plane of two vectors, given in the frame of the body.
    #[inline(always)]
    fn bend(spot: &Spot<L>, u: Vec3<L>, v: Vec3<L>) -> Sym2<L> {
        let (u_bent, v_bent) = (spot.bend.scaled(u), spot.bend.scaled(v));
        Sym2 { xx: u.dot(u_bent), xy: u.dot(v_bent), yy: v.dot(v_bent) }
    }
}

/// Two spots.
#[derive(Clone, Copy)]
struct Pair<L: Lanes> {
    a: Spot<L>,
    b: Spot<L>,
    /// From a's point to b's.
    d: Vec3<L>,
}

/// What is known of a pair.
#[derive(Clone, Copy)]
struct Judged<L: Lanes> {
    normal: Vec3<L>,
    gap: L,
    lower: L,
    upper: L,
    certified: L::Mask,
}

/// Both sides.
struct Sides<L> {
    a: Side<L>,
    b: Side<L>,
    offset: Vec3<L>,
    size: L,
}

impl<L: Lanes> Sides<L> {
    #[inline(always)]
    fn at(&self, points: [Vec3<L>; 2]) -> Pair<L> {
        let (a, b) = (self.a.at(points[0]), self.b.at(points[1]));
        Pair { a, b, d: self.offset + (b.lever - a.lever) }
    }

    /// Newton's step.
    #[inline(always)]
    fn step(&self, Pair { a, b, d }: &Pair<L>) -> [Vec3<L>; 2] {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let c = a.normal;
        let [u, v] = c.tangents();
        let [u_a, v_a, u_b, v_b] =
            [self.a.turn.undo(u), self.a.turn.undo(v), self.b.turn.undo(u), self.b.turn.undo(v)];
        let (w_a, w_b) = (Side::bend(a, u_a, v_a), Side::bend(b, u_b, v_b));
        let g = c.dot(*d);
        let (d_t, m) = ([u.dot(*d), v.dot(*d)], [u.dot(b.normal), v.dot(b.normal)]);
        // W_a + W_b + g W_b W_a
        let (xx, yy) = (
            g.mul_add(w_b.xx.mul_add(w_a.xx, w_b.xy * w_a.xy), w_a.xx + w_b.xx),
            g.mul_add(w_b.xy.mul_add(w_a.xy, w_b.yy * w_a.yy), w_a.yy + w_b.yy),
        );
        let sum = w_a.xy + w_b.xy;
        let xy = g.mul_add(w_b.xx.mul_add(w_a.xy, w_b.xy * w_a.yy), sum);
        let yx = g.mul_add(w_b.xy.mul_add(w_a.xx, w_b.yy * w_a.xy), sum);
        let right = w_b.apply(d_t);
        let right = [right[0] - m[0], right[1] - m[1]];
        let determinant = xx.mul_sub(yy, xy * yx);
        let by = L::select(zero.lt(determinant), one / determinant, zero);
        let longest = L::splat(LONGEST) * self.size;
        let t_a = [
            within(yy.mul_sub(right[0], xy * right[1]) * by, longest),
            within(xx.mul_sub(right[1], yx * right[0]) * by, longest),
        ];
        let turned = w_a.apply(t_a);
        let t_b = [
            within(g.mul_add(turned[0], t_a[0]) - d_t[0], longest),
            within(g.mul_add(turned[1], t_a[1]) - d_t[1], longest),
        ];
        [
            self.a.moved(a.point, u_a.mul_add(t_a[0], v_a * t_a[1])),
            self.b.moved(b.point, u_b.mul_add(t_b[0], v_b * t_b[1])),
        ]
    }

    #[inline(always)]
    fn judge(&self, Pair { a, b, d }: &Pair<L>, request: Request) -> Judged<L> {
        let (half, zero) = (L::splat(0.5), L::splat(0.0));
        let sum = a.normal + b.normal;
        let squared = sum.dot(sum);
        let normal = ((a.normal - b.normal) * half).renormalized();
        let gap = normal.dot(*d);
        let doubt = squared.sqrt() * (self.a.size + self.b.size) * L::splat(0.501);
        let lower = normal.dot(self.offset) - (a.height + b.height) - doubt;
        let between = *d + (a.normal * self.a.rolling - b.normal * self.b.rolling);
        let rolling = self.a.rolling + self.b.rolling;
        let upper = between.length() - rolling;
        let certified = squared.le(L::splat(OPPOSITE))
            & (a.off + b.off).le(L::splat(OFF))
            & zero.lt(lower + rolling)
            & (upper - lower).le(request.width(gap, self.size));
        Judged { normal, gap, lower, upper, certified }
    }
}

/// Curvature times size that is added for radii of curvature to be finite.
const FLATTEST: f64 = 1e-9;

/// The inverse of a positive definite matrix: its cofactors over its determinant.
#[inline(always)]
fn inverse<L: Lanes>(m: Sym2<L>) -> Sym2<L> {
    let by = L::splat(1.0) / m.determinant();
    Sym2 { xx: m.yy * by, yy: m.xx * by, xy: -(m.xy * by) }
}

/// A number kept between two bounds.
#[inline(always)]
fn within<L: Lanes>(x: L, bound: L) -> L {
    x.min(bound).max(-bound)
}

impl PairSolver for QuarticPairs {
    const WIDE: bool = true;

    #[inline(always)]
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        [shape_a, shape_b]: [[[L; WIDTH]; 2]; 2],
        start: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L> {
        let (one, half) = (L::splat(1.0), L::splat(0.5));
        let (side_a, side_b) = (Side::new(a, shape_a), Side::new(b, shape_b));
        let sides = Sides {
            a: side_a,
            b: side_b,
            offset: b.position - a.position,
            size: side_a.size.min(side_b.size),
        };
        let mut evaluations = L::splat(2.0);
        let mut pair = sides.at(sides.step(&sides.at(start.points)));
        let mut judged = sides.judge(&pair, request);
        for _ in 1..STEPS {
            let again = active & !judged.certified;
            if !again.any() {
                break;
            }
            let [x_a, x_b] = sides.step(&pair);
            let points = [Vec3::select(again, x_a, pair.a.point), Vec3::select(again, x_b, pair.b.point)];
            pair = sides.at(points);
            judged = sides.judge(&pair, request);
            evaluations = L::select(again, evaluations + one, evaluations);
        }
        let Judged { normal, gap, lower, upper, certified } = judged;
        let (mut curvature, mut radii) = (Curvature::zero(), no_radii());
        if request.curvature || request.radii {
            let [u, v] = normal.tangents();
            let w_a = Side::bend(&pair.a, sides.a.turn.undo(u), sides.a.turn.undo(v));
            let w_b = Side::bend(&pair.b, sides.b.turn.undo(u), sides.b.turn.undo(v));
            let sum = w_a + w_b;
            curvature = Curvature { mean: half * sum.trace(), product: sum.determinant() };
            let least = L::splat(FLATTEST) / sides.size;
            radii = [inverse(w_a.plus_scalar(least)), inverse(w_b.plus_scalar(least))];
        }
        Contacts {
            normal,
            gap,
            lower,
            direction: normal,
            upper,
            point: a.position + (pair.a.lever + pair.d * half),
            curvature,
            radii,
            size: sides.size,
            certified,
            points: [pair.a.point, pair.b.point],
            evaluations,
        }
    }
}

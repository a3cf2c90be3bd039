//! Ellipsoids in lanes, without powers and without a basis of the tangent plane.
//!
//! **Idea.** With `A = R diag(r²) Rᵀ` in world axes, `h(c) = √(c·A c)`, `p(c) = A c/h` and `∇²h = (A − p pᵀ)/h`. The sum
//! M of both Hessians annihilates c, so the Newton step on the tangent plane needs no basis:
//! `s = ((tr M + g) d_t − M d_t) / (I2(M) + g tr M + g²)` with the second invariant I2 (Cayley and Hamilton for the 2×2
//! block `M + g·I`).

use glam::DVec3;
use gritstone_core::lanes::{Lanes, Mask, Sym2, Sym3, Turn, Two, Vec3, WIDTH};
use gritstone_core::{Pose, Space, linalg};
use gritstone_shape::Support;
use gritstone_shape::space::Ellipsoid;

use super::gather::gather_both;
use super::kind::{Columns, Gathered, Jets, Kind, Pairs, Step, Tangential};
use super::rows::{JetRows, PairRows};
use super::step::boundary_step;
use crate::tolerance;

/// Ellipsoids with their poses, one array per quantity.
#[derive(Clone, Debug, Default)]
pub struct Ellipsoids {
    grains: Vec<(Ellipsoid, Pose<Space>)>,
    /// `R diag(r²) Rᵀ`: xx, yy, zz, xy, xz, yz.
    tensor: [Vec<f64>; 6],
    position: [Vec<f64>; 3],
    /// Size, and the scale of rounding errors of h.
    scale: [Vec<f64>; 2],
}

impl Ellipsoids {
    /// Number of grains.
    pub fn len(&self) -> usize {
        self.grains.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.grains.is_empty()
    }

    /// Adds a grain; its index is the number of those before it.
    pub fn push(&mut self, shape: &Ellipsoid, pose: &Pose<Space>) {
        self.grains.push((*shape, *pose));
        for column in self.tensor.iter_mut().chain(&mut self.position) {
            column.push(0.0);
        }
        let size = shape.size();
        self.scale[0].push(size);
        // Along the shortest axis, c·A c cancels down from the longest.
        self.scale[1].push(size * (size / shape.radii().min_element()));
        self.place(self.len() - 1, pose);
    }

    /// Moves a grain.
    pub fn place(&mut self, grain: usize, pose: &Pose<Space>) {
        let (shape, place) = &mut self.grains[grain];
        *place = *pose;
        let radii = shape.radii();
        let t = linalg::Sym3::diagonal(radii * radii).rotated(&pose.frame());
        for (column, number) in self.tensor.iter_mut().zip([t.xx, t.yy, t.zz, t.xy, t.xz, t.yz]) {
            column[grain] = number;
        }
        for (column, number) in self.position.iter_mut().zip(pose.position.to_array()) {
            column[grain] = number;
        }
    }
}

impl Kind for Ellipsoids {
    type Shape = Ellipsoid;
    type Pairs<L: Lanes> = EllipsoidPairs<L>;
    const PAIR_ROWS: usize = 17;

    #[inline(always)]
    fn gather<L: Lanes>(&self, columns: &Columns) -> Gathered<L, EllipsoidPairs<L>> {
        let [xx, yy, zz, xy, xz, yz]: [Two<L>; 6] = gather_both(&self.tensor, columns);
        let [x, y, z]: [Two<L>; 3] = gather_both(&self.position, columns);
        let [size, rounding]: [Two<L>; 2] = gather_both(&self.scale, columns);
        let offset = Vec3::new(x.1 - x.0, y.1 - y.0, z.1 - z.0);
        let pairs = EllipsoidPairs {
            a: Sym3::from_array([xx.0, yy.0, zz.0, xy.0, xz.0, yz.0]),
            b: Sym3::from_array([xx.1, yy.1, zz.1, xy.1, xz.1, yz.1]),
            offset,
            size: size.0.min(size.1),
            noise: L::splat(tolerance::ROUNDING) * (rounding.0.max(rounding.1) + offset.length()),
        };
        Gathered { pairs, offset, frame: None }
    }

    #[inline(always)]
    fn frame<L: Lanes>(&self, _: &[usize; WIDTH]) -> Option<Turn<L>> {
        None
    }

    fn shape(&self, grain: usize) -> &Ellipsoid {
        &self.grains[grain].0
    }

    fn pose(&self, grain: usize) -> Pose<Space> {
        self.grains[grain].1
    }

    fn centre(&self, grain: usize) -> DVec3 {
        self.grains[grain].1.position
    }
}

/// Eight pairs, in world axes.
pub struct EllipsoidPairs<L> {
    a: Sym3<L>,
    b: Sym3<L>,
    /// The centre of b from the centre of a.
    offset: Vec3<L>,
    /// Size of the smaller body.
    size: L,
    /// Rounding error of one evaluation of g.
    noise: L,
}

/// An evaluated direction of each pair.
pub struct EllipsoidJets<L> {
    g: L,
    c: Vec3<L>,
    x_a: Vec3<L>,
    x_b: Vec3<L>,
    /// M.
    hessian: Sym3<L>,
}

impl<L: Lanes> Pairs<L> for EllipsoidPairs<L> {
    type Jets = EllipsoidJets<L>;
    type Cubic = ();

    #[inline(always)]
    fn load(rows: &PairRows) -> Self {
        let mut from = rows.read();
        let (a, b) = (Sym3::from_array(from.reals()), Sym3::from_array(from.reals()));
        Self { a, b, offset: from.vec3(), size: from.real(), noise: from.real() }
    }

    #[inline(always)]
    fn store(&self, rows: &mut PairRows) {
        let mut to = rows.write();
        to.reals(self.a.to_array());
        to.reals(self.b.to_array());
        to.vec3(self.offset);
        to.reals([self.size, self.noise]);
    }

    #[inline(always)]
    fn scale(&self) -> (L, L) {
        (self.size, self.noise)
    }

    #[inline(always)]
    fn jets(&self, c: Vec3<L>) -> EllipsoidJets<L> {
        let (p_a, inverse_a) = support(self.a, c);
        let (p_b, inverse_b) = support(self.b, c);
        let x_b = self.offset - p_b;
        let hessian_b = self.b.minus_square(p_b) * inverse_b;
        let hessian = self.a.minus_square(p_a).mul_add(inverse_a, hessian_b);
        EllipsoidJets { g: c.dot(x_b - p_a), c, x_a: p_a, x_b, hessian }
    }

    #[inline(always)]
    fn cubic_jets(&self, c: Vec3<L>) -> (EllipsoidJets<L>, ()) {
        (self.jets(c), ())
    }

    #[inline(always)]
    fn third(&self, jets: &EllipsoidJets<L>, (): &(), along: Vec3<L>) -> (L, L) {
        let (third_a, change_a) = third(self.a, jets.x_a, jets.c, along);
        let (third_b, change_b) = third(self.b, self.offset - jets.x_b, jets.c, along);
        (third_a + third_b, change_a.max(change_b))
    }

    #[inline(always)]
    fn tangential(&self, jets: &EllipsoidJets<L>) -> Tangential<L> {
        let &EllipsoidJets { g, c, x_a, x_b, .. } = jets;
        let [u, v] = c.tangents();
        let d = x_b - x_a;
        let h_a = restricted_hessian(self.a, x_a, c, u, v);
        let h_b = restricted_hessian(self.b, self.offset - x_b, c, u, v);
        Tangential { g, c, x_a, x_b, h_a, h_b, d_t: [u.dot(d), v.dot(d)] }
    }

    #[inline(always)]
    fn difference(&self, c: Vec3<L>) -> Vec3<L> {
        self.offset - support(self.a, c).0 - support(self.b, c).0
    }
}

/// The support point along c, and 1/h.
#[inline(always)]
fn support<L: Lanes>(tensor: Sym3<L>, c: Vec3<L>) -> (Vec3<L>, L) {
    let y = tensor.apply(c);
    let inverse = L::splat(1.0) / c.dot(y).sqrt();
    (y * inverse, inverse)
}

/// Third derivative of −h along s, and |s| in the body's measure: `h' = p·s`, `h'' = (s·A s − h'²)/h`,
/// `h''' = −3 h' h''/h`.
#[inline(always)]
fn third<L: Lanes>(tensor: Sym3<L>, p: Vec3<L>, c: Vec3<L>, s: Vec3<L>) -> (L, L) {
    let inverse = L::splat(1.0) / c.dot(p);
    let (first, square) = (p.dot(s), s.dot(tensor.apply(s)));
    let second = first.neg_mul_add(first, square) * inverse;
    (L::splat(3.0) * first * second * inverse, square.sqrt() * inverse)
}

#[inline(always)]
fn restricted_hessian<L: Lanes>(tensor: Sym3<L>, p: Vec3<L>, c: Vec3<L>, u: Vec3<L>, v: Vec3<L>) -> Sym2<L> {
    (tensor.minus_square(p) * (L::splat(1.0) / c.dot(p))).restrict(u, v)
}

impl<L: Lanes> EllipsoidJets<L> {
    /// d across c.
    #[inline(always)]
    fn d_t(&self) -> Vec3<L> {
        self.c.mul_add(-self.g, self.x_b - self.x_a)
    }

    /// The minimiser on the circle, for lanes whose Newton step does not lie inside.
    #[inline(always)]
    fn boundary(&self, d_t: Vec3<L>, radius: L, lanes: L::Mask) -> Vec3<L> {
        let [u, v] = self.c.tangents();
        let model = self.hessian.restrict(u, v).plus_scalar(self.g);
        let s = boundary_step(model, [u.dot(d_t), v.dot(d_t)], radius, lanes);
        u.mul_add(s[0], v * s[1])
    }
}

impl<L: Lanes> Jets<L> for EllipsoidJets<L> {
    const ROWS: usize = 16;

    #[inline(always)]
    fn load(rows: &JetRows) -> Self {
        let mut from = rows.read();
        let (g, c, x_a, x_b) = (from.real(), from.vec3(), from.vec3(), from.vec3());
        Self { g, c, x_a, x_b, hessian: Sym3::from_array(from.reals()) }
    }

    #[inline(always)]
    fn store(&self, rows: &mut JetRows) {
        let mut to = rows.write();
        to.real(self.g);
        to.vec3(self.c);
        to.vec3(self.x_a);
        to.vec3(self.x_b);
        to.reals(self.hessian.to_array());
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            g: L::select(mask, yes.g, no.g),
            c: Vec3::select(mask, yes.c, no.c),
            x_a: Vec3::select(mask, yes.x_a, no.x_a),
            x_b: Vec3::select(mask, yes.x_b, no.x_b),
            hessian: Sym3::select(mask, yes.hessian, no.hessian),
        }
    }

    #[inline(always)]
    fn c(&self) -> Vec3<L> {
        self.c
    }

    #[inline(always)]
    fn g(&self) -> L {
        self.g
    }

    #[inline(always)]
    fn residual_squared(&self) -> L {
        let d_t = self.d_t();
        d_t.dot(d_t)
    }

    #[inline(always)]
    fn step(&self, radius: L, active: L::Mask) -> Step<L> {
        let (m, g, zero) = (self.hessian, self.g, L::splat(0.0));
        let d_t = self.d_t();
        let trace = m.trace();
        // Trace and determinant of the 2×2 block M + g·I.
        let (block_trace, determinant) = (trace + g + g, g.mul_add(trace + g, m.second_invariant()));
        let newton = (d_t * (trace + g) - m.apply(d_t)) * (L::splat(1.0) / determinant);
        let inside = zero.lt(determinant) & zero.lt(block_trace) & newton.dot(newton).le(radius * radius);
        let outside = active & !inside;
        let along = if outside.any() {
            Vec3::select(inside, newton, self.boundary(d_t, radius, outside))
        } else {
            newton
        };
        let squared = along.dot(along);
        let form = g.mul_add(squared, along.dot(m.apply(along)));
        Step { along, squared, predicted: L::splat(0.5).neg_mul_add(form, d_t.dot(along)) }
    }
}

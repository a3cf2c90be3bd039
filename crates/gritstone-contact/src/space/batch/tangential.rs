//! Newton's method on the tangent plane, in lanes.

use gritstone_core::lanes::{Lanes, Sym2, Vec3};

use super::kind::{Jets, Step, Tangential};
use super::rows::JetRows;
use super::step::{square, step};

impl<L: Lanes> Tangential<L> {
    /// Hessian of −g.
    #[inline(always)]
    pub(super) fn model(&self) -> Sym2<L> {
        (self.h_a + self.h_b).plus_scalar(self.g)
    }
}

impl<L: Lanes> Jets<L> for Tangential<L> {
    const ROWS: usize = 18;

    #[inline(always)]
    fn load(rows: &JetRows) -> Self {
        let mut from = rows.read();
        Self {
            g: from.real(),
            c: from.vec3(),
            x_a: from.vec3(),
            x_b: from.vec3(),
            h_a: from.sym2(),
            h_b: from.sym2(),
            d_t: from.reals(),
        }
    }

    #[inline(always)]
    fn store(&self, rows: &mut JetRows) {
        let mut to = rows.write();
        to.real(self.g);
        to.vec3(self.c);
        to.vec3(self.x_a);
        to.vec3(self.x_b);
        to.sym2(self.h_a);
        to.sym2(self.h_b);
        to.reals(self.d_t);
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            g: L::select(mask, yes.g, no.g),
            c: Vec3::select(mask, yes.c, no.c),
            x_a: Vec3::select(mask, yes.x_a, no.x_a),
            x_b: Vec3::select(mask, yes.x_b, no.x_b),
            h_a: Sym2::select(mask, yes.h_a, no.h_a),
            h_b: Sym2::select(mask, yes.h_b, no.h_b),
            d_t: [L::select(mask, yes.d_t[0], no.d_t[0]), L::select(mask, yes.d_t[1], no.d_t[1])],
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
        square(self.d_t)
    }

    #[inline(always)]
    fn step(&self, radius: L, active: L::Mask) -> Step<L> {
        let model = self.model();
        let s = step(model, self.d_t, radius, active);
        let bs = model.apply(s);
        let slope = self.d_t[0].mul_add(s[0], self.d_t[1] * s[1]);
        let [u, v] = self.c.tangents();
        Step {
            along: u.mul_add(s[0], v * s[1]),
            squared: square(s),
            predicted: L::splat(0.5).neg_mul_add(s[0].mul_add(bs[0], s[1] * bs[1]), slope),
        }
    }
}

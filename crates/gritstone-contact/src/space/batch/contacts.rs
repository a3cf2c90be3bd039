//! Contacts of eight pairs, from the lanes to the world.

use glam::DVec3;
use gritstone_core::lanes::{Lanes, Sym2, Turn, Vec3};
use gritstone_core::{Contact, Space};

use super::kind::Tangential;
use super::rows::Rows;
use super::step::solve;

/// Contacts of eight pairs, relative to the centres of their first bodies.
pub(super) struct Contacts<L> {
    x_a: Vec3<L>,
    x_b: Vec3<L>,
    normal: Vec3<L>,
    /// The direction that was evaluated last.
    direction: Vec3<L>,
    pub(super) gap: L,
    curvature: [L; 2],
}

impl<L: Lanes> Contacts<L> {
    /// Contacts by one more Newton step, taken to second order without evaluating it.
    #[inline(always)]
    pub(super) fn of(jets: &Tangential<L>) -> Self {
        let (s, definite) = solve(jets.model(), jets.d_t);
        let zero = L::splat(0.0);
        Self::after(jets, [L::select(definite, s[0], zero), L::select(definite, s[1], zero)])
    }

    /// Contacts after the step s.
    #[inline(always)]
    pub(super) fn after(jets: &Tangential<L>, s: [L; 2]) -> Self {
        let [u, v] = jets.c.tangents();
        let half_slope = L::splat(0.5) * jets.d_t[0].mul_add(s[0], jets.d_t[1] * s[1]);
        let (move_a, move_b) = (jets.h_a.apply(s), jets.h_b.apply(s));
        let normal = jets.c + u.mul_add(s[0], v * s[1]);
        Self {
            x_a: jets.x_a + u.mul_add(move_a[0], v * move_a[1]),
            x_b: jets.x_b - u.mul_add(move_b[0], v * move_b[1]),
            normal: normal * (L::splat(1.0) / normal.length()),
            direction: jets.c,
            gap: jets.g + half_slope,
            curvature: curvature(jets.h_a, jets.h_b),
        }
    }

    /// The same in world axes, if they are in a frame of their own.
    #[inline(always)]
    pub(super) fn in_world(self, frame: Option<&Turn<L>>) -> Self {
        let Some(frame) = frame else { return self };
        Self {
            x_a: frame.apply(self.x_a),
            x_b: frame.apply(self.x_b),
            normal: frame.apply(self.normal).renormalized(),
            direction: frame.apply(self.direction).renormalized(),
            ..self
        }
    }

    #[inline(always)]
    pub(super) fn to_rows(&self) -> ContactRows {
        let mut rows = Rows::ZERO;
        let mut to = rows.write();
        to.vec3(self.x_a);
        to.vec3(self.x_b);
        to.vec3(self.normal);
        to.vec3(self.direction);
        to.reals([self.gap, self.curvature[0], self.curvature[1]]);
        ContactRows(rows)
    }
}

/// Principal relative curvatures `eig(H_a⁻¹ + H_b⁻¹)`, smallest first; infinite at a corner.
#[inline(always)]
fn curvature<L: Lanes>(h_a: Sym2<L>, h_b: Sym2<L>) -> [L; 2] {
    let (det_a, det_b) = (h_a.determinant(), h_b.determinant());
    let product = det_a * det_b;
    let half = L::splat(0.5) * (h_a.trace() / det_a + h_b.trace() / det_b);
    let determinant = (h_a + h_b).determinant() / product;
    let high = half + half.mul_sub(half, determinant).max(L::splat(0.0)).sqrt();
    let corner = product.le(L::splat(0.0));
    let infinite = L::splat(f64::INFINITY);
    [L::select(corner, infinite, determinant / high), L::select(corner, infinite, high)]
}

/// [`Contacts`] in memory.
pub(super) struct ContactRows(Rows<15>);

impl ContactRows {
    fn vector(&self, row: usize, column: usize) -> DVec3 {
        DVec3::from_array([0, 1, 2].map(|i| self.0.0[row + i][column]))
    }

    /// The direction of a column that was evaluated last.
    pub(super) fn direction(&self, column: usize) -> DVec3 {
        self.vector(9, column)
    }

    /// The contact of a column, whose first body has its centre at `origin`.
    pub(super) fn contact(&self, column: usize, origin: DVec3) -> Contact<Space> {
        Contact {
            point_a: origin + self.vector(0, column),
            point_b: origin + self.vector(3, column),
            normal: self.vector(6, column),
            gap: self.0.0[12][column],
            curvature: [self.0.0[13][column], self.0.0[14][column]],
        }
    }
}

//! Two bodies in space as one function of direction, with its derivatives.
//!
//! **Notation.** As in [`pair`](crate::pair). d_t: the part of d across c, the gradient of g on the sphere. H_a, H_b: Hessians
//! of the support functions on the tangent plane; that of g is `−(H_a + H_b) − g·I`.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Space};
use gritstone_shape::{Jet, Support};

/// Two placed bodies, ready to be evaluated in any direction.
pub type Pair<'s, A, B> = crate::pair::Pair<'s, Space, A, B>;
/// A point of each body: together, a point of the Minkowski difference.
pub type PointPair = crate::pair::PointPair<Space>;
/// One evaluated direction.
pub type Sample = crate::pair::Sample<Space>;

/// Largest turn of a converged direction that the second-order model is trusted with (rad).
pub(crate) const LARGEST_TURN: f64 = 1e-3;

/// One evaluated direction with derivatives on the tangent plane.
#[derive(Clone, Copy, Debug)]
pub struct PairJet {
    /// The evaluation.
    pub sample: Sample,
    /// Basis of the tangent plane of the sphere at c.
    pub tangent: Tangent,
    /// Hessian of the support function of a.
    pub h_a: Sym2,
    /// Hessian of the support function of b.
    pub h_b: Sym2,
    /// d across c: the gradient of g.
    pub d_t: DVec2,
}

impl<A: Support<Space> + ?Sized, B: Support<Space> + ?Sized> Pair<'_, A, B> {
    /// Sum of the radii of balls that fit into the bodies and touch the two support points from within. They are the larger the
    /// closer the distance of their centres, less the radii, comes to g.
    pub(crate) fn nested_balls(&self, sample: &Sample) -> f64 {
        let Sample { c, x_a, x_b, g, .. } = *sample;
        let (in_a, in_b) = (self.frame_a.transpose(), self.frame_b.transpose());
        let ball_a = self.a.nested_ball(in_a * c, in_a * x_a, -g).max(self.a.rolling_ball());
        ball_a + self.b.nested_ball(in_b * -c, in_b * (x_b - self.offset), -g).max(self.b.rolling_ball())
    }

    /// The largest relative change that a small step across `c` makes to what the Hessian of g depends on, where it is known.
    pub(crate) fn change(&self, c: DVec3, step: DVec3) -> Option<f64> {
        let (in_a, in_b) = (self.frame_a.transpose(), self.frame_b.transpose());
        Some(self.a.change(in_a * c, in_a * step)?.max(self.b.change(in_b * -c, in_b * -step)?))
    }

    /// Evaluates the unit direction `c` with derivatives.
    #[inline]
    pub fn jet(&self, c: DVec3) -> PairJet {
        self.jet_local(c, self.frame_a.transpose() * c, self.frame_b.transpose() * -c)
    }

    /// Evaluates the direction whose outward normals in the bodies' own frames are `n_a` and `n_b`. Near a flat face
    /// the point depends on components of the normal that are too small to survive a rotation.
    #[inline]
    pub fn jet_local(&self, c: DVec3, n_a: DVec3, n_b: DVec3) -> PairJet {
        self.assemble(c, &self.a.jet(n_a), &self.b.jet(n_b))
    }

    #[inline]
    fn assemble(&self, c: DVec3, jet_a: &Jet<Space>, jet_b: &Jet<Space>) -> PairJet {
        let Jet { point: p_a, hessian: h_a } = *jet_a;
        let Jet { point: p_b, hessian: h_b } = *jet_b;
        let sample = Sample::new(c, self.frame_a * p_a, self.frame_b * p_b + self.offset);
        let tangent = Tangent::across(c);
        PairJet {
            sample,
            tangent,
            h_a: tangent.restrict(&h_a, &self.frame_a),
            h_b: tangent.restrict(&h_b, &self.frame_b),
            d_t: tangent.project(sample.d),
        }
    }
}

impl PairJet {
    /// What to start from when the best of several is looked for.
    pub(crate) fn nowhere() -> Self {
        let sample = Sample::nowhere();
        let tangent = Tangent::across(DVec3::Z);
        Self { sample, tangent, h_a: Sym2::default(), h_b: Sym2::default(), d_t: DVec2::ZERO }
    }

    /// Hessian of −g on the tangent plane: `H_a + H_b + g·I`.
    pub fn model(&self) -> Sym2 {
        self.h_a + self.h_b + Sym2::scalar(self.sample.g)
    }

    /// The contact by one more Newton step, taken to second order without evaluating it: the depth gains
    /// `½ d_t·s`, the direction turns by s and the points move by H·s. Right to rounding once d_t is small.
    pub fn contact<A: ?Sized, B: ?Sized>(&self, pair: &Pair<'_, A, B>) -> Contact<Space> {
        let Sample { c, x_a, x_b, g, .. } = self.sample;
        let s = self.model().solve(self.d_t);
        // Corner against corner there is no curvature, and the step is anything; NaN fails the test, too.
        let s = if s.length() < LARGEST_TURN { s } else { DVec2::ZERO };
        let normal = (c + self.tangent.lift(s)).normalize();
        let gap = g + 0.5 * self.d_t.dot(s);
        let x_a = x_a + self.tangent.lift(self.h_a * s);
        let x_b = x_b - self.tangent.lift(self.h_b * s);
        pair.contact(normal, gap, x_a, x_b, self.curvature())
    }

    /// Principal relative curvatures of the two surfaces, smallest first.
    pub fn curvature(&self) -> [f64; 2] {
        relative_curvature(&self.h_a, &self.h_b)
    }
}

/// Principal relative curvatures `eig(H_a⁻¹ + H_b⁻¹)` of surfaces with these radii of curvature, smallest first;
/// infinite across an edge, and both of them at a corner.
pub(crate) fn relative_curvature(h_a: &Sym2, h_b: &Sym2) -> [f64; 2] {
    // In the form H_a⁻¹ (H_a + H_b) H_b⁻¹, which needs no inverse: trace and determinant.
    // Of an edge the determinant is zero but for rounding, on either side.
    let [det_a, det_b] = [h_a, h_b].map(|h| {
        let determinant = h.determinant();
        if determinant > 4.0 * f64::EPSILON * h.trace() * h.trace() { determinant } else { 0.0 }
    });
    let product = det_a * det_b;
    if product > 0.0 {
        let half = 0.5 * (h_a.trace() / det_a + h_b.trace() / det_b);
        let determinant = (*h_a + *h_b).determinant() / product;
        let high = half + (half * half - determinant).max(0.0).sqrt();
        return [determinant / high, high];
    }
    // An edge bends along itself alone, and so does the other surface as far as that goes.
    let (edge, other, det_other) = if det_a > 0.0 { (h_b, h_a, det_a) } else { (h_a, h_b, det_b) };
    let along = edge.trace();
    if along <= 0.0 || det_other <= 0.0 {
        return [f64::INFINITY; 2];
    }
    let ([_, _], across) = edge.eigen();
    let inverse_along = other.form(across) / det_other;
    [along.recip() + inverse_along, f64::INFINITY]
}

impl<A: ?Sized, B: ?Sized> Pair<'_, A, B> {
    /// The contact at an evaluated direction, seen along which it lies midway between the points of `witness`. The two
    /// points of the contact are on the support planes, so that they lie apart along the normal by the gap exactly.
    pub(crate) fn contact_at(
        &self,
        sample: &Sample,
        witness: PointPair,
        curvature: [f64; 2],
    ) -> Contact<Space> {
        let middle = 0.5 * (witness.x_a + witness.x_b);
        let x_a = middle + sample.c * sample.c.dot(sample.x_a - middle);
        self.contact(sample.c, sample.g, x_a, x_a + sample.c * sample.g, curvature)
    }
}

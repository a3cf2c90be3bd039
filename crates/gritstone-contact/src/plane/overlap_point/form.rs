//! f_i along the curve j: eqs (3.1) to (3.4).

use glam::{DMat2, DVec2};

use super::super::oval::Oval;

/// The inside-outside function of ellipse i at the points of ellipse j.
///
/// As a function of θ_j it is a trigonometric polynomial of degree two: it has one or two minima in a turn.
#[derive(Clone, Copy, Debug)]
pub struct OverlapForm {
    i: Oval,
    j: Oval,
    turn: DMat2,
    offset: DVec2,
}

impl OverlapForm {
    /// f_i at the points of j.
    pub fn new(i: &Oval, j: &Oval) -> Self {
        // (3.2): (Rot(z, Δφ))ᵀ with Δφ = φ_i − φ_j, from the axes of j to those of i.
        let turn = gritstone_core::angle::matrix(j.angle - i.angle);
        // (3.3): <ΔX, ΔY>, the centre of j in the axes of i.
        let offset = gritstone_core::angle::matrix(-i.angle) * (j.centre - i.centre);
        Self { i: *i, j: *j, turn, offset }
    }

    /// f_i(X_i(θ_j), Y_i(θ_j)): eq. (3.4).
    pub fn value(&self, theta: f64) -> f64 {
        self.scaled(self.j.point(theta), self.offset).length_squared() - 1.0
    }

    /// First and second derivative of [`value`](Self::value).
    pub fn derivatives(&self, theta: f64) -> [f64; 2] {
        let (point, tangent) = (self.j.point(theta), self.j.tangent(theta));
        let s = self.scaled(point, self.offset);
        let s1 = self.scaled(tangent, DVec2::ZERO);
        let s2 = self.scaled(-point, DVec2::ZERO);
        [2.0 * s.dot(s1), 2.0 * (s1.length_squared() + s.dot(s2))]
    }

    /// `(X_i/a_i, Y_i/b_i)` of a vector in the axes of j: eq. (3.2).
    fn scaled(&self, vector: DVec2, offset: DVec2) -> DVec2 {
        (self.turn * vector + offset) / self.i.semi_axes
    }
}

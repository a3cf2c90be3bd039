//! Where two ellipses cross, in fixed axes: appendix B.
//!
//! **Idea.** A common point of the curves has a parameter on each: two equations in two unknowns, for Newton's method.
//!
//! **Source.** \[martinez2003\], appendix B, of which the thesis says that it has not been proved yet.
//!
//! **Notation.** θ_i, θ_j: parameters. `(F, G)`: difference of the two points, eq. (B.4).
//!
//! **Deviations.** In eq. (B.4 b) the subscripts B stand for j. Without a crossing there is nothing to converge to, and
//! at an inner or outer tangent the Jacobian is singular and convergence linear: iterations are limited. The thesis asks
//! for initial guesses in [0, 2π) and does not say which: [`crossings`] takes a grid of them.
//!
//! **Fails when** a crossing attracts no start. Both of two crossings were found in every pair tried.
//!
//! **Cost.** Two sines and cosines and a 2×2 system per iteration; about 8 iterations from a start that converges.

use std::f64::consts::TAU;

use glam::{DMat2, DVec2};

use super::oval::Oval;

/// Starts of the grid for each parameter. Odd for one of them, so that few lie on a symmetry line of the pair.
const STARTS: [u32; 2] = [12, 11];
/// Crossings closer than this, relative to the smaller ellipse, are the same: at a tangent Newton's method leaves the
/// square root of rounding.
const SAME: f64 = 1e-5;

/// Newton's method and when it ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Iterations from one start.
    pub iterations: u32,
    /// Converged when (F, G) is shorter than this, relative to the smaller ellipse.
    pub tolerance: f64,
}

impl Default for Newton {
    fn default() -> Self {
        Self { iterations: 60, tolerance: 1e-12 }
    }
}

/// A point that two curves have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// θ_i and θ_j, in [0, 2π).
    pub parameters: [f64; 2],
    /// The point in fixed axes.
    pub point: DVec2,
    /// Newton steps to it.
    pub iterations: u32,
}

impl Newton {
    /// Follows one start; nothing where it does not converge.
    pub fn crossing(&self, a: &Oval, b: &Oval, start: [f64; 2]) -> Option<Crossing> {
        let size = a.semi_axes.max_element().min(b.semi_axes.max_element());
        let mut theta = DVec2::from_array(start);
        for iterations in 0..=self.iterations {
            let point = a.to_fixed(a.point(theta.x));
            let difference = point - b.to_fixed(b.point(theta.y)); // (B.4 a), (B.4 b)
            if difference.length() <= self.tolerance * size {
                let parameters = [theta.x, theta.y].map(|t| t.rem_euclid(TAU));
                return Some(Crossing { parameters, point, iterations });
            }
            let jacobian = DMat2::from_cols(a.turn(a.tangent(theta.x)), -b.turn(b.tangent(theta.y)));
            if jacobian.determinant() == 0.0 {
                return None;
            }
            theta -= jacobian.inverse() * difference;
        }
        None
    }
}

/// All crossings that a grid of starts leads to, in the order of θ_i.
pub fn crossings(a: &Oval, b: &Oval) -> Vec<Crossing> {
    let size = a.semi_axes.max_element().min(b.semi_axes.max_element());
    let newton = Newton::default();
    let mut found: Vec<Crossing> = Vec::new();
    for k in 0..STARTS[0] * STARTS[1] {
        let start = [k / STARTS[1], k % STARTS[1]];
        let start = [0, 1].map(|i| TAU * f64::from(start[i]) / f64::from(STARTS[i]));
        let Some(crossing) = newton.crossing(a, b, start) else { continue };
        if found.iter().all(|known| known.point.distance(crossing.point) > SAME * size) {
            found.push(crossing);
        }
    }
    found.sort_by(|x, y| x.parameters[0].total_cmp(&y.parameters[0]));
    found
}

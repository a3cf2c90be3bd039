//! Balls inside a superellipsoid that touch its surface.
//!
//! **Idea.** Let a convex function f be one on the surface and less inside, with the gradient ∇f = |∇f| n at the point x of
//! the surface, and let none of its second derivatives exceed L in a ball of radius ρ that touches there. A point x + s of
//! that ball has `n·s ≤ −|s|²/2ρ`, so that `f(x + s) ≤ 1 + ∇f·s + ½ L|s|² ≤ 1` as long as `ρ ≤ |∇f|/L`: the ball is inside.
//!
//! **Notation.** `p = 2/ε1`, `q = 2/ε2`; `u = |x|/r`, σ the power norm of u1 and u2, N that of σ and u3: the gauge.
//! `F = N^q` is the inside-outside function. At the surface `∇N = n/h(n)` and `∇F = q n/h(n)`.

use glam::DVec3;

use super::Superellipsoid;

/// L/q of F in the whole body; infinite where an exponent exceeds one, since the surface has sharp edges then.
///
/// F = σ^q + u3^q. Of p = q it is a sum of powers, with second derivatives up to p (p − 1); otherwise what is left of
/// `q σ^(q−1) ∇²σ + q (q − 1) σ^(q−2) ∇σ∇σᵀ` is bounded by `|∇σ| ≤ 1` and `∇²σ ≤ (p − 1)/σ`.
pub(super) fn bend(radii: DVec3, [e1, e2]: [f64; 2]) -> f64 {
    if e1.max(e2) > 1.0 {
        return f64::INFINITY;
    }
    let (p, q) = (2.0 / e1, 2.0 / e2);
    let across = radii.x.min(radii.y);
    ((p.max(q) - 1.0) / (across * across)).max((q - 1.0) / (radii.z * radii.z))
}

impl Superellipsoid {
    /// The radius `wanted` if a ball of it is known to be inside where it touches the surface at x, from what the second
    /// derivatives of N are in that ball; otherwise zero.
    pub(super) fn ball_at(&self, n: DVec3, x: DVec3, wanted: f64) -> f64 {
        let ([e1, e2], radii) = (self.exponents(), self.radii());
        let (p, q) = (2.0 / e1, 2.0 / e2);
        let middle = (x - n * wanted).abs();
        let [low, high] = [-wanted, wanted].map(|r| ((middle + r) / radii).max(DVec3::ZERO));
        let [sigma_low, sigma_high] = [low, high].map(|u| norm(p, u.x, u.y));
        let lowest = norm(q, sigma_low, low.z);
        // ∇²N is that of the outer norm along the change of (σ, u3), plus ∂N/∂σ = (σ/N)^(q−1) times ∇²σ.
        let widest = if p >= 2.0 { 1.0 } else { 2.0 };
        let outer = second(q, [sigma_low, low.z], [sigma_high, high.z]) / lowest;
        let sigma = if q >= 2.0 { sigma_high } else { sigma_low };
        let inner = second(p, [low.x, low.y], [high.x, high.y])
            * libm::pow(sigma, q - 2.0)
            * libm::pow(lowest, 1.0 - q);
        let smallest = radii.min_element();
        let bend = (widest * outer + inner) / (smallest * smallest);
        if wanted * n.dot(x) * bend <= 1.0 { wanted } else { 0.0 }
    }
}

/// The power norm of two numbers.
fn norm(p: f64, a: f64, b: f64) -> f64 {
    let (m, l) = (a.max(b), a.min(b));
    if m == 0.0 { 0.0 } else { m * libm::pow(1.0 + libm::pow(l / m, p), 1.0 / p) }
}

/// The largest second derivative of the power norm of two numbers between `low` and `high`, times the norm: with w the
/// ratio of the smaller to the larger it is `(p − 1) (1 + w²) w^(p−2) (1 + w^p)^(2/p−2)`, for p ≥ 2 no more than p − 1.
fn second(p: f64, low: [f64; 2], high: [f64; 2]) -> f64 {
    let least = (low[0] / high[1]).min(low[1] / high[0]).min(1.0);
    let most = (high[0] / low[1]).min(high[1] / low[0]).min(1.0);
    let at =
        if p >= 2.0 { (2.0 * libm::pow(most, p - 2.0)).min(1.0) } else { 2.0 * libm::pow(least, p - 2.0) };
    (p - 1.0) * at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Implicit, Support};

    /// Points of the ball, seen from its centre, must be inside.
    #[test]
    fn balls_are_inside() {
        let mut found = 0;
        for (radii, exponents) in [
            (DVec3::new(1.0, 1.0, 1.0), [0.1, 0.1]),
            (DVec3::new(1.0, 0.4, 0.7), [0.3, 0.6]),
            (DVec3::new(0.5, 1.0, 2.0), [0.8, 1.0]),
            (DVec3::new(0.5, 1.0, 0.3), [1.5, 0.2]),
            (DVec3::new(1.0, 1.0, 1.0), [1.9, 1.7]),
            (DVec3::new(1.0, 1.2, 0.8), [0.4, 1.6]),
        ] {
            let shape = Superellipsoid::new(radii, exponents).unwrap();
            let direction = |i: u32| {
                let (z, turn) = (1.0 - (2.0 * f64::from(i) + 1.0) / 300.0, 2.4 * f64::from(i));
                DVec3::new(turn.cos(), turn.sin(), 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z
            };
            for n in (0..300).map(direction) {
                let x = shape.support(n);
                for wanted in [1e-3, 1e-2, 0.1, 0.3] {
                    let ball = shape.nested_ball(n, x, wanted);
                    found += u32::from(ball > 0.0);
                    for u in (0..300).map(direction) {
                        let gauge = shape.gauge(x - n * ball + u * ball);
                        assert!(gauge <= 1.0 + 1e-12, "{exponents:?} {n} {wanted}: {gauge}");
                    }
                }
            }
        }
        assert!(found > 3000, "{found}");
    }
}

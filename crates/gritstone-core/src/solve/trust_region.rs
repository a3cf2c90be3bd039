//! The exact step of a trust-region method in two unknowns.

use glam::DVec2;

use crate::linalg::Sym2;

/// Iterations of the secular equation; Newton's method on 1/|s| is nearly linear in it and needs two or three.
const SECULAR_ITERATIONS: usize = 30;

/// Minimiser of the model `½ sᵀ B s − gᵀ s` over `|s| ≤ radius`, for any symmetric B.
///
/// Moré and Sorensen 1983: `(B + λI) s = g` with λ ≥ max(0, −λ_min), `λ (radius − |s|) = 0`, solved in the
/// eigenbasis of B. In the hard case (g has no part along the lowest eigenvector) the step goes to the boundary
/// along that vector.
pub fn step(b: Sym2, g: DVec2, radius: f64) -> DVec2 {
    let ([low, high], e) = b.eigen();
    let (e1, e2) = (e, e.perp());
    let (g1, g2) = (e1.dot(g), e2.dot(g));
    let at = |lambda: f64| DVec2::new(g1 / (low + lambda), g2 / (high + lambda));
    if low > 0.0 {
        let s = at(0.0);
        if s.length_squared() <= radius * radius {
            return e1 * s.x + e2 * s.y;
        }
    }
    // On the boundary: λ in (−low, ∞); start where each term alone fills the radius.
    let floor = (-low).max(0.0);
    let mut lambda = floor.max(g1.abs() / radius - low).max(g2.abs() / radius - high);
    let scale = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
    if lambda <= floor + f64::EPSILON * scale {
        let along = if g1 < 0.0 { -1.0 } else { 1.0 };
        let s2 = if high + floor > f64::EPSILON * scale { g2 / (high + floor) } else { 0.0 };
        let s1 = (radius * radius - s2 * s2).max(0.0).sqrt() * along;
        return e1 * s1 + e2 * s2;
    }
    for _ in 0..SECULAR_ITERATIONS {
        let s = at(lambda);
        let length = s.length();
        let excess = length / radius - 1.0;
        if excess.abs() < 1e-3 {
            break;
        }
        let slope = s.x * s.x / (low + lambda) + s.y * s.y / (high + lambda);
        lambda = (lambda + excess * length * length / slope).max(floor);
    }
    let s = at(lambda);
    e1 * s.x + e2 * s.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn model(b: Sym2, g: DVec2, s: DVec2) -> f64 {
        0.5 * b.form(s) - g.dot(s)
    }

    proptest! {
        /// No point of a fine polar grid of the disc is better than the step.
        #[test]
        fn step_is_the_minimiser(xx in -2.0..2.0, yy in -2.0..2.0, xy in -2.0..2.0,
                                 gx in -1.0..1.0, gy in -1.0..1.0, radius in 0.01..2.0) {
            let (b, g) = (Sym2 { xx, yy, xy }, DVec2::new(gx, gy));
            let s = step(b, g, radius);
            prop_assert!(s.length() <= radius * 1.002);
            let best = (0..=20)
                .flat_map(|i| (0..90).map(move |k| (f64::from(i) / 20.0, f64::from(k) * 4.0_f64.to_radians())))
                .map(|(r, t)| model(b, g, DVec2::from_angle(t) * r * radius))
                .fold(f64::INFINITY, f64::min);
            let scale = radius * (g.length() + radius * 4.0);
            prop_assert!(model(b, g, s) <= best + 4e-3 * scale, "{} > {best}", model(b, g, s));
        }
    }

    #[test]
    fn hard_case_goes_to_the_boundary() {
        let s = step(Sym2 { xx: -1.0, yy: 2.0, xy: 0.0 }, DVec2::new(0.0, 0.3), 0.5);
        assert!((s.length() - 0.5).abs() < 1e-12 && s.x.abs() > 0.1);
    }
}

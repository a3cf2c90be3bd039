//! The effective radius of Hertz's elliptic contact, exactly.
//!
//! **Source.** \[johnson1985\] eqs. (4.26) to (4.28).

use std::f64::consts::{FRAC_PI_2, PI};

/// R* with which `4/3·Y*·√R*·δ^(3/2)` is the force on surfaces with these relative curvatures, the smaller one first.
pub(super) fn radius([small, large]: [f64; 2]) -> f64 {
    // The ratio of the curvatures grows as the ellipse becomes longer.
    let (mut low, mut high) = (1e-6, 1.0 - 1e-12);
    while high - low > 1e-13 {
        let axis = 0.5 * (low + high);
        let [k, l] = contact(axis).0;
        if l / k > large / small { low = axis } else { high = axis }
    }
    let ([k, l], depth, force) = contact(0.5 * (low + high));
    let root = 0.75 * force / (depth * depth.sqrt());
    root * root * (k + l) / (small + large)
}

/// Contact on an ellipse with the half-axes 1 and b, with Y* as its peak pressure: curvatures, depth, force.
fn contact(b: f64) -> ([f64; 2], f64, f64) {
    let m = 1.0 - b * b;
    let (k, e) = complete(m);
    let curvatures = [(k - e) * b / m, (e / (b * b) - k) * b / m].map(|half| 2.0 * half);
    (curvatures, b * k, 2.0 * PI * b / 3.0)
}

/// Complete elliptic integrals K and E of the parameter m, by the arithmetic–geometric mean.
fn complete(m: f64) -> (f64, f64) {
    let (mut a, mut g, mut sum, mut power) = (1.0, (1.0 - m).sqrt(), 0.5 * m, 0.5);
    while f64::abs(a - g) > 1e-15 {
        let half = 0.5 * (a - g);
        (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
        power *= 2.0;
        sum += power * half * half;
    }
    let k = FRAC_PI_2 / a;
    (k, k * (1.0 - sum))
}

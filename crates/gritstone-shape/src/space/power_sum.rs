//! The equation behind three-exponent superquadrics: the factor that scales three numbers so that their powers add up
//! to one.
//!
//! **Idea.** `ψ(t) = ln Σ (eᵗ w_i)^p_i` is convex, and rises with a slope between the least and the largest p. With the
//! largest w equal to one its root lies at t ≤ 0, so Newton's method from t = 0 falls to the root and never passes it.
//! There is nothing to guard against but rounding, where it stops.
//!
//! **Cost.** Three powers and a logarithm per step; three to five steps.

use glam::DVec3;

/// Relative change of a term below which its square is lost in rounding.
const LINEAR: f64 = 1e-9;
/// More steps than any exponents from 1.001 to 1000 take.
const MAX_STEPS: usize = 100;

/// A root of the equation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PowerSum {
    /// The scaled numbers `μ w_i`, between zero and one.
    pub(crate) scaled: DVec3,
    /// Their powers `(μ w_i)^p_i`, which add up to one.
    pub(crate) terms: DVec3,
    /// The factor μ over the largest of the numbers that were given.
    pub(crate) factor: f64,
}

impl PowerSum {
    /// Finds the factor for which `Σ (factor · v_i)^p_i = 1`. The numbers are not negative and not all zero.
    pub(crate) fn solve(v: DVec3, p: DVec3) -> Self {
        let largest = v.max_element();
        let w = v / largest;
        let mut factor = 1.0;
        for _ in 0..MAX_STEPS {
            let scaled = w * factor;
            let terms =
                DVec3::new(libm::pow(scaled.x, p.x), libm::pow(scaled.y, p.y), libm::pow(scaled.z, p.z));
            let sum = terms.element_sum();
            let step = -libm::log(sum) * sum / p.dot(terms);
            let change = p * step;
            if change.abs().max_element() < LINEAR {
                return Self {
                    scaled: scaled * (1.0 + step),
                    terms: terms * (1.0 + change),
                    factor: factor * (1.0 + step) / largest,
                };
            }
            factor *= libm::exp(step);
        }
        // Exponents beyond all use: what rounding allows.
        let scaled = w * factor;
        let terms = DVec3::new(libm::pow(scaled.x, p.x), libm::pow(scaled.y, p.y), libm::pow(scaled.z, p.z));
        Self { scaled, terms, factor: factor / largest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn powers_add_up_to_one(
            v in (0.0..1.0, 0.0..1.0, 1e-3..1.0),
            p in (0.001..3.0, 0.001..3.0, 0.001..3.0_f64),
            scale in -30.0..30.0,
        ) {
            // Exponents from 1.001 to 1001.
            let p = DVec3::from(p).map(|x| 1.0 + 10.0_f64.powf(2.0 * x - 3.0));
            let v = DVec3::from(v) * 10.0_f64.powf(scale);
            let root = PowerSum::solve(v, p);
            prop_assert!((root.terms.element_sum() - 1.0).abs() < 1e-15);
            prop_assert!((v * root.factor - root.scaled).abs().max_element() < 1e-15);
            for i in 0..3 {
                let power = root.scaled[i].powf(p[i]);
                prop_assert!((power - root.terms[i]).abs() <= 4e-16 * p[i], "{power} {}", root.terms[i]);
            }
        }
    }
}

//! Dirichlet's integrals, in which moments of superellipses and superellipsoids are products.

use libm::tgamma;

/// `G(α, β) = Γ(1+α) Γ(1+β) / Γ(1+α+β)`, which is one for α or β = 0.
pub(crate) fn ratio(alpha: f64, beta: f64) -> f64 {
    tgamma(1.0 + alpha) * tgamma(1.0 + beta) / tgamma(1.0 + alpha + beta)
}

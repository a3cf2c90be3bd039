//! How flat a contact is: whether a law should look at its patch or at its point.

/// Relative curvature times size up to which smooth bodies count as flat.
pub(crate) const FLAT: f64 = 0.05;
/// Relative curvature times size from which they count as curved.
const CURVED: f64 = 0.5;

/// One up to [`FLAT`], zero from [`CURVED`] on, in the logarithm of relative curvature times the smaller body's size.
pub(crate) fn weight(curvature: f64) -> f64 {
    let t = (libm::log(CURVED / curvature) / libm::log(CURVED / FLAT)).clamp(0.0, 1.0);
    if t.is_nan() { 1.0 } else { t * t * (3.0 - 2.0 * t) }
}

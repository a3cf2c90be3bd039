//! Every tolerance of the contact methods, each a fraction of the smaller grain's size unless it says otherwise.

/// Width allowed between the bounds of a certified gap.
pub const CERTIFICATE: f64 = 1e-9;

/// A direction is converged when the part of d across it (the distance between the two support points, measured in
/// the tangent plane) is below this.
pub const CONVERGENCE: f64 = 1e-12;

/// A witness point is taken from the converged direction itself when d across it is below this; otherwise the
/// surfaces are too flat for the direction to determine the point, and the middle of the contact region is taken.
pub const WITNESS: f64 = 1e-7;

/// Rounding errors of one evaluation of g, as a multiple of the larger grain's size plus the centres' distance.
pub const ROUNDING: f64 = 8.0 * f64::EPSILON;

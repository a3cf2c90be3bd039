//! The surface parameters φ1, φ2 of a superellipsoid: eqs (2), (3) and (4) of [wellmann2008], in both directions.
//!
//! **Idea.** Barr's parameters turn the sphere's angles into a surface point by powers of their sines and cosines.
//! The normals trace the same kind of surface with radii `1/r_i` and exponents `2 − ε_i`, so that one pair of
//! functions, [`trace`] and its inverse [`angles`], serves points and normals alike.
//!
//! **Notation.** `−π ≤ φ1 < π` turns about x3, `−π/2 ≤ φ2 ≤ π/2` is the latitude; `δ_i = 1/(2 − ε_i)`.
//!
//! **Deviations.** The arc tangents see only ratios, so components are divided by the largest of them before they
//! are raised to powers that would overflow. On the x3 axis, where eq. (4) reads 0/0, φ1 is 0. The doubles nearest to
//! the multiples of π/2 stand for those multiples: their sine or cosine counts as zero, not as 6e-17, whose power 0.1
//! is 0.02.
//!
//! **Fails when** the point is close to a coordinate plane: angles near π/2 or π resolve 1e-16 and no less, so that
//! `surface_point(angles_of_normal(n))` loses digits for small ε, and the normal loses them for ε near 2, which
//! `support(n)` keeps.
//!
//! **Cost.** Nine powers, four sines and cosines and two arc tangents from normal to point; `support(n)` takes four
//! powers.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec3;

use super::Superellipsoid;

/// Sines and cosines below this are those of the doubles nearest to multiples of π/2, which stand for the multiples.
const ROUNDED_ZERO: f64 = 1.3e-16;

impl Superellipsoid {
    /// Surface point of the parameters `[φ1, φ2]`: eq. (2).
    pub fn surface_point(&self, phi: [f64; 2]) -> DVec3 {
        self.radii() * trace(phi, self.exponents()) // [wellmann2008] eq. (2)
    }

    /// Outward normal at the parameters `[φ1, φ2]`, not normalised: eq. (3).
    pub fn surface_normal(&self, phi: [f64; 2]) -> DVec3 {
        let [e1, e2] = self.exponents();
        trace(phi, [2.0 - e1, 2.0 - e2]) / self.radii() // [wellmann2008] eq. (3)
    }

    /// Parameters `[φ1, φ2]` of the surface point with the outward normal `n`, of any length but zero: eq. (4).
    pub fn angles_of_normal(&self, n: DVec3) -> [f64; 2] {
        let [e1, e2] = self.exponents();
        angles(self.radii() * n, [2.0 - e1, 2.0 - e2]) // [wellmann2008] eq. (4), the inverse of (3)
    }

    /// Parameters `[φ1, φ2]` of a surface point: the inverse of eq. (2). Any other point but the origin is taken to
    /// the surface along its ray.
    pub fn angles_of_point(&self, x: DVec3) -> [f64; 2] {
        angles(x / self.radii(), self.exponents())
    }
}

/// `(C1^η1 C2^η2, S1^η1 C2^η2, S2^η2)` with the cosines C and sines S of the angles and powers that keep the sign.
fn trace([phi_1, phi_2]: [f64; 2], [eta_1, eta_2]: [f64; 2]) -> DVec3 {
    let ((s_1, c_1), (s_2, c_2)) = (sin_cos(phi_1), sin_cos(phi_2));
    let across = power(c_2.abs(), eta_2);
    DVec3::new(power(c_1, eta_1) * across, power(s_1, eta_1) * across, power(s_2, eta_2))
}

/// The angles at which [`trace`] points along `u`.
fn angles(u: DVec3, [eta_1, eta_2]: [f64; 2]) -> [f64; 2] {
    let (u_1, u_2, u_3) = (u.x.abs(), u.y.abs(), u.z.abs());
    let equator = u_1.max(u_2);
    if equator == 0.0 {
        return [0.0, FRAC_PI_2.copysign(u.z)];
    }
    let (delta_1, delta_2) = (eta_1.recip(), eta_2.recip());
    let phi_1 = libm::atan2(power(u.y / equator, delta_1), power(u.x / equator, delta_1)); // eq. (4), first line
    let (sine, cosine) = sin_cos(phi_1);
    // eq. (4), second and third line: the larger of the two components, which fixes the latitude best.
    let latitude = u_3 * power(if u_1 > u_2 { cosine.abs() } else { sine.abs() }, eta_1);
    let scale = equator.max(latitude);
    let phi_2 = libm::atan2(power(latitude / scale, delta_2).copysign(u.z), power(equator / scale, delta_2));
    [if phi_1 == PI { -PI } else { phi_1 }, phi_2]
}

/// Sine and cosine of an angle; exact at the multiples of π/2 that the parameters range over.
fn sin_cos(phi: f64) -> (f64, f64) {
    let (sine, cosine) = libm::sincos(phi);
    let exact = |x: f64| if x.abs() < ROUNDED_ZERO { 0.0 } else { x };
    (exact(sine), exact(cosine))
}

/// `sgn(x) |x|^e`.
fn power(x: f64, e: f64) -> f64 {
    libm::pow(x.abs(), e).copysign(x)
}

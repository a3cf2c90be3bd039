//! Radii of curvature of superellipses: appendix C.
//!
//! **Notation.** `f = (|x|/a)^n + (|y|/b)^n − 1`, with X and Y for its two powers, u and v for |x|/a and |y|/b.
//!
//! **Errata.** Eq. (C.3) is right, but 0/0 on the axes. The first derivatives below eq. (C.2) lack the signs of x and y,
//! which does not matter to ρ, where they are squared, but would to a normal.

use glam::DVec2;

/// ρ by eq. (C.3), as printed: not a number on the axes.
pub fn published(semi_axes: DVec2, n: f64, point: DVec2) -> f64 {
    let (DVec2 { x: a, y: b }, DVec2 { x, y }) = (semi_axes, point.abs());
    let slope = (x / a).powf(2.0 * n) / (x * x) + (y / b).powf(2.0 * n) / (y * y);
    let bend = (x * y * y / b).powf(n) + (x * x * y / a).powf(n);
    slope.powf(1.5) / ((n - 1.0) / ((a * b).powf(n) * (x * y).powi(2)) * bend)
}

/// The same with the powers of x and y cancelled, which leaves the right limits on the axes: with X + Y = 1,
/// `ρ = (u^(2n−2)/a² + v^(2n−2)/b²)^(3/2) a² b² (uv)^(2−n)/(n − 1)`.
pub fn mended(semi_axes: DVec2, n: f64, point: DVec2) -> f64 {
    let u = (point / semi_axes).abs();
    let power = |x: f64| x.powf(n - 1.0);
    let slope = DVec2::new(power(u.x), power(u.y)) / semi_axes;
    let area = semi_axes.element_product();
    // 0^(2−n) is the limit: zero for n < 2, one for n = 2, infinite for n > 2.
    slope.length().powi(3) * area * area * u.x.powf(2.0 - n) * u.y.powf(2.0 - n) / (n - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gritstone_shape::plane::{RadiusOfCurvature, Superellipse};

    /// Against the curvature of the gauge, which is another formula in another file.
    #[test]
    fn both_forms_agree_with_the_shape_off_the_axes() {
        for n in [1.2, 1.7, 2.0, 3.0, 5.5] {
            let semi_axes = DVec2::new(2.0, 0.7);
            let shape = Superellipse::new(semi_axes, n).unwrap();
            for k in 1..40 {
                let t = DVec2::from_angle(f64::from(k) * 0.16);
                let point = t.signum() * semi_axes * t.abs().powf(2.0 / n);
                let RadiusOfCurvature(expected) = RadiusOfCurvature::at_point(&shape, point);
                for found in [published(semi_axes, n, point), mended(semi_axes, n, point)] {
                    assert!(
                        (found / expected - 1.0).abs() < 1e-10,
                        "{found} not {expected} at {point}, n = {n}"
                    );
                }
            }
        }
    }

    #[test]
    fn on_the_axes_only_the_mended_form_has_a_value() {
        let (semi_axes, end) = (DVec2::new(2.0, 0.5), DVec2::new(2.0, 0.0));
        assert!(published(semi_axes, 2.0, end).is_nan());
        assert_eq!(mended(semi_axes, 1.5, end), 0.0, "a corner");
        assert_eq!(mended(semi_axes, 2.0, end), 0.125, "b²/a");
        assert_eq!(mended(semi_axes, 4.0, end), f64::INFINITY, "flat");
    }
}

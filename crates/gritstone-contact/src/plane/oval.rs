//! Ellipses as the thesis writes them: \[martinez2003\], chapters 2 and 3.
//!
//! **Notation.** `a, b`: half lengths along the ellipse's own x and y axes, either the larger. φ: angle of its axes in
//! the fixed ones. θ: parameter of a point of the curve, not its polar angle. f: inside-outside function, 0 on the
//! curve. ρ: radius of curvature. n̂: outward unit normal. Points are in the ellipse's own axes unless they say `fixed`.

use glam::{DMat2, DVec2};

/// An ellipse and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oval {
    /// a and b.
    pub semi_axes: DVec2,
    /// φ (rad).
    pub angle: f64,
    /// (X_C, Y_C), in fixed axes.
    pub centre: DVec2,
    axes: DMat2,
}

impl Oval {
    /// An ellipse with these half lengths, turned by `angle` (rad) about its `centre`.
    pub fn new(semi_axes: DVec2, angle: f64, centre: DVec2) -> Self {
        Self { semi_axes, angle, centre, axes: gritstone_core::angle::matrix(angle) }
    }

    /// The point of the curve with the parameter θ: eq. (2.3).
    #[inline]
    pub fn point(&self, theta: f64) -> DVec2 {
        self.semi_axes * gritstone_core::angle::direction(theta)
    }

    /// Derivative of [`point`](Self::point) by θ.
    #[inline]
    pub fn tangent(&self, theta: f64) -> DVec2 {
        self.semi_axes * gritstone_core::angle::direction(theta).perp()
    }

    /// A point in fixed axes: eqs (2.9), (2.10) and (3.13).
    #[inline]
    pub fn to_fixed(&self, point: DVec2) -> DVec2 {
        self.axes * point + self.centre
    }

    /// A direction in fixed axes.
    #[inline]
    pub fn turn(&self, direction: DVec2) -> DVec2 {
        self.axes * direction
    }

    /// ρ at a point of the curve: eq. (3.9).
    pub fn radius_of_curvature(&self, point: DVec2) -> f64 {
        let [slope, form] = [point / (self.semi_axes * self.semi_axes), point / self.semi_axes];
        let area = self.semi_axes.element_product();
        area * area * slope.length().powi(3) / form.length_squared()
    }

    /// n̂ at a point of the curve: eq. (3.10).
    pub fn normal(&self, point: DVec2) -> DVec2 {
        (point / (self.semi_axes * self.semi_axes)).normalize()
    }

    /// C, the centre of curvature at a point of the curve: eq. (3.11).
    pub fn centre_of_curvature(&self, point: DVec2) -> DVec2 {
        point - self.radius_of_curvature(point) * self.normal(point)
    }
}

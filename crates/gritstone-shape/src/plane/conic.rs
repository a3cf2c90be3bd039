//! Ellipses as conic sections in fixed axes: eq. (2.1) of \[martinez2003\], `A x² + B xy + C y² + D x + E y + F = 0`.
//!
//! **Idea.** The centre is where the gradient vanishes. About it the equation reads `xᵀ M x = −F'` with
//! `M = [A, B/2; B/2, C]` and the value F' there; the eigenvectors of M are the axes, `√(−F'/λ)` the semi-axes.
//!
//! **Deviations.** The thesis' conditions (B ≠ 0 and B² < 4AC, or B = 0, A ≠ C and AC > 0) leave out that the curve
//! must have points: F' must have the other sign than M. The smaller eigenvalue comes from the determinant, which keeps
//! the digits of slender ellipses.
//!
//! **Fails when** the ellipse is so slender that B² and 4AC agree to rounding, or so far from the origin that F' is
//! lost in it: it is then refused, or inexact as its coefficients are.

use glam::DVec2;
use gritstone_core::linalg::Sym2;
use gritstone_core::{Plane, Pose};

use super::Ellipse;
use crate::{ShapeError, points};

/// The six coefficients A, B, C, D, E, F.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conic {
    /// In their order.
    pub coefficients: [f64; 6],
}

impl Conic {
    /// The equation of a placed ellipse, with F' = −1 at its centre.
    pub fn of(ellipse: &Ellipse, pose: &Pose<Plane>) -> Self {
        let axes = pose.frame();
        let squares = ellipse.semi_axes() * ellipse.semi_axes();
        let m = Sym2::outer(axes.x_axis, squares.x.recip()) + Sym2::outer(axes.y_axis, squares.y.recip());
        let linear = m * pose.position * -2.0;
        let constant = m.form(pose.position) - 1.0;
        Self { coefficients: [m.xx, 2.0 * m.xy, m.yy, linear.x, linear.y, constant] }
    }

    /// The ellipse, and where it is. Its first axis is the one nearer to x: the angle lies within 45°.
    pub fn to_ellipse(&self) -> Result<(Ellipse, Pose<Plane>), ShapeError> {
        let (m, centre, value) = self.centred()?;
        let ([_, high], first) = m.eigen();
        let low = determinant(&m) / high;
        let [long, short] = [low, high].map(|eigenvalue| (-value / eigenvalue).sqrt());
        // `first` is the long axis. The one nearer to x comes first.
        let (axis, semi_axes) = if first.x.abs() >= first.y.abs() {
            (first, DVec2::new(long, short))
        } else {
            (first.perp(), DVec2::new(short, long))
        };
        let axis = if axis.x < 0.0 { -axis } else { axis };
        let angle = libm::atan2(axis.y, axis.x);
        Ok((Ellipse::new(semi_axes)?, Pose::new(centre, angle)))
    }

    /// M, the centre, and F' < 0, if it is an ellipse.
    fn centred(&self) -> Result<(Sym2, DVec2, f64), ShapeError> {
        let no_ellipse = |what| Err(ShapeError::NoEllipse { what });
        if let Some(i) = self.coefficients.iter().position(|c| !c.is_finite()) {
            let name = format!("coefficients[{i}]");
            return Err(ShapeError::Coordinate { name, value: self.coefficients[i] });
        }
        let [a, b, c, ..] = self.coefficients;
        let largest = a.abs().max(b.abs()).max(c.abs());
        if largest == 0.0 {
            return no_ellipse("a line or nothing");
        }
        // Scaled to order one, and to a positive form where it has a sign.
        let scale = largest.copysign(a + c);
        let [a, b, c, d, e, f] = self.coefficients.map(|x| x / scale);
        let m = Sym2 { xx: a, yy: c, xy: 0.5 * b };
        let determinant = determinant(&m);
        if determinant < 0.0 {
            return no_ellipse("a hyperbola or two lines (B² > 4AC)");
        }
        if determinant == 0.0 {
            return no_ellipse("a parabola or lines (B² = 4AC)");
        }
        let half = DVec2::new(d, e) * -0.5;
        let centre = DVec2::new(
            difference_of_products(c, half.x, m.xy, half.y),
            difference_of_products(a, half.y, m.xy, half.x),
        ) / determinant;
        let value = f - half.dot(centre);
        if value >= 0.0 {
            return no_ellipse(if value == 0.0 {
                "a single point"
            } else {
                "nothing: it has no real points"
            });
        }
        if let Some(value) = centre.to_array().into_iter().find(|&x| !points::usable(x)) {
            return Err(ShapeError::Coordinate { name: "the conic's centre".to_owned(), value });
        }
        Ok((m, centre, value))
    }
}

/// The determinant, right to rounding.
fn determinant(m: &Sym2) -> f64 {
    difference_of_products(m.xx, m.yy, m.xy, m.xy)
}

/// `a b − c d` to one and a half units in the last place (Kahan's algorithm).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let cd = c * d;
    a.mul_add(b, -cd) - c.mul_add(d, -cd)
}

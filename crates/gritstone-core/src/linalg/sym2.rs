//! Symmetric 2×2 matrices.

use std::ops::{Add, Mul};

use glam::DVec2;

/// A symmetric 2×2 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym2 {
    /// Row x, column x.
    pub xx: f64,
    /// Row y, column y.
    pub yy: f64,
    /// Row x, column y.
    pub xy: f64,
}

impl Sym2 {
    /// A multiple of the identity.
    pub const fn scalar(value: f64) -> Self {
        Self { xx: value, yy: value, xy: 0.0 }
    }

    /// A diagonal matrix.
    pub const fn diagonal(d: DVec2) -> Self {
        Self { xx: d.x, yy: d.y, xy: 0.0 }
    }

    /// `k · x xᵀ`.
    pub fn outer(x: DVec2, k: f64) -> Self {
        let y = x * k;
        Self { xx: x.x * y.x, yy: x.y * y.y, xy: x.x * y.y }
    }

    /// The trace.
    pub fn trace(&self) -> f64 {
        self.xx + self.yy
    }

    /// The determinant.
    pub fn determinant(&self) -> f64 {
        self.xx * self.yy - self.xy * self.xy
    }

    /// Solution `x` of `self · x = b`; not finite where the matrix is singular.
    pub fn solve(&self, b: DVec2) -> DVec2 {
        DVec2::new(self.yy * b.x - self.xy * b.y, self.xx * b.y - self.xy * b.x) / self.determinant()
    }

    /// Eigenvalues, smallest first, and the unit eigenvector of the first; the other one is its `perp()`.
    pub fn eigen(&self) -> ([f64; 2], DVec2) {
        let mean = 0.5 * (self.xx + self.yy);
        let half = 0.5 * (self.xx - self.yy);
        let radius = (half * half + self.xy * self.xy).sqrt();
        if radius == 0.0 {
            return ([mean, mean], DVec2::X);
        }
        // The row of A − λ_max·I that does not cancel is normal to the eigenvector of λ_max, hence along ours.
        let first = if half >= 0.0 {
            DVec2::new(-self.xy, half + radius)
        } else {
            DVec2::new(radius - half, -self.xy)
        };
        ([mean - radius, mean + radius], first.normalize())
    }

    /// The quadratic form `xᵀ · self · x`.
    pub fn form(&self, x: DVec2) -> f64 {
        x.dot(*self * x)
    }
}

impl Add for Sym2 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { xx: self.xx + o.xx, yy: self.yy + o.yy, xy: self.xy + o.xy }
    }
}

impl Mul<f64> for Sym2 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self { xx: self.xx * k, yy: self.yy * k, xy: self.xy * k }
    }
}

impl Mul<DVec2> for Sym2 {
    type Output = DVec2;
    fn mul(self, x: DVec2) -> DVec2 {
        DVec2::new(self.xx * x.x + self.xy * x.y, self.xy * x.x + self.yy * x.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn eigenpairs_satisfy_their_equation(xx in -3.0..3.0, yy in -3.0..3.0, xy in -3.0..3.0) {
            let m = Sym2 { xx, yy, xy };
            let (values, first) = m.eigen();
            prop_assert!((m * first - first * values[0]).length() < 1e-13);
            prop_assert!((m * first.perp() - first.perp() * values[1]).length() < 1e-13);
            prop_assert!(values[0] <= values[1]);
        }
    }
}

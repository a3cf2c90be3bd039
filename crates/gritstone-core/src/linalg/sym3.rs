//! Symmetric 3×3 matrices.

use std::ops::{Add, Mul};

use glam::{DMat3, DVec3};

/// A symmetric 3×3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// Row x, column x.
    pub xx: f64,
    /// Row y, column y.
    pub yy: f64,
    /// Row z, column z.
    pub zz: f64,
    /// Row x, column y.
    pub xy: f64,
    /// Row x, column z.
    pub xz: f64,
    /// Row y, column z.
    pub yz: f64,
}

impl Sym3 {
    /// A diagonal matrix.
    pub const fn diagonal(d: DVec3) -> Self {
        Self { xx: d.x, yy: d.y, zz: d.z, xy: 0.0, xz: 0.0, yz: 0.0 }
    }

    /// `k · x xᵀ`.
    pub fn outer(x: DVec3, k: f64) -> Self {
        let y = x * k;
        Self { xx: x.x * y.x, yy: x.y * y.y, zz: x.z * y.z, xy: x.x * y.y, xz: x.x * y.z, yz: x.y * y.z }
    }

    /// The trace.
    pub fn trace(&self) -> f64 {
        self.xx + self.yy + self.zz
    }

    /// The same matrix as nine numbers.
    pub fn full(&self) -> DMat3 {
        DMat3::from_cols(
            DVec3::new(self.xx, self.xy, self.xz),
            DVec3::new(self.xy, self.yy, self.yz),
            DVec3::new(self.xz, self.yz, self.zz),
        )
    }

    /// `R · self · Rᵀ`: the tensor in world axes when the columns of R are the body's axes.
    pub fn rotated(&self, r: &DMat3) -> Self {
        let m = *r * self.full() * r.transpose();
        Self {
            xx: m.x_axis.x,
            yy: m.y_axis.y,
            zz: m.z_axis.z,
            xy: m.y_axis.x,
            xz: m.z_axis.x,
            yz: m.z_axis.y,
        }
    }
}

impl Sym3 {
    /// Eigenvalues, and the unit vectors that belong to them as the columns of a rotation. A matrix that is diagonal but
    /// for rounding keeps its axes.
    pub fn eigen(&self) -> (DVec3, DMat3) {
        let mut m = [[self.xx, self.xy, self.xz], [self.xy, self.yy, self.yz], [self.xz, self.yz, self.zz]];
        let mut axes = DMat3::IDENTITY;
        let scale = self.trace().abs() + self.xy.abs() + self.xz.abs() + self.yz.abs();
        // Jacobi's rotations converge quadratically: four sweeps reach rounding from any start.
        for (p, q) in [(0, 1), (0, 2), (1, 2)].into_iter().cycle().take(18) {
            if m[p][q].abs() <= 4.0 * f64::EPSILON * scale {
                continue;
            }
            let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut m {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (x, y) = (m[p], m[q]);
            m[p] = std::array::from_fn(|k| c * x[k] - s * y[k]);
            m[q] = std::array::from_fn(|k| s * x[k] + c * y[k]);
            let (a, b) = (axes.col(p), axes.col(q));
            *axes.col_mut(p) = a * c - b * s;
            *axes.col_mut(q) = a * s + b * c;
        }
        (DVec3::new(m[0][0], m[1][1], m[2][2]), axes)
    }
}

impl Add for Sym3 {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            xx: self.xx + o.xx,
            yy: self.yy + o.yy,
            zz: self.zz + o.zz,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yz: self.yz + o.yz,
        }
    }
}

impl Mul<f64> for Sym3 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self {
            xx: self.xx * k,
            yy: self.yy * k,
            zz: self.zz * k,
            xy: self.xy * k,
            xz: self.xz * k,
            yz: self.yz * k,
        }
    }
}

impl Mul<DVec3> for Sym3 {
    type Output = DVec3;
    fn mul(self, v: DVec3) -> DVec3 {
        DVec3::new(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        for (xx, yy, zz, xy, xz, yz) in [
            (3.0, 1.0, 2.0, 0.5, -0.25, 0.75),
            (1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
            (1.0, 1.0, 5.0, 1.0, 1.0, 1.0),
        ] {
            let m = Sym3 { xx, yy, zz, xy, xz, yz };
            let (values, axes) = m.eigen();
            let rebuilt = Sym3::diagonal(values).rotated(&axes);
            assert!((rebuilt.full() - m.full()).to_cols_array().iter().all(|x| x.abs() < 1e-14));
            assert!((axes.determinant() - 1.0).abs() < 1e-14);
        }
    }
}

//! An orthonormal basis of the plane across a direction.

use glam::{DMat3, DVec2, DVec3};

use super::{Sym2, Sym3};

/// Two unit vectors that complete a unit normal to a right-handed basis `(u, v, normal)`.
#[derive(Clone, Copy, Debug)]
pub struct Tangent {
    /// First tangent.
    pub u: DVec3,
    /// Second tangent.
    pub v: DVec3,
}

impl Tangent {
    /// A basis across the unit vector `normal`, without branches on its direction but for one sign
    /// (Duff et al. 2017).
    pub fn across(normal: DVec3) -> Self {
        let sign = 1.0_f64.copysign(normal.z);
        let a = -1.0 / (sign + normal.z);
        let b = normal.x * normal.y * a;
        Self {
            u: DVec3::new(1.0 + sign * normal.x * normal.x * a, sign * b, -sign * normal.x),
            v: DVec3::new(b, sign + normal.y * normal.y * a, -normal.y),
        }
    }

    /// Components of a vector in this basis.
    pub fn project(&self, x: DVec3) -> DVec2 {
        DVec2::new(self.u.dot(x), self.v.dot(x))
    }

    /// The tangent vector that has these components.
    pub fn lift(&self, x: DVec2) -> DVec3 {
        self.u * x.x + self.v * x.y
    }

    /// The 2×2 block of a tensor `matrix`, given in the body axes that are the columns of `frame`.
    pub fn restrict(&self, matrix: &Sym3, frame: &DMat3) -> Sym2 {
        let t = frame.transpose();
        let (u, v) = (t * self.u, t * self.v);
        let (mu, mv) = (*matrix * u, *matrix * v);
        Sym2 { xx: u.dot(mu), yy: v.dot(mv), xy: u.dot(mv) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn basis_is_orthonormal_and_right_handed(x in -1.0..1.0, y in -1.0..1.0, z in -1.0..1.0) {
            let n = DVec3::new(x, y, z + 1e-9).normalize();
            let t = Tangent::across(n);
            prop_assert!((t.u.cross(t.v) - n).length() < 1e-14);
            prop_assert!((t.u.length() - 1.0).abs() < 1e-14 && (t.v.length() - 1.0).abs() < 1e-14);
        }
    }
}

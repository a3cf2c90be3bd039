//! Three numbers of any precision.

use std::ops::{Add, Mul, Sub};

use super::scalar::Scalar;

/// A point or direction in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vector<S>(pub(crate) [S; 3]);

impl<S: Scalar> Vector<S> {
    /// A vector of f64, exactly.
    pub(crate) fn exactly(x: [f64; 3]) -> Self {
        Self(x.map(S::exactly))
    }

    /// The nearest vector of f64.
    pub(crate) fn rounded(self) -> glam::DVec3 {
        glam::DVec3::from_array(self.0.map(S::rounded))
    }

    /// Scalar product.
    pub(crate) fn dot(self, other: Self) -> S {
        self.0[0] * other.0[0] + self.0[1] * other.0[1] + self.0[2] * other.0[2]
    }

    /// The unit vector along this.
    pub(crate) fn unit(self) -> Self {
        self * (S::exactly(1.0) / self.dot(self).sqrt())
    }
}

impl<S: Scalar> Add for Vector<S> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<S: Scalar> Sub for Vector<S> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<S: Scalar> Mul<S> for Vector<S> {
    type Output = Self;
    fn mul(self, factor: S) -> Self {
        Self(self.0.map(|x| x * factor))
    }
}

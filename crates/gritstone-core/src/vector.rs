//! What points and directions of any dimension have in common.

use std::fmt::Debug;
use std::ops::{AddAssign, SubAssign};

use glam::{DVec2, DVec3};

use crate::lanes::Quantity;

/// What can be added up and scaled: vectors, and in the plane the numbers that stand for spins.
pub trait Linear:
    Copy + Debug + Default + PartialEq + Send + Sync + AddAssign + SubAssign + Quantity<f64>
{
    /// Scalar product.
    fn dot(self, other: Self) -> f64;
}

impl Linear for f64 {
    #[inline]
    fn dot(self, other: Self) -> f64 {
        self * other
    }
}

/// A point or direction.
pub trait Vector: Linear {
    /// The vector with these components.
    fn from_fn(component: impl Fn(usize) -> f64) -> Self;

    /// The component along axis `i`.
    fn component(self, i: usize) -> f64;

    /// The unit vector along axis `i`.
    fn axis(i: usize) -> Self;

    /// Euclidean length.
    fn length(self) -> f64;
}

macro_rules! vector {
    ($type:ident) => {
        impl Linear for $type {
            #[inline]
            fn dot(self, other: Self) -> f64 {
                self.dot(other)
            }
        }

        impl Vector for $type {
            #[inline]
            fn from_fn(component: impl Fn(usize) -> f64) -> Self {
                Self::from_array(std::array::from_fn(component))
            }
            #[inline]
            fn component(self, i: usize) -> f64 {
                self[i]
            }
            #[inline]
            fn axis(i: usize) -> Self {
                Self::AXES[i]
            }
            #[inline]
            fn length(self) -> f64 {
                self.length()
            }
        }
    };
}

vector!(DVec2);
vector!(DVec3);

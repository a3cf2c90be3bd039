//! What points and directions of any dimension have in common.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use glam::{DVec2, DVec3};

/// A point or direction.
pub trait Vector:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// The vector with these components.
    fn from_fn(component: impl Fn(usize) -> f64) -> Self;

    /// The component along axis `i`.
    fn component(self, i: usize) -> f64;

    /// The unit vector along axis `i`.
    fn axis(i: usize) -> Self;

    /// Scalar product.
    fn dot(self, other: Self) -> f64;

    /// Euclidean length.
    fn length(self) -> f64;
}

macro_rules! vector {
    ($type:ident) => {
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
            fn dot(self, other: Self) -> f64 {
                self.dot(other)
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

//! What the search needs of a number.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number of some precision.
pub(crate) trait Scalar:
    Copy
    + Debug
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// An f64, exactly.
    fn exactly(x: f64) -> Self;

    /// The nearest f64.
    fn rounded(self) -> f64;

    /// The square root of a number that is not negative.
    fn sqrt(self) -> Self;
}

impl Scalar for f64 {
    fn exactly(x: f64) -> Self {
        x
    }

    fn rounded(self) -> f64 {
        self
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }
}

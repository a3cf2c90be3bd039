//! What numbers and vectors have in common, for code that is generic over single numbers and lanes.

use std::ops::{Add, Mul, Neg, Sub};

use glam::{DVec2, DVec3};

use super::{Real, Vec3};

/// What can be added up and scaled by numbers R: vectors, and the numbers themselves. Products and sums are rounded each by
/// itself, and in the same order whatever R is: single numbers and lanes give the same bits.
pub trait Quantity<R: Real>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Neg<Output = Self> + Mul<R, Output = Self>
{
    /// Nothing.
    fn zero() -> Self;

    /// Scalar product.
    fn inner(self, other: Self) -> R;

    /// `yes` where `mask` is true, else `no`.
    fn choose(mask: R::Mask, yes: Self, no: Self) -> Self;
}

impl<R: Real> Quantity<R> for R {
    #[inline(always)]
    fn zero() -> R {
        R::splat(0.0)
    }

    #[inline(always)]
    fn inner(self, other: R) -> R {
        self * other
    }

    #[inline(always)]
    fn choose(mask: R::Mask, yes: R, no: R) -> R {
        R::select(mask, yes, no)
    }
}

macro_rules! quantity {
    ($type:ident: $x:ident $($more:ident)*) => {
        impl Quantity<f64> for $type {
            #[inline(always)]
            fn zero() -> Self {
                Self::ZERO
            }

            #[inline(always)]
            fn inner(self, other: Self) -> f64 {
                self.$x * other.$x $(+ self.$more * other.$more)*
            }

            #[inline(always)]
            fn choose(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

quantity!(DVec2: x y);
quantity!(DVec3: x y z);

impl<R: Real> Quantity<R> for Vec3<R> {
    #[inline(always)]
    fn zero() -> Self {
        Self::new(R::splat(0.0), R::splat(0.0), R::splat(0.0))
    }

    #[inline(always)]
    fn inner(self, other: Self) -> R {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    fn choose(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self::select(mask, yes, no)
    }
}

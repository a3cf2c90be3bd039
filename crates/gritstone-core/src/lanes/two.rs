//! Two sets of lanes advanced together.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Mask, Real};

/// Two numbers, or two sets of lanes, through the same computation. Long chains of operations wait for each other;
/// two chains side by side fill the gaps.
#[derive(Clone, Copy, Debug)]
pub struct Two<T>(pub T, pub T);

macro_rules! operator {
    ($trait:ident, $name:ident, $bound:ident) => {
        impl<T: $bound> $trait for Two<T> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(self.0.$name(other.0), self.1.$name(other.1))
            }
        }
    };
}

operator!(Add, add, Real);
operator!(Sub, sub, Real);
operator!(Mul, mul, Real);
operator!(Div, div, Real);
operator!(BitAnd, bitand, Mask);
operator!(BitOr, bitor, Mask);

impl<T: Real> Neg for Two<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl<T: Mask> Not for Two<T> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl<T: Mask> Mask for Two<T> {
    #[inline(always)]
    fn any(self) -> bool {
        (self.0 | self.1).any()
    }
}

impl<T: Real> Real for Two<T> {
    type Mask = Two<T::Mask>;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(T::splat(value), T::splat(value))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(self.0.mul_add(factor.0, term.0), self.1.mul_add(factor.1, term.1))
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        Self(self.0.neg_mul_add(factor.0, term.0), self.1.neg_mul_add(factor.1, term.1))
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        Self(self.0.mul_sub(factor.0, term.0), self.1.mul_sub(factor.1, term.1))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(self.0.copysign(sign.0), self.1.copysign(sign.1))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        Two(self.0.lt(other.0), self.1.lt(other.1))
    }

    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        Two(self.0.le(other.0), self.1.le(other.1))
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(T::select(mask.0, yes.0, no.0), T::select(mask.1, yes.1, no.1))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let ((k0, m0), (k1, m1)) = (self.0.split(), self.1.split());
        (Self(k0, k1), Self(m0, m1))
    }

    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        Self(self.0.scale(k.0), self.1.scale(k.1))
    }
}

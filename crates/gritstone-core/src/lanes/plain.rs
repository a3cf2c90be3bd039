//! Eight lanes as an array: for processors without vector instructions that we know, and as the reference.

use std::array::from_fn;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Kernel, Lanes, Mask, MaskBits, Real, WIDTH};

/// Eight numbers.
#[derive(Clone, Copy)]
pub(super) struct Plain([f64; WIDTH]);

/// Eight truth values.
#[derive(Clone, Copy)]
pub(super) struct PlainMask([bool; WIDTH]);

macro_rules! operator {
    ($trait:ident, $name:ident, $type:ident, $op:tt) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}

operator!(Add, add, Plain, +);
operator!(Sub, sub, Plain, -);
operator!(Mul, mul, Plain, *);
operator!(Div, div, Plain, /);
operator!(BitAnd, bitand, PlainMask, &);
operator!(BitOr, bitor, PlainMask, |);

impl Neg for Plain {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|x| -x))
    }
}

impl Not for PlainMask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|x| !x))
    }
}

/// Methods of [`Real`] as those of eight single numbers.
macro_rules! each {
    ($($name:ident($($other:ident),*);)*) => {
        $(
            #[inline(always)]
            fn $name(self, $($other: Self),*) -> Self {
                Self(from_fn(|i| Real::$name(self.0[i], $($other.0[i]),*)))
            }
        )*
    };
}

impl Real for Plain {
    type Mask = PlainMask;

    each! {
        mul_add(factor, term);
        neg_mul_add(factor, term);
        mul_sub(factor, term);
        sqrt();
        abs();
        copysign(sign);
        min(other);
        max(other);
        scale(k);
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn lt(self, other: Self) -> PlainMask {
        PlainMask(from_fn(|i| self.0[i] < other.0[i]))
    }

    #[inline(always)]
    fn le(self, other: Self) -> PlainMask {
        PlainMask(from_fn(|i| self.0[i] <= other.0[i]))
    }

    #[inline(always)]
    fn select(mask: PlainMask, yes: Self, no: Self) -> Self {
        Self(from_fn(|i| if mask.0[i] { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        (Self(self.0.map(|x| Real::split(x).0)), Self(self.0.map(|x| Real::split(x).1)))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        *to = self.0;
    }

    #[inline(never)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Self>()
    }
}

impl Mask for PlainMask {
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != [false; WIDTH]
    }
}

impl MaskBits for PlainMask {
    #[inline(always)]
    fn bits(self) -> u8 {
        (0..WIDTH).fold(0, |bits, i| bits | u8::from(self.0[i]) << i)
    }

    #[inline(always)]
    fn from_bits(bits: u8) -> Self {
        Self(from_fn(|i| bits >> i & 1 == 1))
    }
}

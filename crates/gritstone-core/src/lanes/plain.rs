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

/// Integers up to 2⁵¹ are rounded by adding and subtracting this.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

const MANTISSA: u64 = (1 << 52) - 1;
const BIAS: u64 = 1023;

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

impl Real for Plain {
    type Mask = PlainMask;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; WIDTH])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self(from_fn(|i| self.0[i].mul_add(factor.0[i], term.0[i])))
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        Self(from_fn(|i| (-self.0[i]).mul_add(factor.0[i], term.0[i])))
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        Self(from_fn(|i| self.0[i].mul_add(factor.0[i], -term.0[i])))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        Self(from_fn(|i| self.0[i].copysign(sign.0[i])))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(other.lt(self), self, other)
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
        let bits = self.0.map(f64::to_bits);
        let exponent = bits.map(|b| (b >> 52) as f64 - BIAS as f64);
        (Self(exponent), Self(bits.map(|b| f64::from_bits(b & MANTISSA | BIAS << 52))))
    }

    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        // In two halves, of which the first is exact: the result may be subnormal.
        let first = k.0.map(|k| (0.5 * k + ROUND) - ROUND);
        Self(from_fn(|i| self.0[i] * power_of_two(first[i]) * power_of_two(k.0[i] - first[i])))
    }
}

#[inline(always)]
fn power_of_two(k: f64) -> f64 {
    // The low bits of 1.5·2⁵² + n hold the integer n.
    f64::from_bits((k + (ROUND + BIAS as f64)).to_bits() << 52)
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

//! One number as [`Real`]: code that is generic over it runs on plain `f64` as well, and gives the bits that lanes give.

use super::{Mask, Real};

/// Integers up to 2⁵¹ are rounded by adding and subtracting this.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

const MANTISSA: u64 = (1 << 52) - 1;
const BIAS: u64 = 1023;

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        self.mul_add(factor, term)
    }

    #[inline(always)]
    fn neg_mul_add(self, factor: Self, term: Self) -> Self {
        (-self).mul_add(factor, term)
    }

    #[inline(always)]
    fn mul_sub(self, factor: Self, term: Self) -> Self {
        self.mul_add(factor, -term)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        self.copysign(sign)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        if other < self { self } else { other }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let bits = self.to_bits();
        ((bits >> 52) as f64 - BIAS as f64, f64::from_bits(bits & MANTISSA | BIAS << 52))
    }

    #[inline(always)]
    fn scale(self, k: Self) -> Self {
        // In two halves, of which the first is exact: the result may be subnormal.
        let first = (0.5 * k + ROUND) - ROUND;
        self * power_of_two(first) * power_of_two(k - first)
    }
}

#[inline(always)]
fn power_of_two(k: f64) -> f64 {
    // The low bits of 1.5·2⁵² + n hold the integer n.
    f64::from_bits((k + (ROUND + BIAS as f64)).to_bits() << 52)
}

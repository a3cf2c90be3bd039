//! Numbers of twice the precision of f64: the unevaluated sum of two, about 31 digits (Dekker 1971; Hida, Li and
//! Bailey 2001).

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::scalar::Scalar;

/// `high + low`, with |low| at most half a unit in the last place of high.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Dd {
    /// The nearest f64.
    pub(crate) high: f64,
    /// The rest.
    pub(crate) low: f64,
}

const LN_2: Dd = Dd { high: std::f64::consts::LN_2, low: 2.319_046_813_846_299_6e-17 };

impl Dd {
    /// An f64, exactly.
    pub(crate) const fn new(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// `a + b` exactly, for |a| ≥ |b| or a = 0.
    fn renormalised(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// `a + b` exactly.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        Self { high, low: (a - (high - part)) + (b - part) }
    }

    /// `a · b` exactly.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    /// Product with a power of two, exactly.
    fn scaled(self, power_of_two: f64) -> Self {
        Self { high: self.high * power_of_two, low: self.low * power_of_two }
    }

    /// Absolute value.
    pub(crate) fn abs(self) -> Self {
        if self.high < 0.0 { -self } else { self }
    }

    /// e^x: `x = k ln 2 + 512 r`, the series for e^r − 1, and nine times `(1 + s)² − 1 = 2s + s²`.
    pub(crate) fn exp(self) -> Self {
        let k = (self.high / LN_2.high).round();
        if k < -1000.0 {
            return Self::default();
        }
        let r = (self - LN_2 * Self::new(k)).scaled(1.0 / 512.0);
        let (mut term, mut s) = (r, r);
        // |r| < 7e-4: twelve terms reach 1e-47.
        for n in 2..=12 {
            term = term * r / Self::new(f64::from(n));
            s = s + term;
        }
        for _ in 0..9 {
            s = s.scaled(2.0) + s * s;
        }
        (s + Self::new(1.0)).scaled(2.0_f64.powi(k as i32))
    }

    /// Natural logarithm: a Newton step of `e^y = x` doubles the digits of f64.
    pub(crate) fn ln(self) -> Self {
        let y = Self::new(self.high.ln());
        y + (self * (-y).exp() - Self::new(1.0))
    }

    /// x^y for x ≥ 0, y > 0.
    pub(crate) fn pow(self, y: Self) -> Self {
        if self.high == 0.0 { self } else { (y * self.ln()).exp() }
    }
}

impl Scalar for Dd {
    fn exactly(x: f64) -> Self {
        Self::new(x)
    }

    fn rounded(self) -> f64 {
        self.high
    }

    /// A Newton step from the root in f64.
    fn sqrt(self) -> Self {
        if self.high == 0.0 {
            return self;
        }
        let root = Self::new(self.high.sqrt());
        (root + self / root).scaled(0.5)
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let partial = Self::renormalised(high.high, high.low + low.high);
        Self::renormalised(partial.high, partial.low + low.low)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high * other.low + self.low * other.high;
        Self::renormalised(product.high, product.low + cross)
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // Long division: each digit is an f64.
        let first = self.high / other.high;
        let rest = self - other * Self::new(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::new(second);
        Self::renormalised(first, second) + Self::new(rest.high / other.high)
    }
}

impl PartialOrd for Dd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (*self - *other).high.partial_cmp(&0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use astro_float_num::{BigFloat, Consts, RoundingMode};

    const BITS: usize = 192;
    const NEAREST: RoundingMode = RoundingMode::ToEven;

    fn big(x: Dd) -> BigFloat {
        BigFloat::from_f64(x.high, BITS).add(&BigFloat::from_f64(x.low, BITS), BITS, NEAREST)
    }

    fn assert_near(x: Dd, exact: &BigFloat, tolerance: f64) {
        let error = big(x).sub(exact, BITS, NEAREST).div(exact, BITS, NEAREST).abs();
        assert!(error < BigFloat::from_f64(tolerance, BITS), "{x:?} is not {exact}");
    }

    #[test]
    fn functions_agree_with_arbitrary_precision() {
        let consts = &mut Consts::new().unwrap();
        for (x, y) in [(2.0, 3.0), (0.7, 1.9), (1e-7, 1.05), (3.3e-19, 19.0), (0.999_999, 0.05), (1.0, 20.0)]
        {
            let (x, y) = (Dd::new(x) / Dd::new(3.0), Dd::new(y) / Dd::new(7.0));
            let (exact_x, exact_y) = (big(x), big(y));
            assert_near(x.ln(), &exact_x.ln(BITS, NEAREST, consts), 1e-29);
            assert_near(y.exp(), &exact_y.exp(BITS, NEAREST, consts), 1e-29);
            assert_near(x.pow(y), &exact_x.pow(&exact_y, BITS, NEAREST, consts), 1e-28);
            assert_near(x.sqrt(), &exact_x.sqrt(BITS, NEAREST), 1e-30);
            assert_near(x * y, &exact_x.mul(&exact_y, BITS, NEAREST), 1e-30);
            assert_near(x / y, &exact_x.div(&exact_y, BITS, NEAREST), 1e-30);
            assert_near(x - y, &exact_x.sub(&exact_y, BITS, NEAREST), 1e-30);
        }
    }
}

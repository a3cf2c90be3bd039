//! Powers in lanes, without branches: `x^y = 2^(y·log2 x)`.
//!
//! **Idea.** The relative error of the power is the absolute error of `y·log2 x`, which may be as large as 1074; so the
//! logarithm and the product carry a second number for what the first one rounds away. With `x = m·2^k`, m in [√½, √2],
//! `s = (m − 1)/(m + 1)`: `log2 m = 2/ln 2 · (s + s³/3 + s⁵/5 + …)`. Only its first term needs the second number: the
//! rest is at most a hundredth of it.
//!
//! **Source.** The reduction is classical (Tang 1990); the coefficients are Chebyshev fits, computed with 60 digits.

use super::Real;

/// `2/ln 2`, and what that double leaves out.
const C: [f64; 2] = [2.885_390_081_777_926_8, 4.071_054_748_186_206_6e-17];

/// `(log2(m) − C·s)/s³` as a polynomial in s², highest power first, for m in [√½, √2]; error 5e-18 of `C·s`.
const LOG2: [f64; 7] = [
    0.210_872_753_072_167_16,
    0.221_189_828_772_373_45,
    0.262_323_644_467_344_7,
    0.320_598_737_952_134_5,
    0.412_198_583_898_478_85,
    0.577_078_016_354_134_6,
    0.961_796_693_925_976,
];

/// `(2^f − 1)/f` for |f| ≤ 0.502, highest power first; error 7e-18 of 2^f.
const EXP2: [f64; 11] = [
    4.455_036_203_781_184e-10,
    7.072_727_791_672_384e-9,
    1.017_806_206_630_947e-7,
    1.321_544_187_588_188_2e-6,
    1.525_273_383_046_128e-5,
    0.000_154_035_304_429_088_96,
    0.001_333_355_814_641_656_3,
    0.009_618_129_107_606_187,
    0.055_504_108_664_821_6,
    0.240_226_506_959_101,
    std::f64::consts::LN_2,
];

/// `2^(f − ½)` for |f| ≤ ½, highest power first; error 3e-18 of it.
const EXP2_MIDDLE: [f64; 12] = [
    3.150_739_058_716_889_3e-10,
    5.002_210_759_043_916_4e-9,
    7.196_973_186_040_473e-8,
    9.344_721_962_456_973e-7,
    1.078_531_153_099_833_3e-5,
    0.000_108_919_408_451_130_56,
    0.000_942_824_938_266_914_9,
    0.006_801_044_314_302_665_5,
    0.039_247_331_620_610_386,
    0.169_865_792_091_538_1,
    0.490_129_071_734_273_6,
    std::f64::consts::FRAC_1_SQRT_2,
];

/// Adding and subtracting this rounds to an integer.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

/// Exponents beyond these over- or underflow.
const EXPONENT_RANGE: f64 = 1100.0;

/// `x^y` for x ≥ 0, finite, and y > 0; zero for x = 0. Right to 2e-15; to 4e-16 for y up to 100.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    // Subnormal numbers are brought into the normal range.
    let tiny = x.lt(R::splat(f64::MIN_POSITIVE));
    let shift = R::select(tiny, R::splat(-54.0), R::splat(0.0));
    let power = power(R::select(tiny, x * R::splat(TWO_54), x), shift, y);
    R::select(R::splat(0.0).lt(x), power, R::splat(0.0))
}

const TWO_54: f64 = 18_014_398_509_481_984.0;

/// `x^y` for normal x in (0, 1] and y > 0. Without the second number: right to 4e-16, and to 1e-16 more for each binary
/// digit by which it is below one.
#[inline(always)]
pub fn pow_fraction<R: Real>(x: R, y: R) -> R {
    let one = R::splat(1.0);
    let (k, m) = x.split();
    let upper = R::splat(std::f64::consts::SQRT_2).lt(m);
    let m = R::select(upper, m * R::splat(0.5), m);
    let k = R::select(upper, k + one, k);
    let s = (m - one) / (m + one);
    exp2_of_sum(y * (k + log2_of_ratio(s)), R::splat(0.0))
}

/// `(x·2^shift)^y` for positive normal x.
#[inline(always)]
fn power<R: Real>(x: R, shift: R, y: R) -> R {
    let (high, low) = log2(x, shift);
    let product = y * high;
    let rest = y.mul_add(low, y.mul_sub(high, product));
    let sum = product + rest;
    let rest = rest - (sum - product);
    exp2_of_sum(sum, rest)
}

/// `2^x`, zero or infinite beyond the range of doubles.
#[inline(always)]
pub fn exp2<R: Real>(x: R) -> R {
    exp2_of_sum(x, R::splat(0.0))
}

/// `2^(high + low)` for a `low` far below one.
#[inline(always)]
fn exp2_of_sum<R: Real>(high: R, low: R) -> R {
    let high = high.max(R::splat(-EXPONENT_RANGE)).min(R::splat(EXPONENT_RANGE));
    let k = (high + R::splat(ROUND)) - R::splat(ROUND);
    let f = (high - k) + low;
    polynomial(&EXP2, f).mul_add(f, R::splat(1.0)).scale(k)
}

/// `shift + log2 x` of a positive normal number as a sum of two, the second at most a hundredth of the fraction.
#[inline(always)]
fn log2<R: Real>(x: R, shift: R) -> (R, R) {
    let one = R::splat(1.0);
    let (k, m) = x.split();
    let k = k + shift;
    let upper = R::splat(std::f64::consts::SQRT_2).lt(m);
    let m = R::select(upper, m * R::splat(0.5), m);
    let k = R::select(upper, k + one, k);
    // s = (m − 1)/(m + 1) with its rounding error; m − 1 is exact, m + 1 is not.
    let (numerator, denominator) = (m - one, m + one);
    let missing = m - (denominator - one);
    let inverse = one / denominator;
    let s = numerator * inverse;
    let s_low = s.neg_mul_add(missing, s.neg_mul_add(denominator, numerator)) * inverse;
    let z = s * s;
    let first = s * R::splat(C[0]);
    let first_low = s.mul_sub(R::splat(C[0]), first);
    let correction = s.mul_add(R::splat(C[1]), s_low.mul_add(R::splat(C[0]), first_low));
    let low = (s * z).mul_add(polynomial(&LOG2, z), correction);
    let high = k + first;
    (high, (first - (high - k)) + low)
}

/// `(1 + t)^y` for t in [0, 1] and y in [−1, 0], right to 5e-16.
#[inline(always)]
pub fn pow_one_plus<R: Real>(t: R, y: R) -> R {
    // No second number, no exponent: y·log2(1 + t) lies in [−1, 0].
    let upper = R::splat(std::f64::consts::SQRT_2 - 1.0).lt(t);
    let numerator = R::select(upper, t - R::splat(1.0), t);
    let denominator = t + R::select(upper, R::splat(3.0), R::splat(2.0));
    let log = log2_of_ratio(numerator / denominator);
    let log = R::select(upper, log + R::splat(1.0), log);
    polynomial(&EXP2_MIDDLE, y.mul_add(log, R::splat(0.5)))
}

/// `log2((1 + s)/(1 − s))` for the s of m in [√½, √2].
#[inline(always)]
fn log2_of_ratio<R: Real>(s: R) -> R {
    let z = s * s;
    (s * z).mul_add(polynomial(&LOG2, z), s * R::splat(C[0]))
}

/// Highest power first: Horner's rule for even and for odd powers, which do not wait for each other.
#[inline(always)]
fn polynomial<R: Real, const N: usize>(coefficients: &[f64; N], x: R) -> R {
    let square = x * x;
    let mut sums = [R::splat(coefficients[0]), R::splat(coefficients[1])];
    for (i, &coefficient) in coefficients.iter().enumerate().skip(2) {
        sums[i % 2] = sums[i % 2].mul_add(square, R::splat(coefficient));
    }
    // The one that has the last coefficient is that of the even powers.
    let [even, odd] = if N.is_multiple_of(2) { [sums[1], sums[0]] } else { sums };
    odd.mul_add(x, even)
}

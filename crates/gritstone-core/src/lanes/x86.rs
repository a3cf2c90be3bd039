//! Eight lanes in one AVX-512 register or in two AVX2 registers.
//!
//! **Safety.** Every `unsafe` below is an intrinsic, a load or store through a reference to eight numbers, or a call of
//! a function compiled for an instruction set. The lane types are private to `lanes`: they reach a kernel through
//! [`HasAvx512::run`] and [`HasAvx2::run`] alone, whose receivers exist only after the processor has been asked. So
//! whatever runs here runs on a processor that has it.

#![expect(
    unsafe_code,
    reason = "vector instructions are unsafe where the compiler cannot see that they exist"
)]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Kernel, Lanes, Mask, MaskBits, Real, WIDTH};

/// Adding and subtracting this rounds to an integer; in the sum, the low bits hold the integer.
const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 · 2⁵²

const BIAS: f64 = 1023.0;

/// Bytes that come from memory together.
const LINE: usize = 64;

/// See [`super::prefetch`]. Every processor of this kind has the instruction.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    let start = std::ptr::from_ref(value).cast::<i8>();
    for line in (0..size_of::<T>()).step_by(LINE) {
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(line)) }
    }
}

/// A proof that the processor has AVX-512 with its double- and quadword instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HasAvx512(());

/// A proof that the processor has AVX2 and FMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HasAvx2(());

impl HasAvx512 {
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
        has.then_some(Self(()))
    }

    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Avx512::call(kernel)
    }
}

impl HasAvx2 {
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        has.then_some(Self(()))
    }

    pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        Avx2::call(kernel)
    }
}

/// Eight numbers in one register.
#[derive(Clone, Copy)]
struct Avx512(__m512d);

/// Eight truth values in a mask register.
#[derive(Clone, Copy)]
struct Avx512Mask(__mmask8);

/// Eight numbers in two registers.
#[derive(Clone, Copy)]
struct Avx2(__m256d, __m256d);

/// Eight truth values, all bits of a lane alike.
#[derive(Clone, Copy)]
struct Avx2Mask(__m256d, __m256d);

/// An operator as one instruction per register.
macro_rules! operator {
    ($trait:ident, $name:ident, $type:ident, $intrinsic:ident, $($register:tt)+) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                unsafe { Self($($intrinsic(self.$register, other.$register)),+) }
            }
        }
    };
}

operator!(Add, add, Avx512, _mm512_add_pd, 0);
operator!(Sub, sub, Avx512, _mm512_sub_pd, 0);
operator!(Mul, mul, Avx512, _mm512_mul_pd, 0);
operator!(Div, div, Avx512, _mm512_div_pd, 0);
operator!(Add, add, Avx2, _mm256_add_pd, 0 1);
operator!(Sub, sub, Avx2, _mm256_sub_pd, 0 1);
operator!(Mul, mul, Avx2, _mm256_mul_pd, 0 1);
operator!(Div, div, Avx2, _mm256_div_pd, 0 1);
operator!(BitAnd, bitand, Avx2Mask, _mm256_and_pd, 0 1);
operator!(BitOr, bitor, Avx2Mask, _mm256_or_pd, 0 1);

/// Methods of [`Real`] as one instruction per register.
macro_rules! methods {
    ($registers:tt: $($name:ident($($other:ident),*) = $intrinsic:ident;)*) => {
        $(methods!(@ $registers $name($($other),*) $intrinsic);)*
    };
    (@ [$($register:tt)+] $name:ident() $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self) -> Self {
            unsafe { Self($($intrinsic(self.$register)),+) }
        }
    };
    (@ [$($register:tt)+] $name:ident($b:ident) $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, $b: Self) -> Self {
            unsafe { Self($($intrinsic(self.$register, $b.$register)),+) }
        }
    };
    (@ [$($register:tt)+] $name:ident($b:ident, $c:ident) $intrinsic:ident) => {
        #[inline(always)]
        fn $name(self, $b: Self, $c: Self) -> Self {
            unsafe { Self($($intrinsic(self.$register, $b.$register, $c.$register)),+) }
        }
    };
}

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { Self(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))) }
    }
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            Self(_mm256_xor_pd(self.0, sign), _mm256_xor_pd(self.1, sign))
        }
    }
}

impl Real for Avx512 {
    type Mask = Avx512Mask;

    methods! { [0]:
        mul_add(factor, term) = _mm512_fmadd_pd;
        neg_mul_add(factor, term) = _mm512_fnmadd_pd;
        mul_sub(factor, term) = _mm512_fmsub_pd;
        sqrt() = _mm512_sqrt_pd;
        abs() = _mm512_abs_pd;
        min(other) = _mm512_min_pd;
        max(other) = _mm512_max_pd;
        scale(k) = _mm512_scalef_pd;
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        unsafe { Self(_mm512_set1_pd(value)) }
    }

    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        unsafe {
            let bit = _mm512_set1_pd(-0.0);
            Self(_mm512_or_pd(_mm512_andnot_pd(bit, self.0), _mm512_and_pd(bit, sign.0)))
        }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Avx512Mask {
        unsafe { Avx512Mask(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0)) }
    }

    #[inline(always)]
    fn le(self, other: Self) -> Avx512Mask {
        unsafe { Avx512Mask(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0)) }
    }

    #[inline(always)]
    fn select(mask: Avx512Mask, yes: Self, no: Self) -> Self {
        unsafe { Self(_mm512_mask_blend_pd(mask.0, no.0, yes.0)) }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let mantissa = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self.0);
            (Self(_mm512_getexp_pd(self.0)), Self(mantissa))
        }
    }
}

impl Real for Avx2 {
    type Mask = Avx2Mask;

    methods! { [0 1]:
        mul_add(factor, term) = _mm256_fmadd_pd;
        neg_mul_add(factor, term) = _mm256_fnmadd_pd;
        mul_sub(factor, term) = _mm256_fmsub_pd;
        sqrt() = _mm256_sqrt_pd;
        abs() = abs_avx2;
        copysign(sign) = copysign_avx2;
        min(other) = _mm256_min_pd;
        max(other) = _mm256_max_pd;
        scale(k) = scale_avx2;
    }

    #[inline(always)]
    fn splat(value: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Avx2Mask {
        unsafe {
            Avx2Mask(
                _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0),
                _mm256_cmp_pd::<_CMP_LT_OQ>(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn le(self, other: Self) -> Avx2Mask {
        unsafe {
            Avx2Mask(
                _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0),
                _mm256_cmp_pd::<_CMP_LE_OQ>(self.1, other.1),
            )
        }
    }

    #[inline(always)]
    fn select(mask: Avx2Mask, yes: Self, no: Self) -> Self {
        unsafe { Self(_mm256_blendv_pd(no.0, yes.0, mask.0), _mm256_blendv_pd(no.1, yes.1, mask.1)) }
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        unsafe {
            let ((k0, m0), (k1, m1)) = (split_avx2(self.0), split_avx2(self.1));
            (Self(k0, k1), Self(m0, m1))
        }
    }
}

#[inline(always)]
unsafe fn abs_avx2(x: __m256d) -> __m256d {
    unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), x) }
}

#[inline(always)]
unsafe fn copysign_avx2(x: __m256d, sign: __m256d) -> __m256d {
    unsafe { _mm256_or_pd(abs_avx2(x), _mm256_and_pd(_mm256_set1_pd(-0.0), sign)) }
}

#[inline(always)]
unsafe fn split_avx2(x: __m256d) -> (__m256d, __m256d) {
    unsafe {
        let bits = _mm256_castpd_si256(x);
        // The exponent's bits, written into the low bits of 1.5·2⁵², are a number from which that is subtracted.
        let round = _mm256_castpd_si256(_mm256_set1_pd(ROUND));
        let exponent = _mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64::<52>(bits), round));
        let exponent = _mm256_sub_pd(exponent, _mm256_set1_pd(ROUND + BIAS));
        let one = _mm256_castpd_si256(_mm256_set1_pd(1.0));
        let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x((1 << 52) - 1));
        (exponent, _mm256_castsi256_pd(_mm256_or_si256(fraction, one)))
    }
}

#[inline(always)]
unsafe fn scale_avx2(x: __m256d, k: __m256d) -> __m256d {
    unsafe {
        // In two halves, of which the first is exact: the result may be subnormal.
        let round = _mm256_set1_pd(ROUND);
        let first = _mm256_sub_pd(_mm256_add_pd(_mm256_mul_pd(k, _mm256_set1_pd(0.5)), round), round);
        let x = _mm256_mul_pd(x, power_of_two_avx2(first));
        _mm256_mul_pd(x, power_of_two_avx2(_mm256_sub_pd(k, first)))
    }
}

#[inline(always)]
unsafe fn power_of_two_avx2(k: __m256d) -> __m256d {
    unsafe {
        let sum = _mm256_add_pd(k, _mm256_set1_pd(ROUND + BIAS));
        _mm256_castsi256_pd(_mm256_slli_epi64::<52>(_mm256_castpd_si256(sum)))
    }
}

impl Lanes for Avx512 {
    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        unsafe { Self(_mm512_loadu_pd(from.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn load_turned(rows: [&[f64; WIDTH]; WIDTH]) -> [Self; WIDTH] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
        turn([
            Self::load(r0),
            Self::load(r1),
            Self::load(r2),
            Self::load(r3),
            Self::load(r4),
            Self::load(r5),
            Self::load(r6),
            Self::load(r7),
        ])
    }

    #[inline(always)]
    fn store_turned(numbers: [Self; WIDTH], rows: [&mut [f64; WIDTH]; WIDTH]) {
        for (row, lane) in rows.into_iter().zip(turn(numbers)) {
            lane.store(row);
        }
    }

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        #[target_feature(enable = "avx512f,avx512dq")]
        fn compiled<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<Avx512>()
        }
        // `inline(never)` has no effect on functions with target features; a pointer that the optimiser cannot follow has.
        let function: unsafe fn(K) -> K::Output = compiled::<K>;
        unsafe { std::hint::black_box(function)(kernel) }
    }
}

/// Eight registers as a matrix, rows and columns exchanged: pairs of rows are interleaved, then quarters are put together.
#[inline(always)]
fn turn([r0, r1, r2, r3, r4, r5, r6, r7]: [Avx512; WIDTH]) -> [Avx512; WIDTH] {
    /// Even and odd quarters of two registers, and of what that gives.
    #[inline(always)]
    fn quarters(a: __m512d, b: __m512d, c: __m512d, d: __m512d) -> [Avx512; 4] {
        unsafe {
            let (ab, cd) = (_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0x88>(c, d));
            let (ab_odd, cd_odd) = (_mm512_shuffle_f64x2::<0xDD>(a, b), _mm512_shuffle_f64x2::<0xDD>(c, d));
            [
                Avx512(_mm512_shuffle_f64x2::<0x88>(ab, cd)),
                Avx512(_mm512_shuffle_f64x2::<0x88>(ab_odd, cd_odd)),
                Avx512(_mm512_shuffle_f64x2::<0xDD>(ab, cd)),
                Avx512(_mm512_shuffle_f64x2::<0xDD>(ab_odd, cd_odd)),
            ]
        }
    }
    unsafe {
        let even = quarters(
            _mm512_unpacklo_pd(r0.0, r1.0),
            _mm512_unpacklo_pd(r2.0, r3.0),
            _mm512_unpacklo_pd(r4.0, r5.0),
            _mm512_unpacklo_pd(r6.0, r7.0),
        );
        let odd = quarters(
            _mm512_unpackhi_pd(r0.0, r1.0),
            _mm512_unpackhi_pd(r2.0, r3.0),
            _mm512_unpackhi_pd(r4.0, r5.0),
            _mm512_unpackhi_pd(r6.0, r7.0),
        );
        [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn load(from: &[f64; WIDTH]) -> Self {
        let at = from.as_ptr();
        unsafe { Self(_mm256_loadu_pd(at), _mm256_loadu_pd(at.add(4))) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64; WIDTH]) {
        let at = to.as_mut_ptr();
        unsafe {
            _mm256_storeu_pd(at, self.0);
            _mm256_storeu_pd(at.add(4), self.1);
        }
    }

    #[inline(always)]
    fn call<K: Kernel>(kernel: K) -> K::Output {
        #[target_feature(enable = "avx2,fma")]
        fn compiled<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<Avx2>()
        }
        // `inline(never)` has no effect on functions with target features; a pointer that the optimiser cannot follow has.
        let function: unsafe fn(K) -> K::Output = compiled::<K>;
        unsafe { std::hint::black_box(function)(kernel) }
    }
}

impl BitAnd for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Avx512Mask {
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
}

impl MaskBits for Avx512Mask {
    #[inline(always)]
    fn bits(self) -> u8 {
        self.0
    }

    #[inline(always)]
    fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl Not for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        unsafe {
            let all = _mm256_castsi256_pd(_mm256_set1_epi64x(-1));
            Self(_mm256_xor_pd(self.0, all), _mm256_xor_pd(self.1, all))
        }
    }
}

impl Mask for Avx2Mask {
    #[inline(always)]
    fn any(self) -> bool {
        unsafe { _mm256_movemask_pd(_mm256_or_pd(self.0, self.1)) != 0 }
    }
}

impl MaskBits for Avx2Mask {
    #[inline(always)]
    fn bits(self) -> u8 {
        unsafe { (_mm256_movemask_pd(self.0) | _mm256_movemask_pd(self.1) << 4) as u8 }
    }

    #[inline(always)]
    fn from_bits(bits: u8) -> Self {
        unsafe {
            let bits = _mm256_set1_epi64x(i64::from(bits));
            let low = _mm256_and_si256(bits, _mm256_set_epi64x(8, 4, 2, 1));
            let high = _mm256_and_si256(bits, _mm256_set_epi64x(128, 64, 32, 16));
            let zero = _mm256_setzero_si256();
            let unset = Self(
                _mm256_castsi256_pd(_mm256_cmpeq_epi64(low, zero)),
                _mm256_castsi256_pd(_mm256_cmpeq_epi64(high, zero)),
            );
            !unset
        }
    }
}

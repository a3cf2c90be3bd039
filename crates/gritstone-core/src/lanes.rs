//! Eight numbers at a time: the same kernel on AVX-512, on AVX2, and in plain code, with the same bits.
//!
//! **Idea.** A kernel is written once, generic over a type [`Lanes`] that holds eight `f64`, and is compiled once for
//! each instruction set. [`Backend::best`] finds out at run time which of them this processor has. Eight lanes are one
//! register with AVX-512, two with AVX2, and an array elsewhere, so that data laid out in blocks of eight fits all.
//!
//! **Same bits everywhere.** Lanes offer + − × ÷ √ and the fused multiply-add, each rounded once, and no reciprocal
//! estimates; nothing is fused that does not say [`Real::mul_add`]. A lane never depends on its neighbours: where lanes
//! take different ways, both are computed and [`Real::select`] blends them; loops run until the last lane is done, and a
//! lane that is done no longer changes. So the bits of a result depend neither on the processor nor on what else is in
//! the batch.
//!
//! **Writing a kernel.** Implement [`Kernel`] and mark `run`, and every function it calls that takes lanes, as
//! `#[inline(always)]`: only what is inlined is compiled for the instruction set. For that reason, no closures on lanes.
//!
//! ```
//! use gritstone_core::lanes::{Backend, Kernel, Lanes, Real, WIDTH};
//!
//! /// Hypotenuses of eight triangles.
//! struct Hypotenuse([f64; WIDTH], [f64; WIDTH]);
//!
//! impl Kernel for Hypotenuse {
//!     type Output = [f64; WIDTH];
//!     #[inline(always)]
//!     fn run<L: Lanes>(self) -> Self::Output {
//!         let (a, b) = (L::load(&self.0), L::load(&self.1));
//!         a.mul_add(a, b * b).sqrt().to_array()
//!     }
//! }
//!
//! assert_eq!(Backend::best().run(Hypotenuse([3.0; WIDTH], [4.0; WIDTH])), [5.0; WIDTH]);
//! ```

mod plain;
mod pow;
mod quantity;
mod scalar;
mod table;
mod two;
mod vector;

#[cfg(target_arch = "x86_64")]
mod x86;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};
use std::sync::OnceLock;

pub use pow::{exp2, pow, pow_fraction, pow_one_plus};
pub use quantity::Quantity;
pub use table::{Row, RowIndices};
pub use two::Two;
pub use vector::{Sym2, Sym3, Turn, Vec3};

/// Prefetches a value into the cache, on processors that have an instruction for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(value);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// The environment variable that names the backend to use, for comparisons: results do not depend on it.
pub const FORCE: &str = "GRITSTONE_LANES";

/// Lanes of one batch.
pub const WIDTH: usize = 8;

/// Numbers that are computed with side by side.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// One truth value for each number.
    type Mask: Mask;

    /// The same number everywhere.
    fn splat(value: f64) -> Self;

    /// `self · factor + term`, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// `term − self · factor`, rounded once.
    fn neg_mul_add(self, factor: Self, term: Self) -> Self;

    /// `self · factor − term`, rounded once.
    fn mul_sub(self, factor: Self, term: Self) -> Self;

    /// Square root.
    fn sqrt(self) -> Self;

    /// Absolute value.
    fn abs(self) -> Self;

    /// This magnitude with the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;

    /// `self` where it is smaller, else `other`; hence `other` where either is not a number.
    fn min(self, other: Self) -> Self;

    /// `self` where it is larger, else `other`; hence `other` where either is not a number.
    fn max(self, other: Self) -> Self;

    /// Where `self < other`.
    fn lt(self, other: Self) -> Self::Mask;

    /// Where `self ≤ other`.
    fn le(self, other: Self) -> Self::Mask;

    /// `yes` where `mask` is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// `(k, m)` with `self = m · 2^k`, k an integer, m in `[1, 2)`; for positive normal numbers.
    fn split(self) -> (Self, Self);

    /// `self · 2^k` rounded once, for integers k in ±2000 and numbers within a factor 4 of 1.
    fn scale(self, k: Self) -> Self;
}

/// Eight numbers.
pub trait Lanes: Real<Mask: MaskBits> {
    /// Eight numbers from memory.
    fn load(from: &[f64; WIDTH]) -> Self;

    /// Eight numbers to memory.
    fn store(self, to: &mut [f64; WIDTH]);

    /// Runs a kernel as a function of its own: for work that is done now and then in a hot loop, and whose code would
    /// crowd it.
    fn call<K: Kernel>(kernel: K) -> K::Output;

    /// Eight rows from memory, turned: lane i of number j is number j of row i. Rows are what one body consists of.
    #[inline(always)]
    fn load_turned(rows: [&[f64; WIDTH]; WIDTH]) -> [Self; WIDTH] {
        let mut turned = [[0.0; WIDTH]; WIDTH];
        for (i, row) in rows.into_iter().enumerate() {
            for (to, &number) in turned.iter_mut().zip(row) {
                to[i] = number;
            }
        }
        let mut lanes = [Self::splat(0.0); WIDTH];
        for (lane, numbers) in lanes.iter_mut().zip(&turned) {
            *lane = Self::load(numbers);
        }
        lanes
    }

    /// The way back: row i gets lane i of every number.
    #[inline(always)]
    fn store_turned(numbers: [Self; WIDTH], rows: [&mut [f64; WIDTH]; WIDTH]) {
        let mut stored = [[0.0; WIDTH]; WIDTH];
        for (to, number) in stored.iter_mut().zip(numbers) {
            number.store(to);
        }
        let turned = Self::load_turned([
            &stored[0], &stored[1], &stored[2], &stored[3], &stored[4], &stored[5], &stored[6], &stored[7],
        ]);
        for (row, lane) in rows.into_iter().zip(turned) {
            lane.store(row);
        }
    }

    /// The eight numbers.
    #[inline(always)]
    fn to_array(self) -> [f64; WIDTH] {
        let mut array = [0.0; WIDTH];
        self.store(&mut array);
        array
    }
}

/// Truth values side by side.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether any is true.
    fn any(self) -> bool;
}

/// Eight truth values.
pub trait MaskBits: Mask {
    /// Bit i is lane i.
    fn bits(self) -> u8;

    /// Lane i is bit i.
    fn from_bits(bits: u8) -> Self;
}

/// A computation on lanes, compiled for every instruction set.
pub trait Kernel {
    /// What it returns.
    type Output;

    /// The computation; must be `#[inline(always)]`.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend(Set);

/// Instruction sets. Private, so that a [`Backend`] exists only where it has been detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512(x86::HasAvx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(x86::HasAvx2),
    Plain,
}

impl Backend {
    /// Every backend that runs here, fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let special = [x86::HasAvx512::detect().map(Set::Avx512), x86::HasAvx2::detect().map(Set::Avx2)];
        #[cfg(not(target_arch = "x86_64"))]
        let special = [None; 2];
        special.into_iter().flatten().chain([Set::Plain]).map(Self)
    }

    /// The fastest backend that runs here for kernels that make no use of lanes: short vectors of three or four numbers
    /// gain from AVX2, and lose where they are put into registers for eight.
    #[inline]
    pub fn for_scalars() -> Self {
        if forced() == Some(Self(Set::Plain)) {
            return Self(Set::Plain);
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(has) = x86::HasAvx2::detect() {
            return Self(Set::Avx2(has));
        }
        Self(Set::Plain)
    }

    /// The fastest backend that runs here, or the one that [`FORCE`] names.
    pub fn best() -> Self {
        forced().or_else(|| Self::available().next()).unwrap_or(Self(Set::Plain))
    }

    /// The backend of this name, where it runs here.
    pub fn named(name: &str) -> Option<Self> {
        Self::available().find(|backend| backend.name() == name)
    }

    /// The name of its instruction set.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(_) => "avx2",
            Set::Plain => "plain",
        }
    }

    /// Runs a kernel.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512(has) => has.run(kernel),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2(has) => has.run(kernel),
            Set::Plain => plain_run(kernel),
        }
    }
}

/// The backend that the environment variable names, read once; none if it is not available here.
#[inline]
fn forced() -> Option<Backend> {
    static FORCED: OnceLock<Option<Backend>> = OnceLock::new();
    *FORCED.get_or_init(|| Backend::named(&std::env::var(FORCE).ok()?))
}

/// By itself, so that it takes no registers from those who run on a better instruction set.
#[cold]
#[inline(never)]
fn plain_run<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<plain::Plain>()
}

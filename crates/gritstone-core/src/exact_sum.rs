//! Sums that do not depend on the order of their terms.
//!
//! **Idea.** A double is an integer of 53 bits times a power of two. All such integers are added up in fixed point, in limbs of
//! 32 bits that reach from the smallest double to the largest: nothing is rounded before the sum is requested. Energies and
//! wall forces that are summed like this are the same to the bit on any number of threads or ranks, and for bodies in any
//! order.
//!
//! **Source.** Kulisch's long accumulator; with 64-bit limbs and late carries as in Neal 2015, arXiv:1505.05571.
//!
//! **Cost.** Three integer additions for a term, 560 bytes.

use serde::{Deserialize, Serialize};

/// Bits of a limb that count; the rest of its 64 bits collects carries.
const LIMB_BITS: u32 = 32;
/// Enough for 2^-1074 to 2^1024, and for sums of 2^63 such terms.
const LIMBS: usize = 68;
/// Terms after which carries are handed on: each adds less than 2^32 to a limb.
const TERMS_PER_CARRY: u32 = 1 << 30;

/// An exact sum of doubles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub struct ExactSum {
    limbs: [i64; LIMBS],
    terms: u32,
    /// Infinite terms and those that are no numbers.
    special: f64,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { limbs: [0; LIMBS], terms: 0, special: 0.0 }
    }
}

impl ExactSum {
    /// Adds a term.
    #[inline]
    pub fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as u32;
        if exponent == 0x7ff {
            self.special += term;
            return;
        }
        let fraction = bits & ((1 << 52) - 1);
        let mantissa = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        let shift = exponent.saturating_sub(1);
        let wide = u128::from(mantissa) << (shift % LIMB_BITS);
        let first = (shift / LIMB_BITS) as usize;
        let sign = if bits >> 63 == 0 { 1 } else { -1 };
        for (k, limb) in self.limbs[first..first + 3].iter_mut().enumerate() {
            *limb += sign * (wide >> (LIMB_BITS as usize * k) & 0xffff_ffff) as i64;
        }
        self.count(1);
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        for (limb, more) in self.limbs.iter_mut().zip(other.limbs) {
            *limb += more;
        }
        self.special += other.special;
        self.count(1);
    }

    fn count(&mut self, terms: u32) {
        self.terms += terms;
        if self.terms >= TERMS_PER_CARRY {
            self.carry();
        }
    }

    /// Hands carries on: all limbs but the last are then from 0 to 2^32, which is one way to write a sum alone.
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, limbs) = match self.limbs.split_last_mut() {
            Some(parts) => parts,
            None => return,
        };
        for limb in limbs {
            let sum = *limb + carry;
            carry = sum >> LIMB_BITS;
            *limb = sum & 0xffff_ffff;
        }
        *last += carry;
        self.terms = 0;
    }

    /// The sum, right to the last place or next to it, and the same for any order of the terms.
    pub fn value(&self) -> f64 {
        if self.special != 0.0 || self.special.is_nan() {
            return self.special;
        }
        let mut sum = self.clone();
        sum.carry();
        let negative = sum.limbs[LIMBS - 1] < 0;
        if negative {
            sum.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            sum.carry();
        }
        let Some(top) = sum.limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
        // Four limbs hold more than the 53 bits that count. Scaled in two steps: one power of two may be no double.
        let low = top.saturating_sub(3);
        let digits = sum.limbs[low..=top].iter().rev();
        let mantissa = digits.fold(0.0, |value, &limb| value * 4_294_967_296.0 + limb as f64);
        let exponent = (LIMB_BITS as usize * low) as i32 - 1074;
        let half = exponent / 2;
        let value = mantissa * power_of_two(half) * power_of_two(exponent - half);
        if negative { -value } else { value }
    }
}

/// 2^n for n of a normal double.
fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl Extend<f64> for ExactSum {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, terms: T) {
        terms.into_iter().for_each(|term| self.add(term));
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<T: IntoIterator<Item = f64>>(terms: T) -> Self {
        let mut sum = Self::default();
        sum.extend(terms);
        sum
    }
}

/// What is written: the limbs that are not zero, so that equal sums give equal bytes.
#[derive(Serialize, Deserialize)]
struct Saved {
    first: u32,
    limbs: Vec<i64>,
    special: f64,
}

impl From<ExactSum> for Saved {
    fn from(mut sum: ExactSum) -> Self {
        sum.carry();
        let first = sum.limbs.iter().position(|&limb| limb != 0).unwrap_or(LIMBS);
        let last = sum.limbs.iter().rposition(|&limb| limb != 0).map_or(LIMBS, |last| last + 1);
        Self { first: first as u32, limbs: sum.limbs[first..last].to_vec(), special: sum.special }
    }
}

impl From<Saved> for ExactSum {
    fn from(saved: Saved) -> Self {
        let mut sum = Self { special: saved.special, ..Self::default() };
        let places = sum.limbs.iter_mut().skip(saved.first as usize);
        places.zip(saved.limbs).for_each(|(limb, value)| *limb = value);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all sizes and both signs, from a linear congruential generator.
    fn numbers(count: usize) -> Vec<f64> {
        let mut seed = 20_081_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 11
        };
        let one = |next: &mut dyn FnMut() -> u64| {
            let sign = if next() & 1 == 0 { 1.0 } else { -1.0 };
            sign * (1.0 + next() as f64 * f64::EPSILON) * power_of_two((next() % 600) as i32 - 300)
        };
        (0..count).map(|_| one(&mut next)).collect()
    }

    #[test]
    fn the_order_of_terms_does_not_matter() {
        let numbers = numbers(2_000);
        let forward: ExactSum = numbers.iter().copied().collect();
        let backward: ExactSum = numbers.iter().rev().copied().collect();
        assert_eq!(forward.value().to_bits(), backward.value().to_bits());
        let mut merged = ExactSum::default();
        for part in numbers.chunks(7).rev() {
            merged.merge(&part.iter().copied().collect());
        }
        assert_eq!(merged.value().to_bits(), forward.value().to_bits());
    }

    #[test]
    fn nothing_is_lost() {
        // The large terms cancel and leave what a plain sum forgets.
        let sum: ExactSum = [1e300, 1.0, -1e300, 1e-300, -1.0].into_iter().collect();
        assert_eq!(sum.value(), 1e-300);
        let mut numbers = numbers(500);
        numbers.extend(numbers.clone().iter().map(|x| -x));
        assert_eq!(numbers.iter().copied().collect::<ExactSum>().value(), 0.0);
        for x in [f64::MIN_POSITIVE, 5e-324, -f64::MAX, 0.1, -3.0] {
            assert_eq!([x].into_iter().collect::<ExactSum>().value(), x);
        }
        assert!([f64::NAN].into_iter().collect::<ExactSum>().value().is_nan());
    }

    #[test]
    fn sums_are_read_back_as_written() {
        let sum: ExactSum = numbers(50).into_iter().collect();
        let read: ExactSum = Saved::from(sum.clone()).into();
        assert_eq!(read.value().to_bits(), sum.value().to_bits());
        assert_eq!(ExactSum::from(Saved::from(ExactSum::default())), ExactSum::default());
    }
}

//! Blocks of eight pairs in memory: one row per quantity, one column per pair.

use gritstone_core::lanes::{Lanes, Sym2, Two, Vec3, WIDTH};

/// Rows of eight numbers, each in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Rows<const N: usize>(pub(super) [[f64; WIDTH]; N]);

/// Room for eight pairs of any kind.
pub(super) type PairRows = Rows<32>;
/// Room for eight jets of any kind.
pub(super) type JetRows = Rows<18>;

impl<const N: usize> Rows<N> {
    pub(super) const ZERO: Self = Self([[0.0; WIDTH]; N]);

    /// Copies the first `count` rows of one column.
    #[inline(always)]
    pub(super) fn copy_column<const M: usize>(
        &self,
        count: usize,
        from: usize,
        other: &mut Rows<M>,
        to: usize,
    ) {
        for (row, other) in self.0.iter().zip(&mut other.0).take(count) {
            other[to] = row[from];
        }
    }

    /// Reads from the first row on.
    #[inline(always)]
    pub(super) fn read(&self) -> Reader<'_, N> {
        Reader { rows: &self.0, next: 0 }
    }

    /// Writes from the first row on.
    #[inline(always)]
    pub(super) fn write(&mut self) -> Writer<'_, N> {
        Writer { rows: &mut self.0, next: 0 }
    }
}

/// Reads quantities in the order in which they were written.
pub(super) struct Reader<'r, const N: usize> {
    rows: &'r [[f64; WIDTH]; N],
    next: usize,
}

impl<const N: usize> Reader<'_, N> {
    #[inline(always)]
    pub(super) fn real<L: Lanes>(&mut self) -> L {
        let value = L::load(&self.rows[self.next]);
        self.next += 1;
        value
    }

    #[inline(always)]
    pub(super) fn reals<L: Lanes, const M: usize>(&mut self) -> [L; M] {
        let mut values = [L::splat(0.0); M];
        for value in &mut values {
            *value = self.real();
        }
        values
    }

    #[inline(always)]
    pub(super) fn two<L: Lanes>(&mut self) -> Two<L> {
        let first = self.real();
        Two(first, self.real())
    }

    #[inline(always)]
    pub(super) fn vec3<L: Lanes>(&mut self) -> Vec3<L> {
        let x = self.real();
        let y = self.real();
        Vec3::new(x, y, self.real())
    }

    #[inline(always)]
    pub(super) fn sym2<L: Lanes>(&mut self) -> Sym2<L> {
        let xx = self.real();
        let yy = self.real();
        Sym2 { xx, yy, xy: self.real() }
    }
}

/// Writes quantities one after the other.
pub(super) struct Writer<'r, const N: usize> {
    rows: &'r mut [[f64; WIDTH]; N],
    next: usize,
}

impl<const N: usize> Writer<'_, N> {
    #[inline(always)]
    pub(super) fn real<L: Lanes>(&mut self, value: L) {
        value.store(&mut self.rows[self.next]);
        self.next += 1;
    }

    #[inline(always)]
    pub(super) fn reals<L: Lanes, const M: usize>(&mut self, values: [L; M]) {
        for value in values {
            self.real(value);
        }
    }

    #[inline(always)]
    pub(super) fn two<L: Lanes>(&mut self, value: Two<L>) {
        self.real(value.0);
        self.real(value.1);
    }

    #[inline(always)]
    pub(super) fn vec3<L: Lanes>(&mut self, value: Vec3<L>) {
        self.reals([value.x, value.y, value.z]);
    }

    #[inline(always)]
    pub(super) fn sym2<L: Lanes>(&mut self, value: Sym2<L>) {
        self.reals([value.xx, value.yy, value.xy]);
    }
}

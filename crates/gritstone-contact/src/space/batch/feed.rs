//! Pairs on their way into the lanes, made ready eight at a time.

use glam::DVec3;
use gritstone_core::lanes::{Kernel, Lanes, Turn, Vec3, WIDTH};

use super::PairList;
use super::kind::{Gathered, Kind, Pairs};
use super::rows::{PairRows, Rows};

/// Eight pairs that are ready, and which of them comes next.
pub(super) struct Feed<'a, K> {
    grains: &'a K,
    pairs: &'a PairList,
    /// Number of pairs that have been made ready.
    ready: usize,
    /// Next pair to hand out.
    next: usize,
    pub(super) block: PairRows,
    /// Unit directions to start from.
    pub(super) start: Rows<3>,
}

impl<'a, K: Kind> Feed<'a, K> {
    pub(super) fn new(grains: &'a K, pairs: &'a PairList) -> Self {
        Self { grains, pairs, ready: 0, next: 0, block: Rows::ZERO, start: Rows::ZERO }
    }

    /// The next pair and the column of the block that holds it.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self) -> Option<(usize, usize)> {
        if self.next == self.pairs.len() {
            return None;
        }
        if self.next == self.ready {
            L::call(Prepare(self));
        }
        let pair = self.next;
        self.next += 1;
        Some((pair, pair % WIDTH))
    }

    /// Makes the next eight pairs ready. Columns beyond the last pair repeat it.
    #[inline(always)]
    fn prepare<L: Lanes>(&mut self) {
        let last = self.pairs.len() - 1;
        let mut columns = [[0; WIDTH]; 2];
        let mut given = Rows::<3>::ZERO;
        for lane in 0..WIDTH {
            let pair = (self.ready + lane).min(last);
            columns[0][lane] = self.pairs.a[pair] as usize;
            columns[1][lane] = self.pairs.b[pair] as usize;
            let direction = self.pairs.start.get(pair).copied().unwrap_or(DVec3::ZERO);
            for (row, number) in given.0.iter_mut().zip(direction.to_array()) {
                row[lane] = number;
            }
        }
        self.ready = (self.ready + WIDTH).min(self.pairs.len());
        let Gathered { pairs, offset, frame } = self.grains.gather::<L>(&columns);
        pairs.store(&mut self.block);
        let start = first_direction(given.read().vec3(), offset, frame.as_ref());
        self.start.write().vec3(start);
    }
}

/// The preparation of eight pairs.
struct Prepare<'f, 'a, K>(&'f mut Feed<'a, K>);

impl<K: Kind> Kernel for Prepare<'_, '_, K> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.0.prepare::<L>();
    }
}

/// The given direction; where none is given (zero), the one between the centres; where they coincide, the first axis.
/// Given in the world, returned in the frame of the pair.
#[inline(always)]
fn first_direction<L: Lanes>(given: Vec3<L>, offset: Vec3<L>, frame: Option<&Turn<L>>) -> Vec3<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let distance = offset.length();
    let none = given.dot(given).le(zero);
    let coincident = distance.le(L::splat(f64::MIN_POSITIVE));
    let inverse = one / L::select(coincident, one, distance);
    let direction = Vec3::select(none, offset * inverse, given);
    let direction = match frame {
        Some(frame) => frame.undo(direction),
        None => direction,
    };
    Vec3::select(none & coincident, Vec3::new(one, zero, zero), direction).renormalized()
}

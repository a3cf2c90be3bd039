//! Pairs that may touch by now, looked at eight at a time.
//!
//! **Idea.** Near pairs are found as contacts are, from the direction of their last look. Whatever lanes cannot certify is
//! left to the general methods.

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, Vec3, WIDTH};

use super::body::{Body, look_up_shapes};
use super::found::{Finder, Start, Wanted, none};
use super::kernel::{LaneRow, Line};
use crate::bodies::Record;
use crate::contacts::batch::{GapBound, InactivePair};

/// Pairs, and what is seen of them.
pub(super) struct Looks<'w> {
    pub(super) records: &'w [Record<Space>],
    pub(super) candidates: &'w [InactivePair<Space>],
    pub(super) seen: &'w mut [Option<GapBound<Space>>],
}

impl Looks<'_> {
    /// Looks at the pairs whose shapes are such.
    pub(super) fn at<F: Finder>(&mut self, shapes: &[[LaneRow; 2]], are_such: impl Fn([u32; 2]) -> bool) {
        let Self { records, candidates, ref mut seen } = *self;
        Backend::best().run(Chosen::<F, _> {
            records,
            candidates,
            seen,
            shapes,
            are_such,
            finder: PhantomData,
        });
    }
}

/// Pairs of certain kinds among them.
struct Chosen<'w, F, K> {
    records: &'w [Record<Space>],
    candidates: &'w [InactivePair<Space>],
    seen: &'w mut [Option<GapBound<Space>>],
    shapes: &'w [[LaneRow; 2]],
    are_such: K,
    finder: PhantomData<F>,
}

impl<F: Finder, K: Fn([u32; 2]) -> bool> Kernel for Chosen<'_, F, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (mut lanes, mut count) = ([0; WIDTH], 0);
        for (i, candidate) in self.candidates.iter().enumerate() {
            if (self.are_such)(self.shapes_of(candidate)) {
                lanes[count] = i;
                count += 1;
            }
            if count == WIDTH || count > 0 && i + 1 == self.candidates.len() {
                self.look::<L>(&lanes[..count]);
                count = 0;
            }
        }
    }
}

impl<F: Finder, K> Chosen<'_, F, K> {
    fn shapes_of(&self, candidate: &InactivePair<Space>) -> [u32; 2] {
        [candidate.pair.a, candidate.pair.b].map(|slot| self.records[slot as usize].shape)
    }

    /// Looks at up to eight of them.
    #[inline(always)]
    fn look<L: Lanes>(&mut self, lanes: &[usize]) {
        // Lanes without a pair do what the first one does, and nobody looks.
        let mut candidates = [self.candidates[lanes[0]]; WIDTH];
        for (candidate, &i) in candidates.iter_mut().zip(lanes) {
            *candidate = self.candidates[i];
        }
        let active = L::Mask::from_bits(((1_u16 << lanes.len()) - 1) as u8);
        let (a, b) = Body::<L>::load(self.records, &candidates.map(|candidate| candidate.pair));
        let rows = candidates.map(|candidate| self.shapes_of(&candidate));
        let shapes =
            [0, 1].map(|side| look_up_shapes(self.shapes, &rows.map(|row| row[side]).into(), F::WIDE));
        let column = |axis: usize| L::load(&candidates.map(|candidate| candidate.direction[axis]));
        let start = Start { direction: Vec3::new(column(0), column(1), column(2)), points: none() };
        let wanted = Wanted { curvature: false, patches: false };
        let found = F::find(&a, &b, shapes, start, L::splat(1.0), wanted, active);

        let (n, d) = (found.normal, found.direction);
        let mut rows = [Line::default(); WIDTH];
        let seen = [n.x, n.y, n.z, found.gap, d.x, d.y, d.z, found.lower];
        L::store_turned(seen, rows.each_mut().map(|line| &mut line.0));
        let good = (found.good & active).bits();
        for (lane, &i) in lanes.iter().enumerate().filter(|(lane, _)| good >> lane & 1 == 1) {
            let [nx, ny, nz, gap, dx, dy, dz, lower] = rows[lane].0;
            self.seen[i] = Some(if gap < 0.0 {
                GapBound { gap, direction: DVec3::new(nx, ny, nz) }
            } else {
                GapBound { gap: lower.max(0.0), direction: DVec3::new(dx, dy, dz) }
            });
        }
    }
}

//! Contacts of bodies of certain kinds.

mod saved;

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, WIDTH};
use gritstone_force::History;
use rayon::prelude::*;

use super::block::{Beginning, Block, Couple, Kept};
use super::found::Finder;
use super::kernel::{Common, Line, Pass};
use crate::contacts::batch::Separated;
use crate::contacts::{BodyPair, ContactForce, StepStats};

/// Blocks that one task solves; sums are taken within and then over the tasks.
const TASK: usize = 16;

/// Bodies that fit into a cache of a megabyte, where they need not be sent for.
const NEAR: usize = 1 << 13;

/// Contacts of bodies of certain kinds, in blocks of eight. Where one goes, the last takes its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Bucket<F: Finder> {
    ends: Vec<BodyPair>,
    blocks: Vec<Block<F::Kept>>,
    rows: Vec<Line>,
    tallies: Vec<StepStats>,
    /// Workspace for sorting.
    order: Vec<u32>,
    spare: Spare<F::Kept>,
    finder: PhantomData<F>,
}

/// What the contacts of a bucket are sorted into.
#[derive(Clone, Debug, Default)]
struct Spare<K: Kept> {
    ends: Vec<BodyPair>,
    blocks: Vec<Block<K>>,
    rows: Vec<Line>,
}

/// What can be asked of contacts of any kinds.
pub(super) trait AnyBucket {
    fn len(&self) -> usize;

    /// Memory that it holds (bytes).
    fn memory(&self) -> usize;

    /// Whether there is a lane for every contact.
    fn is_whole(&self) -> bool;
}

impl<F: Finder> AnyBucket for Bucket<F> {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn memory(&self) -> usize {
        size_of::<BodyPair>() * self.ends.capacity()
            + size_of::<Block<F::Kept>>() * self.blocks.capacity()
            + size_of::<Line>() * self.rows.capacity()
    }

    fn is_whole(&self) -> bool {
        self.blocks.len() == self.ends.len().div_ceil(WIDTH)
    }
}

impl<F: Finder> Bucket<F> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn ends(&self) -> &[BodyPair] {
        &self.ends
    }

    /// Of each contact, and of lanes without one.
    pub(super) fn rows(&self) -> &[Line] {
        &self.rows
    }

    pub(super) fn ends_mut(&mut self) -> &mut [BodyPair] {
        &mut self.ends
    }

    pub(super) fn push(
        &mut self,
        ends: BodyPair,
        couple: Couple,
        start: Beginning,
        history: &History<Space>,
    ) {
        let lane = self.len() % WIDTH;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        self.ends.push(ends);
        if let Some(block) = self.blocks.last_mut() {
            block.begin(lane, couple, start, history);
        }
    }

    /// Looks again at what the bodies of every contact have in common.
    pub(super) fn join(&mut self, couple: impl Fn(BodyPair) -> Couple) {
        for (ends, block) in self.ends.chunks(WIDTH).zip(&mut self.blocks) {
            block.join_all(couple(ends[0]));
            for (lane, &ends) in ends.iter().enumerate() {
                block.join(lane, couple(ends));
            }
        }
    }

    fn swap_remove(&mut self, contact: usize) {
        let last = self.len() - 1;
        let from = self.blocks[last / WIDTH];
        self.blocks[contact / WIDTH].copy(contact % WIDTH, &from, last % WIDTH);
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
        self.rows[contact] = self.rows[last];
        self.ends.swap_remove(contact);
        if let Some(tally) = self.tallies.get_mut(contact / (WIDTH * TASK)) {
            // What has come from elsewhere may be marked.
            (tally.parted, tally.handed) = (tally.parted + 1, tally.handed + 1);
        }
        self.blocks.truncate(last.div_ceil(WIDTH));
        self.rows.truncate(WIDTH * self.blocks.len());
    }

    /// Puts contacts in the order of their first bodies: those that are solved together then look at few bodies, and the
    /// forces of a body stand together.
    pub(super) fn sort(&mut self) {
        let Self { ends, blocks, rows, order, spare, .. } = self;
        if ends.is_sorted_by_key(|ends| (ends.a, ends.b)) {
            return;
        }
        order.clear();
        order.extend(0..ends.len() as u32);
        order.sort_unstable_by_key(|&contact| (ends[contact as usize].a, ends[contact as usize].b));
        rows.resize(WIDTH * blocks.len(), Line::default());
        spare.ends.clear();
        spare.ends.extend(order.iter().map(|&contact| ends[contact as usize]));
        spare.rows.clear();
        spare.rows.extend(order.iter().map(|&contact| rows[contact as usize]));
        spare.rows.resize(rows.len(), Line::default());
        spare.blocks.clear();
        spare.blocks.resize(blocks.len(), Block::default());
        for (new, &old) in order.iter().enumerate() {
            let old = old as usize;
            spare.blocks[new / WIDTH].copy(new % WIDTH, &blocks[old / WIDTH], old % WIDTH);
        }
        std::mem::swap(ends, &mut spare.ends);
        std::mem::swap(blocks, &mut spare.blocks);
        std::mem::swap(rows, &mut spare.rows);
    }

    /// Finds and loads every contact.
    pub(super) fn solve(&mut self, common: Common<'_>) -> StepStats {
        let Self { ends, blocks, rows, tallies, .. } = self;
        rows.resize(WIDTH * blocks.len(), Line::default());
        tallies.resize(blocks.len().div_ceil(TASK), StepStats::default());
        let backend = Backend::best();
        let far = common.records.len() > NEAR;
        blocks
            .par_chunks_mut(TASK)
            .zip(rows.par_chunks_mut(WIDTH * TASK))
            .zip(ends.par_chunks(WIDTH * TASK))
            .zip(tallies.par_iter_mut())
            .for_each(|(((blocks, rows), ends), tally)| {
                *tally = backend.run(Pass { common, far, ends, blocks, rows, finder: PhantomData::<F> });
            });
        tallies.iter().fold(StepStats::default(), StepStats::add)
    }

    /// Takes out the contacts whose bit is set.
    fn take_out(
        &mut self,
        count: impl Fn(&StepStats) -> u32,
        bits: impl Fn(&Block<F::Kept>) -> u8,
        mut out: impl FnMut(&Self, usize),
    ) {
        for k in (0..self.blocks.len()).rev() {
            if self.tallies.get(k / TASK).is_some_and(|tally| count(tally) == 0) {
                continue;
            }
            for lane in (0..WIDTH).rev() {
                let contact = WIDTH * k + lane;
                if contact < self.len() && bits(&self.blocks[k]) >> lane & 1 == 1 {
                    out(self, contact);
                    self.swap_remove(contact);
                }
                if k >= self.blocks.len() {
                    break;
                }
            }
        }
    }

    #[cfg(test)]
    pub(super) fn mark_all(&mut self) {
        self.tallies.clear();
        self.blocks.iter_mut().for_each(|block| block.handed = !0);
    }

    pub(super) fn hand_over(&mut self, take: &mut impl FnMut(BodyPair, DVec3, History<Space>)) {
        self.take_out(
            |tally| tally.handed,
            |block| block.handed,
            |bucket, contact| {
                let (block, lane) = (&bucket.blocks[contact / WIDTH], contact % WIDTH);
                take(bucket.ends[contact], block.normal(lane), block.history(lane));
            },
        );
    }

    pub(super) fn part(&mut self, sleep: &mut impl FnMut(Separated<Space>)) {
        self.take_out(
            |tally| tally.parted,
            |block| block.parted,
            |bucket, contact| {
                let (gap, direction) = bucket.finding(contact);
                sleep(Separated { ends: bucket.ends[contact], gap, direction });
            },
        );
    }

    pub(super) fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool) {
        for contact in (0..self.len()).rev() {
            if gone(&self.ends[contact]) {
                self.swap_remove(contact);
            }
        }
    }

    #[inline]
    pub(super) fn row(&self, contact: usize) -> ContactForce<Space> {
        let [fx, fy, fz, .., elastic] = self.rows[contact].0;
        let (force, point) = (DVec3::new(fx, fy, fz), self.blocks[contact / WIDTH].point(contact % WIDTH));
        ContactForce { force, point, torque: DVec3::ZERO, elastic }
    }

    pub(super) fn finding(&self, contact: usize) -> (f64, DVec3) {
        (self.rows[contact].0[6], self.blocks[contact / WIDTH].normal(contact % WIDTH))
    }

    /// Fills in what is not kept in checkpoints.
    pub(super) fn restore(&mut self) {
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
    }
}

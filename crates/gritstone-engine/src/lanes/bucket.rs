//! Contacts of one kind.

mod saved;

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, WIDTH};
use gritstone_force::History;
use rayon::prelude::*;

use super::block::{Block, FirstGeometry, PairConstants, Springs, WarmStart};
use super::kernel::{Common, Line, Pass};
use super::kinds::ContactKind;
use crate::contacts::batch::Separated;
use crate::contacts::{BodyPair, ContactForce, StepStats};

/// Blocks that one task solves; sums are taken within and then over the tasks.
const TASK: usize = 16;

/// Bodies that fit into a cache of a megabyte, where they need not be prefetched.
const NEAR: usize = 1 << 13;

/// Contacts of one kind, in blocks of eight. Where one is removed, the last takes its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Bucket<K: ContactKind> {
    pair: Vec<BodyPair>,
    blocks: Vec<Block<K::WarmStart>>,
    /// One for each block, or none at all where bodies resist neither rolling nor twisting.
    springs: Vec<Springs>,
    resists: bool,
    rows: Vec<Line>,
    task_stats: Vec<StepStats>,
    /// Workspace for sorting.
    order: Vec<u32>,
    spare: Spare<K::WarmStart>,
    kind: PhantomData<K>,
}

/// What the contacts of a bucket are sorted into.
#[derive(Clone, Debug, Default)]
struct Spare<W: WarmStart> {
    pair: Vec<BodyPair>,
    blocks: Vec<Block<W>>,
    springs: Vec<Springs>,
    rows: Vec<Line>,
}

/// Blocks, rows and pairs of one task, and its sums.
type Part<'b, K> =
    (((&'b mut [Block<<K as ContactKind>::WarmStart>], &'b mut [Line]), &'b [BodyPair]), &'b mut StepStats);

/// What is the same for buckets of any kind.
pub(super) trait AnyBucket {
    fn len(&self) -> usize;

    /// Memory that it holds (bytes).
    fn memory(&self) -> usize;

    /// Whether there is a lane for every contact.
    fn is_whole(&self) -> bool;
}

impl<K: ContactKind> AnyBucket for Bucket<K> {
    fn len(&self) -> usize {
        self.pair.len()
    }

    fn memory(&self) -> usize {
        size_of::<BodyPair>() * self.pair.capacity()
            + size_of::<Block<K::WarmStart>>() * self.blocks.capacity()
            + size_of::<Springs>() * self.springs.capacity()
            + size_of::<Line>() * self.rows.capacity()
    }

    fn is_whole(&self) -> bool {
        let blocks = self.blocks.len();
        blocks == self.pair.len().div_ceil(WIDTH) && (self.springs.is_empty() || self.springs.len() == blocks)
    }
}

impl<K: ContactKind> Bucket<K> {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.pair.len()
    }

    pub(super) fn pair(&self) -> &[BodyPair] {
        &self.pair
    }

    /// Of each contact, and of lanes without one.
    pub(super) fn rows(&self) -> &[Line] {
        &self.rows
    }

    pub(super) fn block(&self, block: usize) -> &Block<K::WarmStart> {
        &self.blocks[block]
    }

    /// Replaces all contacts; rows are those of contacts alone.
    pub(super) fn replace(&mut self, pair: Vec<BodyPair>, blocks: Vec<Block<K::WarmStart>>, rows: Vec<Line>) {
        self.task_stats.clear();
        (self.pair, self.blocks, self.rows) = (pair, blocks, rows);
        self.springs.clear();
        self.fit_springs();
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
    }

    pub(super) fn pairs_mut(&mut self) -> &mut [BodyPair] {
        &mut self.pair
    }

    pub(super) fn push(
        &mut self,
        pair: BodyPair,
        constants: PairConstants,
        first: FirstGeometry,
        history: &History<Space>,
    ) {
        let lane = self.len() % WIDTH;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        self.pair.push(pair);
        if let Some(block) = self.blocks.last_mut() {
            block.begin(lane, constants, first, history);
        }
        self.fit_springs();
        if let Some(springs) = self.springs.last_mut() {
            springs.set(lane, history.roll, history.twist);
        }
    }

    /// Gives every block its springs, where bodies resist rolling or twisting.
    fn fit_springs(&mut self) {
        let blocks = if self.resists { self.blocks.len() } else { 0 };
        self.springs.resize(blocks, Springs::default());
    }

    /// Adds a contact of another bucket, with all that is known of it. What does not change while its bodies touch is to be set
    /// again where they have other slots.
    pub(super) fn push_copy(&mut self, from: &Self, contact: usize) {
        let lane = self.len() % WIDTH;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
        self.rows[self.pair.len()] = from.rows.get(contact).copied().unwrap_or_default();
        self.pair.push(from.pair[contact]);
        if let Some(block) = self.blocks.last_mut() {
            block.copy(lane, &from.blocks[contact / WIDTH], contact % WIDTH);
        }
        self.resists |= from.resists;
        self.fit_springs();
        if let (Some(springs), Some(from)) = (self.springs.last_mut(), from.springs.get(contact / WIDTH)) {
            let (roll, twist) = from.get(contact % WIDTH);
            springs.set(lane, roll, twist);
        }
    }

    /// Sets what does not change while bodies touch, of every contact.
    pub(super) fn set_constants(&mut self, constants: impl Fn(BodyPair) -> PairConstants) {
        for (pair, block) in self.pair.chunks(WIDTH).zip(&mut self.blocks) {
            block.set_all_constants(constants(pair[0]));
            for (lane, &pair) in pair.iter().enumerate() {
                block.set_constants(lane, constants(pair));
            }
        }
    }

    fn swap_remove(&mut self, contact: usize) {
        let last = self.len() - 1;
        let from = self.blocks[last / WIDTH];
        self.blocks[contact / WIDTH].copy(contact % WIDTH, &from, last % WIDTH);
        if self.resists {
            let (roll, twist) = self.springs[last / WIDTH].get(last % WIDTH);
            self.springs[contact / WIDTH].set(contact % WIDTH, roll, twist);
        }
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
        self.rows[contact] = self.rows[last];
        self.pair.swap_remove(contact);
        if let Some(stats) = self.task_stats.get_mut(contact / (WIDTH * TASK)) {
            // What has come from elsewhere may be marked.
            (stats.parted, stats.handed) = (stats.parted + 1, stats.handed + 1);
        }
        self.blocks.truncate(last.div_ceil(WIDTH));
        self.rows.truncate(WIDTH * self.blocks.len());
        self.fit_springs();
    }

    /// Sorts contacts by their first bodies: those that are solved together then load few bodies, and the forces of a body
    /// are contiguous.
    pub(super) fn sort(&mut self) {
        let Self { pair, blocks, springs, rows, order, spare, .. } = self;
        if pair.is_sorted_by_key(|pair| (pair.a, pair.b)) {
            return;
        }
        order.clear();
        order.extend(0..pair.len() as u32);
        order.sort_unstable_by_key(|&contact| (pair[contact as usize].a, pair[contact as usize].b));
        rows.resize(WIDTH * blocks.len(), Line::default());
        spare.pair.clear();
        spare.pair.extend(order.iter().map(|&contact| pair[contact as usize]));
        spare.rows.clear();
        spare.rows.extend(order.iter().map(|&contact| rows[contact as usize]));
        spare.rows.resize(rows.len(), Line::default());
        spare.blocks.clear();
        spare.blocks.resize(blocks.len(), Block::default());
        for (new, &old) in order.iter().enumerate() {
            let old = old as usize;
            spare.blocks[new / WIDTH].copy(new % WIDTH, &blocks[old / WIDTH], old % WIDTH);
        }
        spare.springs.clear();
        spare.springs.resize(springs.len(), Springs::default());
        if !springs.is_empty() {
            for (new, &old) in order.iter().enumerate() {
                let (roll, twist) = springs[old as usize / WIDTH].get(old as usize % WIDTH);
                spare.springs[new / WIDTH].set(new % WIDTH, roll, twist);
            }
        }
        std::mem::swap(springs, &mut spare.springs);
        std::mem::swap(pair, &mut spare.pair);
        std::mem::swap(blocks, &mut spare.blocks);
        std::mem::swap(rows, &mut spare.rows);
    }

    /// Solves every contact, and applies its law.
    pub(super) fn solve(&mut self, common: Common<'_>) -> StepStats {
        if self.resists { self.solve_all::<true>(common) } else { self.solve_all::<false>(common) }
    }

    fn solve_all<const RESISTS: bool>(&mut self, common: Common<'_>) -> StepStats {
        let Self { pair, blocks, springs, rows, task_stats, .. } = self;
        rows.resize(WIDTH * blocks.len(), Line::default());
        task_stats.resize(blocks.len().div_ceil(TASK), StepStats::default());
        let backend = Backend::best();
        let far = common.records.len() > NEAR;
        let solve = |(((blocks, rows), pair), stats): Part<'_, K>, springs| {
            let kind = PhantomData::<K>;
            *stats = backend.run(Pass::<K, RESISTS> { common, far, pair, blocks, springs, rows, kind });
        };
        let parts = blocks
            .par_chunks_mut(TASK)
            .zip(rows.par_chunks_mut(WIDTH * TASK))
            .zip(pair.par_chunks(WIDTH * TASK))
            .zip(task_stats.par_iter_mut());
        if RESISTS {
            parts.zip(springs.par_chunks_mut(TASK)).for_each(|(part, springs)| solve(part, springs));
        } else {
            parts.for_each(|part| solve(part, &mut []));
        }
        task_stats.iter().fold(StepStats::default(), StepStats::add)
    }

    /// Takes out the contacts whose bit is set.
    fn take_out(
        &mut self,
        count: impl Fn(&StepStats) -> u32,
        bits: impl Fn(&Block<K::WarmStart>) -> u8,
        mut out: impl FnMut(&Self, usize),
    ) {
        for k in (0..self.blocks.len()).rev() {
            if self.task_stats.get(k / TASK).is_some_and(|stats| count(stats) == 0) {
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

    /// Marks all contacts to be handed over.
    pub(super) fn mark_all(&mut self) {
        self.task_stats.clear();
        self.blocks.iter_mut().for_each(|block| block.unsolved = !0);
    }

    pub(super) fn hand_over(&mut self, take: &mut impl FnMut(BodyPair, DVec3, History<Space>)) {
        self.take_out(
            |stats| stats.handed,
            |block| block.unsolved,
            |bucket, contact| {
                let (block, lane) = (&bucket.blocks[contact / WIDTH], contact % WIDTH);
                let mut history = block.history(lane);
                if let Some(springs) = bucket.springs.get(contact / WIDTH) {
                    (history.roll, history.twist) = springs.get(lane);
                }
                take(bucket.pair[contact], block.normal(lane), history);
            },
        );
    }

    pub(super) fn part(&mut self, deactivate: &mut impl FnMut(Separated<Space>)) {
        self.take_out(
            |stats| stats.parted,
            |block| block.separated,
            |bucket, contact| {
                let (gap, direction) = bucket.geometry(contact);
                deactivate(Separated { pair: bucket.pair[contact], gap, direction });
            },
        );
    }

    pub(super) fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool) {
        for contact in (0..self.len()).rev() {
            if gone(&self.pair[contact]) {
                self.swap_remove(contact);
            }
        }
    }

    pub(super) fn pair_of(&self, contact: usize) -> BodyPair {
        self.pair[contact]
    }

    #[inline]
    pub(super) fn force(&self, contact: usize) -> ContactForce<Space> {
        let [fx, fy, fz, mx, my, mz, dissipated, elastic] = self.rows[contact].0;
        let (force, point) = (DVec3::new(fx, fy, fz), self.blocks[contact / WIDTH].point(contact % WIDTH));
        let torque = if K::TURNED > 0 || self.resists {
            DVec3::new(mx, my, mz) - point.cross(force)
        } else {
            DVec3::ZERO
        };
        ContactForce { force, point, torque, dissipated, elastic }
    }

    pub(super) fn geometry(&self, contact: usize) -> (f64, DVec3) {
        let (block, lane) = (&self.blocks[contact / WIDTH], contact % WIDTH);
        (block.gap(lane), block.normal(lane))
    }

    /// Fills in what is not kept in checkpoints; `resists`: whether bodies resist rolling or twisting.
    pub(super) fn restore(&mut self, resists: bool) {
        self.rows.resize(WIDTH * self.blocks.len(), Line::default());
        self.resists = resists;
        self.fit_springs();
    }
}

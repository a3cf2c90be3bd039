//! Many pairs at a time, in SIMD lanes.
//!
//! **Idea.** `support-newton` for eight pairs side by side ([`lanes`](gritstone_core::lanes)). Every lane climbs its own
//! g; a lane that has arrived is emptied and takes the next pair, so that slow pairs do not hold up the others. Pairs
//! that do not converge, or whose answer is not proven where proof is asked for, are handed to the scalar [`Auto`](super::Auto).
//!
//! **Same bits.** The answer to a pair depends neither on the processor's instruction set nor on the other pairs.

mod body;
mod contacts;
mod deliver;
mod ellipsoids;
mod feed;
mod follow;
mod gather;
mod kind;
mod newton;
mod rows;
mod step;
mod superellipsoids;
mod tangential;
mod tower;

use glam::DVec3;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Turn, WIDTH};
use gritstone_core::{Contact, Space};

pub use self::body::{Body, BodyJet, lane_numbers};
use self::deliver::{Delivery, Flush};
pub use self::ellipsoids::Ellipsoids;
use self::feed::Feed;
pub use self::follow::{follow, follow_on};
use self::kind::Kind;
use self::newton::{Climb, Finished};
pub use self::superellipsoids::Superellipsoids;
use super::{Memory, Pair, Scratch, certify};
use crate::{Answer, Doubt, Goal, Query, Verdict};

/// Grains that lanes can solve.
pub trait Grains: Kind {}

impl Grains for Superellipsoids {}

impl Grains for Ellipsoids {}

/// Pairs of grains, one array per quantity.
#[derive(Clone, Debug, Default)]
pub struct PairList {
    /// Index of each first grain.
    pub a: Vec<u32>,
    /// Index of each second grain.
    pub b: Vec<u32>,
    /// Unit directions from a to b to start from, in the world; zero or missing where there is none.
    pub start: Vec<DVec3>,
}

impl PairList {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.a.len().min(self.b.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What is asked of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// How much is wanted.
    pub goal: Goal,
    /// Whether overlaps are to be proven, too. Distances between bodies that are apart are proven in any case.
    pub certify: bool,
}

/// Working memory of batches; keep one per thread and no batch allocates.
#[derive(Clone, Debug, Default)]
pub struct BatchScratch {
    scalar: Scratch,
    unfinished: Vec<Unfinished>,
    again: Vec<Unfinished>,
}

impl BatchScratch {
    /// How many pairs of the last batch were handed to the scalar code.
    pub fn handed_over(&self) -> usize {
        self.unfinished.len()
    }
}

/// A pair that is not done with.
#[derive(Clone, Copy, Debug)]
struct Unfinished {
    pair: usize,
    /// The direction to go on from, in the world.
    start: DVec3,
}

/// A batch under way.
struct Task<'a, K> {
    grains: &'a K,
    pairs: &'a PairList,
    settings: Settings,
    answers: &'a mut [Answer<Space>],
    unfinished: &'a mut Vec<Unfinished>,
}

impl<K: Kind> Task<'_, K> {
    /// The centre of body a of a pair.
    fn origin(&self, pair: usize) -> DVec3 {
        self.grains.centre(self.pairs.a[pair] as usize)
    }

    /// The frames in which pairs are solved.
    #[inline(always)]
    fn frame<L: Lanes>(&self, pairs: &[usize; WIDTH]) -> Option<Turn<L>> {
        let mut grains = [0; WIDTH];
        for (grain, &pair) in grains.iter_mut().zip(pairs) {
            *grain = self.pairs.a[pair] as usize;
        }
        self.grains.frame(&grains)
    }
}

/// Solves every pair; `answers` are in the order of the pairs.
///
/// # Panics
///
/// If a pair names a grain that does not exist.
pub fn solve<G: Grains>(
    grains: &G,
    pairs: &PairList,
    settings: Settings,
    scratch: &mut BatchScratch,
    answers: &mut Vec<Answer<Space>>,
) {
    solve_on(Backend::best(), grains, pairs, settings, scratch, answers);
}

/// [`solve`] with this instruction set.
pub fn solve_on<G: Grains>(
    backend: Backend,
    grains: &G,
    pairs: &PairList,
    settings: Settings,
    scratch: &mut BatchScratch,
    answers: &mut Vec<Answer<Space>>,
) {
    let BatchScratch { scalar, unfinished, .. } = scratch;
    unfinished.clear();
    answers.resize(pairs.len(), PENDING);
    backend.run(Task { grains, pairs, settings, answers, unfinished });
    for rest in unfinished.iter() {
        let [a, b] = [pairs.a[rest.pair], pairs.b[rest.pair]].map(|grain| grain as usize);
        let pair = Pair::new(grains.shape(a), &grains.pose(a), grains.shape(b), &grains.pose(b));
        let query = Query { goal: settings.goal, start: Some(rest.start), ..Query::default() };
        answers[rest.pair] = certify(&pair, query, &mut Memory::default(), scalar);
    }
}

/// Stands in an answer's place until it is there.
const PENDING: Answer<Space> = Answer {
    verdict: Verdict::Unresolved {
        best: Contact {
            point_a: DVec3::ZERO,
            point_b: DVec3::ZERO,
            normal: DVec3::ZERO,
            gap: f64::NAN,
            curvature: [f64::NAN; 2],
        },
        doubt: Doubt::NotConverged,
    },
    lower: f64::NEG_INFINITY,
    upper: f64::INFINITY,
    tolerance: 0.0,
    iterations: 0,
    evaluations: 0,
};

impl<K: Kind> Kernel for Task<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let mut feed = Feed::new(self.grains, self.pairs);
        let mut lanes = Group::EMPTY;
        let mut delivery = Delivery::EMPTY;
        loop {
            lanes.deliver::<K, L>(&mut delivery, &mut self);
            lanes.refill::<K, L>(&mut feed);
            if lanes.active == 0 {
                break;
            }
            lanes.finished = lanes.climb.advance::<K, L>(lanes.active, self.settings.goal == Goal::Detect);
            lanes.active &= !lanes.finished.lanes;
        }
        if delivery.count > 0 {
            L::call(Flush(&mut delivery, &mut self));
        }
    }
}

/// Eight lanes.
struct Group {
    climb: Climb,
    /// The pair in each lane.
    ids: [usize; WIDTH],
    /// Lanes that can take a pair, one bit each.
    free: u8,
    /// Lanes that climb.
    active: u8,
    finished: Finished,
}

impl Group {
    const EMPTY: Self = Self {
        climb: Climb::EMPTY,
        ids: [0; WIDTH],
        free: !0,
        active: 0,
        finished: Finished { lanes: 0, converged: 0 },
    };

    /// Takes out the pairs that are finished.
    #[inline(always)]
    fn deliver<K: Kind, L: Lanes>(&mut self, delivery: &mut Delivery, task: &mut Task<'_, K>) {
        while self.finished.lanes != 0 {
            let lane = pop(&mut self.finished.lanes);
            delivery.take::<K, L>(
                &self.climb,
                lane,
                self.ids[lane],
                self.finished.converged >> lane & 1 == 1,
            );
            self.free |= 1 << lane;
            if delivery.count == WIDTH {
                L::call(Flush(delivery, task));
            }
        }
    }

    /// Fills free lanes with the next pairs.
    #[inline(always)]
    fn refill<K: Kind, L: Lanes>(&mut self, feed: &mut Feed<'_, K>) {
        while self.free != 0 {
            let Some((pair, column)) = feed.next::<L>() else { return };
            let lane = pop(&mut self.free);
            self.climb.begin::<K>(lane, &feed.block, &feed.start, column);
            self.ids[lane] = pair;
            self.active |= 1 << lane;
        }
    }
}

/// Takes the lowest lane out of a set.
#[inline(always)]
fn pop(lanes: &mut u8) -> usize {
    let lane = lanes.trailing_zeros() as usize;
    *lanes &= *lanes - 1;
    lane
}

//! Which pairs of a list have used up their gaps.
//!
//! **Idea.** To ask every pair in every step would cost more than all contacts of a quiet bed. So each body is given a displacement
//! up to which none of its pairs need be asked: of what is left of a pair's gap, each of its two bodies gets one half. A
//! pair cannot have used up its gap before one of its bodies has used up its half. Only bodies that have done so ask their
//! pairs, and share what is left of the gaps anew; a grain that flies through a bed at rest wakes those that it passes.
//!
//! Where many bodies would ask, as in a bed that flows, it costs less to go through all pairs in order.
//!
//! What comes out is the same as if all had been asked: nothing of this need be kept in checkpoints.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::displacement::Displacement;
use super::neighbour_list::Candidate;
use crate::dimension::Dimension;

/// Share of a way by which bodies ask too soon, so that rounding does not matter.
const EARLY: f64 = 1e-9;
/// From one restless body in so many on, all pairs are gone through.
const CROWD: usize = 12;
/// Steps for which a restless crowd gets no new shares.
const UNREST: u32 = 32;
/// Pairs, or bodies, that one task goes through.
const CHUNK: usize = 4096;
/// Restless bodies that one task lets ask.
const ASKING: usize = 64;
/// Pairs, or bodies, that are asked together.
const SOME: usize = 8;

/// When the bodies of a list ask about their pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActivationSchedule {
    /// Displacement from which a body asks, by slot.
    until: Vec<f64>,
    /// The pairs in which a body is the second one: where they start, by slot, and which they are.
    starts: Vec<u32>,
    seconds: Vec<u32>,
    /// Bodies that ask in this step.
    restless: Vec<u32>,
    /// What they learn, task by task.
    answers: Vec<Answers>,
    /// Pairs that have used up their gaps.
    awake: Vec<u32>,
    /// What tasks find, of bodies or of pairs.
    parts: Vec<Vec<u32>>,
    /// Steps for which all pairs are gone through, before shares tell again who is restless.
    unrest: u32,
}

/// What some restless bodies learn when they ask.
#[derive(Clone, Debug, Default)]
struct Answers {
    /// Displacement from which each of them asks again.
    own: Vec<f64>,
    /// Others that are to ask sooner than they would, and when.
    shares: Vec<(u32, f64)>,
    /// Pairs that have used up their gaps; those of two restless bodies twice.
    awake: Vec<u32>,
}

impl Answers {
    fn clear(&mut self) {
        self.own.clear();
        self.shares.clear();
        self.awake.clear();
    }

    /// Memory that they hold (bytes).
    fn memory(&self) -> usize {
        size_of::<f64>() * self.own.capacity()
            + size_of::<(u32, f64)>() * self.shares.capacity()
            + size_of::<u32>() * self.awake.capacity()
    }

    /// A body asks about a pair that it has with another: what is left is shared, if anything is. Its half comes back.
    fn ask<D: Dimension>(&mut self, list: Candidates<'_, D>, until: &[f64], i: u32, other: usize) -> f64 {
        let pair = &list.pairs[i as usize];
        if list.is_awake(pair) {
            self.awake.push(i);
            return f64::INFINITY; // It is shared when it has been looked at.
        }
        let half = 0.5 * list.left(pair);
        let share = list.displacement.of[other] + half;
        if share < until[other] {
            self.shares.push((other as u32, share));
        }
        half
    }
}

/// The pairs of a list.
#[derive(Clone, Copy)]
pub(super) struct Candidates<'l, D: Dimension> {
    pub(super) displacement: &'l Displacement<D>,
    pub(super) pairs: &'l [Candidate],
    /// Where each body's pairs start, by slot of body a.
    pub(super) rows: &'l [u32],
}

impl<D: Dimension> Candidates<'_, D> {
    /// Whether a pair has used up its gap.
    #[inline]
    fn is_awake(&self, pair: &Candidate) -> bool {
        self.displacement.of[pair.a as usize] + self.displacement.of[pair.b as usize] >= pair.wake
    }

    /// What is left of the gap of a pair, somewhat less; infinite for contacts.
    fn left(&self, pair: &Candidate) -> f64 {
        if pair.wake == f64::INFINITY {
            return f64::INFINITY;
        }
        let gone = self.displacement.of[pair.a as usize] + self.displacement.of[pair.b as usize];
        let left = (1.0 - EARLY) * pair.wake - (1.0 + EARLY) * gone;
        if left.is_nan() { f64::NEG_INFINITY } else { left } // Both without end: nothing sleeps.
    }
}

/// Workspace for what so many tasks find.
fn room_for(tasks: usize, parts: &mut Vec<Vec<u32>>) -> &mut [Vec<u32>] {
    if parts.len() < tasks {
        parts.resize_with(tasks, || Vec::with_capacity(CHUNK));
    }
    &mut parts[..tasks]
}

impl ActivationSchedule {
    /// Knows nothing: everybody asks.
    pub(super) fn clear(&mut self) {
        self.until.clear();
        self.starts.clear();
    }

    /// The pairs that were found, in the order of the list.
    pub(super) fn awake(&self) -> &[u32] {
        &self.awake
    }

    /// Finds the pairs that have used up their gaps; how many there are.
    pub(super) fn awaken<D: Dimension>(&mut self, list: Candidates<'_, D>) -> usize {
        if self.until.is_empty() {
            self.until.resize(list.displacement.of.len(), f64::NEG_INFINITY);
            self.unrest = 1; // All are asked, and shares are given.
        }
        self.awake.clear();
        if self.unrest == 0 && self.find_restless(list) {
            self.let_ask(list);
        } else {
            self.go_through(list);
        }
        self.awake.len()
    }

    /// Finds the bodies that ask in this step; whether they are few.
    fn find_restless<D: Dimension>(&mut self, list: Candidates<'_, D>) -> bool {
        // Displacement that is not a number counts as restless.
        let asks = |(displacement, until): (&f64, &f64)| {
            !matches!(displacement.partial_cmp(until), Some(Ordering::Less))
        };
        let chunks = list.displacement.of.par_chunks(CHUNK).zip(self.until.par_chunks(CHUNK));
        let parts = room_for(chunks.len(), &mut self.parts);
        parts.par_iter_mut().zip(chunks).enumerate().for_each(
            |(chunk, (restless, (displacements, untils)))| {
                restless.clear();
                let some = displacements.chunks(SOME).zip(untils.chunks(SOME));
                for (first, (displacements, untils)) in (chunk * CHUNK..).step_by(SOME).zip(some) {
                    // Most are at rest: some are looked at together, and each of them only where there is one.
                    let those = || displacements.iter().zip(untils);
                    if those().fold(false, |any, one| any | asks(one)) {
                        let found = (first..).zip(those()).filter(|(_, one)| asks(*one));
                        restless.extend(found.map(|(slot, _)| slot as u32));
                    }
                }
            },
        );
        self.restless.clear();
        parts.iter().for_each(|part| self.restless.extend_from_slice(part));
        let few = self.restless.len() * CROWD <= self.until.len();
        self.unrest = if few { 0 } else { UNREST };
        few
    }

    /// Restless bodies ask about their pairs.
    fn let_ask<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        if self.starts.is_empty() {
            self.find_seconds(list);
        }
        let Self { until, starts, seconds, restless, answers, .. } = self;
        let tasks = restless.par_chunks(ASKING);
        if answers.len() < tasks.len() {
            answers.resize_with(tasks.len(), Answers::default);
        }
        let answered = tasks.len();
        answers.par_iter_mut().zip(tasks).for_each(|(answers, slots)| {
            answers.clear();
            for &slot in slots {
                let firsts = list.rows[slot as usize]..list.rows[slot as usize + 1];
                let seconds = &seconds[starts[slot as usize] as usize..starts[slot as usize + 1] as usize];
                let pairs = firsts.map(|i| (i, list.pairs[i as usize].b));
                let pairs = pairs.chain(seconds.iter().map(|&i| (i, list.pairs[i as usize].a)));
                let least = pairs.fold(f64::INFINITY, |least, (i, other)| {
                    least.min(answers.ask(list, until, i, other as usize))
                });
                answers.own.push(list.displacement.of[slot as usize] + least);
            }
        });
        let answers = &answers[..answered];
        let own = answers.iter().flat_map(|answers| &answers.own);
        restless.iter().zip(own).for_each(|(&slot, &own)| until[slot as usize] = own);
        for answers in answers {
            self.awake.extend_from_slice(&answers.awake);
            for &(other, share) in &answers.shares {
                until[other as usize] = until[other as usize].min(share);
            }
        }
        self.awake.sort_unstable();
        self.awake.dedup();
    }

    /// All pairs are asked, in order.
    fn go_through<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        let chunks = list.pairs.par_chunks(CHUNK);
        let parts = room_for(chunks.len(), &mut self.parts);
        parts.par_iter_mut().zip(chunks).enumerate().for_each(|(chunk, (awake, pairs))| {
            awake.clear();
            // Few of them are awake: some are asked together, and each of them only where there is one.
            for (first, some) in (chunk * CHUNK..).step_by(SOME).zip(pairs.chunks(SOME)) {
                if some.iter().fold(false, |any, pair| any | list.is_awake(pair)) {
                    let found = (first..).zip(some).filter(|(_, pair)| list.is_awake(pair));
                    awake.extend(found.map(|(i, _)| i as u32));
                }
            }
        });
        parts.iter().for_each(|part| self.awake.extend_from_slice(part));
        self.unrest -= 1;
        if self.unrest == 0 {
            self.share_all(list);
        }
    }

    /// What is left of all gaps is shared anew; pairs that are awake come later.
    fn share_all<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        self.until.fill(f64::INFINITY);
        for pair in list.pairs.iter().filter(|pair| pair.wake < f64::INFINITY && !list.is_awake(pair)) {
            self.give(list, pair, pair.a as usize);
            self.give(list, pair, pair.b as usize);
        }
    }

    /// Pairs that were awake have been looked at: what is left of their gaps is shared.
    pub(super) fn share<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        for k in 0..self.awake.len() {
            let pair = &list.pairs[self.awake[k] as usize];
            self.give(list, pair, pair.a as usize);
            self.give(list, pair, pair.b as usize);
        }
    }

    /// Gives its half to one body of a pair.
    fn give<D: Dimension>(&mut self, list: Candidates<'_, D>, pair: &Candidate, to: usize) {
        self.until[to] = self.until[to].min(list.displacement.of[to] + 0.5 * list.left(pair));
    }

    /// A pair sleeps that did not before.
    pub(super) fn add<D: Dimension>(&mut self, list: Candidates<'_, D>, pair: &Candidate) {
        if !self.until.is_empty() {
            self.give(list, pair, pair.a as usize);
            self.give(list, pair, pair.b as usize);
        }
    }

    /// Finds the pairs of second bodies.
    fn find_seconds<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        let bodies = list.displacement.of.len();
        self.starts.resize(bodies + 2, 0);
        // Counted two places further on, starts walk to where they belong while pairs are filled in.
        list.pairs.iter().for_each(|pair| self.starts[pair.b as usize + 2] += 1);
        (0..bodies).for_each(|slot| self.starts[slot + 2] += self.starts[slot + 1]);
        self.seconds.resize(list.pairs.len(), 0);
        for (i, pair) in list.pairs.iter().enumerate() {
            let next = &mut self.starts[pair.b as usize + 1];
            self.seconds[*next as usize] = i as u32;
            *next += 1;
        }
    }

    /// Memory that it holds (bytes).
    pub(super) fn memory(&self) -> usize {
        size_of::<f64>() * self.until.capacity()
            + size_of::<u32>() * (self.starts.capacity() + self.seconds.capacity())
            + size_of::<u32>() * (self.restless.capacity() + self.awake.capacity())
            + self.answers.iter().map(Answers::memory).sum::<usize>()
            + size_of::<u32>() * self.parts.iter().map(Vec::capacity).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use gritstone_core::Space;

    use super::*;

    /// Bodies that go now slowly, now fast, and now one of them alone: awake is who has used up its gap, and nobody else.
    #[test]
    fn those_are_awake_that_have_used_up_their_gaps() {
        let bodies = 200;
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            f64::from(seed >> 9) / f64::from(1_u32 << 23)
        };
        let mut pairs = Vec::new();
        let mut rows = vec![0];
        for a in 0..bodies {
            let partners = (0..6).map(|_| (random() * f64::from(bodies)) as u32).filter(|&b| b != a);
            pairs.extend(partners.collect::<Vec<_>>().into_iter().map(|b| Candidate {
                a,
                b,
                wake: random(),
            }));
            rows.push(pairs.len() as u32);
        }
        let mut displacement = Displacement::<Space>::default();
        displacement.restart(bodies as usize);
        let mut watch = ActivationSchedule::default();
        let (mut crowds, mut found) = (0, 0);
        for round in 0..600 {
            let pace = [1e-4, 0.05, 1e-3][round / 50 % 3];
            displacement.of.iter_mut().for_each(|way| *way += pace * random());
            displacement.of[3] += 0.1;
            let list = Candidates { displacement: &displacement, pairs: &pairs, rows: &rows };
            let by_hand: Vec<u32> =
                (0..).zip(&pairs).filter(|(_, pair)| list.is_awake(pair)).map(|(i, _)| i).collect();
            assert_eq!(watch.awaken(list), by_hand.len());
            assert_eq!(watch.awake(), by_hand, "round {round}");
            crowds += u32::from(watch.unrest > 0);
            found += by_hand.len();
            for &i in &by_hand {
                let Candidate { a, b, .. } = pairs[i as usize];
                // Some become contacts, the others sleep again.
                let gap = if random() < 0.01 { f64::INFINITY } else { random() };
                pairs[i as usize].wake = displacement.of[a as usize] + displacement.of[b as usize] + gap;
            }
            watch.share(Candidates { displacement: &displacement, pairs: &pairs, rows: &rows });
        }
        assert!(crowds > 50 && crowds < 400, "both ways were gone: {crowds} of 600");
        assert!(found > 1000, "{found}");
    }
}

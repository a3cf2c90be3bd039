//! Activation schedule: which candidate pairs of a list are due for a proximity test.
//!
//! **Idea.** Checking every pair in every step would cost more than all contacts of a bed at rest. So each body has a quota of
//! displacement within which none of its pairs can become due: half of the remaining gap goes to each body of a pair, and
//! a body's quota is the smallest of its halves. A pair cannot have used up its gap before one of its bodies has used up its
//! quota. Only the pairs of such bodies are checked, and their remaining gaps are distributed again.
//!
//! Where many bodies have used up their quotas, as in a bed that flows, checking all pairs in order costs less. Features of a surface are
//! many, and at rest while their wall is: their partners get the whole gap, and the features are not looked at. While the wall moves, all
//! pairs are checked in every step.
//!
//! The result is the same as if all pairs had been checked: none of this is kept in checkpoints.

use std::cmp::Ordering;
use std::ops::Range;

use rayon::prelude::*;

use super::displacement::Displacement;
use super::neighbour_list::Candidate;
use crate::dimension::Dimension;

/// Fraction of a displacement by which pairs become due early, so that rounding does not matter.
const EARLY: f64 = 1e-9;
/// All pairs are checked if at least one body in this many has used up its quota.
const MOVING_SHARE: usize = 12;
/// Steps for which all pairs are checked before quotas are distributed again.
const FULL_CHECKS: u32 = 32;
/// Pairs, or bodies, that one task checks.
const CHUNK: usize = 4096;
/// Moving bodies whose pairs one task checks.
const MOVING_CHUNK: usize = 64;
/// Pairs, or bodies, that are compared together.
const TOGETHER: usize = 8;

/// When the pairs of a list are due.
#[derive(Clone, Debug, Default)]
pub(crate) struct ActivationSchedule {
    /// Displacement from which the pairs of a body are checked, by slot.
    quota: Vec<f64>,
    /// The pairs in which a body is the second one: where they start, by slot, and which they are.
    starts: Vec<u32>,
    seconds: Vec<u32>,
    /// Bodies that have used up their quotas.
    moving: Vec<u32>,
    /// Results of their checks, task by task.
    checked: Vec<Checked>,
    /// Pairs that have used up their gaps.
    due: Vec<u32>,
    /// What tasks find, of bodies or of pairs.
    parts: Vec<Vec<u32>>,
    /// Remaining steps for which all pairs are checked.
    full_checks: u32,
    /// Slots of bodies that do not move while quotas are valid.
    still: Range<usize>,
}

/// Results of the checks of some moving bodies.
#[derive(Clone, Debug, Default)]
struct Checked {
    /// New quota of each of them.
    own: Vec<f64>,
    /// Other bodies whose quotas become smaller.
    shares: Vec<(u32, f64)>,
    /// Pairs that are due; those of two moving bodies twice.
    due: Vec<u32>,
}

impl Checked {
    fn clear(&mut self) {
        self.own.clear();
        self.shares.clear();
        self.due.clear();
    }

    /// Memory that they hold (bytes).
    fn memory(&self) -> usize {
        size_of::<f64>() * self.own.capacity()
            + size_of::<(u32, f64)>() * self.shares.capacity()
            + size_of::<u32>() * self.due.capacity()
    }

    /// Checks a pair of a moving body: what remains of its gap is distributed. Returns the body's share, which is all of it if the other
    /// one is at rest.
    fn check<D: Dimension>(
        &mut self,
        list: Candidates<'_, D>,
        (quota, still): (&[f64], &Range<usize>),
        i: u32,
        other: usize,
    ) -> f64 {
        let pair = &list.pairs[i as usize];
        if list.is_due(pair) {
            self.due.push(i);
            return f64::INFINITY; // Distributed after its proximity test.
        }
        if still.contains(&other) {
            return list.left(pair);
        }
        let half = 0.5 * list.left(pair);
        let share = list.displacement.of[other] + half;
        if share < quota[other] {
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
    fn is_due(&self, pair: &Candidate) -> bool {
        self.displacement.of[pair.a as usize] + self.displacement.of[pair.b as usize] >= pair.due_at
    }

    /// Remaining gap of a pair, rounded down; infinite for contacts.
    fn left(&self, pair: &Candidate) -> f64 {
        if pair.due_at == f64::INFINITY {
            return f64::INFINITY;
        }
        let gone = self.displacement.of[pair.a as usize] + self.displacement.of[pair.b as usize];
        let left = (1.0 - EARLY) * pair.due_at - (1.0 + EARLY) * gone;
        if left.is_nan() { f64::NEG_INFINITY } else { left } // Both infinite: always due.
    }
}

/// Workspace for the results of this many tasks.
fn workspace_for(tasks: usize, parts: &mut Vec<Vec<u32>>) -> &mut [Vec<u32>] {
    if parts.len() < tasks {
        parts.resize_with(tasks, || Vec::with_capacity(CHUNK));
    }
    &mut parts[..tasks]
}

impl ActivationSchedule {
    /// Discards all quotas: all pairs are checked next.
    pub(super) fn clear(&mut self) {
        self.quota.clear();
        self.starts.clear();
    }

    /// The pairs that were found, in the order of the list.
    pub(super) fn due(&self) -> &[u32] {
        &self.due
    }

    /// Finds the pairs that have used up their gaps; returns their number.
    ///
    /// Bodies in the slots `still` are at rest, unless they have moved since the last call.
    pub(super) fn find_due<D: Dimension>(
        &mut self,
        list: Candidates<'_, D>,
        still: Range<usize>,
        have_moved: bool,
    ) -> usize {
        self.still = still;
        if have_moved {
            self.clear();
            self.due.clear();
            self.scan(list);
            return self.due.len();
        }
        if self.quota.is_empty() {
            self.quota.resize(list.displacement.of.len(), f64::NEG_INFINITY);
            self.full_checks = 1; // All are checked, and quotas are distributed.
        }
        self.due.clear();
        if self.full_checks == 0 && self.find_moving(list) {
            self.check_moving(list);
        } else {
            self.check_all(list);
        }
        self.due.len()
    }

    /// Finds the bodies that have used up their quotas; whether checking their pairs alone is worth it.
    fn find_moving<D: Dimension>(&mut self, list: Candidates<'_, D>) -> bool {
        let still = &self.still;
        // A displacement that is not a number counts as used up.
        let is_used_up = |(displacement, quota): (&f64, &f64)| {
            !matches!(displacement.partial_cmp(quota), Some(Ordering::Less))
        };
        let chunks = list.displacement.of.par_chunks(CHUNK).zip(self.quota.par_chunks(CHUNK));
        let parts = workspace_for(chunks.len(), &mut self.parts);
        parts.par_iter_mut().zip(chunks).enumerate().for_each(
            |(chunk, (moving, (displacements, quotas)))| {
                moving.clear();
                let first = chunk * CHUNK;
                if still.start <= first && first + displacements.len() <= still.end {
                    return;
                }
                let some = displacements.chunks(TOGETHER).zip(quotas.chunks(TOGETHER));
                for (first, (displacements, quotas)) in (chunk * CHUNK..).step_by(TOGETHER).zip(some) {
                    // Most are at rest: several are compared together, and one by one only where any is moving.
                    let those = || displacements.iter().zip(quotas);
                    if those().fold(false, |any, one| any | is_used_up(one)) {
                        let found = (first..).zip(those()).filter(|(_, one)| is_used_up(*one));
                        moving.extend(found.map(|(slot, _)| slot as u32));
                    }
                }
            },
        );
        self.moving.clear();
        parts.iter().for_each(|part| self.moving.extend_from_slice(part));
        let few =
            self.moving.len() * MOVING_SHARE <= self.quota.len() - self.still.len().min(self.quota.len());
        self.full_checks = if few { 0 } else { FULL_CHECKS };
        few
    }

    /// Checks the pairs of moving bodies.
    fn check_moving<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        if self.starts.is_empty() {
            self.sort_by_second(list);
        }
        let Self { quota, starts, seconds, moving, checked, still, .. } = self;
        let tasks = moving.par_chunks(MOVING_CHUNK);
        if checked.len() < tasks.len() {
            checked.resize_with(tasks.len(), Checked::default);
        }
        let used = tasks.len();
        checked.par_iter_mut().zip(tasks).for_each(|(checked, slots)| {
            checked.clear();
            for &slot in slots {
                let firsts = list.rows[slot as usize]..list.rows[slot as usize + 1];
                let seconds = &seconds[starts[slot as usize] as usize..starts[slot as usize + 1] as usize];
                let pairs = firsts.map(|i| (i, list.pairs[i as usize].b));
                let pairs = pairs.chain(seconds.iter().map(|&i| (i, list.pairs[i as usize].a)));
                let least = pairs.fold(f64::INFINITY, |least, (i, other)| {
                    least.min(checked.check(list, (quota, still), i, other as usize))
                });
                checked.own.push(list.displacement.of[slot as usize] + least);
            }
        });
        let checked = &checked[..used];
        let own = checked.iter().flat_map(|checked| &checked.own);
        moving.iter().zip(own).for_each(|(&slot, &own)| quota[slot as usize] = own);
        for checked in checked {
            self.due.extend_from_slice(&checked.due);
            for &(other, share) in &checked.shares {
                quota[other as usize] = quota[other as usize].min(share);
            }
        }
        self.due.sort_unstable();
        self.due.dedup();
    }

    /// Checks all pairs, in order, and distributes their gaps if that was the last of such checks.
    fn check_all<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        self.scan(list);
        self.full_checks -= 1;
        if self.full_checks == 0 {
            self.distribute_all(list);
        }
    }

    /// Checks all pairs, in order.
    fn scan<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        let chunks = list.pairs.par_chunks(CHUNK);
        let parts = workspace_for(chunks.len(), &mut self.parts);
        parts.par_iter_mut().zip(chunks).enumerate().for_each(|(chunk, (due, pairs))| {
            due.clear();
            // Few of them are due: several are compared together, and one by one only where any is due.
            for (first, some) in (chunk * CHUNK..).step_by(TOGETHER).zip(pairs.chunks(TOGETHER)) {
                if some.iter().fold(false, |any, pair| any | list.is_due(pair)) {
                    let found = (first..).zip(some).filter(|(_, pair)| list.is_due(pair));
                    due.extend(found.map(|(i, _)| i as u32));
                }
            }
        });
        parts.iter().for_each(|part| self.due.extend_from_slice(part));
    }

    /// Distributes the remaining gaps of all pairs but those that are due.
    fn distribute_all<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        self.quota.fill(f64::INFINITY);
        for pair in list.pairs.iter().filter(|pair| pair.due_at < f64::INFINITY && !list.is_due(pair)) {
            self.set_quotas(list, pair);
        }
    }

    /// Distributes the gaps of the pairs that were due, after their proximity tests.
    pub(super) fn distribute<D: Dimension>(&mut self, list: Candidates<'_, D>) {
        if !self.quota.is_empty() {
            for k in 0..self.due.len() {
                self.set_quotas(list, &list.pairs[self.due[k] as usize]);
            }
        }
    }

    /// Lowers the quotas of the bodies of a pair to their shares of the gap.
    fn set_quotas<D: Dimension>(&mut self, list: Candidates<'_, D>, pair: &Candidate) {
        let (a, b, left) = (pair.a as usize, pair.b as usize, list.left(pair));
        let at_rest = self.still.contains(&b);
        let share = if at_rest { left } else { 0.5 * left };
        self.quota[a] = self.quota[a].min(list.displacement.of[a] + share);
        if !at_rest {
            self.quota[b] = self.quota[b].min(list.displacement.of[b] + share);
        }
    }

    /// A pair has become a candidate again.
    pub(super) fn add<D: Dimension>(&mut self, list: Candidates<'_, D>, pair: &Candidate) {
        if !self.quota.is_empty() {
            self.set_quotas(list, pair);
        }
    }

    /// Sorts pairs by their second bodies.
    fn sort_by_second<D: Dimension>(&mut self, list: Candidates<'_, D>) {
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
        size_of::<f64>() * self.quota.capacity()
            + size_of::<u32>() * (self.starts.capacity() + self.seconds.capacity())
            + size_of::<u32>() * (self.moving.capacity() + self.due.capacity())
            + self.checked.iter().map(Checked::memory).sum::<usize>()
            + size_of::<u32>() * self.parts.iter().map(Vec::capacity).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use gritstone_core::Space;

    use super::*;

    /// Slow bodies, fast ones, a single fast one, and some that move now and then: exactly those pairs are due that have used up their
    /// gaps.
    #[test]
    fn due_pairs_are_those_with_used_up_gaps() {
        let (bodies, still) = (200, 150..200);
        let mut seed = 7_u32;
        let mut random = || {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            f64::from(seed >> 9) / f64::from(1_u32 << 23)
        };
        let mut pairs = Vec::new();
        let mut rows = vec![0];
        for a in 0..bodies {
            // Those that stand still are second bodies alone.
            let count = if still.contains(&(a as usize)) { 0 } else { 6 };
            let partners = (0..count).map(|_| (random() * f64::from(bodies)) as u32).filter(|&b| b != a);
            pairs.extend(partners.collect::<Vec<_>>().into_iter().map(|b| Candidate {
                a,
                b,
                due_at: random(),
            }));
            rows.push(pairs.len() as u32);
        }
        let mut displacement = Displacement::<Space>::default();
        displacement.restart(bodies as usize);
        let mut schedule = ActivationSchedule::default();
        let (mut crowds, mut found) = (0, 0);
        for round in 0..600 {
            let pace = [1e-4, 0.05, 1e-3][round / 50 % 3];
            let have_moved = round % 7 == 3;
            let moving = if have_moved { 0..still.end } else { 0..still.start };
            displacement.of[moving].iter_mut().for_each(|sum| *sum += pace * random());
            displacement.of[3] += 0.1;
            let list = Candidates { displacement: &displacement, pairs: &pairs, rows: &rows };
            let by_hand: Vec<u32> =
                (0..).zip(&pairs).filter(|(_, pair)| list.is_due(pair)).map(|(i, _)| i).collect();
            assert_eq!(schedule.find_due(list, still.clone(), have_moved), by_hand.len());
            assert_eq!(schedule.due(), by_hand, "round {round}");
            crowds += u32::from(schedule.full_checks > 0);
            found += by_hand.len();
            for &i in &by_hand {
                let Candidate { a, b, .. } = pairs[i as usize];
                // Some become contacts, the others candidates with a new gap.
                let gap = if random() < 0.01 { f64::INFINITY } else { random() };
                pairs[i as usize].due_at = displacement.of[a as usize] + displacement.of[b as usize] + gap;
            }
            schedule.distribute(Candidates { displacement: &displacement, pairs: &pairs, rows: &rows });
        }
        assert!(crowds > 50 && crowds < 400, "both kinds of checks were made: {crowds} of 600");
        assert!(found > 1000, "{found}");
    }
}

//! Neighbour lists: candidate pairs, valid while bodies have moved less than the skin.
//!
//! **Idea.** A list holds every pair whose gap was at most the skin when it was built (Verlet). Each body adds up the displacement of
//! its points; while no two of them have moved by the skin together, no pair outside the list can touch. Within the list
//! a pair is inactive until the displacement of its two bodies may have used up its gap.
//!
//! Among grains displacements are relative to their mean velocity, for a common motion brings no two together: a falling heap needs
//! no new lists. A pair is found by the same one of its bodies every time (the smaller one or, among
//! bodies of one class of sizes, the one with the smaller id), which is body a of the pair for good.

use gritstone_core::{Dim, Linear, Vector};
use gritstone_shape::Support;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::bodies::{Bodies, CHUNK};
use crate::contacts::BodyPair;
use crate::contacts::batch::Separated;
use crate::dimension::Dimension;

use super::activation::{ActivationSchedule, Candidates};
use super::displacement::Displacement;

/// Skin at the start, as a fraction of the smallest grain's size.
const FIRST_SKIN: f64 = 0.2;
/// Bounds of the skin, as fractions of the smallest grain's size.
const SKINS: [f64; 2] = [0.05, 0.8];
/// Steps that a list should last: below, it is rebuilt too often; above, it has more pairs than necessary.
const LIFE: [u64; 2] = [20, 400];

/// Two bodies that may touch before the list is rebuilt.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Candidate {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Displacement of both bodies together from which the pair is due; infinite for contacts.
    pub(crate) due_at: f64,
}

/// A pair of a list, and its direction.
pub(crate) type ListedPair<D> = (Candidate, <D as Dim>::Vec);

/// Candidate pairs, in the order of their first bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct NeighbourList<D: Dimension> {
    pub(crate) displacement: Displacement<D>,
    /// How far apart pairs may be to be in the list (m).
    pub(crate) skin: f64,
    pub(crate) pairs: Vec<Candidate>,
    /// Direction of each pair at its last proximity test; zero before.
    pub(crate) directions: Vec<D::Vec>,
    /// Where each body's pairs start, by slot of body a.
    rows: Vec<u32>,
    /// Steps since the list was built.
    age: u64,
    #[serde(skip)]
    schedule: ActivationSchedule,
    #[serde(skip)]
    parts: Vec<Part<D>>,
}

/// What one task found.
#[derive(Clone, Debug)]
pub(crate) struct Part<D: Dimension> {
    pub(crate) pairs: Vec<Candidate>,
    pub(crate) directions: Vec<D::Vec>,
    /// Pairs of each body of the chunk.
    pub(crate) counts: Vec<u32>,
    /// Workspace for neighbours.
    pub(crate) found: Vec<u32>,
}

impl<D: Dimension> Default for Part<D> {
    fn default() -> Self {
        Self { pairs: Vec::new(), directions: Vec::new(), counts: Vec::new(), found: Vec::new() }
    }
}

impl<D: Dimension> NeighbourList<D> {
    /// An empty list.
    pub(crate) fn new(bodies: &Bodies<D>) -> Self {
        let mut displacement = Displacement::default();
        displacement.restart(bodies.records.len());
        Self {
            displacement,
            skin: FIRST_SKIN * smallest_grain(bodies),
            pairs: Vec::new(),
            directions: Vec::new(),
            rows: vec![0; bodies.records.len() + 1],
            age: LIFE[0],
            schedule: ActivationSchedule::default(),
            parts: Vec::new(),
        }
    }

    /// The same list without pairs, for so many walls and no grains.
    pub(crate) fn of_walls(&self, walls: usize) -> Self {
        let Displacement { of, common, farthest, farthest_feature } = &self.displacement;
        Self {
            displacement: Displacement {
                of: of[..walls].to_vec(),
                common: *common,
                farthest: *farthest,
                farthest_feature: *farthest_feature,
            },
            skin: self.skin,
            pairs: Vec::new(),
            directions: Vec::new(),
            rows: vec![0; walls + 1],
            age: self.age,
            schedule: ActivationSchedule::default(),
            parts: Vec::new(),
        }
    }

    /// Whether a pair outside the list may touch by now.
    pub(crate) fn is_stale(&self) -> bool {
        // NaN where a position is NaN.
        self.displacement.farthest > self.skin || self.displacement.farthest.is_nan()
    }

    /// Finds the pairs that have used up their gaps; returns their number. After their proximity tests, call [`Self::distribute`].
    pub(crate) fn find_due(&mut self) -> usize {
        let list = Candidates { displacement: &self.displacement, pairs: &self.pairs, rows: &self.rows };
        self.schedule.find_due(list)
    }

    /// The pairs that [`Self::find_due`] found.
    pub(crate) fn due(&self) -> &[u32] {
        self.schedule.due()
    }

    /// Distributes the gaps of pairs that were due.
    pub(crate) fn distribute(&mut self) {
        self.schedule.distribute(Candidates {
            displacement: &self.displacement,
            pairs: &self.pairs,
            rows: &self.rows,
        });
    }

    /// One more step was made with this list.
    pub(crate) fn grow_older(&mut self) {
        self.age += 1;
    }

    /// Steps were made elsewhere, where displacements and gaps have changed.
    pub(crate) fn made_elsewhere(&mut self, steps: u64) {
        self.age += steps;
        self.schedule.clear();
    }

    /// The skin of the next list, adapted to the number of steps that the last one lasted: from counts, the same on every machine.
    pub(crate) fn next_skin(&mut self, bodies: &Bodies<D>) -> f64 {
        let smallest = smallest_grain(bodies);
        if self.age < LIFE[0] {
            self.skin *= 1.25;
        } else if self.age > LIFE[1] {
            self.skin *= 0.8;
        }
        self.skin = self.skin.clamp(SKINS[0] * smallest, SKINS[1] * smallest);
        self.age = 0;
        self.skin
    }

    /// Rebuilds the list: `find` adds the pairs of one first body to a part.
    pub(crate) fn rebuild(
        &mut self,
        bodies: &Bodies<D>,
        find: impl Fn(u32, &PreviousRow<'_, D>, &mut Part<D>) + Sync,
    ) {
        let mut parts = std::mem::take(&mut self.parts);
        let grains = bodies.walls as u32..bodies.records.len() as u32;
        parts.resize_with(grains.len().div_ceil(CHUNK), Part::default);
        parts.par_iter_mut().enumerate().for_each(|(chunk, part)| {
            part.pairs.clear();
            part.directions.clear();
            part.counts.clear();
            let start = grains.start + (chunk * CHUNK) as u32;
            for slot in start..grains.end.min(start + CHUNK as u32) {
                let before = part.pairs.len();
                find(slot, &self.row(slot), part);
                part.counts.push((part.pairs.len() - before) as u32);
            }
        });
        self.collect(bodies.walls, &parts);
        self.parts = parts;
        self.displacement.restart(bodies.records.len());
        self.schedule.clear();
    }

    fn collect(&mut self, walls: usize, parts: &[Part<D>]) {
        self.pairs.clear();
        self.directions.clear();
        self.rows.clear();
        self.rows.resize(walls + 1, 0);
        for part in parts {
            self.pairs.extend_from_slice(&part.pairs);
            self.directions.extend_from_slice(&part.directions);
            for &count in &part.counts {
                self.rows.push(self.rows[self.rows.len() - 1] + count);
            }
        }
    }

    /// What the list knows of the pairs of a body.
    fn row(&self, slot: u32) -> PreviousRow<'_, D> {
        let range = self.rows[slot as usize] as usize..self.rows[slot as usize + 1] as usize;
        PreviousRow { list: self, range }
    }

    /// Whether the list fits so many bodies.
    pub(crate) fn is_whole(&self, bodies: usize) -> bool {
        self.displacement.of.len() == bodies
            && self.rows.len() == bodies + 1
            && self.rows.is_sorted()
            && self.rows.last().is_some_and(|&end| end as usize == self.pairs.len())
            && self.directions.len() == self.pairs.len()
            && self.pairs.iter().all(|pair| (pair.a.max(pair.b) as usize) < bodies)
    }

    /// Memory that it holds (bytes), with the workspace in which it is made.
    pub(crate) fn memory(&self) -> usize {
        let pairs =
            self.parts.iter().map(|part| part.pairs.capacity()).sum::<usize>() + self.pairs.capacity();
        (size_of::<Candidate>() + size_of::<D::Vec>()) * pairs
            + size_of::<u32>() * self.rows.capacity()
            + size_of::<f64>() * self.displacement.of.capacity()
            + self.schedule.memory()
    }

    /// Where a pair is in the list.
    pub(crate) fn position(&self, a: u32, b: u32) -> Option<usize> {
        let mut range = self.row(a).range;
        range.find(|&i| self.pairs[i].b == b)
    }

    /// A contact has come apart: it is inactive until its bodies have moved through its gap.
    pub(crate) fn deactivate(
        &mut self,
        &Separated { pair: BodyPair { a, b }, gap, direction }: &Separated<D>,
    ) {
        if let Some(i) = self.position(a, b) {
            self.pairs[i].due_at = self.travelled(&self.pairs[i]) + gap;
            let list = Candidates { displacement: &self.displacement, pairs: &self.pairs, rows: &self.rows };
            self.schedule.add(list, &self.pairs[i]);
            self.directions[i] = direction;
        }
    }

    /// Forgets the pairs with these second bodies.
    pub(crate) fn forget_partners(&mut self, gone: impl Fn(u32) -> bool) {
        for pair in self.pairs.iter_mut().filter(|pair| gone(pair.b)) {
            pair.b = pair.a; // no pair has one body twice: nothing finds it any more
            pair.due_at = f64::INFINITY;
        }
    }

    /// The displacement of a pair's bodies together.
    #[inline]
    pub(crate) fn travelled(&self, pair: &Candidate) -> f64 {
        self.displacement.of[pair.a as usize] + self.displacement.of[pair.b as usize]
    }

    /// Moves bodies to new slots, `renamed` for each pair; none if one of them was removed. Pairs that have come from other
    /// processes are added, with what remains of their gaps. Must be followed by a rebuild, which takes over gaps and directions.
    pub(crate) fn renumber(
        &mut self,
        renamed: impl Fn(BodyPair) -> Option<BodyPair> + Sync,
        bodies: usize,
        more: &[ListedPair<D>],
    ) {
        let left = |list: &Self, pair: &Candidate| pair.due_at - list.travelled(pair);
        self.place(renamed, left, bodies, more);
        self.displacement.restart(bodies);
    }

    /// The same without a rebuild: bodies have gone as far as this, by their new slots, and pairs are due when they were.
    pub(crate) fn carry(
        &mut self,
        renamed: impl Fn(BodyPair) -> Option<BodyPair> + Sync,
        displacements: Vec<f64>,
        more: &[ListedPair<D>],
    ) {
        self.place(renamed, |_, pair| pair.due_at, displacements.len(), more);
        self.displacement.of = displacements;
    }

    /// Puts pairs where their bodies are now, with the displacement at which each is due.
    fn place(
        &mut self,
        renamed: impl Fn(BodyPair) -> Option<BodyPair> + Sync,
        due_at: impl Fn(&Self, &Candidate) -> f64 + Sync,
        bodies: usize,
        more: &[ListedPair<D>],
    ) {
        let rename = |pair: &Candidate| {
            let BodyPair { a, b } = renamed(BodyPair { a: pair.a, b: pair.b })?;
            let is_contact = pair.due_at == f64::INFINITY;
            Some(Candidate { a, b, due_at: if is_contact { pair.due_at } else { due_at(self, pair) } })
        };
        let pairs = self.pairs.par_iter().zip(&self.directions);
        let known: Vec<(Option<Candidate>, D::Vec)> =
            pairs.map(|(pair, direction)| (rename(pair), *direction)).collect();
        // Counted two places further on, starts walk to where they belong while pairs are filled in.
        self.rows.clear();
        self.rows.resize(bodies + 2, 0);
        let there = || {
            let known = known.iter().filter_map(|(pair, direction)| Some(((*pair)?, *direction)));
            known.chain(more.iter().copied())
        };
        there().for_each(|(pair, _)| self.rows[pair.a as usize + 2] += 1);
        (0..bodies).for_each(|slot| self.rows[slot + 2] += self.rows[slot + 1]);
        let count = self.rows[bodies + 1] as usize;
        self.pairs.resize(count, Candidate::default());
        self.directions.resize(count, D::Vec::default());
        for (pair, direction) in there() {
            let next = &mut self.rows[pair.a as usize + 1];
            (self.pairs[*next as usize], self.directions[*next as usize]) = (pair, direction);
            *next += 1;
        }
        self.rows.truncate(bodies + 1);
        self.schedule.clear();
    }
}

/// Pairs of one body before the list was rebuilt.
pub(crate) struct PreviousRow<'l, D: Dimension> {
    list: &'l NeighbourList<D>,
    range: std::ops::Range<usize>,
}

impl<D: Dimension> PreviousRow<'_, D> {
    /// What is left of the gap to `b`, and its direction; infinite for a contact.
    pub(crate) fn remaining(&self, b: u32) -> Option<(f64, D::Vec)> {
        let i = self.range.clone().find(|&i| self.list.pairs[i].b == b)?;
        let pair = &self.list.pairs[i];
        let left =
            if pair.due_at < f64::INFINITY { pair.due_at - self.list.travelled(pair) } else { f64::INFINITY };
        Some((left, self.list.directions[i]))
    }
}

/// The largest skin that a list can have, if this is the smallest grain's size.
pub(crate) fn largest_skin(smallest: f64) -> f64 {
    SKINS[1] * smallest
}

/// Size of the smallest grain, or part of a grain.
pub(crate) fn smallest_grain<D: Dimension>(bodies: &Bodies<D>) -> f64 {
    let sizes = bodies.grains().flat_map(|slot| bodies.touchable_sizes(slot));
    let smallest = sizes.fold(bodies.elsewhere.smallest, f64::min);
    if smallest.is_finite() {
        return smallest;
    }
    // No grain yet: the smallest that may be inserted.
    let to_come = bodies.shapes.iter().filter(|shape| shape.volume > 0.0).map(|shape| shape.size);
    let smallest = to_come.fold(f64::INFINITY, f64::min);
    if smallest.is_finite() { smallest } else { 1.0 } // No grain can ever be inserted: any number will do.
}

/// A lower bound of the gap of two bodies from one direction, the line between their centres; and that direction.
pub(crate) fn gap_along_centres<D: Dimension>(bodies: &Bodies<D>, a: u32, b: u32) -> (f64, D::Vec) {
    let (x, y) = (bodies.placed(a), bodies.placed(b));
    let line = y.pose.position - x.pose.position;
    let length = line.length();
    if length <= 0.0 {
        return (f64::NEG_INFINITY, D::Vec::default());
    }
    let c = line * (1.0 / length);
    let (n_a, n_b) = (D::unrotate(x.pose.rotation, c), D::unrotate(y.pose.rotation, -c));
    (length - n_a.dot(x.shape.support(n_a)) - n_b.dot(y.shape.support(n_b)), c)
}

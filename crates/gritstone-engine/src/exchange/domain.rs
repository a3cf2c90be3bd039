//! A part of the grains of a world, stepped together with other processes that have the other parts.
//!
//! **Idea.** Every process has its own grains, and copies of those of others that are within the cutoff of its lists. It solves all
//! contacts of its own grains, those with copies included: both sides of a boundary solve the same contact, from equal
//! poses, velocities and histories. No forces cross a boundary. Which process has which grains is a matter of [`Regions`]: at every
//! rebuild of the lists grains go where they belong, with their contacts ([`share`](crate::world)).
//!
//! A copy is one of a whole grain: its parts and its images in a periodic cell are made where it is, as those of any grain. So a copy
//! goes to each process that has a grain near it or near one of its images.

use std::sync::Arc;

use gritstone_core::{ExactSum, Vector as _};
use gritstone_shape::AnyShape as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Communicator;
use super::regions::{Alone, Reduction, Regions};
use crate::bodies::{Bodies, Record, State, VelocitySum};
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::dimension::Dimension;
use crate::periodic::cell::PeriodicCell;

/// Weight of a process relative to their mean from which space is divided anew.
const IMBALANCE: f64 = 1.1;
/// What is added to distances, as a fraction of them, so that rounding leaves no grain out.
const ROUNDING: f64 = 1e-6;

/// Which process a grain belongs to.
#[derive(Clone, Debug)]
pub(crate) enum Assignment {
    Regions(Regions),
    /// By id, number of processes and rebuilds of the lists: tests change owners as they like.
    #[cfg(test)]
    Any(fn(u32, usize, u64) -> usize),
}

/// One process of several.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) communicator: Arc<dyn Communicator>,
    pub(crate) assignment: Assignment,
    /// Slots of the own grains that each process has copies of.
    pub(crate) sent: Vec<Vec<u32>>,
    /// Places among the copies of those of each process' grains, in the order in which they come.
    pub(crate) received: Vec<Vec<u32>>,
    /// Walls that contacts loaded when forces were last summed.
    pub(crate) loaded: Vec<u32>,
    /// Power of walls whose surface moves along itself, by their slots, where it is known; zero for those that are not here.
    pub(crate) surface_powers: Vec<(u32, f64)>,
    /// Weight of this process relative to the mean of all, when lists were last rebuilt: the largest of them.
    pub(crate) imbalance: f64,
}

impl Domain {
    pub(crate) fn new(communicator: Arc<dyn Communicator>) -> Self {
        let size = communicator.size();
        Self {
            communicator,
            assignment: Assignment::Regions(Regions::whole()),
            sent: vec![Vec::new(); size],
            received: vec![Vec::new(); size],
            loaded: Vec::new(),
            surface_powers: Vec::new(),
            imbalance: 1.0,
        }
    }

    pub(crate) fn rank(&self) -> usize {
        self.communicator.rank()
    }

    pub(crate) fn size(&self) -> usize {
        self.communicator.size()
    }

    /// What every process says, by rank.
    pub(crate) fn gather<T: Serialize + DeserializeOwned>(&self, own: &T) -> Vec<T> {
        self.communicator.gather(encode(own)).iter().map(|bytes| decode(bytes)).collect()
    }

    /// What every process says to the first one, by rank; nothing in the others.
    pub(crate) fn gather_at_first<T: Serialize + DeserializeOwned>(&self, own: &T) -> Vec<T> {
        self.communicator.gather_at_first(encode(own)).iter().map(|bytes| decode(bytes)).collect()
    }

    /// Sends each process its own message; nothing where there is none. Returns those that have come.
    pub(crate) fn send<T: Serialize + DeserializeOwned>(&self, messages: &[Option<T>]) -> Vec<T> {
        let bytes = |message: &Option<T>| message.as_ref().map(encode).unwrap_or_default();
        let come = self.communicator.exchange(messages.iter().map(bytes).collect());
        come.iter().filter(|bytes| !bytes.is_empty()).map(|bytes| decode(bytes)).collect()
    }

    /// Which process a grain at this place belongs to, after so many rebuilds of the lists.
    pub(crate) fn owner<D: Dimension>(&self, place: D::Vec, id: u32, rebuilds: u64) -> usize {
        let _ = (id, rebuilds);
        match &self.assignment {
            Assignment::Regions(regions) => regions.owner::<D>(place),
            #[cfg(test)]
            Assignment::Any(owner) => owner(id, self.size(), rebuilds),
        }
    }

    /// Divides space by all grains, which are known here.
    pub(crate) fn divide<D: Dimension>(&mut self, bodies: &Bodies<D>) {
        let regions = || Regions::divide::<D>(weighted(bodies), self.communicator.size(), &Alone);
        match &mut self.assignment {
            Assignment::Regions(old) => *old = regions(),
            #[cfg(test)]
            Assignment::Any(_) => {}
        }
    }

    /// Divides space anew if the weights of the processes differ too much.
    pub(crate) fn balance<D: Dimension>(&mut self, bodies: &Bodies<D>) {
        let grains = weighted(bodies);
        let own: u64 = grains.iter().map(|(_, weight)| weight).sum();
        let all = self.gather(&own);
        let mean = all.iter().sum::<u64>() as f64 / all.len() as f64;
        let most = all.into_iter().max().unwrap_or(0) as f64;
        self.imbalance = if mean > 0.0 { most / mean } else { 1.0 };
        if self.imbalance > IMBALANCE && self.has_regions() {
            self.assignment = Assignment::Regions(Regions::divide::<D>(grains, self.size(), &*self));
        }
    }

    fn has_regions(&self) -> bool {
        match &self.assignment {
            Assignment::Regions(_) => true,
            #[cfg(test)]
            Assignment::Any(_) => false,
        }
    }

    /// Sums over all processes, which are the same in any order; only the first process gets them.
    pub(crate) fn sums_at_first(&self, own: Vec<ExactSum>) -> Option<Vec<ExactSum>> {
        let all = self.gather_at_first(&own);
        (self.rank() == 0).then(|| all.into_iter().fold(vec![ExactSum::default(); own.len()], merged))
    }

    /// The same, known to all.
    pub(crate) fn sums(&self, own: &Vec<ExactSum>) -> Vec<ExactSum> {
        self.gather(own).into_iter().fold(vec![ExactSum::default(); own.len()], merged)
    }

    /// The process that each copy comes from, by its place among the copies.
    pub(crate) fn homes(&self) -> Vec<usize> {
        let copies = self.received.iter().map(Vec::len).sum();
        let mut homes = vec![0; copies];
        for (rank, places) in self.received.iter().enumerate() {
            places.iter().for_each(|&place| homes[place as usize] = rank);
        }
        homes
    }
}

/// Sums with parts added to them.
fn merged(mut sums: Vec<ExactSum>, parts: Vec<ExactSum>) -> Vec<ExactSum> {
    sums.iter_mut().zip(&parts).for_each(|(sum, part)| sum.merge(part));
    sums
}

impl Reduction for Domain {
    fn sum(&self, own: Vec<u64>) -> Vec<u64> {
        let add = |mut sum: Vec<u64>, part: Vec<u64>| {
            sum.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            sum
        };
        self.gather(&own).into_iter().reduce(add).unwrap_or(own)
    }

    fn largest(&self, own: Vec<f64>) -> Vec<f64> {
        let larger = |mut most: Vec<f64>, part: Vec<f64>| {
            most.iter_mut().zip(part).for_each(|(most, x)| *most = most.max(x));
            most
        };
        self.gather(&own).into_iter().reduce(larger).unwrap_or(own)
    }
}

/// Where the grains are, and what each costs.
fn weighted<D: Dimension>(bodies: &Bodies<D>) -> Vec<(D::Vec, u64)> {
    let weights: Vec<u64> = bodies.shapes.iter().map(|shape| weight(shape.shape.word())).collect();
    let record = |slot: usize| &bodies.records[slot];
    bodies.grains().map(|slot| (record(slot).position, weights[record(slot).shape as usize])).collect()
}

/// What a grain of this kind costs in a dense bed, in units of 10 ns per step: measured once (docs/performance.md), so that no clock
/// decides who has which grains.
fn weight(kind: &str) -> u64 {
    match kind {
        "sphere" => 6,
        "ellipsoid" => 11,
        "superellipsoid" => 16,
        "circle" | "ellipse" | "superellipse" => 70,
        _ => 150,
    }
}

/// Bytes of what was serialized in memory: there is nothing that could fail but memory.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// What those bytes say. Processes of one world run one program, so that what comes is what was sent.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
    match postcard::from_bytes(bytes) {
        Ok(value) => value,
        Err(error) => panic!("a message of another process cannot be read: {error}"),
    }
}

/// What a process needs of a grain to have a copy of it: its id and its record.
type Copied<D> = (u32, Record<D>);

impl Domain {
    pub(super) fn sum_velocities<D: Dimension>(
        &self,
        own: &VelocitySum<D>,
        grains: usize,
    ) -> (VelocitySum<D>, usize) {
        let all = self.gather(&(own.parts(), grains));
        all.into_iter().fold((VelocitySum::new(0.0), 0), |(sum, count), (parts, grains)| {
            (sum.and(&VelocitySum::of_parts(parts)), count + grains)
        })
    }

    pub(super) fn largest_displacements(&self, own: [LargestDisplacements; 2]) -> [LargestDisplacements; 2] {
        let all = self.gather(&own.map(|one| one.longest));
        all.into_iter().fold(Default::default(), |[a, b]: [LargestDisplacements; 2], [c, d]| {
            [a.and(LargestDisplacements { longest: c }), b.and(LargestDisplacements { longest: d })]
        })
    }

    /// Copies get poses, velocities and displacements among grains.
    pub(super) fn forward<D: Dimension>(&self, bodies: &mut Bodies<D>, to_grains: &mut Displacement<D>) {
        let message = |slots: &Vec<u32>| {
            let one = |&slot: &u32| (bodies.records[slot as usize], to_grains.of[slot as usize]);
            encode(&slots.iter().map(one).collect::<Vec<_>>())
        };
        // Both sides know who has copies of whose grains.
        let to = (0..).zip(&self.sent).filter(|(_, slots)| !slots.is_empty());
        let to = to.map(|(rank, slots)| (rank, message(slots))).collect();
        let from: Vec<usize> = (0..self.size()).filter(|&rank| !self.received[rank].is_empty()).collect();
        let come = self.communicator.exchange_with(to, &from);
        for (bytes, rank) in come.iter().zip(from) {
            let copies: Vec<(Record<D>, f64)> = decode(bytes);
            for ((record, displacement), place) in copies.into_iter().zip(&self.received[rank]) {
                let slot = bodies.owners + *place as usize;
                (bodies.records[slot], to_grains.of[slot]) = (record, displacement);
            }
        }
    }

    /// Sends every process copies of the own grains that are near its grains, or have an image that is, and takes those of others.
    pub(super) fn make_copies<D: Dimension>(
        &mut self,
        bodies: &mut Bodies<D>,
        cells: Option<&PeriodicCell<D>>,
        cutoff: f64,
    ) {
        let rank = self.communicator.rank();
        let boxes = self.gather(&bounds(bodies));
        let ways = cells.map_or_else(
            || vec![D::Vec::default()],
            |cells| cells.neighbours().map(|shift| cells.way(shift)).collect(),
        );
        self.sent = vec![Vec::new(); boxes.len()];
        for (other, (low, high)) in boxes.iter().enumerate().filter(|(other, _)| *other != rank) {
            let is_near = |&slot: &usize| {
                let (x, reach) =
                    (bodies.records[slot].position, (bodies.size(slot) + cutoff) * (1.0 + ROUNDING));
                let is_along = |way: &D::Vec, axis: usize| {
                    let x = x.component(axis) + way.component(axis);
                    x + reach >= low.component(axis) && x - reach <= high.component(axis)
                };
                ways.iter().any(|way| (0..D::N).all(|axis| is_along(way, axis)))
            };
            let near = bodies.grains().filter(is_near);
            self.sent[other].extend(near.map(|slot| slot as u32));
        }
        let message = |slots: &Vec<u32>| {
            let one = |&slot: &u32| (bodies.states[slot as usize].id, bodies.records[slot as usize]);
            encode(&slots.iter().map(one).collect::<Vec<Copied<D>>>())
        };
        let messages = self.communicator.exchange(self.sent.iter().map(message).collect());
        let mut copies: Vec<(Copied<D>, [usize; 2])> = Vec::new();
        for (from, bytes) in messages.iter().enumerate() {
            let come: Vec<Copied<D>> = decode(bytes);
            copies.extend(come.into_iter().enumerate().map(|(k, copy)| (copy, [from, k])));
        }
        self.take_copies(bodies, copies);
    }

    /// Makes these the copies, each with the process that it comes from and its place among those from there. There are neither
    /// copies nor ghosts before.
    pub(crate) fn take_copies<D: Dimension>(
        &mut self,
        bodies: &mut Bodies<D>,
        mut copies: Vec<(Copied<D>, [usize; 2])>,
    ) {
        // In the order of ids, by which they are looked up.
        copies.sort_unstable_by_key(|((id, _), _)| *id);
        self.received = vec![Vec::new(); self.size()];
        for &(_, [from, k]) in &copies {
            let places = &mut self.received[from];
            places.resize(places.len().max(k + 1), 0);
        }
        for (place, ((id, record), [from, k])) in (0..).zip(copies) {
            self.received[from][k] = place;
            bodies.records.push(record);
            bodies.states.push(State::still(id));
        }
        bodies.wholes = bodies.records.len();
    }
}

/// A box that holds the own grains: nothing without any.
fn bounds<D: Dimension>(bodies: &Bodies<D>) -> (D::Vec, D::Vec) {
    let nothing = (D::Vec::from_fn(|_| f64::INFINITY), D::Vec::from_fn(|_| f64::NEG_INFINITY));
    bodies.grains().fold(nothing, |(low, high), slot| {
        let (x, size) = (bodies.records[slot].position, bodies.size(slot));
        let low = D::Vec::from_fn(|i| low.component(i).min(x.component(i) - size));
        (low, D::Vec::from_fn(|i| high.component(i).max(x.component(i) + size)))
    })
}

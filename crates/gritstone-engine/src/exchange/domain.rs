//! A part of the grains of a world, stepped together with other processes that have the other parts.
//!
//! **Idea.** Every process has its own grains, and copies of those of others that are within the cutoff of its lists. It solves all
//! contacts of its own grains, those with copies included: both sides of a boundary solve the same contact, from equal
//! poses, velocities and histories. No forces cross a boundary.
//!
//! **Deviations** from the general seam: grains stay with the process that had them at the start, so that copies become more where
//! grains mix. Compounds, cells, tools that forces move and domains are refused.

use std::fmt::Debug;
use std::sync::Arc;

use gritstone_core::Vector as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Exchange;
use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Elsewhere, Record, State, VelocitySum};
use crate::broad_phase::{Displacement, LargestDisplacements};
use crate::dimension::Dimension;

/// Messages among the processes that share a world. All processes call it the same number of times, in the same order.
pub trait Communicator: Debug + Send + Sync {
    /// The number of this process, from zero.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn size(&self) -> usize;

    /// Sends a message to every process, this one included, and returns what each of them sent here.
    fn exchange(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>>;
}

/// One process of several.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    communicator: Arc<dyn Communicator>,
    /// Slots of the own grains that each process has copies of.
    sent: Vec<Vec<u32>>,
    /// Places among the ghosts of the copies of each process' grains, in the order in which they come.
    received: Vec<Vec<u32>>,
}

impl Domain {
    pub(crate) fn new(communicator: Arc<dyn Communicator>) -> Self {
        let size = communicator.size();
        Self { communicator, sent: vec![Vec::new(); size], received: vec![Vec::new(); size] }
    }

    /// What every process says, by rank.
    fn gather<T: Serialize + DeserializeOwned>(&self, own: &T) -> Vec<T> {
        let size = self.communicator.size();
        let bytes = encode(own);
        self.communicator.exchange(vec![bytes; size]).iter().map(|bytes| decode(bytes)).collect()
    }

    /// Sizes and number of the grains of all other processes.
    pub(crate) fn elsewhere<D: Dimension>(&self, bodies: &Bodies<D>) -> Elsewhere {
        let sizes = bodies.grains().map(|slot| bodies.size(slot));
        let own = sizes.fold((f64::INFINITY, 0.0_f64), |(low, high), size| (low.min(size), high.max(size)));
        let all = self.gather(&(own, bodies.grains().len()));
        let others = all.into_iter().enumerate().filter(|(rank, _)| *rank != self.communicator.rank());
        others.fold(Elsewhere::default(), |sum, (_, ((smallest, largest), grains))| Elsewhere {
            smallest: sum.smallest.min(smallest),
            largest: sum.largest.max(largest),
            grains: sum.grains + grains,
        })
    }
}

/// Bytes of what was serialized in memory: there is nothing that could fail but memory.
fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap_or_default()
}

/// What those bytes say. Processes of one world run one program, so that what comes is what was sent.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
    match postcard::from_bytes(bytes) {
        Ok(value) => value,
        Err(error) => panic!("a message of another process cannot be read: {error}"),
    }
}

impl<D: Dimension> Exchange<D> for Domain {
    fn sum_velocities(&self, own: VelocitySum<D>, grains: usize) -> (VelocitySum<D>, usize) {
        let all = self.gather(&(own.parts(), grains));
        all.into_iter().fold((VelocitySum::new(0.0), 0), |(sum, count), (parts, grains)| {
            (sum.and(&VelocitySum::of_parts(parts)), count + grains)
        })
    }

    fn largest_displacements(&self, own: [LargestDisplacements; 2]) -> [LargestDisplacements; 2] {
        let all = self.gather(&own.map(|one| one.longest));
        all.into_iter().fold(Default::default(), |[a, b]: [LargestDisplacements; 2], [c, d]| {
            [a.and(LargestDisplacements { longest: c }), b.and(LargestDisplacements { longest: d })]
        })
    }

    fn forward(&self, bodies: &mut Bodies<D>, [to_grains, _]: [&mut Displacement<D>; 2]) {
        let message = |slots: &Vec<u32>| {
            let one = |&slot: &u32| (bodies.records[slot as usize], to_grains.of[slot as usize]);
            encode(&slots.iter().map(one).collect::<Vec<(Record<D>, f64)>>())
        };
        let messages = self.communicator.exchange(self.sent.iter().map(message).collect());
        for (bytes, places) in messages.iter().zip(&self.received) {
            let copies: Vec<(Record<D>, f64)> = decode(bytes);
            for ((record, displacement), place) in copies.into_iter().zip(places) {
                let slot = bodies.owners + *place as usize;
                (bodies.records[slot], to_grains.of[slot]) = (record, displacement);
            }
        }
    }

    /// Both sides solve: there is nothing to send back.
    fn reverse(&self, _: &mut Bodies<D>) -> f64 {
        0.0
    }

    fn make_ghosts(&mut self, bodies: &mut Bodies<D>, cutoff: f64) {
        let rank = self.communicator.rank();
        let boxes = self.gather(&bounds(bodies));
        self.sent = vec![Vec::new(); boxes.len()];
        for (other, (low, high)) in boxes.iter().enumerate().filter(|(other, _)| *other != rank) {
            let is_near = |&slot: &usize| {
                let (x, reach) = (bodies.records[slot].position, bodies.size(slot) + cutoff);
                let is_along = |axis: usize| {
                    let x = x.component(axis);
                    x + reach >= low.component(axis) && x - reach <= high.component(axis)
                };
                (0..D::N).all(is_along)
            };
            let near = bodies.grains().filter(is_near);
            self.sent[other].extend(near.map(|slot| slot as u32));
        }
        let message = |slots: &Vec<u32>| {
            let one = |&slot: &u32| (bodies.states[slot as usize].id, bodies.records[slot as usize]);
            encode(&slots.iter().map(one).collect::<Vec<(u32, Record<D>)>>())
        };
        let messages = self.communicator.exchange(self.sent.iter().map(message).collect());
        self.received = vec![Vec::new(); boxes.len()];
        let mut copies: Vec<(u32, Record<D>, usize, usize)> = Vec::new();
        for (from, bytes) in messages.iter().enumerate() {
            let come: Vec<(u32, Record<D>)> = decode(bytes);
            self.received[from] = vec![0; come.len()];
            copies.extend(come.into_iter().enumerate().map(|(k, (id, record))| (id, record, from, k)));
        }
        // In the order of ids, by which they are looked up.
        copies.sort_unstable_by_key(|(id, ..)| *id);
        for (id, record, from, k) in copies {
            self.received[from][k] = bodies.ghosts.list.len() as u32;
            bodies.records.push(record);
            bodies.states.push(State::still(id));
            bodies.ghosts.list.push(Ghost::copy_of(id));
        }
    }

    fn cloned(&self) -> Box<dyn Exchange<D>> {
        Box::new(self.clone())
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

//! Stress control: sides of a periodic cell move until the grains resist with a stress.
//!
//! **Idea.** With e what is missing of the stress along an axis, the edge shrinks at the rate `ε̇ = e/(M τ) + ∫ e dt / (4 M τ²)`.
//! M is the stiffness that the contacts would have if all grains moved with the cell, `Σ k (n·l)²/V` along the axis, which is
//! more than they have; τ is the time of a wave through all layers of grains. Both are measured in every step. The second
//! term makes the mean stress right while the cell goes on shrinking or growing.
//!
//! Grains get the velocity that a change of the rate gives to the places where they are, as when a scene changes the motion of
//! its cell: no side is special, and no wave starts from one.
//!
//! **Notation.** k, n, l: stiffness, normal and branch of a contact; V: volume of the cell. k from the energy in the contact's
//! springs, as for servos of tools.
//!
//! **Fails when** nothing touches: then the cell shrinks at its greatest rate.

use gritstone_core::{ExactSum, Vector as _};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::boundary::tools::ServoReport;
use crate::dimension::Dimension;
use crate::world::World;

/// Time of the integral part, in waves through all layers.
const WAVES: f64 = 4.0;
/// Part of a measured stiffness that fades in a step where less is measured: contacts come and go.
const FADE: f64 = 1e-2;
/// Contacts that one task sums.
const CHUNK: usize = 1024;
/// Layers of grains that a cell has at least: grains need a while to find their places.
const LAYERS: f64 = 4.0;

/// Stresses that the sides of a cell are to be under.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StressControl {
    /// Stress along each axis, positive in compression (Pa; in the plane N/m); none where the cell is not pressed.
    pub stress: [Option<f64>; 3],
    /// Greatest rate at which an edge grows or shrinks (1/s).
    pub max_rate: f64,
}

/// What pressing remembers of one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StressControlState {
    /// The slow part of the rate (1/s).
    slow: f64,
    /// M (Pa).
    modulus: f64,
    /// Mean of √(m/k) over the contacts (s).
    response: f64,
    /// Stress that was found (Pa).
    stress: f64,
}

/// The contacts of a cell, added up along each axis: exactly, for the sums move the cell.
#[derive(Clone, Debug, Default)]
struct ContactSums {
    stress: [ExactSum; 3],
    modulus: [ExactSum; 3],
    response: ExactSum,
    /// How many contacts there are, which is exact as well.
    count: ExactSum,
}

impl ContactSums {
    fn merge(mut self, other: &Self) -> Self {
        self.all_mut().zip(other.all()).for_each(|(sum, part)| sum.merge(part));
        self
    }

    fn all(&self) -> impl Iterator<Item = &ExactSum> {
        self.stress.iter().chain(&self.modulus).chain([&self.response, &self.count])
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut ExactSum> {
        let Self { stress, modulus, response, count } = self;
        stress.iter_mut().chain(modulus).chain([response, count])
    }
}

impl StressControlState {
    fn measure(&mut self, axis: usize, sums: &ContactSums, volume: f64) {
        self.stress = sums.stress[axis].value() / volume;
        self.modulus = (sums.modulus[axis].value() / volume).max(self.modulus * (1.0 - FADE));
        let count = sums.count.value();
        if count > 0.0 {
            self.response = sums.response.value() / count;
        }
    }

    /// The rate at which the edge is to grow in the next step.
    fn follow(&mut self, target: f64, max_rate: f64, time: f64, dt: f64) -> f64 {
        let bound = |rate: f64| rate.clamp(-max_rate, max_rate);
        let missing = target - self.stress;
        if self.modulus == 0.0 {
            self.slow = 0.0;
            return max_rate.copysign(-missing);
        }
        let gain = 1.0 / (self.modulus * time);
        self.slow = bound(self.slow - gain * missing * dt / (WAVES * time));
        bound(self.slow - gain * missing)
    }
}

impl<D: Dimension> World<D> {
    /// Presses the cell from now on, or no longer. Whether there is a cell.
    pub fn press_cell(&mut self, press: Option<StressControl>) -> bool {
        let Some(cells) = &mut self.cells else { return false };
        cells.press = press;
        cells.pressed = [StressControlState::default(); 3];
        true
    }

    /// What the cell's sides do to reach their stresses: axis and report, forces being those on a whole side.
    pub fn presses(&self) -> Vec<(usize, ServoReport)> {
        let Some((cells, press)) = self.cells.as_ref().and_then(|cells| Some((cells, cells.press?))) else {
            return Vec::new();
        };
        let layers = self.layers_in_cell();
        let report = |(axis, target): (usize, f64)| {
            let (state, width) = (&cells.pressed[axis], cells.width(axis));
            let time = layers * state.response;
            let area = cells.volume() / width;
            let gain = width / (state.modulus * time * area);
            let (target, force) = (target * area, state.stress * area);
            (axis, ServoReport { target, force, area, gain, slow_time: WAVES * time })
        };
        press
            .stress
            .into_iter()
            .enumerate()
            .filter_map(|(k, stress)| Some((k, stress?)))
            .map(report)
            .collect()
    }

    /// Sides that are pressed get the velocities of the next step.
    pub(crate) fn control_stress(&mut self) {
        let Some(press) = self.cells.as_ref().and_then(|cells| cells.press) else { return };
        let (sums, dt) = (self.contact_sums(), self.clock.dt);
        let layers = self.layers_in_cell();
        let Some(cells) = &mut self.cells else { return };
        let volume = cells.volume();
        let mut rates = [None; 3];
        for (axis, target) in press.stress.into_iter().enumerate().take(D::N) {
            let Some(target) = target else { continue };
            let state = &mut cells.pressed[axis];
            state.measure(axis, &sums, volume);
            rates[axis] = Some(state.follow(target, press.max_rate, layers * state.response, dt));
        }
        self.strain(|cells| cells.stretch(rates));
    }

    /// Grains across the whole cell, about.
    fn layers_in_cell(&self) -> f64 {
        let grains = self.bodies.grains().len() + self.bodies.elsewhere.grains;
        libm::pow(grains as f64, 1.0 / D::N as f64).max(LAYERS)
    }

    /// Stresses and stiffnesses of the contacts in the cell, times its volume, in all processes.
    fn contact_sums(&self) -> ContactSums {
        let chunks = (0..self.contacts.len().div_ceil(CHUNK)).into_par_iter();
        let sums = chunks.map(|chunk| {
            let mut sums = ContactSums::default();
            for contact in (chunk * CHUNK..self.contacts.len()).take(CHUNK) {
                self.add_contact(contact, &mut sums);
            }
            sums
        });
        let mut sums = sums.reduce(ContactSums::default, |sums, part| sums.merge(&part));
        if let Some(domain) = &self.remote {
            let all = domain.sums(&sums.all().cloned().collect());
            sums.all_mut().zip(all).for_each(|(sum, all)| *sum = all);
        }
        sums
    }

    fn add_contact(&self, contact: usize, sums: &mut ContactSums) {
        let pair = self.contacts.pair(contact);
        if self.bodies.is_elsewhere(pair.a) {
            return; // The process of its first grain counts it.
        }
        let (row, branch) = (self.contacts.force(contact), self.branch(contact, pair));
        (0..D::N).for_each(|k| sums.stress[k].add(row.force.component(k) * branch.component(k)));
        let (gap, normal) = self.contacts.geometry(contact);
        if gap >= 0.0 || row.elastic <= 0.0 {
            return;
        }
        let stiffness = 3.75 * row.elastic / (gap * gap);
        let [a, b] = [pair.a, pair.b].map(|slot| self.bodies.records[slot as usize].mass);
        let mass = 1.0 / (1.0 / a + 1.0 / b);
        for axis in 0..D::N {
            let along = normal.component(axis) * branch.component(axis);
            sums.modulus[axis].add(stiffness * along * along);
        }
        if mass.is_finite() {
            sums.response.add((mass / stiffness).sqrt());
            sums.count.add(1.0);
        }
    }
}

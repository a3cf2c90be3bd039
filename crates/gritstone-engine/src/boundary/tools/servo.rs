//! A servo: moves a tool along an axis until the grains resist with a force.
//!
//! **Idea.** With the error e of the force, the speed is `v = e/Z + ∫ e dt / (Z τ)`. A wall of impedance Z absorbs the waves
//! that arrive through its contacts instead of reflecting them; `Z = Σ √(k m)` over the tool's contacts, with
//! the stiffness k of each and the mass m of its grain, both measured in every step. The second term makes the mean force
//! right while the tool moves. Its time τ is that of a wave through all layers of grains and back, so that the bed follows.
//!
//! Dashpots respond to the speed at once: with `Γ = Σ γ` a step would return −Γ/Z of the speed of the step before, and
//! oscillate for ever where that is one. So the first term only approaches its value by the fraction `Z/(Z + Γ)` in a step.
//!
//! **Notation.** k from the energy E in a contact's springs and its depth δ: `E = ½ k δ²` for a linear spring, `k = 15/4 E/δ²`
//! for Hertz's. The larger one is taken. `γ = 2ζ√(k m)`.
//!
//! **Fails when** a tool touches nothing: then it moves at its largest speed in its direction.

use gritstone_core::Dim;
use serde::{Deserialize, Serialize};

use super::{Area, Move};
use crate::bodies::Bodies;
use crate::dimension::Dimension;

/// Waves through all layers that the slow part of a servo waits for.
const WAVES: f64 = 4.0;
/// Part of a measured impedance that fades in a step where less is measured: contacts come and go.
const FADE: f64 = 1e-2;

/// Moves a tool along an axis until the grains resist with a force.
#[derive(Clone, Debug, PartialEq)]
pub struct Servo<D: Dim> {
    /// Unit vector in which the tool pushes, before rotations that stand after the servo have turned it.
    pub axis: D::Vec,
    /// Force to be reached (N), or stress (Pa) where there is an area.
    pub target: f64,
    /// The area by which the target is multiplied.
    pub area: Area<D>,
    /// Greatest speed (m/s).
    pub max_speed: f64,
    /// When it begins (s).
    pub start: f64,
    /// When it ends (s); may be infinite. Afterwards the tool stays where it is.
    pub end: f64,
}

/// State of a servo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ServoState {
    /// Displacement so far (m).
    way: f64,
    speed: f64,
    /// The slow part of the speed, and the fast one.
    slow: f64,
    fast: f64,
    /// Z (N s/m).
    impedance: f64,
    /// Γ (N s/m).
    damping: f64,
    /// Mean of √(m/k) over the contacts (s).
    response: f64,
}

/// What a servo is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServoReport {
    /// Force that it is to reach (N).
    pub target: f64,
    /// Force of the grains against its motion (N).
    pub force: f64,
    /// Area over which the force acts (m²); one where a force was requested.
    pub area: f64,
    /// Speed for each missing newton, 1/Z (m/(N s)); infinite before the first contact.
    pub gain: f64,
    /// Time of its slow part, τ (s).
    pub slow_time: f64,
}

/// The contacts of a tool, added up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactImpedance {
    impedance: f64,
    damping: f64,
    response: f64,
    count: usize,
}

impl ContactImpedance {
    /// Adds a contact: the energy in its springs, its depth, the mass of its grain, and its damping ratio.
    pub(crate) fn add(&mut self, elastic: f64, depth: f64, mass: f64, damping_ratio: f64) {
        if depth > 0.0 && elastic > 0.0 && mass.is_finite() {
            let stiffness = 3.75 * elastic / (depth * depth);
            let impedance = (stiffness * mass).sqrt();
            self.impedance += impedance;
            self.damping += 2.0 * damping_ratio * impedance;
            self.response += (mass / stiffness).sqrt();
            self.count += 1;
        }
    }
}

impl ServoState {
    /// At rest: displacement and speed.
    pub(super) fn rest(&mut self) -> [f64; 2] {
        (self.speed, self.slow, self.fast) = (0.0, 0.0, 0.0);
        [self.way, 0.0]
    }

    /// Stores the impedance of the tool's contacts.
    pub(super) fn take_impedance(&mut self, impedance: &ContactImpedance) {
        self.impedance = impedance.impedance.max(self.impedance * (1.0 - FADE));
        self.damping = impedance.damping.max(self.damping * (1.0 - FADE));
        if impedance.count > 0 {
            self.response = impedance.response / impedance.count as f64;
        }
    }
}

impl<D: Dimension> Servo<D> {
    /// Unit vector along which it moves the tool at a time: its axis, turned by the moves that stand after it.
    pub(super) fn heading(&self, later: &[Move<D>], time: f64) -> D::Vec {
        later.iter().fold(self.axis, |axis, motion| match motion {
            Move::About { .. } => D::rotate(motion.planned(time).rotation, axis),
            Move::Along { .. } | Move::Servo(_) => axis,
        })
    }

    /// Displacement and speed at the end of a step, under the force at its beginning.
    pub(super) fn follow(
        &self,
        state: &mut ServoState,
        bodies: &Bodies<D>,
        resistance: f64,
        [time, dt]: [f64; 2],
        layers: f64,
    ) -> [f64; 2] {
        if time < self.start || time > self.end {
            return state.rest();
        }
        let error = self.target * self.area.of(bodies) - resistance;
        let bound = |speed: f64| speed.clamp(-self.max_speed, self.max_speed);
        if state.impedance > 0.0 {
            let gain = 1.0 / state.impedance;
            state.slow = bound(state.slow + gain * error * dt / self.slow_time(state, layers));
            state.fast = (error + state.damping * state.fast) / (state.impedance + state.damping);
            state.speed = bound(state.slow + state.fast);
        } else {
            (state.slow, state.fast) = (0.0, 0.0);
            state.speed = self.max_speed.copysign(error);
        }
        state.way += state.speed * dt;
        [state.way, state.speed]
    }

    fn slow_time(&self, state: &ServoState, layers: f64) -> f64 {
        WAVES * layers * state.response
    }

    pub(super) fn report(
        &self,
        state: &ServoState,
        bodies: &Bodies<D>,
        resistance: f64,
        layers: f64,
    ) -> ServoReport {
        let area = self.area.of(bodies);
        ServoReport {
            target: self.target * area,
            force: resistance,
            area,
            gain: 1.0 / state.impedance,
            slow_time: self.slow_time(state, layers),
        }
    }
}

//! Two bodies on a line: the smallest engine that a law can be tested in.
#![allow(dead_code, reason = "each test uses its part")]

use glam::DVec3;
use gritstone_core::Space;
use gritstone_force::{History, Interaction, Load, Touch};

/// A head-on collision of the effective mass, along x; contact begins at depth 0.
pub(crate) struct Collision {
    pub(crate) law: Interaction,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) dt: f64,
    pub(crate) depth: f64,
    /// Speed at which the depth grows.
    pub(crate) approach: f64,
    pub(crate) time: f64,
    pub(crate) history: History<Space>,
    pub(crate) load: Load<Space>,
    /// Energy lost up to now.
    pub(crate) dissipated: f64,
}

/// What a collision was like.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) deepest: f64,
    pub(crate) strongest: f64,
    pub(crate) duration: f64,
    pub(crate) restitution: f64,
    /// Largest change of kinetic, elastic and lost energy together, over the energy at the start; and the last one.
    pub(crate) worst_balance: f64,
    pub(crate) last_balance: f64,
}

impl Collision {
    pub(crate) fn new(law: Interaction, radius: f64, mass: f64, speed: f64, dt: f64) -> Self {
        // Half a step before contact: then the first step into it is an average one.
        Self {
            law,
            radius,
            mass,
            dt,
            depth: -0.5 * speed * dt,
            approach: speed,
            time: -0.5 * dt,
            history: History::default(),
            load: Load::default(),
            dissipated: 0.0,
        }
    }

    /// Velocity Verlet, with the velocity at the new time predicted for the law.
    pub(crate) fn step(&mut self) {
        let slowing = self.load.normal_force / self.mass;
        let half = self.approach - 0.5 * self.dt * slowing;
        self.depth += half * self.dt;
        self.dissipated += 0.5 * self.load.dissipated;
        let touch = Touch {
            depth: self.depth,
            normal: DVec3::X,
            velocity: DVec3::X * -(half - 0.5 * self.dt * slowing),
            radius: self.radius,
            mass: self.mass,
            normal_mass: self.mass,
            ..Touch::default()
        };
        self.load = self.law.load(&touch, &mut self.history, self.dt);
        self.dissipated += 0.5 * self.load.dissipated;
        self.approach = half - 0.5 * self.dt * self.load.normal_force / self.mass;
        self.time += self.dt;
    }

    pub(crate) fn energy(&self) -> f64 {
        0.5 * self.mass * self.approach * self.approach + self.load.elastic + self.dissipated
    }

    /// Until the bodies part: overlap and force are gone.
    pub(crate) fn run(mut self) -> Outcome {
        let (speed, start) = (self.approach, self.energy());
        let mut outcome = Outcome {
            deepest: 0.0,
            strongest: 0.0,
            duration: 0.0,
            restitution: 0.0,
            worst_balance: 0.0,
            last_balance: 0.0,
        };
        loop {
            self.step();
            outcome.deepest = outcome.deepest.max(self.depth);
            outcome.strongest = outcome.strongest.max(self.load.normal_force);
            outcome.last_balance = (self.energy() / start - 1.0).abs();
            outcome.worst_balance = outcome.worst_balance.max(outcome.last_balance);
            if self.approach < 0.0 && self.depth < -self.law.reach(self.radius) {
                // The overlap ended between two steps.
                outcome.duration = self.time + self.depth / -self.approach;
                outcome.restitution = -self.approach / speed;
                return outcome;
            }
        }
    }
}

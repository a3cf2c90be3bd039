//! What a simulation has come to, in numbers: what `summary.json` says of it, but for the files and the clock.

use gritstone_engine::{Backend, Dimension, Energies, Status};
use serde_json::{Map, Value, json};

use super::health::Health;
use super::probes::{self, Measured};
use super::streams::{self, Passed};

/// What a simulation has come to.
pub(super) struct Figures<'f> {
    pub(super) status: &'f Status,
    pub(super) energies: &'f Energies,
    pub(super) passed: &'f [Passed],
    pub(super) measured: &'f [Measured],
    pub(super) energy_error: f64,
    pub(super) health: &'f Health,
    pub(super) alarms: &'f [String],
    pub(super) coordination: f64,
    pub(super) time_step: f64,
}

impl Figures<'_> {
    /// For programs.
    pub(super) fn to_json(&self) -> Map<String, Value> {
        let Self { status, energies, .. } = self;
        let solves = &status.solves;
        let numbers = json!({
            "step": status.step, "time": status.time, "time_step": self.time_step,
            "grains": status.grains, "grains_left": status.left, "contacts": status.contacts,
            "inlets": streams::to_json(self.passed, true), "outlets": streams::to_json(self.passed, false),
            "probes": probes::to_json(self.measured),
            "probe_remarks": probes::remarks_to_json(self.measured),
            "coordination": self.coordination, "near_pairs": status.near_pairs,
            "largest_overlap": status.deepest, "largest_overlap_ever": self.health.deepest,
            "unresolved": status.unresolved_since_start,
            "solved": {
                "contacts": solves.total(), "in_lanes": solves.in_lanes, "uncertified_in_lanes": solves.uncertified,
                "round": solves.round, "faceted": solves.faceted,
                "share_outside_lanes": solves.outside_lanes(),
                "share_outside_lanes_of_round": solves.round_outside_lanes(),
            },
            "energies": {
                "translation": energies.translation, "rotation": energies.rotation,
                "potential": energies.potential, "elastic": energies.elastic,
                "dissipated": energies.dissipated, "wall_work": energies.wall_work,
                "external_work": energies.external_work, "taken_out": energies.taken_out,
                "balance": energies.balance(),
            },
            "energy_error": self.energy_error, "energy_error_worst": self.health.worst_drift.0,
            "energy_error_worst_at": self.health.worst_drift.1,
            "fast_moves": {
                "count": status.fast.count, "farthest": status.fast.farthest,
                "grain": (status.fast.count > 0).then_some(status.fast.id),
                "time": (status.fast.count > 0).then_some(status.fast.step as f64 * self.time_step),
            },
            "alarms": self.alarms,
        });
        match numbers {
            Value::Object(numbers) => numbers,
            _ => Map::new(),
        }
    }
}

/// Mean number of bodies that a grain touches, walls included.
pub(super) fn coordination<D: Dimension>(world: &dyn Backend<D>) -> f64 {
    let touched: u64 = world.snapshot().bodies.iter().map(|body| u64::from(body.coordination)).sum();
    touched as f64 / world.status().grains.max(1) as f64
}

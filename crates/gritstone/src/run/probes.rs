//! What is measured on the way: a table for each probe, last values and means for the summary.

use std::fs;
use std::path::Path;

use gritstone_engine::{Realm, SaveError, Setup, World};
use gritstone_io::FileError;
use gritstone_io::series::{Column, Series};
use gritstone_probe::{Gauge, View};
use gritstone_scene::Probing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Steps between two looks of probes that count what passes.
const LOOK_EVERY: u64 = 10;

/// The folder of the tables.
pub(super) const PROBES: &str = "probes";

/// The probes of a run.
#[derive(Debug)]
pub(super) struct Probes<D: Realm> {
    gauge: Gauge<D>,
    probes: Vec<(Probing<D>, Series)>,
    pub(super) tallies: Vec<Tally>,
}

/// What a probe has found so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Measurements.
    count: u64,
    last: Vec<f64>,
    sums: Vec<f64>,
}

/// What a probe has found, for the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Name, unit, last value and mean of each column.
    pub columns: Vec<(String, &'static str, f64, f64)>,
}

impl<D: Realm> Probes<D> {
    /// Starts the tables, or goes on with them after a step.
    pub(super) fn open(
        folder: &Path,
        probes: Vec<Probing<D>>,
        setup: &Setup<D>,
        reached: Option<u64>,
    ) -> Result<Self, FileError> {
        let folder = folder.join(PROBES);
        if !probes.is_empty() {
            fs::create_dir_all(&folder).map_err(|source| FileError::System {
                doing: "make the folder",
                path: folder.clone(),
                source,
            })?;
        }
        let open = |probe: Probing<D>| {
            let path = folder.join(format!("{}.csv", probe.name));
            let named = probe.kind.get().columns(setup);
            let mut columns = vec![Column { name: "time", unit: "s" }];
            columns.extend(named.iter().map(|column| Column { name: &column.name, unit: column.unit }));
            let series = match reached {
                Some(step) => Series::resume(&path, &columns, step),
                None => Series::create(&path, &columns),
            };
            Ok((probe, series?))
        };
        let probes: Vec<_> = probes.into_iter().map(open).collect::<Result<_, FileError>>()?;
        let tallies = vec![Tally::default(); probes.len()];
        Ok(Self { gauge: Gauge::new(setup), probes, tallies })
    }

    /// Lets those that count look at the world. `going` says that grains are taken out after it.
    pub(super) fn look(&mut self, world: &World<D>, setup: &Setup<D>, going: bool) {
        if going || world.status().step.is_multiple_of(LOOK_EVERY) {
            self.probes.iter_mut().for_each(|(probe, _)| probe.kind.get_mut().look(world, setup));
        }
    }

    /// Measures what is due.
    pub(super) fn measure(&mut self, world: &World<D>, setup: &Setup<D>) -> Result<(), FileError> {
        let step = world.status().step;
        let due = |probe: &Probing<D>| step >= probe.start && step.is_multiple_of(probe.every);
        if !self.probes.iter().any(|(probe, _)| due(probe)) {
            return Ok(());
        }
        let (snapshot, lattice) = (world.snapshot(), world.lattice());
        let view = View { setup, gauge: &self.gauge, snapshot: &snapshot, lattice: &lattice };
        for ((probe, series), tally) in self.probes.iter_mut().zip(&mut self.tallies) {
            if due(probe) {
                let rows = probe.kind.get().rows(&view);
                if probe.kind.get().is_series() {
                    tally.add(rows.first().map_or(&[], Vec::as_slice));
                }
                let timed = |row: Vec<f64>| [world.time()].into_iter().chain(row).collect::<Vec<_>>();
                series.push_rows(step, rows.into_iter().map(timed))?;
            }
        }
        Ok(())
    }

    /// Makes the rows so far survive a loss of power.
    pub(super) fn sync(&self) -> Result<(), FileError> {
        self.probes.iter().try_for_each(|(_, series)| series.sync())
    }

    /// What the next measurements depend on.
    pub(super) fn save(&self) -> Result<Vec<Vec<u8>>, SaveError> {
        self.probes.iter().map(|(probe, _)| probe.kind.get().save()).collect()
    }

    /// Goes on from there; whether it could.
    pub(super) fn restore(&mut self, states: &[Vec<u8>], tallies: Vec<Tally>) -> bool {
        let whole = states.len() == self.probes.len() && tallies.len() == states.len();
        self.tallies = tallies;
        whole
            && self
                .probes
                .iter_mut()
                .zip(states)
                .all(|((probe, _), state)| probe.kind.get_mut().restore(state))
    }

    /// What was found, of those that have one row for each moment.
    pub(super) fn measured(&self, setup: &Setup<D>) -> Vec<Measured> {
        let all = self.probes.iter().zip(&self.tallies).filter(|(_, tally)| tally.count > 0);
        all.map(|((probe, _), tally)| {
            let columns = probe.kind.get().columns(setup).into_iter().zip(tally.last.iter().zip(&tally.sums));
            let columns = columns
                .map(|(column, (last, sum))| (column.name, column.unit, *last, sum / tally.count as f64));
            Measured { name: probe.name.clone(), columns: columns.collect() }
        })
        .collect()
    }
}

impl Tally {
    fn add(&mut self, row: &[f64]) {
        self.count += 1;
        self.sums.resize(row.len(), 0.0);
        self.sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        self.last = row.to_vec();
    }
}

/// For programs: by name of the probe and of the column.
pub(super) fn to_json(measured: &[Measured]) -> Value {
    let probe = |one: &Measured| {
        let columns = one.columns.iter().map(|(name, unit, last, mean)| {
            (name.clone(), json!({ "unit": unit, "last": last, "mean": mean }))
        });
        (one.name.clone(), Value::Object(columns.collect::<Map<_, _>>()))
    };
    Value::Object(measured.iter().map(probe).collect())
}

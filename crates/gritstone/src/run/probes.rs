//! Probes during a run: a table for each probe, last values and means for the summary.

use std::fs;
use std::path::Path;

use gritstone_engine::{Backend, Dimension, SaveError, Setup};
use gritstone_io::FileError;
use gritstone_io::series::{Column, Series};
use gritstone_probe::{Gauge, View};
use gritstone_scene::ScheduledProbe;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Steps between two looks of probes that count what passes.
pub(super) const SAMPLE_EVERY: u64 = 10;

/// The folder of the tables.
pub(super) const PROBES: &str = "probes";

/// The probes of a run.
#[derive(Debug)]
pub(super) struct Probes<D: Dimension> {
    gauge: Gauge<D>,
    probes: Vec<(ScheduledProbe<D>, Series)>,
    /// Why the last row of each probe has no value, where it has none.
    remarks: Vec<Option<String>>,
    pub(super) statistics: Vec<ColumnStatistics>,
}

/// Running sums of the columns of a probe.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ColumnStatistics {
    last: Vec<f64>,
    /// Of each column the number of measurements that found something, and the sum of what they found.
    sums: Vec<(u64, f64)>,
}

/// Results of a probe, for the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its columns.
    pub columns: Vec<MeasuredColumn>,
    /// Why the last row has no value, where it has none.
    pub remark: Option<String>,
}

/// A column of a probe, for the summary.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredColumn {
    /// Its name.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// The last value, if there was one at that moment.
    pub last: Option<f64>,
    /// The mean over the moments at which there was a value.
    pub mean: Option<f64>,
}

impl<D: Dimension> Probes<D> {
    /// Starts the tables, or continues with them after a step.
    pub(super) fn open(
        folder: &Path,
        probes: Vec<ScheduledProbe<D>>,
        statistics: Vec<ColumnStatistics>,
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
        let open = |probe: ScheduledProbe<D>| {
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
        let statistics =
            if statistics.is_empty() { vec![ColumnStatistics::default(); probes.len()] } else { statistics };
        Ok(Self { gauge: Gauge::new(setup), remarks: vec![None; probes.len()], probes, statistics })
    }

    /// Samples the probes that count crossings. `going` says that grains are removed afterwards.
    pub(super) fn look(&mut self, world: &dyn Backend<D>, setup: &Setup<D>, going: bool) {
        if going || world.status().step.is_multiple_of(SAMPLE_EVERY) {
            self.probes.iter_mut().for_each(|(probe, _)| probe.kind.get_mut().look(world, setup));
        }
    }

    /// Measures what is due; at the end what was not measured at this step.
    pub(super) fn measure(
        &mut self,
        world: &dyn Backend<D>,
        setup: &Setup<D>,
        at_end: bool,
    ) -> Result<(), FileError> {
        let step = world.status().step;
        let due =
            |probe: &ScheduledProbe<D>| step >= probe.start && step.is_multiple_of(probe.every) != at_end;
        if !self.probes.iter().any(|(probe, _)| due(probe)) {
            return Ok(());
        }
        let (snapshot, lattice) = (world.snapshot(), world.lattice());
        let view = View { setup, gauge: &self.gauge, snapshot: &snapshot, lattice: &lattice };
        let all = self.probes.iter_mut().zip(&mut self.statistics).zip(&mut self.remarks);
        for (((probe, series), statistics), remark) in all {
            // A run that has ended and is resumed has its last row already.
            if due(probe) && !(at_end && series.last_step() == Some(step)) {
                let rows = probe.kind.get().rows(&view);
                statistics.add(probe.kind.get().digest(&rows));
                let timed = |row: Vec<f64>| [world.time()].into_iter().chain(row).collect::<Vec<_>>();
                series.push_rows(step, rows.into_iter().map(timed))?;
                *remark = probe.kind.get().remark(&view);
                probe.kind.get_mut().note(&view);
            }
        }
        Ok(())
    }

    /// Names of the tables in the folder of the run.
    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.probes.iter().map(|(probe, _)| format!("{PROBES}/{}.csv", probe.name))
    }

    /// Makes the rows so far survive a loss of power.
    pub(super) fn sync(&self) -> Result<(), FileError> {
        self.probes.iter().try_for_each(|(_, series)| series.sync())
    }

    /// What the next measurements depend on.
    pub(super) fn save(&self) -> Result<Vec<Vec<u8>>, SaveError> {
        self.probes.iter().map(|(probe, _)| probe.kind.get().save()).collect()
    }

    /// What was found, of those that have measured something.
    pub(super) fn measured(&self, setup: &Setup<D>) -> Vec<Measured> {
        let all = self.probes.iter().zip(&self.statistics).zip(&self.remarks);
        all.filter(|((_, statistics), _)| !statistics.last.is_empty())
            .map(|(((probe, _), statistics), remark)| {
                let columns = probe.kind.get().digest_columns(setup);
                let found = statistics.last.iter().zip(&statistics.sums);
                let column =
                    |(column, (last, (count, sum))): (gritstone_probe::Column, (&f64, &(u64, f64)))| {
                        let mean = (*count > 0).then(|| sum / *count as f64);
                        let last = Some(*last).filter(|last| !last.is_nan());
                        MeasuredColumn { name: column.name, unit: column.unit, last, mean }
                    };
                Measured {
                    name: probe.name.clone(),
                    columns: columns.into_iter().zip(found).map(column).collect(),
                    remark: remark.clone(),
                }
            })
            .collect()
    }
}

/// Gives probes the states that they continue from; whether all fit.
pub(super) fn restore<D: Dimension>(
    probes: &mut [ScheduledProbe<D>],
    states: &[Vec<u8>],
    statistics: &[ColumnStatistics],
) -> bool {
    let whole = states.len() == probes.len() && statistics.len() == states.len();
    whole && probes.iter_mut().zip(states).all(|(probe, state)| probe.kind.get_mut().restore(state))
}

impl ColumnStatistics {
    /// Adds what was found; what does not exist at this moment is not a number, and counts for no mean.
    pub(super) fn add(&mut self, row: Vec<f64>) {
        self.sums.resize(row.len(), (0, 0.0));
        for ((count, sum), x) in self.sums.iter_mut().zip(&row).filter(|(_, x)| !x.is_nan()) {
            *count += 1;
            *sum += x;
        }
        self.last = row;
    }

    /// The same by the names of the probe's columns.
    pub(super) fn measured<D: Dimension>(&self, probe: &ScheduledProbe<D>, setup: &Setup<D>) -> Measured {
        let column = |(at, column): (usize, gritstone_probe::Column)| {
            let (count, sum) = self.sums.get(at).copied().unwrap_or_default();
            let mean = (count > 0).then(|| sum / count as f64);
            let last = self.last.get(at).copied().filter(|last| !last.is_nan());
            MeasuredColumn { name: column.name, unit: column.unit, last, mean }
        };
        let columns = probe.kind.get().digest_columns(setup);
        Measured {
            name: probe.name.clone(),
            columns: columns.into_iter().enumerate().map(column).collect(),
            remark: None,
        }
    }
}

/// As JSON: by name of the probe and of the column.
pub(super) fn to_json(measured: &[Measured]) -> Value {
    let probe = |one: &Measured| {
        let columns = one.columns.iter().map(|column| {
            let MeasuredColumn { name, unit, last, mean } = column;
            (name.clone(), json!({ "unit": unit, "last": last, "mean": mean }))
        });
        (one.name.clone(), Value::Object(columns.collect::<Map<_, _>>()))
    };
    Value::Object(measured.iter().map(probe).collect())
}

/// Why the last rows of probes have no value, by name of the probe.
pub(super) fn remarks_to_json(measured: &[Measured]) -> Value {
    let remark = |one: &Measured| Some((one.name.clone(), Value::String(one.remark.clone()?)));
    Value::Object(measured.iter().filter_map(remark).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of four moments a column has values at two, 1 and 3; another one has none at all.
    #[test]
    fn means_are_those_of_what_exists() {
        let none = f64::NAN;
        let mut statistics = ColumnStatistics::default();
        [[0.0, none, none], [4.0, 1.0, none], [4.0, 3.0, none], [0.0, none, none]]
            .into_iter()
            .for_each(|row| statistics.add(row.to_vec()));
        assert_eq!(statistics.sums, [(4, 8.0), (2, 4.0), (0, 0.0)]);
        assert!(statistics.last[0] == 0.0 && statistics.last[1].is_nan());
    }
}

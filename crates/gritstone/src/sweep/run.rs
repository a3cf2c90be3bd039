//! Cases on threads of this process.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use gritstone_scene::{Build, Built, Scene};
use rayon::ThreadPoolBuilder;

use super::{Case, Ledger, Row, measure};
use crate::run::{Live, RunDimension, RunError, scene_hash};

/// Receives the progress of a sweep, and can request a stop.
pub trait Watch: Sync {
    /// So many of all cases are done; the last is this one.
    fn done(&self, _count: usize, _of: usize, _row: &Row) {}

    /// Whether it shall stop; cases on their way are given up.
    fn wants_stop(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
impl Watch for () {}

/// Results of a sweep.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A row for each case that is done, in the order of the cases.
    pub rows: Vec<Row>,
    /// Whether it was asked to stop before the last.
    pub stopped: bool,
}

/// Runs the cases that the ledger lacks, so many at once with a thread each, and notes each as soon as it is done. What is
/// measured are numbers of the summary, see [`measure`](fn@measure).
pub fn run(
    base: &Scene,
    cases: &[Case],
    names: &[String],
    ledger: &mut Ledger,
    threads: usize,
    watch: &dyn Watch,
) -> io::Result<Outcome> {
    let mut rows: Vec<Option<Row>> = vec![None; cases.len()];
    let mut left = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let key = case.scene(base).map_err(RunError::from).and_then(|scene| key(&scene, names));
        match key.as_ref().ok().and_then(|key| ledger.done(key)) {
            Some(row) => rows[number] = Some(Row { values: case.values.clone(), ..row.clone() }),
            None => left.push((number, key.unwrap_or_default())),
        }
    }
    let mut count = cases.len() - left.len();
    let next = AtomicUsize::new(0);
    let work = |results: Sender<(usize, Row)>| {
        while let Some((number, key)) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(row) = row(base, &cases[*number], key, names, watch) else { break };
            if results.send((*number, row)).is_err() {
                break;
            }
        }
    };
    let stopped = std::thread::scope(|scope| -> io::Result<bool> {
        let (results, received) = channel();
        for _ in 0..threads.clamp(1, left.len().max(1)) {
            let results = results.clone();
            scope.spawn(|| work(results));
        }
        drop(results);
        for (number, row) in received {
            ledger.note(row.clone())?;
            count += 1;
            watch.done(count, cases.len(), &row);
            rows[number] = Some(row);
        }
        Ok(watch.wants_stop())
    })?;
    let stopped = stopped && rows.iter().any(Option::is_none);
    Ok(Outcome { rows: rows.into_iter().flatten().collect(), stopped })
}

/// The key of a case.
pub fn key(scene: &Scene, names: &[String]) -> Result<String, RunError> {
    Ok(format!("{:016x} {}", scene_hash(scene)?, names.join(" ")))
}

/// A case, run to its end and measured; none where it was given up.
fn row(base: &Scene, case: &Case, key: &str, names: &[String], watch: &dyn Watch) -> Option<Row> {
    let one_thread = ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string());
    let done = one_thread.and_then(|pool| pool.install(|| measured(base, case, names, watch)));
    let (measured, error) = match done {
        Ok(measured) => (measured?, String::new()),
        Err(error) => (Vec::new(), error),
    };
    let measured = measured.into_iter().map(|(name, x)| (name, Some(x).filter(|x| x.is_finite()))).collect();
    Some(Row { key: key.to_owned(), values: case.values.clone(), measured, error })
}

type Measured = Option<Vec<(String, f64)>>;

fn measured(base: &Scene, case: &Case, names: &[String], watch: &dyn Watch) -> Result<Measured, String> {
    let text = |error: RunError| error.to_string();
    match case.scene(base).and_then(|scene| scene.build()).map_err(|problems| text(problems.into()))? {
        Build::Plane(built) => to_the_end(built, names, watch),
        Build::Space(built) => to_the_end(built, names, watch),
    }
}

fn to_the_end<D: RunDimension>(
    built: Built<D>,
    names: &[String],
    watch: &dyn Watch,
) -> Result<Measured, String> {
    let text = |error: RunError| error.to_string();
    let mut live = Live::start(built).map_err(text)?;
    // A name that leads to nothing is reported before the first step.
    measure(&live.summary(), names)?;
    while live.end().is_none() {
        if watch.wants_stop() {
            return Ok(None);
        }
        live.step().map_err(text)?;
    }
    measure(&live.summary(), names).map(Some)
}

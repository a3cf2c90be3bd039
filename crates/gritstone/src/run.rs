//! Running a scene: from a file to a folder of results.
//!
//! [`run`] plans, steps, and writes what the scene asks for when it asks for it; a [`Watch`] hears how it goes and may ask it
//! to stop. Nothing here prints.
//!
//! | in the folder | what |
//! |---|---|
//! | `scene.toml`, `inputs/` | the scene as used: every default written out, SI units, with the files that it reads |
//! | `vtk/*.pvd`, `vtk/*.vtp` | frames for ParaView ([`vtk`](gritstone_io::vtk)) |
//! | `trajectory.grit` | the same moments in one compact file ([`trajectory`](gritstone_io::trajectory)) |
//! | `energies.csv` | energies, contacts, largest overlap, a line per moment |
//! | `walls.csv` | forces, torques and work of walls and tools, a line per moment |
//! | `probes/*.csv` | what the scene's probes measure |
//! | `checkpoint.bin`, `checkpoint.previous.bin` | what a run goes on from ([`checkpoint`](gritstone_io::checkpoint)) |
//! | `final.csv` | where every grain is at the end; missing while the run has not ended |
//! | `summary.json` | how it went |
//!
//! A run can be killed at any moment and resumed: the result has the same bits as if nothing had happened. At each step that
//! is reached, events happen first, then files are written, then the checkpoint; a resumed run cuts its files to the
//! checkpoint and goes on behind it. `run.lock` is there while a run writes.

mod alarms;
mod backend;
mod checkpoint;
mod checksums;
mod costs;
mod error;
mod events;
mod figures;
mod folder;
mod health;
mod live;
mod outputs;
mod prepare;
mod probes;
mod results;
mod simulation;
mod still;
mod streams;
mod summary;
mod wall_table;
mod watch;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gritstone_engine::{Communicator, RestoreError, dismiss, first_failure};
use gritstone_io::FileError;
use gritstone_io::checkpoint::{Latest, Refusal};
use gritstone_io::skin::Surfaces;
use gritstone_io::trajectory::PackedRotation;
use gritstone_scene::{Build, Built, MOST_STEPS, Scene, steps_up_to};

pub use backend::{BackendKind, MakesWorlds, check_gpu_memory, gpu_refusals};
pub use error::RunError;
pub(crate) use folder::{ENERGIES, SCENE, SUMMARY};
pub use folder::{FINAL, TRAJECTORY, holds_run_of, scene_hash};
pub use health::{DEEPEST, GROWTH};
pub use live::Live;
pub use probes::{Measured, MeasuredColumn};
pub use still::CHECK_EVERY;
pub use streams::Passed;
pub use summary::{End, GOOD_DRIFT, POOR_DRIFT, Summary, drift_words};
pub use watch::{Progress, Start, Watch};

use folder::Folder;
use outputs::Outputs;
use probes::Probes;
use simulation::Simulation;
use streams::Streams;

/// Where a run writes, and how far it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of results; it is made where it is missing.
    pub folder: PathBuf,
    /// Go on from the last checkpoint in the folder; start where there are no results, either.
    pub resume: bool,
    /// Start anew in a folder that holds a run.
    pub overwrite: bool,
    /// End at this time (s) rather than when the scene says.
    pub until: Option<f64>,
    /// End after so many steps rather than when the scene says.
    pub steps: Option<u64>,
    /// Longest time on the clock between checkpoints, beside those that the scene asks for.
    pub checkpoint_every: Duration,
    /// What computes; results do not depend on it.
    pub backend: BackendKind,
    /// The processes that share the world, of which this one is the first; the others are in [`serve`].
    pub processes: Option<Arc<dyn Communicator>>,
}

impl Options {
    /// The usual options for a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            resume: false,
            overwrite: false,
            until: None,
            steps: None,
            checkpoint_every: Duration::from_secs(60),
            backend: BackendKind::default(),
            processes: None,
        }
    }
}

/// A dimension in which scenes can be run.
pub trait RunDimension: MakesWorlds + Surfaces + PackedRotation {}

impl<D: MakesWorlds + Surfaces + PackedRotation> RunDimension for D {}

/// Runs a scene in the rayon pool of the caller. Nothing is written when the scene or the folder cannot be used.
pub fn run(scene: &Scene, options: &Options, watch: &mut dyn Watch) -> Result<Summary, RunError> {
    let processes = options.processes.as_deref();
    let summary = match build(scene, processes)? {
        Build::Plane(built) => run_built(scene, built, options, watch),
        Build::Space(built) => run_built(scene, built, options, watch),
    };
    processes.into_iter().for_each(dismiss);
    summary
}

/// Has this process, which is not the first, take part in a run of the scene until that ends.
pub fn serve(scene: &Scene, processes: &Arc<dyn Communicator>) -> Result<(), RunError> {
    // Each process prepares the bed by itself: all get the same bits.
    match build(scene, Some(&**processes))? {
        Build::Plane(mut built) => {
            prepared(&mut built, &())?;
            gritstone_engine::serve(&built.setup, processes)?;
        }
        Build::Space(mut built) => {
            prepared(&mut built, &())?;
            gritstone_engine::serve(&built.setup, processes)?;
        }
    }
    Ok(())
}

/// Builds a scene; if any of the processes cannot, none goes on.
fn build(scene: &Scene, processes: Option<&dyn Communicator>) -> Result<Build, RunError> {
    let built = scene.build();
    let failure = built.as_ref().err().map(ToString::to_string);
    let failure = processes.and_then(|processes| first_failure(processes, failure.as_deref()));
    match (built, failure) {
        (Ok(_), Some((rank, why))) => Err(RunError::Process { rank, why }),
        (built, _) => Ok(built?),
    }
}

fn run_built<D: RunDimension>(
    scene: &Scene,
    mut built: Built<D>,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Summary, RunError> {
    let early = options.until.is_some() || options.steps.is_some();
    built.plan.steps = last_step(&built, options)?;
    let mut folder = Folder::open(scene, options)?;
    // Everything is checked before anything is removed: a run that cannot go on is left as it is.
    let (latest, note) = folder.latest(options, built.plan.steps, built.plan.output.checkpoint.is_some())?;
    let mut streams = Streams::new(std::mem::take(&mut built.inlets), std::mem::take(&mut built.outlets));
    let mut preparation = Vec::new();
    let (resumed, restored, checked) = match latest {
        Some(latest) => {
            let (latest, restored, checked) = go_on(&folder, &built, &mut streams, latest, options)?;
            (Some(latest), restored, checked)
        }
        None => {
            preparation = prepared(&mut built, watch)?;
            let restored = checkpoint::Restored::start(backend::start(&built.setup, options)?);
            let checked = checksums::check(&folder.path, &restored.files, 0)?;
            (None, restored, checked)
        }
    };
    let reached = resumed.as_ref().map(|latest| latest.checkpoint.stamp.step);
    if let Some(step) = reached.filter(|step| early && *step > built.plan.steps) {
        return Err(RunError::Beyond { step, time: step as f64 * built.setup.time_step });
    }
    let checkpoint::Restored { world, health, probes: (states, tallies), .. } = restored;
    let mut kinds = std::mem::take(&mut built.probes);
    if reached.is_some() {
        if !probes::restore(&mut kinds, &states, &tallies) {
            return Err(RestoreError::Foreign("its probes are others").into());
        }
        Outputs::check(&folder, &scene.file, &built).map_err(|error| match error {
            FileError::System { .. } => RunError::File(error),
            damaged => RunError::Damaged(damaged),
        })?;
    }
    folder.claim(reached.is_none())?;
    let mut outputs = Outputs::open(&folder, &scene.file, &built, &*world, reached, &checked)?;
    outputs.notes.extend(note.into_iter().chain(preparation));
    let probes = Probes::open(&folder.path, kinds, tallies, &built.setup, reached)?;
    watch.start(&Start { report: &built.report, folder: &folder.path, resumed: resumed.as_ref() });
    let Built { mut setup, plan, shape_origins, .. } = built;
    setup.earlier = None; // Its grains are in the world.
    let names = (shape_origins, outputs::materials(&scene.file));
    Simulation::new(
        &setup,
        plan,
        world,
        health,
        streams,
        probes,
        folder,
        outputs,
        checked.checksums,
        names,
        options,
    )
    .run(reached, !early, watch)
}

/// Has the grains of a scene come to rest, if it asks for that; what there is to say of it.
fn prepared<D: RunDimension>(built: &mut Built<D>, watch: &dyn Watch) -> Result<Vec<String>, RunError> {
    let Some(how) = &built.preparation else { return Ok(Vec::new()) };
    let (setup, notes) = prepare::prepare(&built.setup, how, watch)?;
    built.setup = setup;
    Ok(notes)
}

/// The newest checkpoint whose files are there: where they do not reach as far as the last one says, the one before is taken.
fn go_on<D: RunDimension>(
    folder: &Folder,
    built: &Built<D>,
    streams: &mut Streams<D>,
    latest: Latest,
    options: &Options,
) -> Result<(Latest, checkpoint::Restored<D>, checksums::Checked), RunError> {
    let mut open = |latest: &Latest| {
        let restored = checkpoint::read(&built.setup, streams, &latest.checkpoint.payload, options)?;
        let checked = checksums::check(&folder.path, &restored.files, latest.checkpoint.stamp.step)?;
        Ok((restored, checked))
    };
    let error: RunError = match open(&latest) {
        Ok((restored, checked)) => return Ok((latest, restored, checked)),
        Err(error) => error,
    };
    let before = match error {
        RunError::Shortened { .. } | RunError::Altered { .. } => folder.before(&latest),
        _ => None,
    };
    let Some(mut before) = before else { return Err(error) };
    let Ok((restored, checked)) = open(&before) else { return Err(error) };
    before.refused = Some((latest.path, Refusal::Files(error.to_string())));
    Ok((before, restored, checked))
}

/// The step to end at.
fn last_step<D: RunDimension>(built: &Built<D>, options: &Options) -> Result<u64, RunError> {
    let time_step = built.setup.time_step;
    if let Some(until) = options.until.filter(|until| until / time_step > MOST_STEPS) {
        return Err(RunError::TooLong { until, time_step });
    }
    let by_time = options.until.map(|until| steps_up_to(until, time_step));
    Ok(match (by_time, options.steps) {
        (None, None) => built.plan.steps,
        (by_time, steps) => by_time.unwrap_or(u64::MAX).min(steps.unwrap_or(u64::MAX)),
    })
}

//! A simulation in memory: stepped by its owner, in any pieces, with the same bits as [`run`](super::run).
//!
//! Events happen, grains come and go and probes measure when the scene says; no files are written. What probes measure is kept
//! as rows.

use std::path::Path;

use gritstone_engine::{InletState, OutletState, RestoreError, SaveError, Setup, World};
use gritstone_force::Interactions;
use gritstone_io::FileError;
use gritstone_io::checkpoint::{self as container, Payload, Stamp};
use gritstone_io::trajectory::Writer;
use gritstone_probe::{Gauge, View};
use gritstone_scene::schema::SceneFile;
use gritstone_scene::{Built, Plan, Scene, SceneRecord, ScheduledProbe};
use serde_json::Value;

use super::alarms::alarms;
use super::events::happen;
use super::figures::{Figures, coordination};
use super::folder::write_scene;
use super::health::{Health, NUMBERS};
use super::outputs::{description, materials};
use super::probes::{LOOK_EVERY, Tally};
use super::still::{CHECK_EVERY, is_still};
use super::streams::Streams;
use super::{End, RunDimension, RunError, checkpoint, scene_hash};

/// What is kept beside the world: inlets, outlets, states of probes, their rows and tallies.
type Kept<D> = (Vec<InletState<D>>, Vec<OutletState>, Vec<Vec<u8>>, Vec<(Vec<f64>, Tally)>);

/// A probe, its rows, and what it has found so far.
type LiveProbe<D> = (ScheduledProbe<D>, (Vec<f64>, Tally));

/// A simulation in memory.
#[derive(Debug)]
pub struct Live<D: RunDimension> {
    setup: Setup<D>,
    shape_names: Vec<String>,
    shape_origins: Vec<(String, f64)>,
    plan: Plan<D>,
    world: World<D>,
    health: Health,
    streams: Streams<D>,
    gauge: Gauge<D>,
    probes: Vec<LiveProbe<D>>,
    notes: Vec<String>,
}

impl<D: RunDimension> Live<D> {
    /// A simulation at its start: the events of step zero have happened.
    pub fn start(mut built: Built<D>) -> Result<Self, RunError> {
        let notes = super::prepared(&mut built, &())?;
        let world = World::new(&built.setup)?;
        built.setup.earlier = None; // Its grains are in the world.
        let mut live = Self::with(built, world);
        live.notes = notes;
        live.arrive()?;
        Ok(live)
    }

    /// The simulation that [`save`](Self::save) has written; `built` must come from the same scene.
    pub fn restore(built: Built<D>, bytes: &[u8]) -> Result<Self, RunError> {
        let unreadable = |error: postcard::Error| RestoreError::Unreadable(error.to_string());
        let ((health, kept), world): (([f64; NUMBERS], Kept<D>), &[u8]) =
            postcard::take_from_bytes(bytes).map_err(unreadable)?;
        let world = World::restore(&built.setup, world)?;
        let mut live = Self::with(built, world);
        let (feeds, drains, states, rows) = kept;
        let whole = feeds.len() == live.streams.feeds.len()
            && drains.len() == live.streams.drains.len()
            && states.len() == live.probes.len()
            && rows.len() == states.len();
        if !whole {
            return Err(RestoreError::Foreign("its inlets, outlets or probes are others").into());
        }
        live.health = Health::from_numbers(health);
        (live.streams.feeds, live.streams.drains) = (feeds, drains);
        for ((probe, kept), (state, rows)) in live.probes.iter_mut().zip(states.into_iter().zip(rows)) {
            if !probe.kind.get_mut().restore(&state) {
                return Err(RestoreError::Foreign("its probes are others").into());
            }
            *kept = rows;
        }
        Ok(live)
    }

    fn with(built: Built<D>, world: World<D>) -> Self {
        let Built { setup, shape_names, shape_origins, plan, inlets, outlets, probes, .. } = built;
        Self {
            health: Health::new(&world),
            streams: Streams::new(inlets, outlets),
            gauge: Gauge::new(&setup),
            probes: probes.into_iter().map(|probe| (probe, Default::default())).collect(),
            notes: Vec::new(),
            shape_names,
            shape_origins,
            setup,
            plan,
            world,
        }
    }

    /// All that the next step depends on.
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let failed = |error: postcard::Error| SaveError(error.to_string());
        let states =
            self.probes.iter().map(|(probe, _)| probe.kind.get().save()).collect::<Result<Vec<_>, _>>()?;
        let rows: Vec<_> = self.probes.iter().map(|(_, rows)| rows).collect();
        let kept = (&self.streams.feeds, &self.streams.drains, states, rows);
        let mut bytes = postcard::to_allocvec(&(self.health.numbers(), kept)).map_err(failed)?;
        bytes.extend(self.world.save()?);
        Ok(bytes)
    }

    /// One step and what is due after it.
    pub fn step(&mut self) -> Result<(), RunError> {
        self.world.step()?;
        self.arrive()
    }

    /// Why the scene ends here, if it does.
    pub fn end(&self) -> Option<End> {
        let step = self.world.status().step;
        if step >= self.plan.steps {
            return Some(End::Time);
        }
        let look = step > 0 && step.is_multiple_of(CHECK_EVERY);
        let still = self.plan.stop.filter(|_| look);
        still.filter(|when| is_still(when, &self.world, &self.setup)).map(|_| End::Still)
    }

    /// The order of events is that of a run with files.
    fn arrive(&mut self) -> Result<(), RunError> {
        let status = self.world.status();
        self.health.look(&self.world, &self.setup, status.step == self.plan.steps)?;
        let Self { plan, world, notes, .. } = self;
        happen(plan, world, status.step, |note| notes.push(note.to_owned()))?;
        if status.step.is_multiple_of(LOOK_EVERY) || self.streams.takes_out_at(status.step) {
            let Self { probes, world, setup, .. } = self;
            probes.iter_mut().for_each(|(probe, _)| probe.kind.get_mut().look(world, setup));
        }
        self.streams.pass(&mut self.world, &self.setup)?;
        self.measure(status.step);
        Ok(())
    }

    fn measure(&mut self, step: u64) {
        let due = |probe: &ScheduledProbe<D>| step >= probe.start && step.is_multiple_of(probe.every);
        if !self.probes.iter().any(|(probe, _)| due(probe)) {
            return;
        }
        let (snapshot, lattice) = (self.world.snapshot(), self.world.lattice());
        let view = View { setup: &self.setup, gauge: &self.gauge, snapshot: &snapshot, lattice: &lattice };
        for (probe, (rows, tally)) in self.probes.iter_mut().filter(|(probe, _)| due(probe)) {
            let found = probe.kind.get().rows(&view);
            tally.add(probe.kind.get().digest(&found));
            for row in found {
                rows.extend([step as f64, self.world.time()].into_iter().chain(row));
            }
        }
    }

    /// Writes the present moment as a trajectory of one frame, from which pictures are made; `file` is the scene that this was
    /// built from.
    pub fn write_frame(&self, file: &SceneFile, path: &Path) -> Result<(), FileError> {
        let materials = materials(file);
        let description = description(file, &self.setup, &self.shape_names, &materials);
        let cell = self.world.cell().map(|state| state.cell);
        Writer::create(path, &description)?.push_in(&self.world.snapshot(), cell.as_ref(), true)
    }

    /// Writes a checkpoint into a folder, from which grains of other scenes go on (`from = "run"`); `scene` is what this was built from.
    pub fn write_checkpoint(&self, scene: &Scene, folder: &Path) -> Result<(), RunError> {
        let status = self.world.status();
        let stamp = Stamp {
            payload_version: checkpoint::VERSION,
            scene: scene_hash(scene)?,
            step: status.step,
            time: status.time,
        };
        let text = write_scene(scene, folder)?;
        let scene = SceneRecord { text, shapes: self.shape_origins.clone() }.to_bytes();
        let payload = Payload { scene: &scene, run: &[], world: &self.world.save()? }.to_bytes();
        Ok(container::write(folder, &stamp, &payload)?)
    }

    /// The world as it is.
    pub fn world(&self) -> &World<D> {
        &self.world
    }

    /// The world, to be changed between steps.
    pub fn world_mut(&mut self) -> &mut World<D> {
        &mut self.world
    }

    /// Has other interactions of the same materials act from now on; whether their number fits.
    pub fn set_interactions(&mut self, interactions: Interactions) -> bool {
        let fits = self.world.set_interactions(interactions.clone());
        if fits {
            self.setup.interactions = interactions;
        }
        fits
    }

    /// What the world was made from.
    pub fn setup(&self) -> &Setup<D> {
        &self.setup
    }

    /// The step at which the scene ends, at the latest.
    pub fn last_step(&self) -> u64 {
        self.plan.steps
    }

    /// Energy drift, relative to the energy exchanged.
    pub fn energy_error(&self) -> f64 {
        self.health.energy_error(&self.world.energies())
    }

    /// What `summary.json` says of a run at this moment, but for its files and the clock.
    pub fn summary(&self) -> Value {
        let status = self.world.status();
        let measured = |(probe, (_, tally)): &LiveProbe<D>| tally.measured(probe, &self.setup);
        let figures = Figures {
            status: &status,
            energies: &self.world.energies(),
            passed: &self.streams.passed(&status, self.world.time_step()),
            measured: &self.probes.iter().map(measured).collect::<Vec<_>>(),
            energy_error: self.energy_error(),
            health: &self.health,
            alarms: &alarms(&self.health, &status, &self.setup),
            coordination: coordination(&self.world),
            time_step: self.world.time_step(),
        };
        Value::Object(figures.to_json())
    }

    /// What has happened since this was asked last.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Name, names of columns and rows of every probe; the first two columns are step and time.
    pub fn probes(&self) -> impl Iterator<Item = (&str, Vec<String>, &[f64])> {
        self.probes.iter().map(|(probe, (rows, _))| {
            let named = probe.kind.get().columns(&self.setup);
            let names = ["step".to_owned(), "time".to_owned()];
            let names = names.into_iter().chain(named.into_iter().map(|column| column.name));
            (probe.name.as_str(), names.collect(), rows.as_slice())
        })
    }
}

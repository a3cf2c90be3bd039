//! The loop: step, and at each step what is due there.

use std::time::{Duration, Instant};

use gritstone_engine::{Backend, ServoReport, Setup};
use gritstone_io::checkpoint::{self as container, Stamp};
use gritstone_io::states::{Names, write_states};
use gritstone_scene::{Plan, SceneRecord};

use super::alarms::alarms;
use super::checksums::Checksums;
use super::costs::{Costs, Moments};
use super::events::happen;
use super::figures::coordination;
use super::folder::{FINAL, Folder};
use super::health::Health;
use super::outputs::Outputs;
use super::probes::Probes;
use super::still::{CHECK_EVERY, is_still};
use super::streams::Streams;
use super::summary::{End, Processes, Summary};
use super::{Options, Progress, RunDimension, RunError, Watch, checkpoint};

/// Time on the clock between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// A run on its way.
pub(super) struct Simulation<'r, D: RunDimension> {
    setup: &'r Setup<D>,
    plan: Plan<D>,
    world: Box<dyn Backend<D>>,
    health: Health,
    streams: Streams<D>,
    probes: Probes<D>,
    folder: Folder,
    outputs: Outputs<D>,
    checksums: Checksums,
    scene: SceneRecord,
    materials: Vec<String>,
    checkpoint_every: Duration,
    pace: Pace,
}

/// What the clock says. Nothing of it has any influence on the grains.
struct Pace {
    start: Instant,
    reported: Instant,
    saved: Instant,
    /// Steps made, and steps times grains.
    steps: u64,
    particle_steps: u64,
    costs: Costs,
    /// Largest cost of a process over the mean of all, after steps on the way.
    imbalance: Moments<(u64, f64)>,
}

impl<'r, D: RunDimension> Simulation<'r, D> {
    #[expect(clippy::too_many_arguments, reason = "what a run consists of")]
    pub(super) fn new(
        setup: &'r Setup<D>,
        plan: Plan<D>,
        world: Box<dyn Backend<D>>,
        health: Health,
        streams: Streams<D>,
        probes: Probes<D>,
        folder: Folder,
        outputs: Outputs<D>,
        checksums: Checksums,
        (shapes, materials): (Vec<(String, f64)>, Vec<String>),
        options: &Options,
    ) -> Self {
        let now = Instant::now();
        let pace = Pace {
            start: now,
            reported: now,
            saved: now,
            steps: 0,
            particle_steps: 0,
            costs: Costs::default(),
            imbalance: Moments::default(),
        };
        let checkpoint_every = options.checkpoint_every;
        let scene = SceneRecord { text: folder.scene_text().to_owned(), shapes };
        Self {
            setup,
            plan,
            world,
            health,
            streams,
            probes,
            folder,
            outputs,
            checksums,
            scene,
            materials,
            checkpoint_every,
            pace,
        }
    }

    /// Runs to the end. `reached` is the step of the checkpoint that it goes on from; `whole` says that its end is the
    /// scene's end.
    pub(super) fn run(
        mut self,
        reached: Option<u64>,
        whole: bool,
        watch: &mut dyn Watch,
    ) -> Result<Summary, RunError> {
        std::mem::take(&mut self.outputs.notes).iter().for_each(|note| watch.note(note));
        let end = self.steps(reached.is_some(), watch);
        let end = match end {
            Ok(end) => end,
            Err(error) => {
                // What went wrong first is what is told: a disk that is full takes no summary, either.
                let _ = self.summary(End::Failed(error.to_string()), reached).write(&self.folder);
                return Err(error);
            }
        };
        if matches!(end, End::Still) || matches!(end, End::Time) && whole {
            self.outputs.write(&*self.world, true)?;
            self.probes.measure(&*self.world, self.setup, true)?;
        }
        if self.plan.output.checkpoint.is_some() || matches!(end, End::Interrupted) {
            self.save()?;
        }
        if !matches!(end, End::Interrupted) {
            let names = Names { shapes: &self.scene.shapes, materials: &self.materials };
            write_states(&self.folder.path.join(FINAL), &self.world.snapshot().bodies, &names)?;
        }
        self.note_cost(self.world.status().step);
        let summary = self.summary(end, reached);
        summary.write(&self.folder)?;
        Ok(summary)
    }

    fn steps(&mut self, resumed: bool, watch: &mut dyn Watch) -> Result<End, RunError> {
        if !resumed {
            self.arrive(watch)?;
            // From now on there is something to go on from: results without it are none that a killed run has left.
            if self.plan.output.checkpoint.is_some() {
                self.save()?;
            }
        }
        loop {
            if let Some(end) = self.end() {
                return Ok(end);
            }
            if watch.wants_stop() {
                return Ok(End::Interrupted);
            }
            self.world.advance(1)?;
            self.arrive(watch)?;
        }
    }

    /// Why the run ends here, if it does.
    fn end(&self) -> Option<End> {
        let step = self.world.status().step;
        if step >= self.plan.steps {
            return Some(End::Time);
        }
        let look = step > 0 && step.is_multiple_of(CHECK_EVERY);
        let still = self.plan.stop.filter(|_| look);
        still.filter(|when| is_still(when, &*self.world, self.setup)).map(|_| End::Still)
    }

    /// What is due at the step that has been reached: events, grains that come and go, then files, then the checkpoint.
    fn arrive(&mut self, watch: &mut dyn Watch) -> Result<(), RunError> {
        let status = self.world.status();
        self.health.look(&*self.world, self.setup, status.step == self.plan.steps)?;
        happen(&self.plan, &mut *self.world, status.step, |note| watch.note(note))?;
        self.probes.look(&*self.world, self.setup, self.streams.takes_out_at(status.step));
        self.streams.pass(&mut *self.world, self.setup)?;
        self.probes.measure(&*self.world, self.setup, false)?;
        self.outputs.write(&*self.world, false)?;
        let interval = self.plan.output.checkpoint.filter(|_| status.step > 0);
        let late = interval.is_some() && self.pace.saved.elapsed() > self.checkpoint_every;
        if late || interval.is_some_and(|interval| status.step.is_multiple_of(interval)) {
            self.save()?;
        }
        self.pace.steps += 1;
        self.pace.particle_steps += status.grains as u64;
        if self.pace.reported.elapsed() > REPORT_EVERY {
            self.pace.reported = Instant::now();
            self.note_cost(status.step);
            watch.progress(&self.progress());
        }
        Ok(())
    }

    fn note_cost(&mut self, step: u64) {
        self.pace.costs.note(step, self.pace.start.elapsed(), self.pace.particle_steps);
        if let Some(imbalance) = self.world.imbalance() {
            self.pace.imbalance.note((step, imbalance));
        }
    }

    fn save(&mut self) -> Result<(), RunError> {
        // Before the checkpoint: what it says is there must be there when the power is cut.
        self.outputs.sync()?;
        self.probes.sync()?;
        let stamp = Stamp {
            payload_version: checkpoint::VERSION,
            scene: self.folder.scene_hash,
            step: self.world.status().step,
            time: self.world.time(),
        };
        let names = self.outputs.names().chain(self.probes.names());
        let files = self.checksums.record(names, self.outputs.frame_names())?;
        let payload = checkpoint::write(
            &*self.world,
            &self.health,
            &self.streams,
            &self.probes,
            &files,
            &self.scene.to_bytes(),
        )?;
        container::write(&self.folder.path, &stamp, &payload)?;
        self.pace.saved = Instant::now();
        Ok(())
    }

    fn progress(&self) -> Progress {
        let status = self.world.status();
        let seconds = self.pace.start.elapsed().as_secs_f64();
        let left = self.plan.steps.saturating_sub(status.step) as f64 / self.pace.steps as f64 * seconds;
        Progress {
            status,
            last_step: self.plan.steps,
            end_time: self.plan.steps as f64 * self.world.time_step(),
            particle_steps_per_second: self.pace.particle_steps as f64 / seconds,
            remaining: Duration::try_from_secs_f64(left).ok(),
            energy_error: self.health.energy_error(&self.world.energies()),
            imbalance: self.world.imbalance(),
        }
    }

    fn servos(&self) -> Vec<(String, ServoReport)> {
        let tools = self.world.tools().into_iter().filter_map(|(name, tool)| Some((name, tool.servo?)));
        let sides = self.world.stress_control().into_iter();
        tools.chain(sides.map(|(axis, side)| (format!("cell {}", ["x", "y", "z"][axis]), side))).collect()
    }

    fn summary(&self, end: End, reached: Option<u64>) -> Summary {
        let wall_time = self.pace.start.elapsed();
        let status = self.world.status();
        let energies = self.world.energies();
        Summary {
            end,
            folder: self.folder.path.clone(),
            resumed_from: reached,
            status,
            energies,
            passed: self.streams.passed(&status, self.world.time_step()),
            measured: self.probes.measured(self.setup),
            energy_error: self.health.energy_error(&energies),
            alarms: alarms(&self.health, &status, self.setup),
            health: self.health,
            coordination: coordination(&*self.world),
            time_step: self.world.time_step(),
            steps: status.step - reached.unwrap_or(0),
            wall_time,
            particle_steps_per_second: self.pace.particle_steps as f64 / wall_time.as_secs_f64(),
            threads: rayon::current_num_threads(),
            peak_memory: super::summary::peak_memory(),
            servos: self.servos(),
            frames: self.plan.output.vtk.is_some(),
            pace: self.pace.costs.list(),
            processes: self
                .world
                .traffic()
                .map(|traffic| Processes { traffic, imbalance: self.pace.imbalance.list().to_vec() }),
        }
    }
}

//! The same steps again and again, and the shortest time of every stretch of them.

use std::time::Instant;

use gritstone_engine::{Backend as _, Dimension, Phase, PhaseTimes, Setup, World};

use super::{Options, Row, Shares, Trouble};
use crate::run::{BackendKind, MakesWorlds};

/// Steps of a stretch; the last one may be shorter.
const STRETCH: u64 = 10;

/// What is timed.
pub(super) struct Bed<D: Dimension> {
    pub(super) name: &'static str,
    pub(super) state: String,
    pub(super) setup: Setup<D>,
    /// The saved state from which every repetition starts.
    pub(super) saved: Vec<u8>,
    /// Steps that are timed where the options do not say.
    pub(super) steps: u64,
}

/// Steps that a GPU makes before it is timed, and at least those that are.
const WARM_UP: u64 = 32;
const GPU_STEPS: u64 = 256;
/// Steps that the processor makes beside a GPU, to compare with.
const COMPARED_STEPS: u64 = 50;

impl<D: MakesWorlds> Bed<D> {
    /// Makes the repetitions.
    pub(super) fn time(&self, options: &Options) -> Result<Row, Trouble> {
        let steps = options.steps.unwrap_or(self.steps);
        if options.backend == BackendKind::Gpu {
            return self.time_on_gpu(steps.max(GPU_STEPS), options);
        }
        let mut shortest = vec![f64::INFINITY; steps.div_ceil(STRETCH) as usize];
        let mut totals = Vec::new();
        let mut last = self.restored()?;
        for repetition in 0..options.repetitions.max(1) {
            if repetition > 0 {
                last = self.restored()?;
            }
            let mut total = 0.0;
            for (shortest, done) in shortest.iter_mut().zip((0..steps).step_by(STRETCH as usize)) {
                let start = Instant::now();
                last.advance(STRETCH.min(steps - done)).map_err(Trouble::of)?;
                let seconds = start.elapsed().as_secs_f64();
                *shortest = shortest.min(seconds);
                total += seconds;
            }
            totals.push(total);
        }
        totals.sort_by(f64::total_cmp);
        let laps = self.laps(steps)?;
        Ok(self.row(&last, steps, shortest.iter().sum(), totals[totals.len() / 2], &laps))
    }

    /// The same on a GPU: of whole repetitions, for all that is started there is waited for together; and some steps on the processor.
    fn time_on_gpu(&self, steps: u64, options: &Options) -> Result<Row, Trouble> {
        let mut totals = Vec::new();
        let mut status = gritstone_engine::Status::default();
        for _ in 0..options.repetitions.max(1) {
            let mut world = D::restore(BackendKind::Gpu, &self.setup, &self.saved).map_err(Trouble::of)?;
            world.advance(WARM_UP).map_err(Trouble::of)?;
            let start = Instant::now();
            world.advance(steps).map_err(Trouble::of)?;
            totals.push(start.elapsed().as_secs_f64());
            status = world.status();
        }
        totals.sort_by(f64::total_cmp);
        let each = |seconds: f64| seconds / (status.grains as f64 * steps as f64) * 1e6;
        Ok(Row {
            name: self.name.to_owned(),
            state: format!("{} on the GPU", self.state).trim().to_owned(),
            particles: status.grains,
            contacts: status.contacts,
            contacts_in_lanes: status.contacts_in_lanes,
            near_pairs: status.near_pairs,
            steps,
            threads: rayon::current_num_threads(),
            best: each(totals[0]),
            median: each(totals[totals.len() / 2]),
            per_contact: 0.0,
            shares: None,
            processor: Some(self.on_processor(steps.min(COMPARED_STEPS))?),
            unresolved: 0,
            bytes_per_grain: gritstone_gpu::bytes_for(status.grains) as f64 / status.grains.max(1) as f64,
        })
    }

    /// Time per grain and step (µs) on the processor.
    fn on_processor(&self, steps: u64) -> Result<f64, Trouble> {
        let mut world = self.restored()?;
        world.advance(WARM_UP).map_err(Trouble::of)?;
        let start = Instant::now();
        world.advance(steps).map_err(Trouble::of)?;
        let grains = world.status().grains;
        Ok(start.elapsed().as_secs_f64() / (grains as f64 * steps as f64) * 1e6)
    }

    fn restored(&self) -> Result<World<D>, Trouble> {
        World::restore(&self.setup, &self.saved).map_err(Trouble::of)
    }

    /// Where the time goes: once more, with a look at the clock between the parts of every step.
    fn laps(&self, steps: u64) -> Result<PhaseTimes, Trouble> {
        let mut world = self.restored()?;
        let mut laps = PhaseTimes::start();
        world.timed_steps(steps, &mut laps).map_err(Trouble::of)?;
        Ok(laps)
    }

    fn row(&self, world: &World<D>, steps: u64, best: f64, median: f64, laps: &PhaseTimes) -> Row {
        let status = world.status();
        let before = self.restored().map_or(0, |world| world.status().unresolved_since_start);
        let share = |phase| laps.seconds(phase) / laps.total();
        let shares = Shares {
            neighbour_lists: share(Phase::NeighbourLists),
            activation: share(Phase::Activation),
            lanes: share(Phase::Lanes),
            general: share(Phase::General),
            sorting: share(Phase::Sorting),
            gathering: share(Phase::Gathering),
            integration: share(Phase::Integration),
        };
        let grain_steps = status.grains as f64 * steps as f64;
        let in_contacts = best * (shares.lanes + shares.general);
        Row {
            name: self.name.to_owned(),
            state: self.state.clone(),
            particles: status.grains,
            contacts: status.contacts,
            contacts_in_lanes: status.contacts_in_lanes,
            near_pairs: status.near_pairs,
            steps,
            threads: rayon::current_num_threads(),
            best: best / grain_steps * 1e6,
            median: median / grain_steps * 1e6,
            per_contact: in_contacts / (status.contacts as f64 * steps as f64) * 1e9,
            shares: Some(shares),
            processor: None,
            unresolved: status.unresolved_since_start - before,
            bytes_per_grain: world.memory() as f64 / status.grains as f64,
        }
    }
}

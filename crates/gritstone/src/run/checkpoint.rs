//! The content of a run's checkpoint: its scene; quality measures, counts of inlets and outlets, states of
//! probes, files with their checksums; and the world.

use gritstone_engine::{
    Backend, Dimension, InletState, OutletState, RestoreError, SAVED_VERSION, SaveError, Setup,
};
use gritstone_io::checkpoint::Payload;

use super::Options;
use super::backend::{self, MakesWorlds};
use super::checksums::FileRecord;
use super::health::{Health, NUMBERS};
use super::probes::{ColumnStatistics, Probes};
use super::streams::Streams;

/// Version of what follows, to be raised with every change of it, and of the engine's bytes.
pub(super) const VERSION: u32 = 7 << 16 | SAVED_VERSION;

/// Bytes of what the run is judged by.
const HEAD: usize = 8 * NUMBERS;

/// What the run keeps beside the world.
type Kept<D> = (Vec<InletState<D>>, Vec<OutletState>, Vec<Vec<u8>>, Vec<ColumnStatistics>, Vec<FileRecord>);

/// The bytes of a run.
pub(super) fn write<D: Dimension>(
    world: &dyn Backend<D>,
    health: &Health,
    streams: &Streams<D>,
    probes: &Probes<D>,
    files: &[FileRecord],
    scene: &[u8],
) -> Result<Vec<u8>, SaveError> {
    let mut run: Vec<u8> = health.numbers().into_iter().flat_map(f64::to_le_bytes).collect();
    let kept = (&streams.feeds, &streams.drains, probes.save()?, &probes.statistics, files);
    let kept = postcard::to_allocvec(&kept).map_err(|error| SaveError(error.to_string()))?;
    run.extend(kept);
    Ok(Payload { scene, run: &run, world: &world.save()? }.to_bytes())
}

/// What a checkpoint says of a run, before its files are opened.
pub(super) struct Restored<D: Dimension> {
    pub(super) world: Box<dyn Backend<D>>,
    pub(super) health: Health,
    /// States of the probes, and what they have found.
    pub(super) probes: (Vec<Vec<u8>>, Vec<ColumnStatistics>),
    pub(super) files: Vec<FileRecord>,
}

impl<D: Dimension> Restored<D> {
    /// A run that begins.
    pub(super) fn start(world: Box<dyn Backend<D>>) -> Self {
        let health = Health::new(&*world);
        Self { world, health, probes: (Vec::new(), Vec::new()), files: Vec::new() }
    }
}

/// The run that those bytes are of; `streams` are those of its scene.
pub(super) fn read<D: MakesWorlds>(
    setup: &Setup<D>,
    streams: &mut Streams<D>,
    payload: &[u8],
    options: &Options,
) -> Result<Restored<D>, RestoreError> {
    let short = || RestoreError::Unreadable("it is too short".to_owned());
    let Payload { run, world, .. } = Payload::read(payload).ok_or_else(short)?;
    let (head, kept) = run.split_first_chunk::<HEAD>().ok_or_else(short)?;
    let kept: Kept<D> =
        postcard::from_bytes(kept).map_err(|error| RestoreError::Unreadable(error.to_string()))?;
    if kept.0.len() != streams.feeds.len() || kept.1.len() != streams.drains.len() {
        return Err(RestoreError::Foreign("its inlets or outlets differ from those of the scene"));
    }
    let (feeds, drains, states, statistics, files) = kept;
    (streams.feeds, streams.drains) = (feeds, drains);
    let number = |i: usize| f64::from_le_bytes(std::array::from_fn(|k| head[8 * i + k]));
    Ok(Restored {
        world: backend::restore(setup, world, options)?,
        health: Health::from_numbers(std::array::from_fn(number)),
        probes: (states, statistics),
        files,
    })
}

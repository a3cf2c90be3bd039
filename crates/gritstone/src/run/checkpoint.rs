//! What a checkpoint of a run holds: what the run is judged by, what has passed its inlets and outlets, what its probes have
//! found, its files with their checksums, then the world.

use gritstone_engine::{
    Backend, Dimension, InletState, OutletState, RestoreError, SAVED_VERSION, SaveError, Setup, World,
};

use super::checksums::FileRecord;
use super::health::{Health, NUMBERS};
use super::probes::{Probes, Tally};
use super::streams::Streams;

/// Version of what follows, to be raised with every change of it, and of the engine's bytes.
pub(super) const VERSION: u32 = 7 << 16 | SAVED_VERSION;

/// Bytes of what the run is judged by.
const HEAD: usize = 8 * NUMBERS;

/// What the run keeps beside the world.
type Kept<D> = (Vec<InletState<D>>, Vec<OutletState>, Vec<Vec<u8>>, Vec<Tally>, Vec<FileRecord>);

/// The bytes of a run.
pub(super) fn write<D: Dimension>(
    world: &dyn Backend<D>,
    health: &Health,
    streams: &Streams<D>,
    probes: &Probes<D>,
    files: &[FileRecord],
) -> Result<Vec<u8>, SaveError> {
    let mut bytes: Vec<u8> = health.numbers().into_iter().flat_map(f64::to_le_bytes).collect();
    let kept = (&streams.feeds, &streams.drains, probes.save()?, &probes.tallies, files);
    let kept = postcard::to_allocvec(&kept).map_err(|error| SaveError(error.to_string()))?;
    bytes.extend((kept.len() as u64).to_le_bytes());
    bytes.extend(kept);
    bytes.extend(world.save()?);
    Ok(bytes)
}

/// What a checkpoint says of a run, before its files are opened.
pub(super) struct Restored<D: Dimension> {
    pub(super) world: Box<dyn Backend<D>>,
    pub(super) health: Health,
    /// States of the probes, and what they have found.
    pub(super) probes: (Vec<Vec<u8>>, Vec<Tally>),
    pub(super) files: Vec<FileRecord>,
}

impl<D: Dimension> Restored<D> {
    /// A run that begins.
    pub(super) fn start(world: impl Backend<D> + 'static) -> Self {
        let health = Health::new(&world);
        Self { world: Box::new(world), health, probes: (Vec::new(), Vec::new()), files: Vec::new() }
    }
}

/// The run that those bytes are of; `streams` are those of its scene.
pub(super) fn read<D: Dimension>(
    setup: &Setup<D>,
    streams: &mut Streams<D>,
    payload: &[u8],
) -> Result<Restored<D>, RestoreError> {
    let short = || RestoreError::Unreadable("it is too short".to_owned());
    let (head, rest) = payload.split_first_chunk::<HEAD>().ok_or_else(short)?;
    let (length, rest) = rest.split_first_chunk::<8>().ok_or_else(short)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
    let (kept, world) = rest.split_at_checked(length).ok_or_else(short)?;
    let kept: Kept<D> =
        postcard::from_bytes(kept).map_err(|error| RestoreError::Unreadable(error.to_string()))?;
    if kept.0.len() != streams.feeds.len() || kept.1.len() != streams.drains.len() {
        return Err(RestoreError::Foreign("its inlets or outlets are others"));
    }
    let (feeds, drains, states, tallies, files) = kept;
    (streams.feeds, streams.drains) = (feeds, drains);
    let number = |i: usize| f64::from_le_bytes(std::array::from_fn(|k| head[8 * i + k]));
    Ok(Restored {
        world: Box::new(World::restore(setup, world)?),
        health: Health::from_numbers(std::array::from_fn(number)),
        probes: (states, tallies),
        files,
    })
}

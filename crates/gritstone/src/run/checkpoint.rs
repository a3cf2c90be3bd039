//! What a checkpoint of a run holds: what the run is judged by, then the world.

use gritstone_engine::{Realm, RestoreError, SAVED_VERSION, Setup, World};

use super::health::Health;

/// Version of what follows, to be raised with every change of it, and of the engine's bytes.
pub(super) const VERSION: u32 = 1 << 16 | SAVED_VERSION;

/// Bytes before the world's.
const HEAD: usize = 64;

/// The bytes of a run.
pub(super) fn write<D: Realm>(world: &World<D>, health: &Health) -> Vec<u8> {
    let mut bytes = world.save();
    bytes.splice(0..0, health.numbers().into_iter().flat_map(f64::to_le_bytes));
    bytes
}

/// The run that those bytes are of.
pub(super) fn read<D: Realm>(setup: &Setup<D>, payload: &[u8]) -> Result<(World<D>, Health), RestoreError> {
    let Some((head, world)) = payload.split_first_chunk::<HEAD>() else {
        return Err(RestoreError::Unreadable("it is too short".to_owned()));
    };
    let number = |i: usize| f64::from_le_bytes(std::array::from_fn(|k| head[8 * i + k]));
    Ok((World::restore(setup, world)?, Health::from_numbers(std::array::from_fn(number))))
}

//! The state of a world: as bytes for checkpoints, as columns and snapshots for files and users.

pub(crate) mod checkpoint;
pub(crate) mod observe;
pub(crate) mod snapshot;

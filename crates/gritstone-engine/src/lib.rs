//! Grains that move: the discrete element method in the plane and in space, the same bits every time.

mod setup;
mod snapshot;

pub use setup::{Domain, Grain, Leaving, Setup, Wall};
pub use snapshot::{BodyState, Snapshot, Touching, WallState};

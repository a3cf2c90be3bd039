//! Processes that `mpirun` has started, as the engine's [`Communicator`](gritstone_engine::Communicator).
//!
//! Without the feature `mpi` this crate is empty, so that all of the workspace builds where there is no MPI.

#[cfg(feature = "mpi")]
mod world;

#[cfg(feature = "mpi")]
pub use world::{Failed, Mpi};

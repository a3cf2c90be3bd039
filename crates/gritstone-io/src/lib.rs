//! Formats that Gritstone reads and writes, one module each.
//!
//! - [`json_lines`]: pairs of shapes in, contacts out, one JSON object per line; what `gritstone contact` speaks;
//! - [`checkpoint`]: the engine's bytes, checked, the one before kept;
//! - [`checksum`]: of files that grow;
//! - [`series`]: energies and other time series as CSV, a line per moment;
//! - [`states`]: where grains are and how they move, as CSV;
//! - [`dump`]: the same from LAMMPS and LIGGGHTS;
//! - [`surfaces`]: triangles of tools and containers from STL and OBJ;
//! - [`trajectory`]: one compact file that viewers, pictures and reports are made from;
//! - [`vtk`]: frames for ParaView.
//!
//! [`tessellation`] makes surfaces for the formats that show grains. [`replace`] writes files aside and renames them; every format
//! that is written as a whole is written so.

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod checkpoint;
pub mod checksum;
pub mod dump;
mod file;
pub mod json_lines;
pub mod series;
pub mod states;
pub mod surfaces;
pub mod tessellation;
pub mod trajectory;
pub mod vtk;
mod words;

pub use file::{FileError, replace};
pub use gritstone_files::memory;

//! The engine: beds, walls, tools, cells and energies against closed forms and other computations.

mod cells;
mod changes;
#[path = "../common/mod.rs"]
mod common;
mod compounds;
mod contacts_found;
mod continued;
mod crown;
mod edges;
mod energies;
mod inlet;
mod mesh;
mod moment_energy;
mod overlaps;
mod polygon_overlaps;
mod press;
mod same_bits;
mod surface_motion;
mod tools;

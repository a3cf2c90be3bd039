//! Scene files: reading, checking and building.

mod assignment;
mod cells;
mod documents;
mod files;
mod initial_overlaps;
mod inlets;
mod invalid_files;
mod leaving;
mod method;
mod moving_walls;
mod plausibility;
mod random;
mod reach;
mod rocks;
mod schema;
mod shipped;
mod sides;

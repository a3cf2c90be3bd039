//! Pictures.

mod common;
mod flat;
mod geometry;
mod light;
mod output;
mod roles;

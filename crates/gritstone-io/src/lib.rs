//! Formats that Gritstone reads and writes, one module each.
//!
//! - [`json_lines`]: pairs of shapes in, contacts out, one JSON object per line; what `gritstone contact` speaks.

pub mod json_lines;

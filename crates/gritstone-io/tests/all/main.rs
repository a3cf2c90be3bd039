//! File formats, written and read back.

mod checkpoint;
mod common;
mod dump;
mod json_lines;
mod plane;
mod series;
mod states;
mod surfaces;
mod trajectory;
mod vtk;

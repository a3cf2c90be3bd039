//! Contact methods against reference pairs and published examples.

mod columns;
mod common;
mod common_normal;
mod crowned;
mod detection;
mod interior_point;
mod lanes;
mod martinez2003;
mod patch;
mod plane_overlap;
mod plane_patch;
mod slope;

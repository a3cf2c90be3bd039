//! Surfaces of revolution without facets: cylinders, cones, hoppers, drums.
//!
//! **Idea.** A line of points is revolved about the z axis. Each of its segments is a side (of a cylinder or a cone) or, across the axis,
//! a disc or annulus; where two of them meet in an edge that sticks out there is a circle, and a tip where the line ends on the axis.
//! Each of these is a feature, which finds its contacts itself ([`Band`](gritstone_contact::space::revolved::Band)) and tells which of
//! them are its own: a side those whose foot is on it, an edge those whose direction lies between the normals beside it. Beyond an edge
//! that is hollow a side goes on in the body.
//!
//! A surface that turns about its own axis stays where it is: it brings nothing nearer to grains, so neighbour lists last.
//!
//! **Deviations.** A flat face of a grain that lies on an annulus is carried by the whole plane where it reaches over the edge.

mod band_filter;
mod profile;

pub(super) use band_filter::{AnnulusFilter, BandFilter};
pub use profile::SmoothSurface;

//! The boundary: walls, triangle meshes, and the tools that move them.

pub(crate) mod obstacle;
pub(crate) mod surface;
pub(crate) mod surface_motion;
pub(crate) mod tools;

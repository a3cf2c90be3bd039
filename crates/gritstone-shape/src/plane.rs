//! Shapes in the plane.

mod circle;
mod conic;
mod crowned;
mod curvature;
mod custom;
mod ellipse;
mod figure;
mod half_plane;
mod outline;
mod polygon;
mod segment;
mod superellipse;
mod unit;

pub use circle::Circle;
pub use conic::Conic;
pub use crowned::{CURVED_BLOCKINESS, Crowned};
pub use curvature::RadiusOfCurvature;
pub use custom::Custom;
pub use ellipse::Ellipse;
pub use figure::Figure;
pub use half_plane::HalfPlane;
pub use polygon::{Edge, Polygon};
pub use segment::Segment;
pub use superellipse::Superellipse;

//! Shapes in space.

mod curvature;
mod ellipsoid;
mod nested_norm;
mod polyhedron;
mod polytope;
mod solid;
mod sphere;
mod superellipsoid;
mod superellipsoid_angles;
mod superellipsoid_mass;
mod tessellate;
mod unit;

pub use curvature::PrincipalRadii;
pub use ellipsoid::Ellipsoid;
pub use polyhedron::Polyhedron;
pub use polytope::{Edge, Face, Polytope};
pub use solid::Solid;
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;

//! Shapes in space.

mod capsule;
mod crowned;
mod curvature;
mod custom;
mod cylinder;
mod ellipsoid;
mod half_space;
mod lathe;
mod nested_norm;
mod polyhedron;
mod polytope;
mod power_sum;
mod solid;
mod sphere;
mod superellipsoid;
mod superellipsoid_angles;
mod superellipsoid_ball;
mod superellipsoid_mass;
mod superquadric;
mod tessellate;
mod triangle;
mod unit;

pub use capsule::Capsule;
pub use crowned::{CURVED_EXPONENT, Crowned};
pub use curvature::PrincipalRadii;
pub use custom::Custom;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use polyhedron::Polyhedron;
pub use polytope::{Edge, Face, Fence, Polytope};
pub use solid::Solid;
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use superquadric::Superquadric;
pub use triangle::Triangle;

//! Shapes: support, curvature, mass and bounds against closed forms.

mod bounds;
mod common;
mod creased;
mod crowned;
mod curvature;
mod errors;
mod implicit;
mod mass;
mod plane;
mod plane_crowned;
mod polyhedron;
mod superellipsoid_angles;
mod superquadric;
mod support;
mod tessellation;

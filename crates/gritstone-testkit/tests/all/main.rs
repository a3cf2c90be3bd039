//! The property and conformance suites, run for every method, shape and backend.

mod auto;
mod backends;
mod bounds_in_order;
mod common_normal;
mod common_plane;
mod defects;
mod fast_common_plane;
mod gjk;
mod interior_point;
mod memory;
mod methods;
mod plane;
mod plane_reference;
mod polyhedra;
mod processes;
mod reference;
mod rods;
mod round_polytope;
mod shapes;
mod shortest_link;
mod shortest_link_mended;
mod support_newton;
mod user_shapes;
mod witness;

//! Periodic cells: side vectors and their motion, images, stress and stress control.

pub(crate) mod cell;
pub(crate) mod cell_state;
pub(crate) mod lattice;
pub(crate) mod stress_control;
pub(crate) mod wrapping;

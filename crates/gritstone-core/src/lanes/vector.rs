//! Vectors and symmetric matrices in lanes.

//! Tests of the GPU backend, in one program. Without a GPU the kernels run as loops.

mod conformance;
mod sources;

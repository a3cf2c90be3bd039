//! Steps of worlds on a GPU, with the bits of the processor.
//!
//! **Idea.** A [`GpuWorld`] is a [`World`](gritstone_engine::World) on the host and its bodies, candidates and contacts on a device
//! ([`offload`](gritstone_engine::offload)). The device makes the steps in which grains move, candidates are tested and contacts are
//! solved as lanes solve them, operation by operation; steps in which lists are rebuilt or a contact needs another solver are made by
//! the world on the host, from the state before. So everything that crosses the [`Backend`](gritstone_engine::Backend) seam, and
//! every bit of it, is the same as without a device.
//!
//! **Kernels** are CUDA C++ in `kernels/`. Their PTX is in `ptx/`, built by `cargo xtask kernels`; the driver compiles it for the
//! device that there is. The same sources compile as loops under a C++ compiler (feature `loops`), which is what the tests
//! run without a GPU.

mod buffers;
mod cuda;
mod device;
mod layout;
#[cfg(feature = "loops")]
mod loops;
mod memory;
mod session;
mod shared;
mod world;

pub use cuda::{CudaDevice, DeviceInfo, devices};
pub use device::{Device, DeviceError};
#[cfg(feature = "loops")]
pub use loops::Loops;
pub use memory::{bytes_for, check_memory};
pub use world::{GpuWorld, Steps};

/// Worlds on the first CUDA device.
pub type CudaWorld = GpuWorld<CudaDevice>;

/// The sources of the kernels, and the hash of those from which the PTX was built.
pub mod sources {
    /// Name and text of every source.
    pub const SOURCES: [(&str, &str); 16] = [
        ("bodies.h", include_str!("../kernels/bodies.h")),
        ("contacts.h", include_str!("../kernels/contacts.h")),
        ("gather.h", include_str!("../kernels/gather.h")),
        ("law.h", include_str!("../kernels/law.h")),
        ("layout.h", include_str!("../kernels/layout.h")),
        ("narrow.h", include_str!("../kernels/narrow.h")),
        ("platform.h", include_str!("../kernels/platform.h")),
        ("power.h", include_str!("../kernels/power.h")),
        ("quartics.h", include_str!("../kernels/quartics.h")),
        ("shared.h", include_str!("../kernels/shared.h")),
        ("solve.h", include_str!("../kernels/solve.h")),
        ("step.cu", include_str!("../kernels/step.cu")),
        ("superellipsoid.h", include_str!("../kernels/superellipsoid.h")),
        ("superellipsoids.h", include_str!("../kernels/superellipsoids.h")),
        ("turning.h", include_str!("../kernels/turning.h")),
        ("vector.h", include_str!("../kernels/vector.h")),
    ];
    /// The hash that stands beside the PTX.
    pub const BUILT_FROM: &str = include_str!("../ptx/sources.xxh3");
}

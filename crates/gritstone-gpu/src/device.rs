//! What runs kernels: a GPU, or loops.

use crate::layout::{Kernel, Params};

/// A device that cannot be used, or has failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DeviceError {
    /// No driver.
    #[error(
        "there is no CUDA driver here (libcuda cannot be loaded): use the CPU backend, or install NVIDIA's driver"
    )]
    NoDriver,
    /// No device.
    #[error("the CUDA driver finds no device: use the CPU backend")]
    NoDevice,
    /// Loops that were not compiled.
    #[error("the kernels were not compiled as loops: there was no C++ compiler; use the CPU backend")]
    NoLoops,
    /// A device or driver that does not take the kernels.
    #[error(
        "{name} cannot run the kernels ({why}): they need compute capability 7.5 and a driver for CUDA 13.0 or newer"
    )]
    Unsuitable {
        /// The device.
        name: String,
        /// What the driver says.
        why: String,
    },
    /// Not enough memory.
    #[error(
        "the device has {free:.1e} bytes of free memory, but {needed:.1e} more are needed: use the CPU backend, or fewer grains"
    )]
    Memory {
        /// What is needed.
        needed: f64,
        /// What there is.
        free: f64,
    },
    /// Anything else.
    #[error("{what}: {why}")]
    Failed {
        /// What was tried.
        what: &'static str,
        /// What the driver says.
        why: String,
    },
}

/// What runs kernels. Addresses are those of its own memory.
pub trait Device: Sized {
    /// Opens the device.
    fn open() -> Result<Self, DeviceError>;

    /// Memory of zeros.
    fn allocate(&mut self, bytes: usize) -> Result<u64, DeviceError>;

    /// Gives memory back.
    fn free(&mut self, address: u64);

    /// Copies to the device.
    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), DeviceError>;

    /// Copies from the device, after all kernels have ended.
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError>;

    /// Starts a kernel, which runs after those before it.
    fn launch(
        &mut self,
        kernel: Kernel,
        size: [u32; 2],
        params: &Params,
        step: u32,
    ) -> Result<(), DeviceError>;
}

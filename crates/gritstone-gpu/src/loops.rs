//! The kernels as loops on the processor: slow, for tests where there is no GPU.

#![expect(unsafe_code, reason = "kernels are C++, and are given addresses")]

use crate::device::{Device, DeviceError};
use crate::layout::{Kernel, Params};

#[cfg(has_loops)]
unsafe extern "C" {
    fn gritstone_gpu_run(kernel: u32, blocks: u32, threads: u32, params: *const Params, step: u32);
}

/// Stands in where there was no C++ compiler: [`Loops::open`] refuses.
///
/// # Safety
/// It does nothing.
#[cfg(not(has_loops))]
unsafe fn gritstone_gpu_run(_: u32, _: u32, _: u32, _: *const Params, _: u32) {}

/// The processor, as a device of one thread.
#[derive(Debug, Default)]
pub struct Loops {
    memory: Vec<Box<[u64]>>,
}

impl Device for Loops {
    fn open() -> Result<Self, DeviceError> {
        if cfg!(has_loops) { Ok(Self::default()) } else { Err(DeviceError::NoLoops) }
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, DeviceError> {
        let mut memory = vec![0_u64; bytes.div_ceil(8).max(1)].into_boxed_slice();
        let address = memory.as_mut_ptr() as u64;
        self.memory.push(memory);
        Ok(address)
    }

    fn free(&mut self, address: u64) {
        self.memory.retain(|memory| memory.as_ptr() as u64 != address);
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        // SAFETY: the address is that of memory from `allocate`, which is at least as long.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len()) };
        Ok(())
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn launch(
        &mut self,
        kernel: Kernel,
        [blocks, threads]: [u32; 2],
        params: &Params,
        step: u32,
    ) -> Result<(), DeviceError> {
        // SAFETY: the parameters name memory from `allocate` that is as long as kernels expect, and live until this returns.
        unsafe { gritstone_gpu_run(kernel as u32, blocks, threads, params, step) };
        Ok(())
    }
}

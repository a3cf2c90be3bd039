//! A CUDA device, by the driver's own interface, which is loaded when it is requested.

#![expect(unsafe_code, reason = "the driver is C, and is given addresses")]

use std::ffi::{CString, c_void};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;

use crate::device::{Device, DeviceError};
use crate::layout::{Kernel, Params};

/// The kernels, for compute capability 7.5 and newer: the driver compiles them for the device.
const PTX: &str = include_str!("../ptx/step.ptx");

/// A device that there is.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceInfo {
    /// What it is called.
    pub name: String,
    /// Its memory (bytes).
    pub memory: usize,
    /// Its compute capability.
    pub capability: [i32; 2],
    /// The newest CUDA version that the driver supports, such as 13000.
    pub driver: i32,
}

/// All CUDA devices.
pub fn devices() -> Result<Vec<DeviceInfo>, DeviceError> {
    start_driver()?;
    let count = result::device::get_count().map_err(|error| failed("counting devices", &error))?;
    (0..count).map(info).collect()
}

fn start_driver() -> Result<(), DeviceError> {
    // SAFETY: loading NVIDIA's library runs its own start-up code, as any program that uses it does.
    if !unsafe { sys::is_culib_present() } {
        return Err(DeviceError::NoDriver);
    }
    result::init().map_err(|error| match error.0 {
        sys::cudaError_enum::CUDA_ERROR_NO_DEVICE => DeviceError::NoDevice,
        _ => failed("starting the CUDA driver", &error),
    })
}

fn info(ordinal: i32) -> Result<DeviceInfo, DeviceError> {
    let asked = || {
        use sys::CUdevice_attribute_enum as Attribute;
        let device = result::device::get(ordinal)?;
        let name = result::device::get_name(device)?;
        // SAFETY: the device is one that the driver has just given.
        let memory = unsafe { result::device::total_mem(device) }?;
        let which = [
            Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        ];
        let mut capability = [0; 2];
        for (number, which) in capability.iter_mut().zip(which) {
            // SAFETY: as above.
            *number = unsafe { result::device::get_attribute(device, which) }?;
        }
        let mut driver = 0;
        // SAFETY: the pointer is that of a number on the stack.
        unsafe { sys::cuDriverGetVersion(&raw mut driver) }.result()?;
        Ok(DeviceInfo { name, memory, capability, driver })
    };
    asked().map_err(|error: DriverError| failed("asking a device what it is", &error))
}

fn failed(what: &'static str, error: &DriverError) -> DeviceError {
    let text = error.error_string().map(|text| text.to_string_lossy().into_owned());
    DeviceError::Failed { what, why: text.unwrap_or_else(|_| format!("{error:?}")) }
}

/// The first CUDA device.
#[derive(Debug)]
pub struct CudaDevice {
    device: sys::CUdevice,
    context: sys::CUcontext,
    module: sys::CUmodule,
    kernels: Vec<sys::CUfunction>,
}

impl CudaDevice {
    /// Any thread may call the driver.
    fn enter(&self) -> Result<(), DeviceError> {
        // SAFETY: the context lives as long as this device.
        unsafe { result::ctx::set_current(self.context) }.map_err(|error| failed("using the device", &error))
    }
}

impl Device for CudaDevice {
    fn open() -> Result<Self, DeviceError> {
        let known = devices()?;
        let first = known.first().ok_or(DeviceError::NoDevice)?;
        let opened = || {
            let device = result::device::get(0)?;
            let image = CString::new(PTX).unwrap_or_default();
            // SAFETY: the device is the driver's own, the image ends with a zero and lives until it is loaded, and kernels are those of
            // the module.
            unsafe {
                let context = result::primary_ctx::retain(device)?;
                result::ctx::set_current(context)?;
                let module = result::module::load_data(image.as_ptr().cast())?;
                let named = |name: &&str| {
                    result::module::get_function(module, CString::new(*name).unwrap_or_default())
                };
                let kernels = Kernel::NAMES.iter().map(named).collect::<Result<_, _>>()?;
                Ok(Self { device, context, module, kernels })
            }
        };
        opened().map_err(|error: DriverError| {
            let why = error.error_string().map(|text| text.to_string_lossy().into_owned());
            DeviceError::Unsuitable { name: first.name.clone(), why: why.unwrap_or_default() }
        })
    }

    fn allocate(&mut self, bytes: usize) -> Result<u64, DeviceError> {
        self.enter()?;
        // SAFETY: the memory is written before it is returned.
        let allocated = unsafe {
            result::malloc_sync(bytes.max(8)).and_then(|address| {
                result::memset_d8_sync(address, 0, bytes.max(8))?;
                Ok(address)
            })
        };
        allocated.map_err(|error| match (error.0, result::mem_get_info()) {
            (sys::cudaError_enum::CUDA_ERROR_OUT_OF_MEMORY, Ok((free, _))) => {
                DeviceError::Memory { needed: bytes as f64, free: free as f64 }
            }
            _ => failed("allocating memory", &error),
        })
    }

    fn free(&mut self, address: u64) {
        if self.enter().is_ok() {
            // SAFETY: the address is from `allocate`, and whoever gives it back uses it no more. What fails is lost with the
            // context.
            let _ = unsafe { result::free_sync(address) };
        }
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), DeviceError> {
        self.enter()?;
        // SAFETY: the address is from `allocate`, and there is as much memory.
        unsafe { result::memcpy_htod_sync(address, bytes) }
            .map_err(|error| failed("copying to the device", &error))
    }

    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DeviceError> {
        self.enter()?;
        // SAFETY: as above. Kernels of the default stream have ended before it is copied.
        unsafe { result::memcpy_dtoh_sync(bytes, address) }.map_err(|error| failed("running kernels", &error))
    }

    fn launch(
        &mut self,
        kernel: Kernel,
        [blocks, threads]: [u32; 2],
        params: &Params,
        step: u32,
    ) -> Result<(), DeviceError> {
        let (mut params, mut step) = (*params, step);
        let mut arguments: [*mut c_void; 2] = [(&raw mut params).cast(), (&raw mut step).cast()];
        // SAFETY: every kernel takes these two; the driver copies them before it returns.
        let launched = unsafe {
            result::launch_kernel(
                self.kernels[kernel as usize],
                (blocks, 1, 1),
                (threads, 1, 1),
                0,
                std::ptr::null_mut(),
                &mut arguments,
            )
        };
        launched.map_err(|error| failed("starting a kernel", &error))
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        if self.enter().is_ok() {
            // SAFETY: nothing of the module or the context is used any more.
            unsafe {
                let _ = result::module::unload(self.module);
                let _ = result::primary_ctx::release(self.device);
            }
        }
    }
}

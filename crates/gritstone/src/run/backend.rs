//! The choice of the backend of a run.

use std::sync::Arc;

use gritstone_core::{Plane, Space};
use gritstone_engine::{
    Backend, Communicator, Dimension, RestoreError, Setup, SetupError, SharedWorld, World,
};
use gritstone_gpu::CudaWorld;
use gritstone_scene::Build;

use super::Options;

/// What computes a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackendKind {
    /// The processor.
    #[default]
    Cpu,
    /// The first CUDA device.
    Gpu,
}

/// A dimension whose worlds can be made.
pub trait MakesWorlds: Dimension {
    /// The world of a setup.
    fn start(backend: BackendKind, setup: &Setup<Self>) -> Result<Box<dyn Backend<Self>>, SetupError>;

    /// The world of a setup in a state that any backend has saved.
    fn restore(
        backend: BackendKind,
        setup: &Setup<Self>,
        bytes: &[u8],
    ) -> Result<Box<dyn Backend<Self>>, RestoreError>;
}

/// The world of a setup, on what the options say.
pub(super) fn start<D: MakesWorlds>(
    setup: &Setup<D>,
    options: &Options,
) -> Result<Box<dyn Backend<D>>, SetupError> {
    Ok(match shared_by(options)? {
        Some(processes) => Box::new(SharedWorld::new(setup, Arc::clone(processes))?),
        None => D::start(options.backend, setup)?,
    })
}

/// The same in a state that was saved, by whatever backend and number of processes.
pub(super) fn restore<D: MakesWorlds>(
    setup: &Setup<D>,
    bytes: &[u8],
    options: &Options,
) -> Result<Box<dyn Backend<D>>, RestoreError> {
    Ok(match shared_by(options)? {
        Some(processes) => Box::new(SharedWorld::resumed(setup, bytes, Arc::clone(processes))?),
        None => D::restore(options.backend, setup, bytes)?,
    })
}

/// The processes that share the world, each on its processor.
fn shared_by(options: &Options) -> Result<Option<&Arc<dyn Communicator>>, SetupError> {
    match (&options.processes, options.backend) {
        (Some(_), BackendKind::Gpu) => {
            Err(SetupError::NotSupported { backend: "GPU", what: "several processes".to_owned() })
        }
        (processes, _) => Ok(processes.as_ref()),
    }
}

/// What the GPU backend is refused for in the plane.
const PLANE: &str = "scenes in the plane";

impl MakesWorlds for Plane {
    fn start(backend: BackendKind, setup: &Setup<Self>) -> Result<Box<dyn Backend<Self>>, SetupError> {
        match backend {
            BackendKind::Cpu => Ok(Box::new(World::new(setup)?)),
            BackendKind::Gpu => Err(SetupError::NotSupported { backend: "GPU", what: PLANE.to_owned() }),
        }
    }

    fn restore(
        backend: BackendKind,
        setup: &Setup<Self>,
        bytes: &[u8],
    ) -> Result<Box<dyn Backend<Self>>, RestoreError> {
        match backend {
            BackendKind::Cpu => Ok(Box::new(World::restore(setup, bytes)?)),
            BackendKind::Gpu => {
                Err(SetupError::NotSupported { backend: "GPU", what: PLANE.to_owned() }.into())
            }
        }
    }
}

impl MakesWorlds for Space {
    fn start(backend: BackendKind, setup: &Setup<Self>) -> Result<Box<dyn Backend<Self>>, SetupError> {
        Ok(match backend {
            BackendKind::Cpu => Box::new(World::new(setup)?),
            BackendKind::Gpu => Box::new(<CudaWorld as Backend<Self>>::start(setup)?),
        })
    }

    fn restore(
        backend: BackendKind,
        setup: &Setup<Self>,
        bytes: &[u8],
    ) -> Result<Box<dyn Backend<Self>>, RestoreError> {
        Ok(match backend {
            BackendKind::Cpu => Box::new(World::restore(setup, bytes)?),
            BackendKind::Gpu => Box::new(<CudaWorld as Backend<Self>>::restore(setup, bytes)?),
        })
    }
}

/// The features of a scene that the GPU backend does not support, in words; empty if there are none.
pub fn gpu_refusals(scene: &Build) -> Vec<String> {
    match scene {
        Build::Plane(_) => vec![PLANE.to_owned()],
        Build::Space(built) => gritstone_engine::offload::unsupported(&built.setup),
    }
}

/// Whether there is a CUDA device with enough memory for a scene; the error says why not.
pub fn check_gpu_memory(scene: &Build) -> Result<(), String> {
    let grains = match scene {
        Build::Plane(built) => built.setup.grains.len(),
        Build::Space(built) => built.setup.grains.len(),
    };
    gritstone_gpu::check_memory(grains).map_err(|error| error.to_string())
}

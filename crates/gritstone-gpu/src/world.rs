//! A world whose steps a device makes.

use std::cell::{Ref, RefCell};

use glam::DVec3;
use gritstone_core::Space;
use gritstone_engine::offload::unsupported;
use gritstone_engine::{
    Backend, BodyColumns, CellState, ContactColumns, Energies, Grain, Lattice, RestoreError, SaveError,
    ServoReport, Setup, SetupError, Snapshot, Status, StepError, StressControl, ToolReport, VelocityGradient,
    WallState, World,
};
use gritstone_force::Interactions;

use crate::device::{Device, DeviceError};
use crate::session::{BATCH, Session};

/// Most steps that the host makes before the device is tried again.
const LONGEST_REST: u64 = 64;

/// Steps by who has made them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// By the device.
    pub device: u64,
    /// By the host: lists were rebuilt, or a contact was not certified on the device.
    pub host: u64,
}

/// A world on the host, and its numbers on a device.
pub struct GpuWorld<K: Device> {
    inner: RefCell<Inner<K>>,
}

/// Who has the newest state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Newest {
    /// The host; the device has nothing.
    Host,
    /// The device.
    Device,
    /// Both have the same.
    Both,
}

struct Inner<K: Device> {
    host: World<Space>,
    session: Session<K>,
    newest: Newest,
    /// Steps that the host makes now before the device is tried again, and how many it was last.
    rest: u64,
    last_rest: u64,
    steps: Steps,
}

impl<K: Device> Inner<K> {
    fn advance(&mut self, mut steps: u64) -> Result<(), StepError> {
        while steps > 0 {
            let is_for_host = self.newest != Newest::Device && (self.rest > 0 || self.host.keeps_next_step());
            if is_for_host {
                self.rest = self.rest.saturating_sub(1);
                self.host_step()?;
                steps -= 1;
                continue;
            }
            let made = self.run_batch(steps)?;
            steps -= made;
        }
        Ok(())
    }

    /// Steps on the device, and one on the host where the device stops. Returns how many were made.
    fn run_batch(&mut self, steps: u64) -> Result<u64, StepError> {
        let step = self.host.status().step;
        let failed = |error: DeviceError| StepError::Device { what: error.to_string(), step };
        if self.newest == Newest::Host {
            self.session.upload(&self.host.offload_tables(), self.host.offload()).map_err(failed)?;
        }
        let steps = steps.min(u64::from(BATCH));
        let plan = self.host.wall_plan(steps);
        let batch = self.session.advance(steps as u32, &plan).map_err(failed)?;
        let made = u64::from(batch.made);
        self.host.made_elsewhere(made, &batch.loads);
        self.steps.device += made;
        self.newest = Newest::Device;
        if !batch.stopped {
            return Ok(made);
        }
        self.take_back().map_err(failed)?;
        // Where the device gets nowhere the host continues for a while.
        self.last_rest = if made == 0 { (2 * self.last_rest + 1).min(LONGEST_REST) } else { 0 };
        self.rest = self.last_rest;
        self.host_step()?;
        Ok(made + 1)
    }

    fn host_step(&mut self) -> Result<(), StepError> {
        self.newest = Newest::Host;
        self.steps.host += 1;
        self.host.step()
    }

    fn take_back(&mut self) -> Result<(), DeviceError> {
        if self.newest == Newest::Device {
            self.host.take_back(self.session.download()?);
            self.newest = Newest::Both;
        }
        Ok(())
    }

    fn status(&self) -> Status {
        let status = self.host.status();
        if self.newest != Newest::Device {
            return status;
        }
        let (contacts, deepest) = self.session.contacts();
        Status { contacts, contacts_in_lanes: contacts, deepest, unresolved: 0, ..status }
    }
}

impl<K: Device> GpuWorld<K> {
    fn with(host: World<Space>) -> Result<Self, SetupError> {
        let session = Session::open().map_err(|error| SetupError::Device(error.to_string()))?;
        let inner =
            Inner { host, session, newest: Newest::Host, rest: 0, last_rest: 0, steps: Steps::default() };
        Ok(Self { inner: RefCell::new(inner) })
    }

    /// Refuses what the device cannot do.
    fn check(setup: &Setup<Space>) -> Result<(), SetupError> {
        match unsupported(setup) {
            what if what.is_empty() => Ok(()),
            what => Err(SetupError::NotSupported { backend: "GPU", what: what.join("; ") }),
        }
    }

    /// Who has made how many steps.
    pub fn steps(&self) -> Steps {
        self.inner.borrow().steps
    }

    /// The world of now on the host.
    fn host(&self) -> Ref<'_, World<Space>> {
        // A device that has failed is told by `advance`, which reads from it after every batch. It cannot fail between batches but by
        // being taken away: there is nothing to continue with then.
        let taken = self.inner.borrow_mut().take_back();
        taken.unwrap_or_else(|error| panic!("the state cannot be read from the device: {error}"));
        Ref::map(self.inner.borrow(), |inner| &inner.host)
    }

    /// The world of now on the host, to be changed.
    fn host_mut(&mut self) -> &mut World<Space> {
        drop(self.host());
        let inner = self.inner.get_mut();
        inner.newest = Newest::Host;
        &mut inner.host
    }
}

impl<K: Device> Backend<Space> for GpuWorld<K> {
    fn start(setup: &Setup<Space>) -> Result<Self, SetupError> {
        Self::check(setup)?;
        Self::with(World::new(setup)?)
    }

    fn restore(setup: &Setup<Space>, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::check(setup)?;
        Ok(Self::with(World::restore(setup, bytes)?)?)
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        Backend::save(&*self.host())
    }

    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        self.inner.get_mut().advance(steps)
    }

    fn status(&self) -> Status {
        self.inner.borrow().status()
    }

    fn time_step(&self) -> f64 {
        self.inner.borrow().host.time_step()
    }

    fn energies(&self) -> Energies {
        Backend::energies(&*self.host())
    }

    fn bodies(&self, columns: &mut BodyColumns<Space>) {
        Backend::bodies(&*self.host(), columns);
    }

    fn contacts(&self, columns: &mut ContactColumns<Space>) {
        Backend::contacts(&*self.host(), columns);
    }

    fn walls(&self) -> Vec<WallState<Space>> {
        Backend::walls(&*self.host())
    }

    fn tools(&self) -> Vec<(String, ToolReport<Space>)> {
        Backend::tools(&*self.host())
    }

    fn cell(&self) -> Option<CellState<Space>> {
        Backend::cell(&*self.host())
    }

    fn lattice(&self) -> Lattice<Space> {
        Backend::lattice(&*self.host())
    }

    fn stress_control(&self) -> Vec<(usize, ServoReport)> {
        Backend::stress_control(&*self.host())
    }

    fn snapshot(&self) -> Snapshot<Space> {
        Backend::snapshot(&*self.host())
    }

    fn insert(&mut self, setup: &Setup<Space>, grains: &[Grain<Space>]) -> Result<u32, SetupError> {
        self.host_mut().insert(setup, grains)
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.host_mut().remove(ids)
    }

    fn freeze(&mut self, ids: &[u32]) -> usize {
        self.host_mut().freeze(ids)
    }

    fn set_velocities(&mut self, ids: &[u32], velocities: &[DVec3], spins: &[DVec3]) -> usize {
        self.host_mut().set_velocities(ids, velocities, spins)
    }

    fn move_wall(&mut self, name: &str, velocity: DVec3, spin: DVec3) -> bool {
        self.host_mut().move_wall(name, velocity, spin)
    }

    fn add_wall(&mut self, name: &str) -> bool {
        self.host_mut().add_wall(name)
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        self.host_mut().remove_wall(name)
    }

    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool {
        Backend::drive_cell(self.host_mut(), gradient, press)
    }

    fn set_interactions(&mut self, interactions: Interactions) -> bool {
        self.host_mut().set_interactions(interactions)
    }
}

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
use crate::session::{Next, Session};

/// Most steps that the host makes before the device is tried again.
const LONGEST_REST: u64 = 64;

/// Steps by who has made them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// By the device alone.
    pub device: u64,
    /// By the device, with contacts or walls that are the host's.
    pub shared: u64,
    /// By the host: lists were rebuilt, or most contacts were not for the device.
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
            let is_for_host = self.rest > 0 || self.host.keeps_next_step();
            if self.newest != Newest::Device && is_for_host {
                self.rest = self.rest.saturating_sub(1);
                self.host_step()?;
                steps -= 1;
            } else {
                steps -= self.make_steps(steps)?;
            }
        }
        Ok(())
    }

    fn failed(&self) -> impl Fn(DeviceError) -> StepError + use<K> {
        let step = self.host.status().step;
        move |error| StepError::Device { what: error.to_string(), step }
    }

    /// Some steps, with the device as far as it gets. Returns how many were made.
    fn make_steps(&mut self, steps: u64) -> Result<u64, StepError> {
        self.bring_up().map_err(self.failed())?;
        let (mut made, mut next) = (0, Next::Shared);
        if !self.host.shares_next_step() {
            (made, next) = self.run_batch(steps)?;
        }
        if next == Next::Shared && made < steps {
            next = self.shared_step()?;
            made += u64::from(next != Next::Host);
        }
        if next != Next::Host || made >= steps {
            return Ok(made);
        }
        self.take_back().map_err(self.failed())?;
        // Where the device gets nowhere the host goes on for a while.
        self.last_rest = if made == 0 { (2 * self.last_rest + 1).min(LONGEST_REST) } else { 0 };
        self.rest = self.last_rest;
        self.host_step()?;
        Ok(made + 1)
    }

    /// The device has the newest state, and the contacts in lanes to itself.
    fn bring_up(&mut self) -> Result<(), DeviceError> {
        if self.newest == Newest::Host {
            self.session.upload(&self.host.offload_tables(), self.host.offload())?;
        }
        if self.newest != Newest::Device {
            self.host.leave_lanes();
            self.newest = Newest::Device;
        }
        Ok(())
    }

    /// Steps on the device alone. Returns how many were made, and who makes the next.
    fn run_batch(&mut self, steps: u64) -> Result<(u64, Next), StepError> {
        let failed = self.failed();
        let steps = steps.min(self.session.batch());
        let plan = self.host.wall_plan(steps);
        let batch = self.session.advance(steps, &plan).map_err(failed)?;
        let made = u64::from(batch.made);
        self.host.count_fast_moves(&batch.fast);
        self.host.made_elsewhere(made, &batch.loads);
        self.steps.device += made;
        Ok((made, batch.next))
    }

    /// One step of both; none where lists are to be rebuilt. Returns who makes the next.
    fn shared_step(&mut self) -> Result<Next, StepError> {
        let failed = self.failed();
        self.try_shared_step().map_err(failed)
    }

    fn try_shared_step(&mut self) -> Result<Next, DeviceError> {
        let Self { host, session, .. } = self;
        let plan = host.wall_plan(1);
        if !session.begin_shared(&plan)? {
            return Ok(Next::Host);
        }
        host.count_fast_moves(&session.fast_moves(1)?);
        host.begin_shared_step();
        let visited = host.hosted_grains();
        host.see_bodies(&visited, &session.samples(&visited)?);
        let answers = host.test_candidates(&mut session.untested()?);
        let answers = host.solve_shared(&mut session.solve_shared(&answers)?);
        session.end_shared(&answers)?;
        let rows = if host.wants_wall_contacts() { session.wall_contacts()? } else { Vec::new() };
        let batch = session.take_batch()?;
        host.end_shared_step(&batch.loads, rows.into_iter());
        self.steps.shared += 1;
        Ok(Next::Device)
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
        // The host has its own contacts alone.
        let (in_lanes, deepest) = self.session.contacts();
        Status {
            contacts: status.contacts + in_lanes,
            contacts_in_lanes: in_lanes,
            deepest: deepest.max(status.deepest),
            ..status
        }
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
        // being taken away: there is nothing to go on with then.
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

//! What steps a world: the seam between scenes and the machine that they run on.
//!
//! [`World`] on the processor is the first backend and the reference for all others: `gritstone_testkit::conformance` runs any
//! backend through the same scenes. Data crosses the seam in bulk, by columns in the order of ids: no closure and no iterator
//! over anything inside a backend. Inlets, outlets, events and probes are on this side of the seam.

use gritstone_core::{Pose, Vector as _};
use gritstone_force::Interactions;
use serde::{Deserialize, Serialize};

use crate::boundary::tools::{ServoReport, ToolReport};
use crate::contacts::key::ContactKey;
use crate::dimension::Dimension;
use crate::exchange::Traffic;
use crate::periodic::cell::VelocityGradient;
use crate::periodic::cell_state::CellState;
use crate::periodic::lattice::Lattice;
use crate::periodic::stress_control::StressControl;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::checkpoint::{RestoreError, SaveError};
use crate::state::observe::{Energies, Status};
use crate::state::snapshot::{Snapshot, WallState};
use crate::threads::make_steps;
use crate::world::{StepError, World};

/// The grains, one column per quantity, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BodyColumns<D: Dimension> {
    /// Names for good.
    pub id: Vec<u32>,
    /// Indices of shapes in the setup.
    pub shape: Vec<u32>,
    /// Indices of materials.
    pub material: Vec<u16>,
    /// Whether a grain is fixed in place.
    pub frozen: Vec<bool>,
    /// Centres of mass (m), in a periodic cell those of the images inside.
    pub position: Vec<D::Vec>,
    /// Orientations.
    pub rotation: Vec<D::Rotation>,
    /// Velocities of the centres of mass (m/s).
    pub velocity: Vec<D::Vec>,
    /// Angular velocities in world axes (rad/s).
    pub spin: Vec<D::Spin>,
    /// Sums of contact and external forces (N).
    pub force: Vec<D::Vec>,
    /// Their torques about the centres of mass (N m).
    pub torque: Vec<D::Spin>,
}

impl<D: Dimension> BodyColumns<D> {
    /// The columns of a backend at this moment.
    pub fn of(backend: &dyn Backend<D>) -> Self {
        let mut columns = Self::default();
        backend.bodies(&mut columns);
        columns
    }

    /// Number of grains.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is no grain.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Position and orientation of a grain.
    pub fn pose(&self, i: usize) -> Pose<D> {
        Pose { position: self.position[i], rotation: self.rotation[i] }
    }

    /// Mass of a grain of this setup (kg), also of a frozen one.
    pub fn mass(&self, i: usize, setup: &Setup<D>) -> f64 {
        setup.volume(self.shape[i]) * setup.densities[usize::from(self.material[i])]
    }

    /// The columns of all these grains.
    pub(crate) fn joined(parts: &[Self]) -> Self {
        let rows = |(part, columns): (usize, &Self)| {
            columns.id.iter().enumerate().map(|(i, id)| (*id, part, i)).collect::<Vec<_>>()
        };
        let mut order: Vec<(u32, usize, usize)> = parts.iter().enumerate().flat_map(rows).collect();
        order.sort_unstable();
        let mut all = Self::default();
        order.into_iter().for_each(|(_, part, i)| all.push(&parts[part], i));
        all
    }

    /// One more grain, of other columns.
    fn push(&mut self, other: &Self, i: usize) {
        self.id.push(other.id[i]);
        self.shape.push(other.shape[i]);
        self.material.push(other.material[i]);
        self.frozen.push(other.frozen[i]);
        self.position.push(other.position[i]);
        self.rotation.push(other.rotation[i]);
        self.velocity.push(other.velocity[i]);
        self.spin.push(other.spin[i]);
        self.force.push(other.force[i]);
        self.torque.push(other.torque[i]);
    }

    fn clear(&mut self) {
        *self = Self {
            id: cleared(&mut self.id),
            shape: cleared(&mut self.shape),
            material: cleared(&mut self.material),
            frozen: cleared(&mut self.frozen),
            position: cleared(&mut self.position),
            rotation: cleared(&mut self.rotation),
            velocity: cleared(&mut self.velocity),
            spin: cleared(&mut self.spin),
            force: cleared(&mut self.force),
            torque: cleared(&mut self.torque),
        };
    }
}

/// The contacts, one column per quantity, in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactColumns<D: Dimension> {
    /// Which bodies touch, and with which part or feature.
    pub key: Vec<ContactKey>,
    /// Signed distance (m), negative for overlap.
    pub gap: Vec<f64>,
    /// Unit vectors from a to b.
    pub normal: Vec<D::Vec>,
    /// Where forces act.
    pub point: Vec<D::Vec>,
    /// Forces on b (N).
    pub force: Vec<D::Vec>,
    /// Torques on b beside those of the forces (N m).
    pub torque: Vec<D::Spin>,
}

impl<D: Dimension> ContactColumns<D> {
    /// The columns of a backend at this moment.
    pub fn of(backend: &dyn Backend<D>) -> Self {
        let mut columns = Self::default();
        backend.contacts(&mut columns);
        columns
    }

    fn clear(&mut self) {
        *self = Self {
            key: cleared(&mut self.key),
            gap: cleared(&mut self.gap),
            normal: cleared(&mut self.normal),
            point: cleared(&mut self.point),
            force: cleared(&mut self.force),
            torque: cleared(&mut self.torque),
        };
    }
}

/// A column without values, in the same memory.
fn cleared<T>(column: &mut Vec<T>) -> Vec<T> {
    let mut column = std::mem::take(column);
    column.clear();
    column
}

/// What steps a world. Ids are given in ascending order; those that no grain has are ignored.
pub trait Backend<D: Dimension> {
    /// The world of a setup, with the forces that act at the start.
    fn start(setup: &Setup<D>) -> Result<Self, SetupError>
    where
        Self: Sized;

    /// The world of a setup in a state that [`save`](Self::save) has written. The time step is the setup's.
    fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError>
    where
        Self: Sized;

    /// All that the next step depends on, as bytes.
    fn save(&self) -> Result<Vec<u8>, SaveError>;

    /// Makes a number of time steps; stops at the first that fails.
    fn advance(&mut self, steps: u64) -> Result<(), StepError>;

    /// Step, time and counts.
    fn status(&self) -> Status;

    /// Simulated time (s).
    fn time(&self) -> f64 {
        self.status().time
    }

    /// Time step (s).
    fn time_step(&self) -> f64;

    /// The energies and the work of each source.
    fn energies(&self) -> Energies;

    /// Where several processes share the world: the largest cost of one of them over the mean of all, from counts.
    fn imbalance(&self) -> Option<f64> {
        None
    }

    /// The same: what each process has sent so far.
    fn traffic(&self) -> Option<Vec<Traffic>> {
        None
    }

    /// Writes the grains into columns, whose memory is used again.
    fn bodies(&self, columns: &mut BodyColumns<D>);

    /// The grains that may reach into the box between two corners, and any others: what is said of them is in the order of ids.
    fn bodies_near(&self, _: [D::Vec; 2]) -> BodyColumns<D> {
        let mut columns = BodyColumns::default();
        self.bodies(&mut columns);
        columns
    }

    /// Writes the contacts into columns, whose memory is used again.
    fn contacts(&self, columns: &mut ContactColumns<D>);

    /// The walls, in the order of the setup, with the forces on them.
    fn walls(&self) -> Vec<WallState<D>>;

    /// Name and state of every tool: those of the setup, then walls that are in none of them.
    fn tools(&self) -> Vec<(String, ToolReport<D>)>;

    /// The periodic cell, if there is one.
    fn cell(&self) -> Option<CellState<D>>;

    /// Periodic images; none without a cell.
    fn lattice(&self) -> Lattice<D>;

    /// Stress control of the cell: axis and report, with forces on a whole side.
    fn stress_control(&self) -> Vec<(usize, ServoReport)>;

    /// All of it at this moment, as files and probes take it.
    fn snapshot(&self) -> Snapshot<D>;

    /// Adds grains of this world's setup; returns the id of the first.
    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError>;

    /// Removes grains; returns how many there were. Their energy counts as taken out.
    fn remove(&mut self, ids: &[u32]) -> usize;

    /// Fixes grains in place; returns how many there were. Their energy counts as taken out.
    fn freeze(&mut self, ids: &[u32]) -> usize;

    /// Sets velocities and spins of grains; returns how many there were. The energy that they gain counts as taken out, with a
    /// minus.
    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize;

    /// Sets the motion of a wall that no tool moves; whether there is one of that name.
    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool;

    /// Puts a wall that was absent where its tool is; whether there was one of that name.
    fn add_wall(&mut self, name: &str) -> bool;

    /// Removes a wall; whether there was one of that name.
    fn remove_wall(&mut self, name: &str) -> bool;

    /// Moves the sides of the cell by a velocity gradient, and sets the stresses that they keep; whether there is a cell.
    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool;

    /// Replaces the interactions of the materials; whether their number fits.
    fn set_interactions(&mut self, interactions: Interactions) -> bool;
}

impl<D: Dimension> Backend<D> for World<D> {
    fn start(setup: &Setup<D>) -> Result<Self, SetupError> {
        Self::new(setup)
    }

    fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError> {
        Self::restore(setup, bytes)
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        Self::save(self)
    }

    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        make_steps(steps, || self.step())
    }

    fn status(&self) -> Status {
        Self::status(self)
    }

    fn time_step(&self) -> f64 {
        Self::time_step(self)
    }

    fn energies(&self) -> Energies {
        Self::energies(self)
    }

    fn bodies(&self, columns: &mut BodyColumns<D>) {
        self.write_columns(self.bodies.grains(), columns);
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        let mut order: Vec<(ContactKey, usize)> =
            self.contacts.pairs().enumerate().map(|(i, pair)| (self.bodies.contact_key(pair), i)).collect();
        order.sort_unstable();
        columns.clear();
        for (key, contact) in order {
            let ((gap, normal), row) = (self.contacts.geometry(contact), self.contacts.force(contact));
            columns.key.push(key);
            columns.gap.push(gap);
            columns.normal.push(normal);
            columns.point.push(row.point);
            columns.force.push(row.force);
            columns.torque.push(row.torque);
        }
    }

    fn walls(&self) -> Vec<WallState<D>> {
        self.wall_states()
    }

    fn tools(&self) -> Vec<(String, ToolReport<D>)> {
        self.tool_names().map(str::to_owned).zip(Self::tools(self)).collect()
    }

    fn cell(&self) -> Option<CellState<D>> {
        Self::cell(self)
    }

    fn lattice(&self) -> Lattice<D> {
        Self::lattice(self)
    }

    fn stress_control(&self) -> Vec<(usize, ServoReport)> {
        self.presses()
    }

    fn snapshot(&self) -> Snapshot<D> {
        Self::snapshot(self)
    }

    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        self.add(setup, grains)
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.remove_where(|body| ids.binary_search(&body.id).is_ok())
    }

    fn freeze(&mut self, ids: &[u32]) -> usize {
        self.freeze_where(|body| ids.binary_search(&body.id).is_ok())
    }

    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize {
        self.change_velocities(|id| {
            let i = ids.binary_search(&id).ok()?;
            Some((*velocities.get(i)?, *spins.get(i)?))
        })
    }

    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool {
        Self::move_wall(self, name, velocity, spin)
    }

    fn add_wall(&mut self, name: &str) -> bool {
        Self::add_wall(self, name)
    }

    fn remove_wall(&mut self, name: &str) -> bool {
        Self::remove_wall(self, name)
    }

    fn drive_cell(&mut self, gradient: &VelocityGradient, press: Option<StressControl>) -> bool {
        Self::drive_cell(self, gradient) && self.press_cell(press)
    }

    fn set_interactions(&mut self, interactions: Interactions) -> bool {
        Self::set_interactions(self, interactions)
    }
}

impl<D: Dimension> World<D> {
    /// The grains of this process that may reach into the box between two corners.
    pub(crate) fn grains_near(&self, [low, high]: [D::Vec; 2]) -> BodyColumns<D> {
        let is_near = |slot: &usize| {
            let (x, size) = (self.bodies.records[*slot].position, self.bodies.size(*slot));
            let is_along = |axis: usize| {
                let x = x.component(axis);
                x + size >= low.component(axis) && x - size <= high.component(axis)
            };
            (0..D::N).all(is_along)
        };
        let mut columns = BodyColumns::default();
        self.write_columns(self.bodies.grains().filter(is_near), &mut columns);
        columns
    }

    /// Writes the grains in these slots into columns.
    fn write_columns(&self, slots: impl Iterator<Item = usize>, columns: &mut BodyColumns<D>) {
        let mut slots: Vec<(u32, usize)> = slots.map(|slot| (self.bodies.states[slot].id, slot)).collect();
        slots.sort_unstable();
        columns.clear();
        for (id, slot) in slots {
            let (body, state) = (&self.bodies.records[slot], &self.bodies.states[slot]);
            let (velocity, spin) = self.bodies.motion_of(slot);
            let (way, jump) = self.homeward(slot);
            columns.id.push(id);
            columns.shape.push(body.shape);
            columns.material.push(body.material);
            columns.frozen.push(!state.is_free());
            columns.position.push(body.position + way);
            columns.rotation.push(body.rotation);
            columns.velocity.push(velocity + jump);
            columns.spin.push(spin);
            columns.force.push(state.force);
            columns.torque.push(state.torque);
        }
    }
}

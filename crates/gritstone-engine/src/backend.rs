//! What steps a world: the seam between scenes and the machine that they run on.
//!
//! [`World`] on the processor is the first backend and the reference for all others. Data crosses the seam in bulk, by columns
//! in the order of ids: no closure and no iterator over anything inside a backend.

use gritstone_force::Interactions;

use crate::contacts::key::ContactKey;
use crate::dimension::Dimension;
use crate::setup::{Grain, Setup, SetupError};
use crate::state::checkpoint::SaveError;
use crate::state::observe::{Energies, Status};
use crate::state::snapshot::WallState;
use crate::world::{StepError, World};

/// The grains, one column per quantity, in the order of their ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyColumns<D: Dimension> {
    /// Names for good.
    pub id: Vec<u32>,
    /// Indices of shapes in the setup.
    pub shape: Vec<u32>,
    /// Indices of materials.
    pub material: Vec<u16>,
    /// Centres of mass (m).
    pub position: Vec<D::Vec>,
    /// Orientations.
    pub rotation: Vec<D::Rotation>,
    /// Velocities of the centres of mass (m/s).
    pub velocity: Vec<D::Vec>,
    /// Angular velocities in world axes (rad/s).
    pub spin: Vec<D::Spin>,
    /// Sums of contact and external forces (N).
    pub force: Vec<D::Vec>,
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

/// What steps a world.
pub trait Backend<D: Dimension> {
    /// Makes so many time steps; stops at the first that fails.
    fn advance(&mut self, steps: u64) -> Result<(), StepError>;

    /// How the world is doing.
    fn status(&self) -> Status;

    /// Where the energy is.
    fn energies(&self) -> Energies;

    /// Writes the grains into columns, whose memory is used again.
    fn bodies(&self, columns: &mut BodyColumns<D>);

    /// Writes the contacts into columns, whose memory is used again.
    fn contacts(&self, columns: &mut ContactColumns<D>);

    /// The walls, in the order of the setup, with the forces on them.
    fn walls(&self) -> Vec<WallState<D>>;

    /// Adds grains of this world's setup; returns the id of the first.
    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError>;

    /// Removes the grains with these ids, which are sorted; returns how many there were.
    fn remove(&mut self, ids: &[u32]) -> usize;

    /// Gives grains other velocities and spins; ids are sorted. Returns how many there were. The energy that this gives them
    /// counts as taken out, with a minus.
    fn set_velocities(&mut self, ids: &[u32], velocities: &[D::Vec], spins: &[D::Spin]) -> usize;

    /// Sets the motion of a wall that no tool has; whether there is one of that name.
    fn move_wall(&mut self, name: &str, velocity: D::Vec, spin: D::Spin) -> bool;

    /// Has other interactions of the same materials act from now on; whether their number fits.
    fn set_interactions(&mut self, interactions: Interactions) -> bool;

    /// All that the next step depends on, as bytes.
    fn save(&self) -> Result<Vec<u8>, SaveError>;
}

impl<D: Dimension> Backend<D> for World<D> {
    fn advance(&mut self, steps: u64) -> Result<(), StepError> {
        (0..steps).try_for_each(|_| self.step())
    }

    fn status(&self) -> Status {
        Self::status(self)
    }

    fn energies(&self) -> Energies {
        Self::energies(self)
    }

    fn bodies(&self, columns: &mut BodyColumns<D>) {
        let mut slots: Vec<usize> = self.bodies.grains().collect();
        slots.sort_unstable_by_key(|&slot| self.bodies.states[slot].id);
        let states = || slots.iter().map(|&slot| self.body_state(slot));
        refill(&mut columns.id, states().map(|body| body.id));
        refill(&mut columns.shape, states().map(|body| body.shape));
        refill(&mut columns.material, states().map(|body| body.material));
        refill(&mut columns.position, states().map(|body| body.pose.position));
        refill(&mut columns.rotation, states().map(|body| body.pose.rotation));
        refill(&mut columns.velocity, states().map(|body| body.velocity));
        refill(&mut columns.spin, states().map(|body| body.spin));
        refill(&mut columns.force, states().map(|body| body.force));
    }

    fn contacts(&self, columns: &mut ContactColumns<D>) {
        let mut order: Vec<(ContactKey, usize)> =
            self.contacts.pairs().enumerate().map(|(i, pair)| (self.bodies.contact_key(pair), i)).collect();
        order.sort_unstable();
        let numbers = || order.iter().map(|&(_, contact)| contact);
        refill(&mut columns.key, order.iter().map(|&(key, _)| key));
        refill(&mut columns.gap, numbers().map(|i| self.contacts.geometry(i).0));
        refill(&mut columns.normal, numbers().map(|i| self.contacts.geometry(i).1));
        refill(&mut columns.point, numbers().map(|i| self.contacts.force(i).point));
        refill(&mut columns.force, numbers().map(|i| self.contacts.force(i).force));
        refill(&mut columns.torque, numbers().map(|i| self.contacts.force(i).torque));
    }

    fn walls(&self) -> Vec<WallState<D>> {
        self.wall_states()
    }

    fn insert(&mut self, setup: &Setup<D>, grains: &[Grain<D>]) -> Result<u32, SetupError> {
        self.add(setup, grains)
    }

    fn remove(&mut self, ids: &[u32]) -> usize {
        self.remove_where(|body| ids.binary_search(&body.id).is_ok())
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

    fn set_interactions(&mut self, interactions: Interactions) -> bool {
        Self::set_interactions(self, interactions)
    }

    fn save(&self) -> Result<Vec<u8>, SaveError> {
        Self::save(self)
    }
}

/// Puts other values into a column.
fn refill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}

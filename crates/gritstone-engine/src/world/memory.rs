//! The memory of the grains, for callers that read and write it in place: addresses of the columns, and changes that were written.

use std::fmt;
use std::mem::offset_of;

use gritstone_core::{Dim, Linear as _, Vector as _};

use crate::bodies::{Record, State};
use crate::dimension::Dimension;
use crate::world::World;

/// What the numbers of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// `f64`
    Real,
    /// `u32`
    Whole,
    /// `u16`
    Short,
}

/// Where a quantity of the grains lies: that of grain `i` starts `i * stride` bytes behind `address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnPlace {
    /// What it is.
    pub name: &'static str,
    /// Where that of the first grain starts.
    pub address: usize,
    /// Bytes from one grain to the next.
    pub stride: usize,
    /// Numbers of one grain, one behind the other.
    pub width: usize,
    /// What they are.
    pub number: Number,
    /// Whether it may be written, see [`World::accept_written`].
    pub writable: bool,
}

/// Records and states of all bodies at one moment.
#[derive(Clone, Debug)]
pub struct BodyMemory<D: Dimension> {
    records: Vec<Record<D>>,
    states: Vec<State<D>>,
    energy: f64,
}

/// A value written into the memory of the grains that cannot be accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenError {
    /// Id of the grain.
    pub id: u32,
    /// Which quantity.
    pub column: &'static str,
}

impl fmt::Display for WrittenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = if self.column == "rotation_xyzw" { "finite and not zero" } else { "finite" };
        write!(f, "{} of grain {} was written, but must be {rule}", self.column, self.id)
    }
}

impl std::error::Error for WrittenError {}

/// Quaternions are stored in another order than they are written elsewhere, and are named by it.
fn rotation_name<D: Dim>() -> &'static str {
    if D::N == 3 { "rotation_xyzw" } else { "rotation" }
}

impl<D: Dimension> World<D> {
    /// Where the quantities of the grains lie, as long as nobody changes the world. Grains are in the order in which they are
    /// stored, which steps may change; `id` says which is where. Rotations are quaternions (x, y, z, w), or angles in the plane.
    pub fn column_places(&mut self) -> Vec<ColumnPlace> {
        let walls = self.bodies.walls;
        let record = self.bodies.records.as_mut_ptr().wrapping_add(walls) as usize;
        let state = self.bodies.states.as_mut_ptr().wrapping_add(walls) as usize;
        let (turn, spin) = if D::N == 3 { (4, 3) } else { (1, 1) };
        let rotation = rotation_name::<D>();
        let of_record = |name, offset: usize, width, number, writable| ColumnPlace {
            name,
            address: record + offset,
            stride: size_of::<Record<D>>(),
            width,
            number,
            writable,
        };
        let of_state = |name, offset: usize, width, number, writable| ColumnPlace {
            address: state + offset,
            stride: size_of::<State<D>>(),
            ..of_record(name, 0, width, number, writable)
        };
        vec![
            of_state("id", offset_of!(State<D>, id), 1, Number::Whole, false),
            of_record("shape", offset_of!(Record<D>, shape), 1, Number::Whole, false),
            of_record("material", offset_of!(Record<D>, material), 1, Number::Short, false),
            of_record("mass", offset_of!(Record<D>, mass), 1, Number::Real, false),
            of_record("position", offset_of!(Record<D>, position), D::N, Number::Real, true),
            of_record(rotation, offset_of!(Record<D>, rotation), turn, Number::Real, true),
            of_state("velocity", offset_of!(State<D>, velocity), D::N, Number::Real, true),
            of_state("angular_momentum", offset_of!(State<D>, momentum), spin, Number::Real, true),
            of_state("force", offset_of!(State<D>, force), D::N, Number::Real, false),
            of_state("torque", offset_of!(State<D>, torque), spin, Number::Real, false),
        ]
    }

    /// Ids of all grains, in order.
    pub fn grain_ids(&self) -> Vec<u32> {
        let mut ids: Vec<u32> =
            self.bodies.states[self.bodies.grains()].iter().map(|state| state.id).collect();
        ids.sort_unstable();
        ids
    }

    /// A copy of the bodies, for [`accept_written`](Self::accept_written).
    pub fn copy_of_bodies(&self) -> BodyMemory<D> {
        let (records, states) = (self.bodies.records.clone(), self.bodies.states.clone());
        BodyMemory { records, states, energy: self.energies().balance() }
    }

    /// Moves the bodies to other memory, and returns that in which they were.
    pub fn leave_memory(&mut self) -> BodyMemory<D> {
        let copy = self.copy_of_bodies();
        let records = std::mem::replace(&mut self.bodies.records, copy.records);
        let states = std::mem::replace(&mut self.bodies.states, copy.states);
        BodyMemory { records, states, energy: copy.energy }
    }

    /// Puts the bodies back to where they were.
    pub fn reject_written(&mut self, before: &BodyMemory<D>) {
        self.bodies.records.copy_from_slice(&before.records);
        self.bodies.states.copy_from_slice(&before.states);
    }

    /// Takes over what was written into the grains' memory since `before` was copied: neighbours, contacts and forces are found
    /// anew, and the energy that is missing then counts as taken out. Frozen grains stay at rest. Where something cannot be
    /// taken over, nothing is, and the world is as it was. Returns whether anything was written.
    pub fn accept_written(&mut self, before: &BodyMemory<D>) -> Result<bool, WrittenError> {
        let checked = self.check_written(before);
        if checked != Ok(true) {
            self.reject_written(before);
            return checked;
        }
        for slot in self.bodies.grains() {
            let (body, state) = (&mut self.bodies.records[slot], &mut self.bodies.states[slot]);
            body.rotation = D::normalized(body.rotation);
            if state.is_free() {
                let inertia = &self.bodies.shapes[body.shape as usize].inertia;
                body.velocity = state.velocity;
                body.spin = D::spin(inertia, body.rotation, state.momentum * state.by_mass);
            } else {
                (state.velocity, state.momentum) =
                    (before.states[slot].velocity, before.states[slot].momentum);
            }
        }
        let order: Vec<u32> = (0..self.bodies.owners as u32).collect();
        self.renumber(&order);
        self.find_forces();
        self.ledger.taken_out.add(before.energy - self.energies().balance());
        Ok(true)
    }

    /// Whether anything was written; an error where it is no number or no rotation.
    fn check_written(&self, before: &BodyMemory<D>) -> Result<bool, WrittenError> {
        let mut changed = false;
        for slot in self.bodies.grains() {
            let (body, state) = (&self.bodies.records[slot], &self.bodies.states[slot]);
            let (old, old_state) = (&before.records[slot], &before.states[slot]);
            changed |= body.position != old.position
                || body.rotation != old.rotation
                || state.velocity != old_state.velocity
                || state.momentum != old_state.momentum;
            let finite = |column, is_fine: bool| {
                if is_fine { Ok(()) } else { Err(WrittenError { id: state.id, column }) }
            };
            finite("position", body.position.length().is_finite())?;
            finite("velocity", state.velocity.length().is_finite())?;
            finite("angular_momentum", state.momentum.dot(state.momentum).is_finite())?;
            // Of length one, where it is a rotation.
            let turned = D::rotate(D::normalized(body.rotation), D::Vec::axis(0));
            finite(rotation_name::<D>(), turned.length() > 0.5)?;
        }
        Ok(changed)
    }
}

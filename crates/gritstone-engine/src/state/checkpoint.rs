//! The state that the next step depends on, as bytes: lists, memories and histories included, so that a world that is
//! restored goes on with the same bits as one that never stopped.

use serde::{Deserialize, Serialize};

use crate::bodies::ghosts::Ghost;
use crate::bodies::{Bodies, Record, State};
use crate::boundary::tools::ToolState;
use crate::broad_phase::NeighbourList;
use crate::contacts::batch::ContactBatch;
use crate::contacts::general::GeneralContacts;
use crate::contacts::{ContactTable, StepStats};
use crate::dimension::Dimension;
use crate::periodic::cell::PeriodicCell;
use crate::setup::{Setup, SetupError};
use crate::world::{Clock, Ledger, World};

/// Version of the bytes of [`World::save`]; others cannot be restored.
pub const SAVED_VERSION: u32 = 15;

/// What is written, borrowed from the world.
#[derive(Serialize)]
#[serde(bound = "")]
struct Saved<'w, D: Dimension> {
    clock: Clock,
    ledger: &'w Ledger,
    stats: StepStats,
    largest_velocity: f64,
    records: &'w [Record<D>],
    states: &'w [State<D>],
    ghosts: &'w [Ghost],
    cells: &'w Option<PeriodicCell<D>>,
    tools: &'w [ToolState<D>],
    grain_pairs: &'w NeighbourList<D>,
    wall_pairs: &'w NeighbourList<D>,
    batches: &'w D::ContactBatch,
    general: &'w GeneralContacts<D>,
}

/// The same, read.
#[derive(Deserialize)]
#[serde(bound = "")]
struct Restored<D: Dimension> {
    clock: Clock,
    ledger: Ledger,
    stats: StepStats,
    largest_velocity: f64,
    records: Vec<Record<D>>,
    states: Vec<State<D>>,
    ghosts: Vec<Ghost>,
    cells: Option<PeriodicCell<D>>,
    tools: Vec<ToolState<D>>,
    grain_pairs: NeighbourList<D>,
    wall_pairs: NeighbourList<D>,
    batches: D::ContactBatch,
    general: GeneralContacts<D>,
}

/// A state that cannot be written, and why.
#[derive(Debug, thiserror::Error)]
#[error("the state cannot be written: {0}")]
pub struct SaveError(pub String);

/// Why a world cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The setup is wrong.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The bytes are not those of a world.
    #[error("the saved state cannot be read: {0}")]
    Unreadable(String),
    /// The bytes are those of another world.
    #[error("the saved state does not belong to this scene: {0}")]
    Foreign(&'static str),
}

impl<D: Dimension> World<D> {
    /// The state as bytes, with everything in the order of ids, so that it does not tell where things were stored.
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        if self.is_in_order() || !self.bodies.ghosts.list.is_empty() || self.cells.is_some() {
            return self.save_as_it_is();
        }
        self.in_order().save_as_it_is()
    }

    fn save_as_it_is(&self) -> Result<Vec<u8>, SaveError> {
        let saved = Saved {
            clock: self.clock,
            ledger: &self.ledger,
            stats: StepStats { parted: 0, handed: 0, ..self.stats },
            largest_velocity: self.bodies.largest_velocity,
            records: &self.bodies.records,
            states: &self.bodies.states,
            ghosts: &self.bodies.ghosts.list,
            cells: &self.cells,
            tools: &self.tools.states,
            grain_pairs: &self.grain_pairs,
            wall_pairs: &self.wall_pairs,
            batches: &self.contacts.batches,
            general: &self.contacts.general,
        };
        postcard::to_allocvec(&saved).map_err(|error| SaveError(error.to_string()))
    }

    /// The world of this setup in the state that was saved. The time step is the setup's.
    pub fn restore(setup: &Setup<D>, bytes: &[u8]) -> Result<Self, RestoreError> {
        let restored: Restored<D> =
            postcard::from_bytes(bytes).map_err(|error| RestoreError::Unreadable(error.to_string()))?;
        let mut world = Self::bare(setup)?;
        restored.check(world.bodies.walls, world.bodies.shapes.len(), setup.densities.len())?;
        restored.check_followers(&world.bodies, world.cells.is_some())?;
        if !world.tools.fit(&restored.tools) {
            return Err(RestoreError::Foreign("its tools do not match the scene"));
        }
        world.clock = Clock { dt: setup.time_step, ..restored.clock };
        world.ledger = restored.ledger;
        world.stats = restored.stats;
        world.bodies.records = restored.records;
        world.bodies.states = restored.states;
        world.bodies.loaded_walls.clear();
        world.bodies.set_followers(restored.ghosts);
        world.cells = restored.cells;
        world.bodies.largest_velocity = restored.largest_velocity;
        world.bodies.sum_velocities();
        world.tools.states = restored.tools;
        world.grain_pairs = restored.grain_pairs;
        world.wall_pairs = restored.wall_pairs;
        world.contacts = ContactTable::with(restored.batches, restored.general, &world.bodies, &world.laws);
        Ok(world)
    }
}

impl<D: Dimension> Restored<D> {
    /// Whether all slots, shapes and materials exist.
    fn check(&self, walls: usize, shapes: usize, materials: usize) -> Result<(), RestoreError> {
        let bodies = self.records.len();
        let known =
            |body: &Record<D>| (body.shape as usize) < shapes && usize::from(body.material) < materials;
        if self.states.len() != bodies || bodies < walls || !self.records.iter().all(known) {
            return Err(RestoreError::Foreign("its bodies do not match the scene"));
        }
        let pairs = self.batches.lists().flatten().chain(&self.general.pairs);
        if !self.general.is_whole()
            || !self.batches.is_whole()
            || !pairs.into_iter().all(|pair| (pair.a.max(pair.b) as usize) < bodies)
        {
            return Err(RestoreError::Foreign("its contacts name bodies that are not there"));
        }
        if !self.grain_pairs.is_whole(bodies) || !self.wall_pairs.is_whole(bodies) {
            return Err(RestoreError::Foreign("its lists name bodies that are not there"));
        }
        Ok(())
    }

    /// Whether ghosts have owners and parts, in the order in which they are kept.
    fn check_followers(&self, bodies: &Bodies<D>, repeats: bool) -> Result<(), RestoreError> {
        let owners = self.records.len().checked_sub(self.ghosts.len());
        let known = |owners: usize| {
            self.ghosts.iter().all(|ghost| ghost.is_known(bodies.walls..owners, bodies.parts.len()))
                && self.ghosts.is_sorted_by_key(Ghost::is_image)
                && (repeats || !self.ghosts.iter().any(Ghost::is_image))
        };
        if !owners.is_some_and(|owners| owners >= bodies.walls && known(owners)) {
            return Err(RestoreError::Foreign("what follows its grains is not there"));
        }
        if self.cells.is_some() != repeats {
            return Err(RestoreError::Foreign("one of them has a cell that repeats"));
        }
        Ok(())
    }
}

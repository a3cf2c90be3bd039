//! The world: bodies, their neighbours and contacts, and the step that moves it all.

mod continued;
mod edit;
mod errors;
pub(crate) mod memory;
mod neighbours;
pub(crate) mod parcel;
pub(crate) mod phases;
mod place;
pub(crate) mod share;

use std::sync::Arc;

use gritstone_core::ExactSum;
use gritstone_force::{ContactLaw, Interactions};
use serde::{Deserialize, Serialize};

use crate::bodies::Bodies;
use crate::bodies::fast::FastMoves;
use crate::bodies::forces::OtherForces;
use crate::boundary::tools::{ContactImpedance, Tools};
use crate::broad_phase::LargestDisplacements;
use crate::broad_phase::activate::Activator;
use crate::broad_phase::{Finder, NeighbourList};
use crate::contacts::{ContactTable, Laws, Solves, StepStats};
use crate::dimension::Dimension;
use crate::exchange::{Domain as Share, Exchange};
use crate::external::ExternalForce;
use crate::periodic::cell::PeriodicCell;
use crate::setup::{Domain, FlatRule, Setup, SetupError};
use crate::threads::make_steps;
use crate::workspace::Workspaces;
use crate::world::phases::{Phase, PhaseTimer, PhaseTimes};
pub use continued::Earlier;
pub use errors::StepError;

/// Steps after which contacts that a batch could not solve are tried there again.
const RETRY_EVERY: u64 = 32;

/// Grains and walls that move and touch.
///
/// The same setup gives the same bits on any number of threads, and for grains in any order; the rayon pool in which it is
/// called does the work.
#[derive(Clone, Debug)]
pub struct World<D: Dimension> {
    pub(crate) bodies: Bodies<D>,
    /// Candidates among grains, and of grains with walls.
    pub(crate) grain_pairs: NeighbourList<D>,
    pub(crate) wall_pairs: NeighbourList<D>,
    pub(crate) contacts: ContactTable<D>,
    pub(crate) clock: Clock,
    pub(crate) ledger: Ledger,
    pub(crate) gravity: D::Vec,
    pub(crate) wall_names: Vec<String>,
    pub(crate) tools: Tools<D>,
    pub(crate) stats: StepStats,
    pub(crate) laws: Laws<D>,
    /// The periodic cell, if there is one.
    pub(crate) cells: Option<PeriodicCell<D>>,
    /// The other processes that share the world, if there are any.
    pub(crate) remote: Option<Share>,
    domain: Option<Domain<D>>,
    forces: Vec<Arc<dyn ExternalForce<D>>>,
    finder: Finder,
    activator: Activator<D>,
    workspaces: Workspaces<D>,
}

/// What a servo wants to know of a contact of its wall: slot of the wall, id of the grain; energy in the springs, depth, mass of the
/// grain and damping ratio.
type ServoRow = (u32, u32, [f64; 4]);

/// What gives a world its ghosts: other processes, or its periodic cell.
pub(crate) fn exchange_of<'w, D: Dimension>(
    cells: &'w mut Option<PeriodicCell<D>>,
    remote: &'w mut Option<Share>,
) -> &'w mut dyn Exchange<D> {
    match remote {
        Some(remote) => remote,
        None => cells,
    }
}

/// Where a world is in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) step: u64,
    pub(crate) dt: f64,
}

/// Sums since the start. Energies are exact sums: the same for any order of bodies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// Energy dissipated in contacts of removed bodies (J); the others have their own sums.
    pub(crate) dissipated: ExactSum,
    /// Work of moving walls and of a cell's moving sides on the grains (J).
    pub(crate) wall_work: ExactSum,
    /// Work of external forces on the grains (J).
    pub(crate) external_work: ExactSum,
    /// Energy of grains that were removed or frozen, less that of grains that were added (J).
    pub(crate) taken_out: ExactSum,
    /// Contacts that could not be certified, summed over steps.
    pub(crate) unresolved: u64,
    /// How contacts were solved, summed over steps.
    pub(crate) solves: Solves,
    /// Grains that left the domain and were removed.
    pub(crate) left: u64,
    /// Grains that went far in a step.
    pub(crate) fast: FastMoves,
    /// How often lists were rebuilt, among grains and to walls.
    pub(crate) lists: [u64; 2],
    /// The first id that no grain has had.
    pub(crate) next_id: u32,
    /// What the world that this one goes on from had counted.
    pub(crate) before: Before,
}

/// Counts of an earlier world at its end. What is done every so many steps or rebuilds goes on in its rhythm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Before {
    pub(crate) steps: u64,
    /// Rebuilds of lists, which are in [`Ledger::lists`] as well.
    pub(crate) lists: [u64; 2],
}

impl<D: Dimension> World<D> {
    /// The world of a setup, with the forces that act at the start.
    pub fn new(setup: &Setup<D>) -> Result<Self, SetupError> {
        match &setup.earlier {
            None => Self::bare(setup)?.filled(),
            Some(earlier) => Self::continued(setup, earlier),
        }
    }

    /// With lists, contacts and forces.
    fn filled(self) -> Result<Self, SetupError> {
        let mut world = self;
        if let Some((axis, width, needed)) = world.narrow_side() {
            return Err(SetupError::Narrow { axis, width, needed });
        }
        let order: Vec<u32> = (0..world.bodies.owners as u32).collect();
        world.renumber(&order);
        world.find_forces();
        Ok(world)
    }

    /// Bodies alone: neither lists nor contacts yet.
    pub(crate) fn bare(setup: &Setup<D>) -> Result<Self, SetupError> {
        setup.check()?;
        let mut bodies = place::place(setup);
        let mut tools = Tools::new(setup);
        tools.begin(&mut bodies);
        let laws = Laws::new(setup);
        Ok(Self {
            grain_pairs: NeighbourList::new(&bodies),
            wall_pairs: NeighbourList::new(&bodies),
            contacts: ContactTable::new(&bodies, &laws),
            clock: Clock { step: 0, dt: setup.time_step },
            ledger: Ledger { next_id: place::first_free(setup), ..Ledger::default() },
            gravity: setup.gravity,
            wall_names: setup.walls.iter().map(|wall| wall.name.clone()).collect(),
            tools,
            stats: StepStats::default(),
            laws,
            cells: setup.cell.as_ref().map(PeriodicCell::new),
            remote: None,
            domain: setup.domain,
            forces: Vec::new(),
            finder: Finder::default(),
            activator: Activator::default(),
            workspaces: Workspaces::default(),
            bodies,
        })
    }

    /// One time step: velocity Verlet.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.step_with(&mut ())
    }

    /// Time steps, with the time of each phase.
    pub fn timed_steps(&mut self, steps: u64, times: &mut PhaseTimes) -> Result<(), StepError> {
        make_steps(steps, || self.step_with(times))
    }

    fn step_with(&mut self, timer: &mut impl PhaseTimer) -> Result<(), StepError> {
        let dt = self.clock.dt;
        let largest = self.first_half_kick_and_drift(dt);
        self.move_walls(largest, dt);
        self.exchange_ghosts();
        timer.lap(Phase::Integration);
        self.update_neighbour_lists()?;
        timer.lap(Phase::NeighbourLists);
        self.activate_candidates();
        timer.lap(Phase::Activation);
        self.solve_contacts(dt, timer);
        self.sort_contacts();
        timer.lap(Phase::Sorting);
        self.gather_forces_and_second_half_kick(dt);
        timer.lap(Phase::Gathering);
        self.kick_free_walls(dt);
        self.control_stress();
        timer.lap(Phase::Integration);
        Ok(())
    }

    /// Contacts and their forces for the poses and velocities of now, between steps.
    pub(crate) fn find_forces(&mut self) {
        self.exchange_ghosts();
        self.activate_candidates();
        self.solve_contacts(0.0, &mut ());
        self.sort_contacts();
        self.gather_forces_and_second_half_kick(0.0);
    }

    /// Grains get the velocities of the middle of the step and the poses of its end. Returns their largest displacements.
    fn first_half_kick_and_drift(&mut self, dt: f64) -> LargestDisplacements {
        let Self { bodies, grain_pairs, wall_pairs, cells, remote, gravity, .. } = self;
        bodies.last_step = dt;
        grain_pairs.displacement.common = bodies.mean_velocity(exchange_of(cells, remote));
        let displacements = [&mut grain_pairs.displacement, &mut wall_pairs.displacement];
        let largest = bodies.advance(*gravity, dt, displacements);
        let [relative, absolute] = exchange_of(cells, remote).largest_displacements(largest);
        if let Some(cells) = cells {
            cells.advance(dt);
        }
        let slide = cells.as_ref().map_or(0.0, PeriodicCell::farthest_slide);
        grain_pairs.displacement.see_grains(relative, slide);
        self.clock.step += 1;
        self.ledger.fast = self.ledger.fast.and(self.bodies.fast_moves(self.clock.step, dt));
        absolute
    }

    /// Walls get the poses and velocities of the end of the step.
    fn move_walls(&mut self, largest: LargestDisplacements, dt: f64) {
        let now = [self.time(), dt];
        self.tools.advance(&mut self.bodies, self.gravity, now, &mut self.wall_pairs.displacement);
        let features = self.bodies.features.first..self.bodies.walls;
        self.wall_pairs.displacement.see_walls(largest, features);
    }

    /// Ghosts get the poses and velocities of the bodies that they stand for.
    pub(crate) fn exchange_ghosts(&mut self) {
        let Self { bodies, cells, remote, grain_pairs, wall_pairs, .. } = self;
        let displacements = [&mut grain_pairs.displacement, &mut wall_pairs.displacement];
        exchange_of(cells, remote).forward(bodies, displacements);
    }

    /// Candidates whose bodies have moved through their gaps are tested; those that touch become contacts.
    fn activate_candidates(&mut self) {
        self.workspaces.prepare();
        let Self { bodies, grain_pairs, wall_pairs, contacts, workspaces, .. } = self;
        self.activator.activate(bodies, [grain_pairs, wall_pairs], contacts, workspaces);
        if (self.ledger.before.steps + self.clock.step).is_multiple_of(RETRY_EVERY) {
            self.contacts.retry_batches(&self.bodies);
        }
    }

    /// Narrow phase and laws.
    fn solve_contacts(&mut self, dt: f64, timer: &mut impl PhaseTimer) {
        let Self { bodies, laws, contacts, workspaces, .. } = self;
        let batched = contacts.solve_batches(bodies, laws, dt);
        timer.lap(Phase::Lanes);
        let reuse_patches = laws.rules().flat == FlatRule::Patch;
        self.stats = batched.add(&contacts.solve_general(bodies, laws, dt, workspaces, reuse_patches));
        self.ledger.unresolved += u64::from(self.stats.unresolved);
        self.ledger.solves.add(&self.stats.solves);
        timer.lap(Phase::General);
    }

    /// Contacts that have come apart become candidates again; the others are sorted by body.
    fn sort_contacts(&mut self) {
        if self.stats.parted > 0 {
            let Self { bodies, grain_pairs, wall_pairs, contacts, .. } = self;
            contacts.remove_separated(bodies, |separated| {
                let is_wall = (separated.pair.b as usize) < bodies.walls;
                let list = if is_wall { &mut *wall_pairs } else { &mut *grain_pairs };
                list.deactivate(&separated);
            });
        }
        self.contacts.sort_by_body(&self.bodies);
    }

    /// Forces are summed for each body, and velocities get to the end of the step.
    fn gather_forces_and_second_half_kick(&mut self, dt: f64) {
        let time = self.time();
        let Self { bodies, contacts, cells, remote, forces, gravity, ledger, .. } = self;
        let walls_here = remote.is_none();
        let exchange = &*exchange_of(cells, remote);
        let others = OtherForces { gravity: *gravity, external: forces, exchange, walls_here, time };
        let gather = |first, records: &_, states: &mut _| contacts.gather(first, records, states);
        let has_contacts = |first| contacts.has_any(first);
        let power = bodies.gather_and_kick(gather, has_contacts, &others, dt);
        ledger.external_work.add(power.external * dt);
        ledger.wall_work.add(power.sides * dt);
        self.load_shared_walls();
        self.ledger.wall_work.add(self.tools.work(&self.bodies, &self.contacts, dt));
        self.measure_servo_contacts();
    }

    /// The second half kick of tools that forces move.
    fn kick_free_walls(&mut self, dt: f64) {
        let now = [self.time(), dt];
        self.tools.kick(&mut self.bodies, self.gravity, now);
    }

    /// Measures the stiffness of the contacts of tools with servos.
    fn measure_servo_contacts(&mut self) {
        if !self.tools.has_servos() {
            return;
        }
        let mut impedances = std::mem::take(&mut self.tools.impedances);
        impedances.clear();
        impedances.resize(self.tools.list.len(), ContactImpedance::default());
        let tools = &self.tools;
        let mut add = |(wall, _, [elastic, depth, mass, damping]): ServoRow| {
            if let Some(tool) = tools.of(&self.bodies, wall) {
                impedances[tool].add(elastic, depth, mass, damping);
            }
        };
        if self.remote.is_some() {
            self.shared_servo_rows().into_iter().for_each(add);
        } else {
            (0..self.bodies.walls).flat_map(|wall| self.servo_rows(wall)).for_each(&mut add);
        }
        self.tools.take_impedances(&impedances);
        self.tools.impedances = impedances;
    }

    /// What servos want to know of the contacts of a wall.
    fn servo_rows(&self, wall: usize) -> impl Iterator<Item = ServoRow> {
        self.contacts.numbers_of(wall).zip(self.contacts.of_body(wall)).map(move |(contact, (pair, _))| {
            let grain = pair.a as usize;
            let (elastic, depth) = (self.contacts.force(contact).elastic, -self.contacts.geometry(contact).0);
            let damping = self.laws.damping_ratio(&self.bodies, pair);
            let row = [elastic, depth, self.bodies.records[grain].mass, damping];
            (wall as u32, self.bodies.states[grain].id, row)
        })
    }

    /// Adds a force on grains that comes from no contact; it acts from the next step on.
    pub fn add_force(&mut self, force: Arc<dyn ExternalForce<D>>) {
        self.forces.push(force);
    }

    /// Removes all external forces.
    pub fn clear_forces(&mut self) {
        self.forces.clear();
    }

    /// Sets a contact law from another crate for two materials, by their indices in the setup. Whether there are such materials.
    pub fn set_law(&mut self, materials: [u16; 2], law: &Arc<dyn ContactLaw<D>>) -> bool {
        let done = self.laws.set_custom(materials, law);
        self.contacts.change_laws(&self.bodies, &self.laws);
        self.find_forces();
        done
    }

    /// Replaces the interactions of the materials: forces are computed again, and elastic energy that this adds or removes counts
    /// as taken out. Whether their number fits.
    pub fn set_interactions(&mut self, interactions: Interactions) -> bool {
        let fits = interactions.count() == self.laws.materials();
        if fits {
            let before = self.energies().balance();
            self.laws.set_interactions(interactions);
            self.contacts.change_laws(&self.bodies, &self.laws);
            // Contacts that changed their bucket have no forces yet.
            self.find_forces();
            self.ledger.taken_out.add(before - self.energies().balance());
        }
        fits
    }

    /// Solves every contact by the method of this name, as published; contacts that it cannot solve are counted as unresolved. Pairs of
    /// shapes that it does not support are solved by the certified default, as all are for `auto`. Whether there is a method
    /// of this name.
    pub fn set_method(&mut self, name: &str) -> bool {
        let found = self.laws.set_method(name);
        self.contacts.change_laws(&self.bodies, &self.laws);
        self.find_forces();
        found
    }
}

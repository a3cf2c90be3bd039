//! The world: bodies, who is near whom, what touches, and the step that moves it all.

mod edit;
pub(crate) mod phases;

use gritstone_core::Vector;
use serde::{Deserialize, Serialize};

use crate::bodies::ghosts::{Ghosts, add_compounds};
use crate::bodies::{Bodies, Record, ShapeRecord, State};
use crate::boundary::surface::{MeshFeatures, hand_over};
use crate::boundary::tools::{ContactImpedance, Tools};
use crate::broad_phase::activate::Activator;
use crate::broad_phase::{Finder, NeighbourList, find_walls, largest_skin, smallest_grain};
use crate::contacts::batch::{ContactBatch, Separated};
use crate::contacts::by_body::ContactsByBody;
use crate::contacts::{ContactForce, ContactGeometry, Contacts, Laws, StepStats};
use crate::dimension::Dimension;
use crate::insertion::insert::body_of;
use crate::periodic::cell::PeriodicCell;
use crate::setup::{Domain, FlatRule, Leaving, Setup, SetupError};
use crate::workspace::Workspaces;
use crate::world::phases::{Phase, PhaseTimer, PhaseTimes};

/// Lists after which grains are sorted in space again.
const SORT_EVERY: u64 = 32;

/// Steps after which contacts that could not be solved many at a time are tried again.
const OFFER_EVERY: u64 = 32;

/// Grains and walls that move and touch.
///
/// The same setup gives the same bits on any number of threads; the rayon pool in which it is called does the work.
#[derive(Clone, Debug)]
pub struct World<D: Dimension> {
    pub(crate) bodies: Bodies<D>,
    pub(crate) among_grains: NeighbourList<D>,
    pub(crate) to_walls: NeighbourList<D>,
    /// Contacts that the dimension solves many at a time, and all others. They are numbered in this order.
    pub(crate) batched: D::ContactBatch,
    pub(crate) contacts: Contacts<D>,
    pub(crate) clock: Clock,
    pub(crate) ledger: Ledger,
    pub(crate) gravity: D::Vec,
    pub(crate) wall_names: Vec<String>,
    pub(crate) tools: Tools<D>,
    pub(crate) stats: StepStats,
    pub(crate) laws: Laws,
    /// What repeats, if anything does.
    pub(crate) cells: Option<PeriodicCell<D>>,
    domain: Option<Domain<D>>,
    finder: Finder,
    activator: Activator<D>,
    workspaces: Workspaces<D>,
    pub(crate) by_body: ContactsByBody,
}

/// Where a world is in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Clock {
    pub(crate) step: u64,
    pub(crate) dt: f64,
}

/// What has been added up since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// Energy lost in contacts (J).
    pub(crate) dissipated: f64,
    /// Work of moving walls and of a cell's moving sides on the grains (J).
    pub(crate) wall_work: f64,
    /// Energy of grains that were removed or frozen, less that of grains that were added (J).
    pub(crate) taken_out: f64,
    /// Contacts that could not be certified, summed over steps.
    pub(crate) unresolved: u64,
    /// Grains that left the domain and were removed.
    pub(crate) left: u64,
    /// How often lists were made, among grains and to walls.
    pub(crate) lists: [u64; 2],
    /// The first id that no grain has had.
    pub(crate) next_id: u32,
}

/// Why a step failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A grain has left the domain.
    #[error("grain {id} left the domain at step {step}: its centre is at {position:?}")]
    Left {
        /// Its id.
        id: u32,
        /// The step.
        step: u64,
        /// Where it is.
        position: Vec<f64>,
    },
    /// A grain's position or velocity is no longer a number.
    #[error(
        "grain {id} flew off at step {step}: its position or velocity is not finite. The time step is probably too long for \
         the contacts' stiffness"
    )]
    NotFinite {
        /// Its id.
        id: u32,
        /// The step.
        step: u64,
    },
    /// The cell has become too narrow for its grains.
    #[error(
        "the cell is {width:e} m wide along axis {axis} at step {step}, but must be wider than {needed:e} m: than the \
         largest grain and what lists need around it"
    )]
    Narrow {
        /// Which axis, counted from 0.
        axis: usize,
        /// Distance of the sides (m).
        width: f64,
        /// Distance that is needed (m).
        needed: f64,
        /// The step.
        step: u64,
    },
}

impl<D: Dimension> World<D> {
    /// Puts everything in its place and finds the forces there.
    pub fn new(setup: &Setup<D>) -> Result<Self, SetupError> {
        let mut world = Self::bare(setup)?;
        if let Some((axis, width, needed)) = world.narrow_side() {
            return Err(SetupError::Narrow { axis, width, needed });
        }
        let order: Vec<u32> = (0..world.bodies.leaders as u32).collect();
        world.renumber(&order);
        world.push(0.0);
        Ok(world)
    }

    /// Bodies alone: neither lists nor contacts yet.
    pub(crate) fn bare(setup: &Setup<D>) -> Result<Self, SetupError> {
        setup.check()?;
        let mut bodies = place(setup);
        let mut tools = Tools::new(setup);
        tools.begin(&mut bodies);
        let laws = Laws::new(setup);
        let mut batched = D::ContactBatch::default();
        batched.prepare(&bodies, &laws);
        Ok(Self {
            batched,
            among_grains: NeighbourList::new(&bodies),
            to_walls: NeighbourList::new(&bodies),
            contacts: Contacts::default(),
            clock: Clock { step: 0, dt: setup.time_step },
            ledger: Ledger { next_id: first_free(setup), ..Ledger::default() },
            gravity: setup.gravity,
            wall_names: setup.walls.iter().map(|wall| wall.name.clone()).collect(),
            tools,
            stats: StepStats::default(),
            laws,
            cells: setup.cell.as_ref().map(PeriodicCell::new),
            domain: setup.domain,
            finder: Finder::default(),
            activator: Activator::default(),
            workspaces: Workspaces::default(),
            by_body: ContactsByBody::default(),
            bodies,
        })
    }

    /// One time step: velocity Verlet.
    pub fn step(&mut self) -> Result<(), StepError> {
        self.watched_step(&mut ())
    }

    /// One time step, and where its time goes.
    pub fn timed_step(&mut self, laps: &mut PhaseTimes) -> Result<(), StepError> {
        self.watched_step(laps)
    }

    fn watched_step(&mut self, watch: &mut impl PhaseTimer) -> Result<(), StepError> {
        let dt = self.clock.dt;
        self.among_grains.displacement.common = self.bodies.mean_velocity();
        let displacements = [&mut self.among_grains.displacement, &mut self.to_walls.displacement];
        let [relative, absolute] = self.bodies.advance(self.gravity, dt, displacements);
        self.lead(dt);
        self.clock.step += 1;
        let now = [self.time(), dt];
        self.tools.advance(&mut self.bodies, self.gravity, now, &mut self.to_walls.displacement);
        self.among_grains
            .displacement
            .see_grains(relative, self.cells.as_ref().map_or(0.0, PeriodicCell::farthest_slide));
        self.to_walls.displacement.see_walls(absolute, self.bodies.walls);
        watch.lap(Phase::Integration);
        self.update_lists()?;
        self.watched_push(dt, watch);
        self.tools.kick(&mut self.bodies, self.gravity, now);
        self.press();
        watch.lap(Phase::Integration);
        Ok(())
    }

    /// Sides move, and ghosts displacement with their owners.
    fn lead(&mut self, dt: f64) {
        if let Some(cells) = &mut self.cells {
            cells.advance(dt);
        }
        let Self { bodies, cells, among_grains, to_walls, .. } = self;
        bodies.travel_along(cells.as_ref(), &mut among_grains.displacement.of);
        bodies.travel_along(None, &mut to_walls.displacement.of);
    }

    /// Contacts and their forces, for the poses and velocities of now, and the second half step of the velocities.
    pub(crate) fn push(&mut self, dt: f64) {
        self.watched_push(dt, &mut ());
    }

    fn watched_push(&mut self, dt: f64, watch: &mut impl PhaseTimer) {
        let before = self.contact_count();
        self.workspaces.prepare();
        self.bodies.follow(self.cells.as_ref());
        let lists = [&mut self.among_grains, &mut self.to_walls];
        self.activator.wake(&self.bodies, lists, &mut self.batched, &mut self.contacts, &self.workspaces);
        let mut changed = self.contact_count() > before;
        if self.clock.step.is_multiple_of(OFFER_EVERY) {
            changed |= self.offer_again();
        }
        watch.lap(Phase::BroadPhase);
        let batched = self.batched.solve(&self.bodies, &self.laws, dt);
        if batched.handed > 0 {
            self.batched.hand_over(|pair, direction, history| {
                self.contacts.push(pair, D::remember(direction), history);
            });
        }
        watch.lap(Phase::Lanes);
        // In cells bodies also come home.
        let follows = self.cells.is_none() && self.laws.rules().flat == FlatRule::Patch;
        self.stats =
            batched.add(&self.contacts.solve(&self.bodies, &self.laws, dt, &self.workspaces, follows));
        watch.lap(Phase::General);
        if self.stats.parted > 0 {
            self.put_to_sleep();
        }
        changed |= self.stats.parted + self.stats.handed > 0;
        if changed {
            self.sort_contacts_by_body();
        }
        let Self { batched, contacts, by_body, .. } = self;
        self.bodies.kick(self.gravity, dt, |first, records, states| {
            batched.gather(|i| by_body.entries(first + i), &contacts.rows, records, states);
        });
        let side_power = self.bodies.hand_on(self.cells.as_ref(), self.gravity, dt);
        watch.lap(Phase::Gathering);
        self.ledger.dissipated += self.stats.dissipated;
        self.ledger.unresolved += u64::from(self.stats.unresolved);
        self.ledger.wall_work += self.tools.work(&self.bodies, dt) + side_power * dt;
        self.feel();
    }

    /// Tells servos what their tools touch.
    fn feel(&mut self) {
        if !self.tools.has_servos() {
            return;
        }
        let mut impedances = std::mem::take(&mut self.tools.impedances);
        impedances.clear();
        impedances.resize(self.tools.list.len(), ContactImpedance::default());
        for (contact, pair) in self.batched.pair().chain(&self.contacts.pair).enumerate() {
            if let Some(tool) = self.tools.of(&self.bodies, pair.b) {
                let mass = self.bodies.records[pair.a as usize].mass;
                let (elastic, depth) = (self.row(contact).elastic, -self.geometry(contact).0);
                impedances[tool].add(elastic, depth, mass, self.laws.damping_ratio(&self.bodies, *pair));
            }
        }
        self.tools.feel(&impedances);
        self.tools.impedances = impedances;
    }

    /// General contacts that may have become easy are tried many at a time again; whether there were any.
    fn offer_again(&mut self) -> bool {
        let before = self.contacts.len();
        for i in (0..before).rev() {
            let (pair, history) = (self.contacts.pair[i], self.contacts.histories[i]);
            if self.bodies.features.get(pair.b).is_none()
                && self.batched.takes(&self.bodies, pair)
                && history.twist == 0.0
                && history.roll == D::Vec::default()
                && self.contacts.geometries[i].normal != D::Vec::default()
            {
                let direction = self.contacts.geometries[i].normal;
                self.contacts.swap_remove(i);
                self.batched.push(&self.bodies, pair, direction, &history);
            }
        }
        self.contacts.len() < before
    }

    /// Number of contacts.
    pub(crate) fn contact_count(&self) -> usize {
        self.batched.len() + self.contacts.len()
    }

    /// The force of a contact.
    #[inline]
    pub(crate) fn row(&self, contact: usize) -> ContactForce<D> {
        match contact.checked_sub(self.batched.len()) {
            None => self.batched.row(contact),
            Some(contact) => self.contacts.rows[contact],
        }
    }

    /// Gap and direction of a contact.
    pub(crate) fn geometry(&self, contact: usize) -> (f64, D::Vec) {
        match contact.checked_sub(self.batched.len()) {
            None => self.batched.geometry(contact),
            Some(contact) => {
                let found = &self.contacts.geometries[contact];
                (found.gap, found.normal)
            }
        }
    }

    pub(crate) fn sort_contacts_by_body(&mut self) {
        let lists = self.batched.lists().chain([self.contacts.pair.as_slice()]);
        self.by_body.update(self.bodies.records.len(), lists);
    }

    /// Contacts that have come apart are near pairs again, and sleep while their gap lasts.
    fn put_to_sleep(&mut self) {
        let Self { bodies, among_grains, to_walls, batched, contacts, .. } = self;
        let mut sleep = |Separated { pair, gap, direction }: Separated<D>| {
            let list = if (pair.b as usize) < bodies.walls { &mut *to_walls } else { &mut *among_grains };
            list.sleep(pair.a, pair.b, gap, direction);
        };
        batched.part(&mut sleep);
        for i in (0..contacts.len()).rev() {
            let ContactGeometry { gap, normal, parted } = contacts.geometries[i];
            if parted {
                hand_over(bodies, contacts, i);
                sleep(Separated { pair: contacts.pair[i], gap, direction: normal });
                contacts.swap_remove(i);
            }
        }
    }

    /// Makes the lists that may miss a pair again.
    fn update_lists(&mut self) -> Result<(), StepError> {
        self.among_grains.grow_older();
        self.to_walls.grow_older();
        // The list of walls follows the whole motion of the grains: none goes farther than its skin between two of them.
        let mut come_home = false;
        if self.to_walls.is_stale() {
            self.keep_inside()?;
            come_home = self.someone_is_abroad();
            if !come_home {
                self.list_walls();
            }
        }
        if self.among_grains.is_stale() || come_home {
            if let Some((axis, width, needed)) = self.narrow_side() {
                return Err(StepError::Narrow { axis, width, needed, step: self.clock.step });
            }
            // Images are others in every list.
            if self.cells.is_some() || self.ledger.lists[0].is_multiple_of(SORT_EVERY) {
                self.sort();
            } else {
                self.list_grains();
            }
        }
        Ok(())
    }

    /// Whether a grain has left the cell, and there are walls that it would meet only there: walls are met at home. Planes are
    /// the same everywhere.
    fn someone_is_abroad(&self) -> bool {
        let Some(cells) = &self.cells else { return false };
        let bounded = |wall| self.bodies.features.has(wall) || self.bodies.size(wall).is_finite();
        let mut grains = self.bodies.records[self.bodies.grains()].iter();
        (0..self.bodies.walls).any(bounded) && grains.any(|body| cells.home(body.position) != [0; 3])
    }

    /// The axis along which a cell is too narrow to tell a grain from its image, its width there and what is needed.
    fn narrow_side(&self) -> Option<(usize, f64, f64)> {
        let cells = self.cells.as_ref()?;
        let needed =
            2.0 * self.bodies.beyond() + largest_skin(smallest_grain(&self.bodies)) + self.laws.reach();
        (0..D::N).map(|axis| (axis, cells.width(axis), needed)).find(|(_, width, _)| *width < needed)
    }

    pub(crate) fn list_grains(&mut self) {
        let cutoff = self.next_cutoff();
        self.list_grains_within(cutoff);
    }

    /// How far apart grains may be to be in the next list.
    pub(crate) fn next_cutoff(&mut self) -> f64 {
        // Bodies that hold on to each other are found as far as they may be apart.
        self.among_grains.next_skin(&self.bodies) + self.laws.reach()
    }

    /// Makes the list of grains that are nearer to each other than this.
    pub(crate) fn list_grains_within(&mut self, cutoff: f64) {
        self.finder.fill(&self.bodies, cutoff);
        let Self { bodies, finder, among_grains, .. } = self;
        among_grains.rebuild(bodies, |slot, old, part| finder.find(bodies, slot, cutoff, old, part));
        self.ledger.lists[0] += 1;
        self.batched.sort();
        self.sort_contacts_by_body();
    }

    pub(crate) fn list_walls(&mut self) {
        let skin = self.to_walls.next_skin(&self.bodies);
        let Self { bodies, to_walls, .. } = self;
        to_walls.rebuild(bodies, |slot, old, part| find_walls(bodies, slot, skin, old, part));
        self.ledger.lists[1] += 1;
    }

    /// Does with grains outside the domain what the setup says.
    fn keep_inside(&mut self) -> Result<(), StepError> {
        let step = self.clock.step;
        let grains = self.bodies.grains();
        let grains = self.bodies.records[grains.clone()].iter().zip(&self.bodies.states[grains]);
        let mut leaving = false;
        for (body, state) in grains {
            if !(body.position.length() + body.velocity.length()).is_finite() {
                return Err(StepError::NotFinite { id: state.id, step });
            }
            let Some(domain) = self.domain.filter(|domain| !self.holds(domain, body.position)) else {
                continue;
            };
            match domain.leaving {
                Leaving::Error => {
                    let position = (0..D::N).map(|axis| body.position.component(axis)).collect();
                    return Err(StepError::Left { id: state.id, step, position });
                }
                Leaving::Remove => leaving = true,
                Leaving::Keep => {}
            }
        }
        if leaving && let Some(domain) = self.domain {
            let open = self.open_axes();
            let left = self.take_out(|body| !domain.holds_along(body.pose.position, open));
            self.ledger.left += left as u64;
        }
        Ok(())
    }

    /// Whether a point is in the domain along all axes along which nothing repeats.
    fn holds(&self, domain: &Domain<D>, x: D::Vec) -> bool {
        domain.holds_along(x, self.open_axes())
    }

    /// Axes along which nothing repeats.
    fn open_axes(&self) -> [bool; 3] {
        std::array::from_fn(|axis| self.cells.as_ref().is_none_or(|cells| !cells.repeats(axis)))
    }
}

/// The first id that no grain of a setup has.
fn first_free<D: Dimension>(setup: &Setup<D>) -> u32 {
    setup.grains.iter().map(|grain| grain.id.saturating_add(1)).max().unwrap_or(1)
}

/// The bodies of a setup: walls, then grains.
fn place<D: Dimension>(setup: &Setup<D>) -> Bodies<D> {
    let mut shapes: Vec<ShapeRecord<D>> = setup.shapes.iter().map(ShapeRecord::new).collect();
    let parts = add_compounds(setup, &mut shapes);
    let largest = shapes.iter().map(|shape| shape.size).fold(0.0, f64::max);
    let (mut records, mut states) = (Vec::new(), Vec::new());
    for (index, wall) in setup.walls.iter().enumerate() {
        records.push(Record {
            position: wall.pose.position,
            rotation: wall.pose.rotation,
            velocity: wall.velocity,
            spin: wall.spin,
            mass: f64::INFINITY,
            radius: f64::INFINITY,
            shape: shapes.len() as u32,
            material: wall.material,
            unused: 0,
        });
        let mut state = State::still(index as u32);
        state.set_present(wall.present);
        states.push(state);
        shapes.push(ShapeRecord::new(&wall.shape));
    }
    let mut features = MeshFeatures::none(setup.walls.len());
    for (index, wall) in setup.walls.iter().enumerate() {
        if let Some(surface) = &wall.surface {
            features.add(index, D::features(surface, largest), largest);
        }
    }
    for surface in &features.surfaces {
        for slot in surface.slots.clone() {
            records.push(Record { shape: shapes.len() as u32, ..records[surface.wall] });
            states.push(states[surface.wall]);
            shapes.push(ShapeRecord::new(&features.list[slot - features.first].shape));
        }
    }
    let walls = records.len();
    for grain in &setup.grains {
        let (record, state) = body_of(grain, &shapes, &setup.densities);
        records.push(record);
        states.push(state);
    }
    let inertias = shapes.iter().map(|shape| D::inertia_numbers(&shape.inertia, shape.sweep)).collect();
    let leaders = records.len();
    let mut bodies = Bodies {
        walls,
        features,
        leaders,
        images: leaders,
        records,
        states,
        shapes,
        parts,
        ghosts: Ghosts::default(),
        inertias,
        velocity_sums: Vec::new(),
    };
    for wall in 0..setup.walls.len() {
        bodies.carry_pieces(wall, None);
    }
    bodies.sum_velocities();
    bodies
}

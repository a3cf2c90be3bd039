//! Counts, energies and states of a world between steps.

use crate::bodies::fast::FastMoves;
use crate::bodies::{Bodies, Record, State};
use gritstone_core::{ExactSum, Linear as _, Pose, Vector as _};

use serde::{Deserialize, Serialize};

use crate::boundary::tools::ToolReport;
use crate::contacts::key::ContactKey;
use crate::contacts::{BodyPair, Solves};
use crate::dimension::Dimension;
use crate::periodic::cell::Shift;
use crate::state::snapshot::{BodyState, ContactState, Snapshot, WallState};
use crate::world::{Ledger, World};

/// Where the energy is (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of translation.
    pub translation: f64,
    /// Of rotation.
    pub rotation: f64,
    /// In the field of gravity, zero at the origin.
    pub potential: f64,
    /// In the springs of contacts.
    pub elastic: f64,
    /// Lost in contacts since the start.
    pub dissipated: f64,
    /// Work of moving walls and of a cell's moving sides on the grains since the start.
    pub wall_work: f64,
    /// Work of external forces on the grains since the start.
    pub external_work: f64,
    /// Energy of grains that were removed or frozen since the start, less that of grains that were added.
    pub taken_out: f64,
}

impl Energies {
    /// What stays the same, but for the errors of integration.
    pub fn balance(&self) -> f64 {
        self.translation + self.rotation + self.potential + self.elastic + self.dissipated + self.taken_out
            - self.wall_work
            - self.external_work
    }

    /// These sums, rounded.
    pub(crate) fn of(sums: &[ExactSum; 8]) -> Self {
        let [translation, rotation, potential, elastic, dissipated, wall_work, external_work, taken_out] =
            sums.each_ref().map(ExactSum::value);
        Self { translation, rotation, potential, elastic, dissipated, wall_work, external_work, taken_out }
    }

    /// Of translation and rotation.
    pub fn kinetic(&self) -> f64 {
        self.translation + self.rotation
    }
}

/// How a world is doing, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Steps made since the start.
    pub step: u64,
    /// Simulated time (s).
    pub time: f64,
    /// Grains in the world.
    pub grains: usize,
    /// Pairs that touch, walls included.
    pub contacts: usize,
    /// Those of them that are solved many at a time.
    pub contacts_in_lanes: usize,
    /// Pairs in the lists, touching ones included.
    pub near_pairs: usize,
    /// Contacts of the last step that could not be certified.
    pub unresolved: u32,
    /// The same summed over all steps.
    pub unresolved_since_start: u64,
    /// How contacts were solved, summed over all steps.
    pub solves: Solves,
    /// Largest overlap relative to the smaller grain's size.
    pub deepest: f64,
    /// Grains that left the domain and were removed.
    pub left: u64,
    /// Grains that went so far in a step that they may pass through others, since the start.
    pub fast: FastMoves,
    /// How often the list of near grains was made, and that of near walls.
    pub lists: [u64; 2],
}

impl<D: Dimension> World<D> {
    /// Simulated time (s).
    pub fn time(&self) -> f64 {
        self.clock.step as f64 * self.clock.dt
    }

    /// Time step (s).
    pub fn time_step(&self) -> f64 {
        self.clock.dt
    }

    /// How the world is doing.
    pub fn status(&self) -> Status {
        Status {
            step: self.clock.step,
            time: self.time(),
            grains: self.bodies.grains().len(),
            contacts: self.contacts.len(),
            contacts_in_lanes: self.contacts.batched(),
            near_pairs: self.grain_pairs.pairs.len() + self.wall_pairs.pairs.len(),
            unresolved: self.stats.unresolved,
            unresolved_since_start: self.ledger.unresolved,
            solves: self.ledger.solves,
            deepest: self.stats.deepest,
            left: self.ledger.left,
            fast: self.ledger.fast,
            lists: std::array::from_fn(|i| self.ledger.lists[i] - self.ledger.before.lists[i]),
        }
    }

    /// Memory that grains, lists and contacts hold (bytes).
    pub fn memory(&self) -> usize {
        let each = size_of::<Record<D>>() + size_of::<State<D>>();
        each * self.bodies.records.capacity()
            + self.grain_pairs.memory()
            + self.wall_pairs.memory()
            + self.contacts.memory()
    }

    /// Where the energy is.
    pub fn energies(&self) -> Energies {
        Energies::of(&self.energy_sums())
    }

    /// The same before rounding, in the order of the fields; where several processes share the world, the part of this one.
    pub(crate) fn energy_sums(&self) -> [ExactSum; 8] {
        let [translation, rotation, potential] =
            self.bodies.energies(self.gravity, |slot| self.bodies.motion_of(slot));
        let Ledger { wall_work, external_work, taken_out, .. } = &self.ledger;
        // What walls do is kept by the first process.
        let has_walls = self.remote.as_ref().is_none_or(|domain| domain.rank() == 0);
        let mut dissipated = self.bodies.dissipated(if has_walls { 0 } else { self.bodies.walls });
        dissipated.merge(&self.ledger.dissipated);
        let wall_work = if has_walls { wall_work.clone() } else { ExactSum::default() };
        let elastic =
            self.contacts.elastic(|pair| (pair.a as usize) < self.bodies.owners || self.remote.is_none());
        let [external_work, taken_out] = [external_work, taken_out].map(ExactSum::clone);
        [translation, rotation, potential, elastic, dissipated, wall_work, external_work, taken_out]
    }

    /// Names of the walls.
    pub fn wall_names(&self) -> &[String] {
        &self.wall_names
    }

    /// Names of the tools: those of the setup, then walls that are in none of them.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.list.iter().map(|tool| tool.name.as_str())
    }

    /// Every tool at this moment.
    pub fn tools(&self) -> impl Iterator<Item = ToolReport<D>> {
        (0..self.tools.list.len()).map(|tool| self.tools.report(tool, &self.bodies, self.time()))
    }

    /// The world at this moment.
    pub fn snapshot(&self) -> Snapshot<D> {
        Snapshot {
            step: self.clock.step,
            time: self.time(),
            bodies: self.body_states(),
            walls: self.wall_states(),
            contacts: self.contact_states(),
        }
    }

    /// The grains, in order of their ids.
    pub fn body_states(&self) -> Vec<BodyState<D>> {
        let mut bodies: Vec<BodyState<D>> = self.bodies.grains().map(|slot| self.body_state(slot)).collect();
        bodies.sort_by_key(|body| body.id);
        bodies
    }

    /// The contacts, in order of the ids of their bodies.
    pub fn contact_states(&self) -> Vec<ContactState<D>> {
        let pairs = self.contacts.pairs().enumerate();
        let mut contacts: Vec<(ContactKey, ContactState<D>)> =
            pairs.map(|(i, pair)| (self.bodies.contact_key(pair), self.touching(i, pair))).collect();
        contacts.sort_by_key(|(key, contact)| (contact.a, contact.with_wall, contact.b, *key));
        contacts.into_iter().map(|(_, contact)| contact).collect()
    }

    /// The walls, in the order of the setup.
    pub fn wall_states(&self) -> Vec<WallState<D>> {
        let state = |wall: usize| {
            let (force, torque) = self.bodies.wall_load(wall);
            let present = self.bodies.states[wall].is_present();
            WallState { present, pose: self.bodies.records[wall].pose(), force, torque }
        };
        (0..self.wall_names.len()).map(state).collect()
    }

    pub(crate) fn body_state(&self, slot: usize) -> BodyState<D> {
        let (body, state) = (&self.bodies.records[slot], &self.bodies.states[slot]);
        let (velocity, spin) = self.bodies.motion_of(slot);
        let (way, jump) = self.homeward(slot);
        let pose = body.pose();
        BodyState {
            id: state.id,
            shape: body.shape,
            material: body.material,
            coordination: self.coordination(slot).min(usize::from(u16::MAX)) as u16,
            frozen: !state.is_free(),
            pose: Pose { position: pose.position + way, ..pose },
            velocity: velocity + jump,
            spin,
            force: state.force,
        }
    }

    /// How many bodies a grain touches. However many parts and features of two bodies touch, they count once.
    fn coordination(&self, slot: usize) -> usize {
        let Bodies { ghosts, features, owners, .. } = &self.bodies;
        if ghosts.list.is_empty() && features.list.is_empty() {
            return self.contacts.count_of(slot);
        }
        let own = ghosts.of(slot).iter().map(|&i| owners + i as usize).chain([slot]);
        let mut others: Vec<(u32, Shift)> = own.flat_map(|slot| self.partners(slot)).collect();
        others.sort_unstable();
        others.dedup();
        others.len()
    }

    /// Partners of a body: slots of walls, or of grains with the image of each relative to the body's owner.
    fn partners(&self, slot: usize) -> impl Iterator<Item = (u32, Shift)> {
        let own = self.bodies.role(slot as u32).shift;
        self.contacts.of_body(slot).map(move |(pair, is_b)| {
            let other = if is_b { pair.a } else { pair.b };
            if (other as usize) < self.bodies.walls {
                // A feature has the id of its wall, which is the wall's slot.
                return (self.bodies.states[other as usize].id, [0; 3]);
            }
            let other = self.bodies.role(other);
            if other.is_copy() {
                return (other.part, [i32::MAX; 3]); // By its id.
            }
            (other.owner, std::array::from_fn(|k| other.shift[k] - own[k]))
        })
    }

    /// Vector from a grain to its image in the cell, and the velocity of that relative to the grain.
    pub(crate) fn homeward(&self, slot: usize) -> (D::Vec, D::Vec) {
        let Some(cells) = &self.cells else { return Default::default() };
        let shift = cells.home(self.bodies.records[slot].position);
        (cells.way(shift), cells.jump(shift))
    }

    /// For a contact: from where it is to where it is for a's image in the cell; and from b's image in the cell to the one
    /// that a touches there.
    fn across(&self, pair: BodyPair) -> (D::Vec, D::Vec) {
        let Some(cells) = &self.cells else { return Default::default() };
        let from_home = |slot: u32| -> Shift {
            let role = self.bodies.role(slot);
            let home = cells.home(self.bodies.records[role.owner as usize].position);
            std::array::from_fn(|k| role.shift[k] - home[k])
        };
        let a = from_home(pair.a);
        let moved = -cells.way(a);
        if (pair.b as usize) < self.bodies.walls {
            return (moved, D::Vec::default());
        }
        // From the numbers of cells, so that it is the same to the last bit for all parts of both.
        let b = from_home(pair.b);
        (moved, cells.way(std::array::from_fn(|k| b[k] - a[k])))
    }

    fn touching(&self, contact: usize, pair: BodyPair) -> ContactState<D> {
        let (gap, normal) = self.contacts.geometry(contact);
        let (point, torque) = self.centre_of_pressure(contact, pair);
        let (moved, across) = self.across(pair);
        ContactState {
            a: self.bodies.states[pair.a as usize].id,
            b: self.bodies.states[pair.b as usize].id,
            with_wall: (pair.b as usize) < self.bodies.walls,
            point: point + moved,
            across,
            normal,
            depth: -gap,
            force: self.contacts.force(contact).force,
            torque,
        }
    }

    /// Where the force of a contact acts, and the torque on b that is left about that point.
    ///
    /// A contact's loads are told about its deepest point x, where the bodies have a force f and a torque T beside it. Pressure
    /// and rolling resistance give the part of T across the normal n. It is that of the force at x + c with c in the plane of the
    /// contact: c × f has the part (f·n) c × n across n, so that c = n × T / (f·n). What twists about n is left.
    pub(crate) fn centre_of_pressure(&self, contact: usize, pair: BodyPair) -> (D::Vec, D::Spin) {
        let (row, (_, normal)) = (self.contacts.force(contact), self.contacts.geometry(contact));
        let push = row.force.dot(normal);
        let moment = -D::sweep(row.torque, normal);
        // Where next to nothing is left of push and pull, as along the rim of a face of several parts, they are a couple.
        let farthest = 2.0 * self.bodies.smaller_size(pair.a, pair.b);
        if moment.length() < push.abs() * farthest {
            let lever = moment * (1.0 / push);
            (row.point + lever, row.torque - D::moment(lever, row.force))
        } else {
            (row.point, row.torque)
        }
    }
}

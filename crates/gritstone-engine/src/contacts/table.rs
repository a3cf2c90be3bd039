//! The contact table: every pair that touches, in buckets by how it is solved.
//!
//! A pair has one life. It is a *candidate* while it is in a neighbour list and does not touch
//! ([`NeighbourList`](crate::broad_phase::NeighbourList)): inactive until its bodies have moved through its gap. It is
//! *touching* while it is here, and a candidate again when its bodies have come apart.
//!
//! Contacts that a dimension solves many at a time are in its [batches](ContactBatch), all others are general. A contact that a
//! batch cannot certify becomes a general one, and is tried in its batch again from time to time; its history and its
//! normal go with it.

use gritstone_core::{ExactSum, Linear as _, Space};
use gritstone_force::History;

use super::batch::{ContactBatch, Separated};
use super::by_body::{ContactsByBody, Entry, MOST_CONTACTS, MOST_LISTS};
use super::general::{GeneralContacts, Task};
use super::{BodyPair, ContactForce, ContactGeometry, Laws, StepStats};
use crate::bodies::{Bodies, CHUNK, Record, State};
use crate::boundary::surface::hand_over;
use crate::dimension::Dimension;
use crate::lanes::Told;
use crate::workspace::Workspaces;

/// All contacts. They are numbered, those in batches first; the numbers change as contacts come and go.
#[derive(Clone, Debug)]
pub(crate) struct ContactTable<D: Dimension> {
    pub(crate) batches: D::ContactBatch,
    pub(crate) general: GeneralContacts<D>,
    by_body: ContactsByBody,
    /// Whether contacts were added or removed since they were last sorted by body.
    changed: bool,
}

impl<D: Dimension> ContactTable<D> {
    /// A table without contacts.
    pub(crate) fn new(bodies: &Bodies<D>, laws: &Laws<D>) -> Self {
        const {
            assert!(
                D::ContactBatch::LISTS < MOST_LISTS,
                "an entry of a body cannot tell so many buckets apart"
            );
        };
        Self::with(D::ContactBatch::default(), GeneralContacts::default(), bodies, laws)
    }

    /// A table with these contacts.
    pub(crate) fn with(
        mut batches: D::ContactBatch,
        general: GeneralContacts<D>,
        bodies: &Bodies<D>,
        laws: &Laws<D>,
    ) -> Self {
        batches.prepare(bodies, laws);
        let mut table = Self { batches, general, by_body: ContactsByBody::default(), changed: true };
        table.sort_by_body(bodies);
        table
    }

    /// Number of contacts.
    pub(crate) fn len(&self) -> usize {
        self.batches.len() + self.general.len()
    }

    /// Number of contacts that are solved many at a time.
    pub(crate) fn batched(&self) -> usize {
        self.batches.len()
    }

    /// Whether a list has more contacts than can be numbered.
    pub(crate) fn is_full(&self) -> bool {
        self.lists().any(|pairs| pairs.len() >= MOST_CONTACTS)
    }

    /// The bodies of every contact.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = BodyPair> + '_ {
        self.lists().flatten().copied()
    }

    /// The same, bucket by bucket.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[BodyPair]> + Clone {
        self.batches.lists().chain([self.general.pairs.as_slice()])
    }

    /// The bodies of a contact.
    pub(crate) fn pair(&self, contact: usize) -> BodyPair {
        match contact.checked_sub(self.batches.len()) {
            None => self.batches.pair(contact),
            Some(contact) => self.general.pairs[contact],
        }
    }

    /// The force of a contact.
    #[inline]
    pub(crate) fn force(&self, contact: usize) -> ContactForce<D> {
        match contact.checked_sub(self.batches.len()) {
            None => self.batches.force(contact),
            Some(contact) => self.general.forces[contact],
        }
    }

    /// Gap and normal of a contact.
    pub(crate) fn geometry(&self, contact: usize) -> (f64, D::Vec) {
        match contact.checked_sub(self.batches.len()) {
            None => self.batches.geometry(contact),
            Some(contact) => {
                let ContactGeometry { gap, normal, .. } = self.general.geometries[contact];
                (gap, normal)
            }
        }
    }

    /// The contacts of a body, in the order of its partners.
    pub(crate) fn of_body(&self, slot: usize) -> impl Iterator<Item = (BodyPair, bool)> {
        self.by_body.of(slot)
    }

    /// The same as numbers of contacts.
    pub(crate) fn numbers_of(&self, slot: usize) -> impl Iterator<Item = usize> {
        let starts =
            self.lists().scan(0, |start, pairs| Some(std::mem::replace(start, *start + pairs.len())));
        let starts: [usize; MOST_LISTS] = {
            let mut array = [0; MOST_LISTS];
            array.iter_mut().zip(starts).for_each(|(place, start)| *place = start);
            array
        };
        self.by_body.entries(slot).iter().map(move |entry| starts[entry.list()] + entry.index())
    }

    /// The general contacts of a body, by their places among those.
    pub(crate) fn general_of(&self, slot: usize) -> impl Iterator<Item = usize> {
        self.by_body.in_list(slot, D::ContactBatch::LISTS)
    }

    /// Number of contacts of a body.
    pub(crate) fn count_of(&self, slot: usize) -> usize {
        self.by_body.entries(slot).len()
    }

    /// Energy in the springs of all contacts that count (J).
    pub(crate) fn elastic(&self, counts: impl Fn(BodyPair) -> bool) -> ExactSum {
        let contacts = self.pairs().enumerate().filter(|(_, pair)| counts(*pair));
        contacts.map(|(contact, _)| self.force(contact).elastic).collect()
    }

    /// Number of contacts of the bodies from this slot on, and of those of them that are in batches. No two of these touch.
    pub(crate) fn counts_from(&self, first: usize, bodies: usize) -> [usize; 2] {
        let entries = (first..bodies).flat_map(|slot| self.by_body.entries(slot));
        entries.fold([0; 2], |[all, batched], entry| {
            [all + 1, batched + usize::from(entry.list() < D::ContactBatch::LISTS)]
        })
    }

    /// A pair begins to touch: it goes where it can be solved.
    pub(crate) fn insert(&mut self, bodies: &Bodies<D>, pair: BodyPair, normal: D::Vec, history: History<D>) {
        self.changed = true;
        if self.is_batched(bodies, pair) {
            self.batches.push(bodies, pair, normal, &history);
        } else {
            self.general.push(pair, normal, history);
        }
    }

    /// Whether a batch takes a pair. Features of meshes are told from their neighbours, and surfaces may move along themselves,
    /// which batches know nothing of.
    fn is_batched(&self, bodies: &Bodies<D>, pair: BodyPair) -> bool {
        is_batched(&self.batches, bodies, pair)
    }

    /// Finds every contact where it is now, and its force.
    pub(crate) fn solve_batches(&mut self, bodies: &Bodies<D>, laws: &Laws<D>, dt: f64) -> StepStats {
        let mut stats = self.batches.solve(bodies, laws, dt);
        if stats.handed > 0 {
            self.changed = true;
            let Self { batches, general, .. } = self;
            batches.hand_over(|pair, normal, history| general.push(pair, normal, history));
        }
        stats.solves.in_lanes = self.batches.len() as u64;
        stats
    }

    /// The same for general contacts.
    pub(crate) fn solve_general(
        &mut self,
        bodies: &Bodies<D>,
        laws: &Laws<D>,
        dt: f64,
        workspaces: &Workspaces<D>,
        reuse_patches: bool,
    ) -> StepStats {
        let Self { batches, general, .. } = self;
        let is_batched = |pair| is_batched(batches, bodies, pair);
        let task = Task { bodies, laws, dt, follows: reuse_patches, is_batched: &is_batched };
        general.solve(&task, workspaces)
    }

    /// General contacts that a batch may be able to solve by now are tried there again.
    pub(crate) fn retry_batches(&mut self, bodies: &Bodies<D>) {
        for i in (0..self.general.len()).rev() {
            let (pair, history) = (self.general.pairs[i], self.general.histories[i]);
            let normal = self.general.geometries[i].normal;
            if normal.dot(normal) > 0.0
                && (self.batches.keeps_rolling() || (history.twist, history.roll) == (0.0, D::Vec::default()))
                && self.is_batched(bodies, pair)
            {
                self.general.swap_remove(i);
                self.insert(bodies, pair, normal, history);
            }
        }
    }

    /// Contacts whose bodies have come apart go back to where they came from.
    pub(crate) fn remove_separated(&mut self, bodies: &Bodies<D>, mut deactivate: impl FnMut(Separated<D>)) {
        self.hand_over_separated(bodies);
        self.changed = true;
        self.batches.part(&mut deactivate);
        let general = &mut self.general;
        for i in (0..general.len()).rev() {
            let ContactGeometry { gap, normal, parted } = general.geometries[i];
            if parted {
                deactivate(Separated { pair: general.pairs[i], gap, direction: normal });
                general.swap_remove(i);
            }
        }
    }

    /// Contacts with features of meshes that have come apart leave their springs to the contacts beside them.
    fn hand_over_separated(&mut self, bodies: &Bodies<D>) {
        let parted = |general: &GeneralContacts<D>, i: usize| {
            general.geometries[i].parted && bodies.features.get(general.pairs[i].b).is_some()
        };
        if !(0..self.general.len()).any(|i| parted(&self.general, i)) {
            return;
        }
        self.sort_by_body(bodies);
        let Self { general, by_body, .. } = self;
        for i in (0..general.len()).rev().filter(|&i| parted(general, i)).collect::<Vec<_>>() {
            let grain = general.pairs[i].a as usize;
            hand_over(bodies, general, i, by_body.in_list(grain, D::ContactBatch::LISTS));
        }
    }

    /// Removes the contacts for which this holds.
    pub(crate) fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool) {
        self.changed = true;
        self.batches.forget(&gone);
        for i in (0..self.general.len()).rev() {
            if gone(&self.general.pairs[i]) {
                self.general.swap_remove(i);
            }
        }
    }

    /// Moves contacts to other slots, given by `renamed`; none for pairs that were removed. Returns the energy that was in the
    /// springs of these.
    pub(crate) fn rename(&mut self, renamed: impl Fn(BodyPair) -> Option<BodyPair>) -> f64 {
        const GONE: BodyPair = BodyPair { a: u32::MAX, b: u32::MAX };
        for pair in self.batches.pairs_mut().chain(&mut self.general.pairs) {
            *pair = renamed(*pair).unwrap_or(GONE);
        }
        let gone = self.pairs().enumerate().filter(|(_, pair)| *pair == GONE);
        let springs: ExactSum = gone.map(|(contact, _)| self.force(contact).elastic).collect();
        self.forget(|pair| *pair == GONE);
        self.by_body.clear();
        springs.value()
    }

    /// Copies of these contacts, by their numbers in ascending order.
    pub(crate) fn copies(&self, contacts: &[usize]) -> (D::ContactBatch, GeneralContacts<D>) {
        let batched = self.batches.len();
        let (batches, general) = contacts.split_at(contacts.partition_point(|&contact| contact < batched));
        let general: Vec<usize> = general.iter().map(|contact| contact - batched).collect();
        (self.batches.copies(batches), self.general.copies(&general))
    }

    /// Adds contacts that another process has had until now; their slots are those of these bodies.
    pub(crate) fn append(
        &mut self,
        batches: &D::ContactBatch,
        general: GeneralContacts<D>,
        bodies: &Bodies<D>,
    ) {
        self.batches.append(batches);
        self.general.append(general);
        self.batches.join(bodies);
        self.by_body.clear();
        self.changed = true;
    }

    /// What contacts with walls do to these: slot of the wall, id of the grain, and the number of the contact.
    pub(crate) fn with_walls(&self, bodies: &Bodies<D>) -> Vec<(u32, u32, Entry)> {
        let mut found = Vec::new();
        for first in (0..bodies.walls).step_by(CHUNK).filter(|&first| self.has_any(first)) {
            for wall in first..bodies.walls.min(first + CHUNK) {
                let entries = self.by_body.entries(wall).iter().zip(self.of_body(wall));
                let grain = |pair: BodyPair| bodies.states[pair.a as usize].id;
                found.extend(entries.map(|(&entry, (pair, _))| (wall as u32, grain(pair), entry)));
            }
        }
        found
    }

    /// What a contact with a wall does to the wall.
    pub(crate) fn wall_row(
        &self,
        entry: Entry,
        wall: &Record<D>,
    ) -> <D::ContactBatch as ContactBatch<D>>::WallRow {
        self.batches.wall_row(entry, &self.general.forces, wall)
    }

    /// Stores all contacts in the order of their bodies, general ones too.
    pub(crate) fn sort_all(&mut self, bodies: &Bodies<D>) {
        let mut order: Vec<usize> = (0..self.general.len()).collect();
        order.sort_unstable_by_key(|&i| (self.general.pairs[i].a, self.general.pairs[i].b));
        self.general = self.general.copies(&order);
        self.sort();
        self.sort_by_body(bodies);
    }

    /// Laws have changed: every contact goes where it can be solved now.
    pub(crate) fn change_laws(&mut self, bodies: &Bodies<D>, laws: &Laws<D>) {
        let Self { batches, general, .. } = self;
        batches.hand_over_all(|pair, normal, history| general.push(pair, normal, history));
        batches.prepare(bodies, laws);
        self.retry_batches(bodies);
        self.changed = true;
    }

    /// Masses of bodies have changed.
    pub(crate) fn update_masses(&mut self, bodies: &Bodies<D>) {
        self.batches.join(bodies);
    }

    /// Stores contacts in the order of their bodies.
    pub(crate) fn sort(&mut self) {
        self.changed = true;
        self.batches.sort();
    }

    /// Sorts contacts by body, if any were added or removed.
    pub(crate) fn sort_by_body(&mut self, bodies: &Bodies<D>) {
        if std::mem::take(&mut self.changed) {
            let lists = self.batches.lists().chain([self.general.pairs.as_slice()]);
            self.by_body.update(bodies.records.len(), lists, |slot| bodies.key(slot));
        }
    }

    /// Adds up the forces on some bodies, of which `first` is the slot of the first.
    #[inline]
    pub(crate) fn gather(&self, first: usize, records: &[Record<D>], states: &mut [State<D>]) {
        let entries = |i| self.by_body.entries(first + i);
        self.batches.gather(entries, &self.general.forces, records, states);
    }

    /// Whether any of the bodies of the chunk that this slot starts has a contact.
    pub(crate) fn has_any(&self, first: usize) -> bool {
        self.by_body.has_any(first)
    }

    /// Memory that it holds (bytes).
    pub(crate) fn memory(&self) -> usize {
        self.batches.memory() + self.general.memory() + self.by_body.memory()
    }
}

/// See [`ContactTable::is_batched`].
fn is_batched<D: Dimension>(batches: &D::ContactBatch, bodies: &Bodies<D>, pair: BodyPair) -> bool {
    bodies.features.get(pair.b).is_none()
        && bodies.surface_motion(pair.b).is_none()
        && batches.takes(bodies, pair)
}

impl ContactTable<Space> {
    /// Replaces all contacts by those that were solved elsewhere, in the order of their bodies.
    pub(crate) fn refill(&mut self, bodies: &Bodies<Space>, told: &[Told<'_>]) {
        self.batches.refill(bodies, told);
        self.changed = true;
        self.sort_by_body(bodies);
    }
}

//! Contacts that a dimension solves many at a time, beside the general ones.

use std::fmt::Debug;

use gritstone_core::{Dim as _, Plane};
use gritstone_force::History;

use crate::bodies::kinematics::Storable;
use crate::bodies::{Bodies, Record, State};
use crate::contacts::by_body::Entry;
use crate::contacts::{BodyPair, ContactForce, Laws, StepStats};
use crate::dimension::Dimension;

/// A contact that has come apart.
#[derive(Clone, Copy, Debug)]
pub struct Separated<D: Dimension> {
    /// Its bodies.
    pub pair: BodyPair,
    /// A lower bound of the gap.
    pub gap: f64,
    /// The direction of that bound.
    pub direction: D::Vec,
}

/// A candidate pair that is due for a proximity test.
#[derive(Clone, Copy, Debug)]
pub struct InactivePair<D: Dimension> {
    /// Its bodies.
    pub pair: BodyPair,
    /// Its direction at its last proximity test; zero before.
    pub direction: D::Vec,
}

/// Result of a proximity test in lanes.
#[derive(Clone, Copy, Debug)]
pub struct GapBound<D: Dimension> {
    /// The gap if it is negative, else a lower bound of it.
    pub gap: f64,
    /// Its direction.
    pub direction: D::Vec,
}

/// Contacts that are solved many at a time. They are numbered; the numbers change when contacts come and go.
pub trait ContactBatch<D: Dimension>: Clone + Debug + Default + Send + Sync + Storable {
    /// Number of lists of contacts: see [`Self::lists`].
    const LISTS: usize;

    /// What a contact with a wall does to the wall.
    type WallRow: Clone + Debug + Storable;

    /// Fills the tables of shapes and laws. To be called first, and after reading a checkpoint.
    fn prepare(&mut self, bodies: &Bodies<D>, laws: &Laws<D>);

    /// Reads the masses of the bodies again. To be called when some have changed.
    fn join(&mut self, bodies: &Bodies<D>);

    /// Puts contacts in the order of their bodies, which may give them other numbers.
    fn sort(&mut self);

    /// Whether a contact of these bodies can be solved here.
    fn takes(&self, bodies: &Bodies<D>, pair: BodyPair) -> bool;

    /// Whether springs of rolling and twisting are kept.
    fn keeps_rolling(&self) -> bool;

    /// Adds a contact that has this direction from a to b.
    fn push(&mut self, bodies: &Bodies<D>, pair: BodyPair, direction: D::Vec, history: &History<D>);

    /// Proximity tests of many pairs at a time; none for pairs that it cannot decide.
    fn test_candidates(&self, _: &Bodies<D>, _: &[InactivePair<D>], _: &mut [Option<GapBound<D>>]) {}

    /// Number of contacts.
    fn len(&self) -> usize;

    /// Memory that it holds (bytes).
    fn memory(&self) -> usize;

    /// Whether every contact has all that belongs to it.
    fn is_whole(&self) -> bool;

    /// The bodies of each contact, to be given new slots.
    fn pairs_mut(&mut self) -> impl Iterator<Item = &mut BodyPair>;

    /// Copies of these contacts, by their numbers in ascending order, with all that is known of them.
    fn copies(&self, contacts: &[usize]) -> Self;

    /// Adds all contacts of another. [`Self::join`] is to be called next.
    fn append(&mut self, others: &Self);

    /// What a contact with a wall does to the wall, in numbers that other processes add up with theirs by [`Self::load_wall`].
    fn wall_row(&self, entry: Entry, general: &[ContactForce<D>], wall: &Record<D>) -> Self::WallRow;

    /// Sums these rows, which are in the order of the grains' keys, as [`Self::gather`] does.
    fn load_wall<'r>(rows: impl Iterator<Item = &'r Self::WallRow>, wall: &Record<D>, state: &mut State<D>)
    where
        Self::WallRow: 'r;

    /// Narrow phase and laws of all contacts. Those that it cannot solve have no force, and are to be handed over.
    fn solve(&mut self, bodies: &Bodies<D>, laws: &Laws<D>, dt: f64) -> StepStats;

    /// Hands over the contacts that could not be solved here.
    fn hand_over(&mut self, take: impl FnMut(BodyPair, D::Vec, History<D>));

    /// Hands over all contacts.
    fn hand_over_all(&mut self, take: impl FnMut(BodyPair, D::Vec, History<D>));

    /// Removes the contacts that have come apart.
    fn part(&mut self, deactivate: impl FnMut(Separated<D>));

    /// Removes the contacts for which this holds.
    fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool);

    /// The bodies of each contact, in several lists.
    fn lists(&self) -> impl Iterator<Item = &[BodyPair]> + Clone;

    /// Adds up the forces on some bodies. Entries name the contacts of a body; their lists are those of [`Self::lists`], and
    /// after them the general contacts.
    fn gather<'e>(
        &self,
        entries: impl Fn(usize) -> &'e [Entry],
        general: &[ContactForce<D>],
        records: &[Record<D>],
        states: &mut [State<D>],
    ) {
        for (i, (state, body)) in states.iter_mut().zip(records).enumerate() {
            let (mut force, mut torque, mut dissipated) = (D::Vec::default(), D::Spin::default(), 0.0);
            for entry in entries(i) {
                let row = &general[entry.index()];
                let moment = D::moment(row.point - body.position, row.force) + row.torque;
                force += row.force * entry.sign();
                torque += moment * entry.sign();
                dissipated += 0.5 * row.dissipated;
            }
            (state.force, state.torque) = (force, torque);
            state.dissipated += dissipated;
            state.dissipated_last = dissipated;
        }
    }

    /// The bodies of a contact.
    fn pair(&self, contact: usize) -> BodyPair;

    /// The force of a contact.
    fn force(&self, contact: usize) -> ContactForce<D>;

    /// Gap and direction of a contact.
    fn geometry(&self, contact: usize) -> (f64, D::Vec);
}

/// The plane has only general contacts.
impl ContactBatch<Plane> for () {
    const LISTS: usize = 0;

    /// Force, moment about the wall's origin, and energy dissipated.
    type WallRow = (glam::DVec2, f64, f64);

    fn prepare(&mut self, _: &Bodies<Plane>, _: &Laws<Plane>) {}

    fn join(&mut self, _: &Bodies<Plane>) {}

    fn sort(&mut self) {}

    fn takes(&self, _: &Bodies<Plane>, _: BodyPair) -> bool {
        false
    }

    fn keeps_rolling(&self) -> bool {
        false
    }

    fn push(&mut self, _: &Bodies<Plane>, _: BodyPair, _: glam::DVec2, _: &History<Plane>) {}

    fn len(&self) -> usize {
        0
    }

    fn memory(&self) -> usize {
        0
    }

    fn is_whole(&self) -> bool {
        true
    }

    fn pairs_mut(&mut self) -> impl Iterator<Item = &mut BodyPair> {
        std::iter::empty()
    }

    fn copies(&self, _: &[usize]) -> Self {}

    fn append(&mut self, (): &Self) {}

    fn wall_row(&self, entry: Entry, general: &[ContactForce<Plane>], wall: &Record<Plane>) -> Self::WallRow {
        let ContactForce { force, point, torque, dissipated, .. } = general[entry.index()];
        (force, Plane::moment(point - wall.position, force) + torque, dissipated)
    }

    fn load_wall<'r>(
        rows: impl Iterator<Item = &'r Self::WallRow>,
        _: &Record<Plane>,
        state: &mut State<Plane>,
    ) {
        let (mut force, mut torque, mut all) = (glam::DVec2::ZERO, 0.0, 0.0);
        for (push, moment, dissipated) in rows {
            force += *push;
            torque += moment;
            all += 0.5 * dissipated;
        }
        (state.force, state.torque) = (force, torque);
        state.dissipated += all;
        state.dissipated_last = all;
    }

    fn solve(&mut self, _: &Bodies<Plane>, _: &Laws<Plane>, _: f64) -> StepStats {
        StepStats::default()
    }

    fn hand_over(&mut self, _: impl FnMut(BodyPair, glam::DVec2, History<Plane>)) {}

    fn hand_over_all(&mut self, _: impl FnMut(BodyPair, glam::DVec2, History<Plane>)) {}

    fn part(&mut self, _: impl FnMut(Separated<Plane>)) {}

    fn forget(&mut self, _: impl Fn(&BodyPair) -> bool) {}

    fn lists(&self) -> impl Iterator<Item = &[BodyPair]> + Clone {
        std::iter::empty()
    }

    fn pair(&self, _: usize) -> BodyPair {
        BodyPair { a: 0, b: 0 }
    }

    fn force(&self, _: usize) -> ContactForce<Plane> {
        ContactForce::default()
    }

    fn geometry(&self, _: usize) -> (f64, glam::DVec2) {
        (0.0, glam::DVec2::ZERO)
    }
}

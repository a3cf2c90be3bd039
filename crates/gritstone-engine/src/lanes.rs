//! Contacts of smooth grains, eight at a time.
//!
//! **Idea.** Most contacts of a bed hardly change from step to step, and the [narrow phase in
//! lanes](gritstone_contact::space::lanes) solves and certifies them with one evaluation from the last step. The law is applied
//! in the same registers, and one row of eight numbers is written. Contacts that cannot be certified there (flat or pointed,
//! too deep, too fast) move to the general list, for as long as they last.

mod block;
mod body;
mod bucket;
mod effective_radius;
mod gather;
mod kernel;
mod kinds;
mod motion;
mod portable;
mod proximity;
mod rocking;
#[cfg(test)]
mod tests;
mod turning;

use glam::DVec3;
use gritstone_contact::space::lanes::{
    EllipsoidPairs, EllipsoidsOnHalfSpaces, PairClass, QuarticPairs, ShapeTables, SpherePairs,
    SpheresOnHalfSpaces, SuperellipsoidPairs, SuperellipsoidsOnHalfSpaces,
};
use gritstone_core::Space;
use gritstone_core::lanes::Row;
use gritstone_force::History;
use gritstone_shape::Support;
use serde::{Deserialize, Serialize};

use self::block::{FirstGeometry, PairConstants};
use self::bucket::{AnyBucket, Bucket};
use self::kernel::Common;
use self::proximity::ProximityTest;
use crate::bodies::{Bodies, Record, State};
use crate::contacts::batch::{ContactBatch, GapBound, InactivePair, Separated};
use crate::contacts::by_body::Entry;
use crate::contacts::{BodyPair, ContactForce, Laws, StepStats};

pub(crate) use self::motion::advance;
pub use self::portable::PortableContact;
pub(crate) use self::portable::Told;

/// Contacts in lanes, by the kinds of their bodies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LaneContacts {
    spheres: Bucket<SpherePairs>,
    spheres_on_half_spaces: Bucket<SpheresOnHalfSpaces>,
    ellipsoids: Bucket<EllipsoidPairs>,
    ellipsoids_on_half_spaces: Bucket<EllipsoidsOnHalfSpaces>,
    quartics: Bucket<QuarticPairs>,
    superellipsoids: Bucket<SuperellipsoidPairs>,
    superellipsoids_on_half_spaces: Bucket<SuperellipsoidsOnHalfSpaces>,
    #[serde(skip)]
    tables: Tables,
}

/// Does the same with every bucket, in order.
macro_rules! every {
    ($contacts:ident, $bucket:ident => $do:expr) => {{
        let $bucket = &mut $contacts.spheres;
        $do;
        let $bucket = &mut $contacts.spheres_on_half_spaces;
        $do;
        let $bucket = &mut $contacts.ellipsoids;
        $do;
        let $bucket = &mut $contacts.ellipsoids_on_half_spaces;
        $do;
        let $bucket = &mut $contacts.quartics;
        $do;
        let $bucket = &mut $contacts.superellipsoids;
        $do;
        let $bucket = &mut $contacts.superellipsoids_on_half_spaces;
        $do;
    }};
}

/// Does the same with every bucket of one and the bucket of the same kind of the other, in order.
macro_rules! every_two {
    ($to:ident, $from:ident, ($a:ident, $b:ident) => $do:expr) => {
        every_two!(@ $to, $from, $a, $b, $do, spheres, spheres_on_half_spaces, ellipsoids, ellipsoids_on_half_spaces,
            quartics, superellipsoids, superellipsoids_on_half_spaces)
    };
    (@ $to:ident, $from:ident, $a:ident, $b:ident, $do:expr, $($bucket:ident),*) => {{
        $(
            let ($a, $b) = (&mut $to.$bucket, &$from.$bucket);
            $do;
        )*
    }};
}

/// Asks the bucket that has a contact.
macro_rules! ask {
    ($contacts:ident, $contact:ident, $method:ident) => {{
        let mut contact = $contact;
        let LaneContacts { spheres, spheres_on_half_spaces, ellipsoids, ellipsoids_on_half_spaces, quartics, superellipsoids, superellipsoids_on_half_spaces, .. } = $contacts;
        ask!(@ contact, $method, spheres, spheres_on_half_spaces, ellipsoids, ellipsoids_on_half_spaces, quartics, superellipsoids);
        superellipsoids_on_half_spaces.$method(contact)
    }};
    (@ $contact:ident, $method:ident, $($bucket:ident),*) => {
        $(
            if $contact < $bucket.len() {
                return $bucket.$method($contact);
            }
            $contact -= $bucket.len();
        )*
    };
}

/// Tables that solvers and laws read.
#[derive(Clone, Debug, Default)]
struct Tables {
    shapes: ShapeTables,
    /// Of every pair of materials, and whether laws in lanes can do what it does.
    laws: Vec<Row>,
    takes: Vec<bool>,
    /// Coefficients of rolling and twisting resistance of every pair of materials; empty where there are none.
    resistances: Vec<Row>,
    materials: usize,
}

/// What does not change while two bodies touch; `materials` is the number of those.
fn pair_constants(bodies: &Bodies<Space>, materials: usize, pair: BodyPair) -> PairConstants {
    let [a, b] = [pair.a, pair.b].map(|slot| &bodies.records[slot as usize]);
    let by_mass = 1.0 / a.mass + 1.0 / b.mass;
    let mass = if by_mass > 0.0 { 1.0 / by_mass } else { 0.0 };
    let law = u32::from(a.material) * materials as u32 + u32::from(b.material);
    PairConstants {
        mass,
        radius: gritstone_force::radius::from_radii(a.radius, b.radius),
        rows: [a.shape, b.shape, law],
    }
}

impl LaneContacts {
    /// Goes through the buckets in order.
    fn each<T>(&self, start: T, next: impl Fn(T, &dyn AnyBucket) -> T) -> T {
        let buckets: [&dyn AnyBucket; 7] = [
            &self.spheres,
            &self.spheres_on_half_spaces,
            &self.ellipsoids,
            &self.ellipsoids_on_half_spaces,
            &self.quartics,
            &self.superellipsoids,
            &self.superellipsoids_on_half_spaces,
        ];
        buckets.into_iter().fold(start, next)
    }

    /// The number of the first contact of every bucket.
    fn starts(&self) -> Vec<usize> {
        let starts = |mut starts: Vec<usize>, bucket: &dyn AnyBucket| {
            starts.push(starts.last().map_or(0, |last| *last) + bucket.len());
            starts
        };
        self.each(vec![0], starts)
    }

    /// The rows of every bucket.
    fn all_rows(&self) -> [&[kernel::Line]; 7] {
        [
            self.spheres.rows(),
            self.spheres_on_half_spaces.rows(),
            self.ellipsoids.rows(),
            self.ellipsoids_on_half_spaces.rows(),
            self.quartics.rows(),
            self.superellipsoids.rows(),
            self.superellipsoids_on_half_spaces.rows(),
        ]
    }
}

impl ContactBatch<Space> for LaneContacts {
    const LISTS: usize = 7;

    type WallRow = Row;

    fn prepare(&mut self, bodies: &Bodies<Space>, laws: &Laws<Space>) {
        let numbers = laws.for_batches();
        self.tables = Tables {
            shapes: ShapeTables::new(bodies.shapes.iter().map(|record| &record.shape)),
            takes: numbers.iter().map(Option::is_some).collect(),
            laws: numbers.into_iter().map(Option::unwrap_or_default).collect(),
            resistances: laws.resistances_for_batches(),
            materials: laws.materials(),
        };
        let resists = self.keeps_rolling();
        every!(self, bucket => bucket.restore(resists));
        self.join(bodies);
    }

    fn join(&mut self, bodies: &Bodies<Space>) {
        let materials = self.tables.materials;
        every!(self, bucket => bucket.set_constants(|pair| pair_constants(bodies, materials, pair)));
    }

    fn sort(&mut self) {
        every!(self, bucket => bucket.sort());
    }

    fn takes(&self, bodies: &Bodies<Space>, pair: BodyPair) -> bool {
        let Tables { shapes, takes, materials, .. } = &self.tables;
        let PairConstants { rows: [a, b, law], .. } = pair_constants(bodies, *materials, pair);
        takes[law as usize] && shapes.class([a, b]).is_some()
    }

    fn keeps_rolling(&self) -> bool {
        !self.tables.resistances.is_empty()
    }

    fn push(&mut self, bodies: &Bodies<Space>, pair: BodyPair, direction: DVec3, history: &History<Space>) {
        let constants = pair_constants(bodies, self.tables.materials, pair);
        let [a, b, _] = constants.rows;
        let first = FirstGeometry { normal: direction, points: [DVec3::ZERO; 2] };
        match self.tables.shapes.class([a, b]) {
            Some(PairClass::Spheres) => self.spheres.push(pair, constants, first, history),
            Some(PairClass::SpheresOnHalfSpaces) => {
                self.spheres_on_half_spaces.push(pair, constants, first, history);
            }
            Some(PairClass::Ellipsoids) => self.ellipsoids.push(pair, constants, first, history),
            Some(PairClass::EllipsoidsOnHalfSpaces) => {
                self.ellipsoids_on_half_spaces.push(pair, constants, first, history);
            }
            Some(PairClass::Quartics) => {
                let points = [(pair.a, direction), (pair.b, -direction)].map(|(slot, direction)| {
                    let body = bodies.placed(slot);
                    body.shape.support(body.pose.rotation.conjugate() * direction)
                });
                self.quartics.push(pair, constants, FirstGeometry { points, ..first }, history);
            }
            // Callers have asked whether a solver takes the pair.
            Some(PairClass::Superellipsoids) | None => {
                self.superellipsoids.push(pair, constants, first, history);
            }
            Some(PairClass::SuperellipsoidsOnHalfSpaces) => {
                self.superellipsoids_on_half_spaces.push(pair, constants, first, history);
            }
        }
    }

    fn test_candidates(
        &self,
        bodies: &Bodies<Space>,
        candidates: &[InactivePair<Space>],
        bounds: &mut [Option<GapBound<Space>>],
    ) {
        let tables = &self.tables.shapes;
        PairClass::visit_all(&mut ProximityTest { records: &bodies.records, tables, candidates, bounds });
    }

    fn len(&self) -> usize {
        self.each(0, |sum, bucket| sum + bucket.len())
    }

    fn memory(&self) -> usize {
        self.each(0, |sum, bucket| sum + bucket.memory())
    }

    fn is_whole(&self) -> bool {
        self.each(true, |all, bucket| all && bucket.is_whole())
    }

    fn pairs_mut(&mut self) -> impl Iterator<Item = &mut BodyPair> {
        let spheres = self.spheres.pairs_mut().iter_mut().chain(self.spheres_on_half_spaces.pairs_mut());
        let ellipsoids =
            self.ellipsoids.pairs_mut().iter_mut().chain(self.ellipsoids_on_half_spaces.pairs_mut());
        let superellipsoids = self.quartics.pairs_mut().iter_mut().chain(self.superellipsoids.pairs_mut());
        spheres
            .chain(ellipsoids)
            .chain(superellipsoids)
            .chain(self.superellipsoids_on_half_spaces.pairs_mut())
    }

    fn copies(&self, contacts: &[usize]) -> Self {
        let mut copies = Self::default();
        let mut numbers = contacts.iter().copied().peekable();
        let starts = self.starts();
        let mut buckets = starts.iter();
        every_two!(copies, self, (to, from) => {
            let start = buckets.next().map_or(0, |start| *start);
            while let Some(contact) = numbers.next_if(|contact| *contact < start + from.len()) {
                to.push_copy(from, contact - start);
            }
        });
        copies
    }

    fn append(&mut self, others: &Self) {
        every_two!(self, others, (to, from) => (0..from.len()).for_each(|contact| to.push_copy(from, contact)));
    }

    fn wall_row(&self, entry: Entry, general: &[ContactForce<Space>], _: &Record<Space>) -> Row {
        let rows = self.all_rows();
        match rows.get(entry.list()) {
            Some(rows) => rows[entry.index()].0,
            None => gather::about_origin(&general[entry.index()]),
        }
    }

    fn load_wall<'r>(rows: impl Iterator<Item = &'r Row>, wall: &Record<Space>, state: &mut State<Space>) {
        gather::load_wall(rows, wall, state);
    }

    fn solve(&mut self, bodies: &Bodies<Space>, laws: &Laws<Space>, dt: f64) -> StepStats {
        let Tables { shapes, laws: numbers, resistances, .. } = &self.tables;
        let common = |class| Common {
            records: &bodies.records,
            shapes: shapes.rows(class),
            laws: numbers,
            resistances,
            inertias: &bodies.inertias,
            radius: laws.rules().radius,
            dt,
        };
        self.spheres
            .solve(common(PairClass::Spheres))
            .add(&self.spheres_on_half_spaces.solve(common(PairClass::SpheresOnHalfSpaces)))
            .add(&self.ellipsoids.solve(common(PairClass::Ellipsoids)))
            .add(&self.ellipsoids_on_half_spaces.solve(common(PairClass::EllipsoidsOnHalfSpaces)))
            .add(&self.quartics.solve(common(PairClass::Quartics)))
            .add(&self.superellipsoids.solve(common(PairClass::Superellipsoids)))
            .add(&self.superellipsoids_on_half_spaces.solve(common(PairClass::SuperellipsoidsOnHalfSpaces)))
    }

    fn hand_over(&mut self, mut take: impl FnMut(BodyPair, DVec3, History<Space>)) {
        every!(self, bucket => bucket.hand_over(&mut take));
    }

    fn hand_over_all(&mut self, mut take: impl FnMut(BodyPair, DVec3, History<Space>)) {
        every!(self, bucket => bucket.mark_all());
        self.hand_over(&mut take);
    }

    fn part(&mut self, mut deactivate: impl FnMut(Separated<Space>)) {
        every!(self, bucket => bucket.part(&mut deactivate));
    }

    fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool) {
        every!(self, bucket => bucket.forget(&gone));
    }

    fn lists(&self) -> impl Iterator<Item = &[BodyPair]> + Clone {
        let spheres = [self.spheres.pair(), self.spheres_on_half_spaces.pair()];
        let ellipsoids = [self.ellipsoids.pair(), self.ellipsoids_on_half_spaces.pair()];
        let superellipsoids =
            [self.quartics.pair(), self.superellipsoids.pair(), self.superellipsoids_on_half_spaces.pair()];
        spheres.into_iter().chain(ellipsoids).chain(superellipsoids)
    }

    fn gather<'e>(
        &self,
        entries: impl Fn(usize) -> &'e [Entry],
        general: &[ContactForce<Space>],
        records: &[Record<Space>],
        states: &mut [State<Space>],
    ) {
        gather::gather(entries, self.all_rows(), general, records, states);
    }

    fn pair(&self, contact: usize) -> BodyPair {
        ask!(self, contact, pair_of)
    }

    #[inline]
    fn force(&self, contact: usize) -> ContactForce<Space> {
        ask!(self, contact, force)
    }

    fn geometry(&self, contact: usize) -> (f64, DVec3) {
        ask!(self, contact, geometry)
    }
}

//! Contacts in lanes as plain numbers: for whatever makes steps elsewhere.

use glam::DVec3;
use gritstone_contact::space::lanes::PairClass;
use gritstone_core::Space;
use gritstone_core::lanes::{Row, WIDTH};
use gritstone_force::History;
use rayon::prelude::*;

use super::block::{Block, FirstGeometry, WarmStart};
use super::bucket::Bucket;
use super::kernel::Line;
use super::kinds::ContactKind;
use super::{LaneContacts, ShapeTables, pair_constants};
use crate::bodies::Bodies;
use crate::contacts::BodyPair;

/// A contact in plain numbers: normal; its last change, or the bodies' points in their frames; stretch of the tangential spring, stiffness
/// of that, force along the normal, gap, nothing; force on b, its moment about the origin of the world, energy dissipated in the last
/// step, elastic energy; point, nothing.
pub type PortableContact = [f64; PORTABLE];

/// Numbers of a contact, of which the first [`FORCES`] are what the next step starts from.
const PORTABLE: usize = 28;
/// Where the history begins, the forces, and the point at which they act.
const HISTORY: usize = 9;
pub(crate) const FORCES: usize = 16;
const POINT: usize = 24;
/// Classes of pairs in lanes.
pub const LANE_CLASSES: usize = 7;

/// A contact from elsewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'t> {
    pub(crate) pair: BodyPair,
    pub(crate) numbers: &'t PortableContact,
}

impl Told<'_> {
    fn vector(&self, i: usize) -> DVec3 {
        DVec3::from_slice(&self.numbers[i..i + 3])
    }

    fn row(&self) -> Row {
        std::array::from_fn(|i| self.numbers[FORCES + i])
    }
}

impl<W: WarmStart> Block<W> {
    /// The contact of a lane, with its forces.
    fn numbers(&self, lane: usize, row: &Row) -> PortableContact {
        let mut numbers = [0.0; PORTABLE];
        let (history, mut start) = (self.history(lane), self.warm_start_of());
        numbers[0..3].copy_from_slice(&self.normal(lane).to_array());
        if let Some(change) = start.change() {
            numbers[3..6].copy_from_slice(&change.map(|axis| axis[lane]));
        }
        if let Some([a, b]) = start.points() {
            numbers[3..6].copy_from_slice(&a.map(|axis| axis[lane]));
            numbers[6..9].copy_from_slice(&b.map(|axis| axis[lane]));
        }
        numbers[HISTORY..HISTORY + 3].copy_from_slice(&history.slip.to_array());
        numbers[HISTORY + 3..HISTORY + 6].copy_from_slice(&[
            history.stiffness,
            history.normal_force,
            self.gap(lane),
        ]);
        numbers[FORCES..POINT].copy_from_slice(row);
        numbers[POINT..POINT + 3].copy_from_slice(&self.point(lane).to_array());
        numbers
    }

    /// Up to eight contacts.
    fn from_told(bodies: &Bodies<Space>, materials: usize, told: &[Told<'_>]) -> Self {
        let mut block = Self::default();
        for (lane, contact) in told.iter().enumerate() {
            let history = History {
                slip: contact.vector(HISTORY),
                stiffness: contact.numbers[HISTORY + 3],
                normal_force: contact.numbers[HISTORY + 4],
                ..History::default()
            };
            let points = [contact.vector(3), contact.vector(6)];
            let first = FirstGeometry { normal: contact.vector(0), points };
            block.begin(lane, pair_constants(bodies, materials, contact.pair), first, &history);
            block.set_last(lane, points[0], contact.numbers[HISTORY + 5], contact.vector(POINT));
        }
        block
    }
}

impl<K: ContactKind> Bucket<K> {
    /// Adds every contact, with its place as `place` has it.
    fn tell(
        &self,
        place: &(impl Fn(BodyPair) -> u32 + Sync),
        places: &mut Vec<u32>,
        contacts: &mut Vec<PortableContact>,
    ) -> usize {
        places.par_extend(self.pair().par_iter().map(|pair| place(*pair)));
        contacts.par_extend((0..self.len()).into_par_iter().map(|i| {
            let row = self.rows().get(i).copied().unwrap_or_default();
            self.block(i / WIDTH).numbers(i % WIDTH, &row.0)
        }));
        self.len()
    }

    fn clear(&mut self) {
        self.replace(Vec::new(), Vec::new(), Vec::new());
    }

    fn refill(&mut self, bodies: &Bodies<Space>, materials: usize, told: &[Told<'_>]) {
        let pair = told.par_iter().map(|contact| contact.pair).collect();
        let blocks = told.par_chunks(WIDTH).map(|told| Block::from_told(bodies, materials, told)).collect();
        let rows = told.par_iter().map(|contact| Line(contact.row())).collect();
        self.replace(pair, blocks, rows);
    }
}

impl LaneContacts {
    /// Tables of the shapes, by index.
    pub(crate) fn shapes(&self) -> &ShapeTables {
        &self.tables.shapes
    }

    /// Rows of laws, one for each pair of materials; the first number is none where lanes cannot do what the pair does.
    pub(crate) fn laws_or_none(&self) -> Vec<Row> {
        let mut laws = self.tables.laws.clone();
        let taken = laws.iter_mut().zip(&self.tables.takes);
        taken.filter(|(_, takes)| !**takes).for_each(|(law, _)| law[0] = f64::NAN);
        laws
    }

    /// Forgets all contacts.
    pub(crate) fn clear(&mut self) {
        self.spheres.clear();
        self.spheres_on_half_spaces.clear();
        self.ellipsoids.clear();
        self.ellipsoids_on_half_spaces.clear();
        self.quartics.clear();
        self.superellipsoids.clear();
        self.superellipsoids_on_half_spaces.clear();
    }

    /// Every contact: how many there are of each class of pairs, which come in this order.
    pub(crate) fn tell(
        &self,
        place: &(impl Fn(BodyPair) -> u32 + Sync),
        places: &mut Vec<u32>,
        contacts: &mut Vec<PortableContact>,
    ) -> [usize; LANE_CLASSES] {
        [
            self.spheres.tell(place, places, contacts),
            self.spheres_on_half_spaces.tell(place, places, contacts),
            self.ellipsoids.tell(place, places, contacts),
            self.ellipsoids_on_half_spaces.tell(place, places, contacts),
            self.quartics.tell(place, places, contacts),
            self.superellipsoids.tell(place, places, contacts),
            self.superellipsoids_on_half_spaces.tell(place, places, contacts),
        ]
    }

    /// Replaces all contacts by these, in the order of their bodies.
    pub(crate) fn refill(&mut self, bodies: &Bodies<Space>, told: &[Told<'_>]) {
        let materials = self.tables.materials;
        let class = |told: &Told<'_>| {
            let shapes = [told.pair.a, told.pair.b].map(|slot| bodies.records[slot as usize].shape);
            self.tables.shapes.class(shapes)
        };
        let classes: Vec<Option<PairClass>> = told.par_iter().map(class).collect();
        let of = |class: PairClass| -> Vec<Told<'_>> {
            let all = told.iter().zip(&classes);
            all.filter(|(_, known)| **known == Some(class)).map(|(told, _)| *told).collect()
        };
        self.spheres.refill(bodies, materials, &of(PairClass::Spheres));
        self.spheres_on_half_spaces.refill(bodies, materials, &of(PairClass::SpheresOnHalfSpaces));
        self.ellipsoids.refill(bodies, materials, &of(PairClass::Ellipsoids));
        self.ellipsoids_on_half_spaces.refill(bodies, materials, &of(PairClass::EllipsoidsOnHalfSpaces));
        self.quartics.refill(bodies, materials, &of(PairClass::Quartics));
        self.superellipsoids.refill(bodies, materials, &of(PairClass::Superellipsoids));
        self.superellipsoids_on_half_spaces.refill(
            bodies,
            materials,
            &of(PairClass::SuperellipsoidsOnHalfSpaces),
        );
    }
}

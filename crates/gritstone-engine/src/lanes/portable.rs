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

/// A contact in plain numbers: normal, its last change, stretch of the tangential spring, stiffness of that, force along the normal, gap,
/// point, nothing; force on b, its moment about the origin of the world, energy dissipated in the last step, elastic energy.
pub type PortableContact = [f64; 24];

/// Where the forces of a contact begin.
const FORCES: usize = 16;

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
        let mut numbers = [0.0; 24];
        let history = self.history(lane);
        let change = self.warm_start_of().change().map_or([0.0; 3], |change| change.map(|axis| axis[lane]));
        numbers[0..3].copy_from_slice(&self.normal(lane).to_array());
        numbers[3..6].copy_from_slice(&change);
        numbers[6..9].copy_from_slice(&history.slip.to_array());
        numbers[9..12].copy_from_slice(&[history.stiffness, history.normal_force, self.gap(lane)]);
        numbers[12..15].copy_from_slice(&self.point(lane).to_array());
        numbers[FORCES..].copy_from_slice(row);
        numbers
    }

    /// Up to eight contacts.
    fn from_told(bodies: &Bodies<Space>, materials: usize, told: &[Told<'_>]) -> Self {
        let mut block = Self::default();
        for (lane, contact) in told.iter().enumerate() {
            let history = History {
                slip: contact.vector(6),
                stiffness: contact.numbers[9],
                normal_force: contact.numbers[10],
                ..History::default()
            };
            let first = FirstGeometry { normal: contact.vector(0), points: [DVec3::ZERO; 2] };
            block.begin(lane, pair_constants(bodies, materials, contact.pair), first, &history);
            block.set_last(lane, contact.vector(3), contact.numbers[11], contact.vector(12));
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

    /// Rows of laws, one for each pair of materials.
    pub(crate) fn laws(&self) -> &[Row] {
        &self.tables.laws
    }

    /// Every contact of spheres and ellipsoids, with each other and with half-spaces: how many there are of spheres, spheres on half-spaces,
    /// ellipsoids, ellipsoids on half-spaces, which come in this order.
    pub(crate) fn tell(
        &self,
        place: &(impl Fn(BodyPair) -> u32 + Sync),
        places: &mut Vec<u32>,
        contacts: &mut Vec<PortableContact>,
    ) -> [usize; 4] {
        [
            self.spheres.tell(place, places, contacts),
            self.spheres_on_half_spaces.tell(place, places, contacts),
            self.ellipsoids.tell(place, places, contacts),
            self.ellipsoids_on_half_spaces.tell(place, places, contacts),
        ]
    }

    /// Whether there are no contacts of other classes.
    pub(crate) fn can_be_told(&self) -> bool {
        self.quartics.len() + self.superellipsoids.len() + self.superellipsoids_on_half_spaces.len() == 0
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
    }
}

//! Contacts of smooth grains, eight at a time.
//!
//! **Idea.** Most contacts of a bed hardly change from step to step. One evaluation of the support functions at the
//! predicted direction, taken to second order, gives gap, normal and points ([`ellipsoids`]); the law follows in the same
//! registers, and one row of eight numbers goes out. Contacts that need more than that (flat or pointed there, too deep, too
//! fast, not certified) are handed over to the general list, for as long as they last.
//!
//! **Certificate.** A ball of radius ρ rolls inside a body whose radii of curvature are all at least ρ: the body is a smaller
//! convex body with that ball added all around. Two bodies that overlap by less than ρ_a + ρ_b are therefore two smaller ones
//! that are *apart*, with the same directions; and for bodies apart a stationary direction is the only one. With g the
//! evaluated value and d_t the distance of the support points across c, the signed distance lies between g and
//! `√((g + ρ)² + |d_t|²) − ρ`, in every step and for nothing.

mod block;
mod body;
mod bucket;
mod ellipsoids;
mod found;
mod kernel;
mod motion;
mod planes;
#[cfg(test)]
mod tests;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_force::History;
use gritstone_shape::space::Solid;
use serde::{Deserialize, Serialize};

use self::bucket::Bucket;
use self::ellipsoids::EllipsoidPairs;
use self::found::Wanted;
use self::kernel::{Common, LaneRow};
use self::planes::EllipsoidsOnPlanes;
use crate::bodies::Bodies;
use crate::contacts::{Ends, Laws, Row, Tally};
use crate::realm::swift::{Parted, Swift};
use crate::setup::{FlatRule, RadiusRule};

pub(crate) use self::motion::{advance, kick};

/// Contacts in lanes, by the kinds of their bodies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LaneContacts {
    pairs: Bucket<EllipsoidPairs>,
    planes: Bucket<EllipsoidsOnPlanes>,
    #[serde(skip)]
    tables: Tables,
}

/// What lanes look up.
#[derive(Clone, Debug, Default)]
struct Tables {
    kinds: Vec<Kind>,
    /// Of every shape: see its kind's file.
    shapes: Vec<LaneRow>,
    /// Of every pair of materials; empty if lanes cannot do what one of them does.
    laws: Vec<LaneRow>,
}

/// How lanes see a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ellipsoid,
    Plane,
    Other,
}

fn kind_of(shape: &Solid) -> (Kind, LaneRow) {
    if let Some(numbers) = ellipsoids::numbers(shape) {
        (Kind::Ellipsoid, numbers)
    } else if let Some(numbers) = planes::numbers(shape) {
        (Kind::Plane, numbers)
    } else {
        (Kind::Other, LaneRow::default())
    }
}

impl LaneContacts {
    fn kind(&self, bodies: &Bodies<Space>, slot: u32) -> Kind {
        self.tables.kinds[bodies.records[slot as usize].shape as usize]
    }

    /// Gives away all contacts.
    #[cfg(test)]
    fn give_all(&mut self, mut take: impl FnMut(Ends, DVec3, History<Space>)) {
        self.pairs.mark_all();
        self.planes.mark_all();
        self.hand_over(&mut take);
    }
}

impl Swift<Space> for LaneContacts {
    fn prepare(&mut self, bodies: &Bodies<Space>, laws: &Laws) {
        let (kinds, shapes) = bodies.shapes.iter().map(|record| kind_of(&record.shape)).unzip();
        self.tables = Tables { kinds, shapes, laws: laws.for_lanes() };
        self.pairs.restore();
        self.planes.restore();
    }

    fn takes(&self, bodies: &Bodies<Space>, ends: Ends) -> bool {
        !self.tables.laws.is_empty()
            && self.kind(bodies, ends.a) == Kind::Ellipsoid
            && self.kind(bodies, ends.b) != Kind::Other
    }

    fn push(&mut self, bodies: &Bodies<Space>, ends: Ends, direction: DVec3) {
        match self.kind(bodies, ends.b) {
            Kind::Plane => self.planes.push(ends, direction),
            _ => self.pairs.push(ends, direction),
        }
    }

    fn len(&self) -> usize {
        self.pairs.len() + self.planes.len()
    }

    fn is_whole(&self) -> bool {
        self.pairs.is_whole() && self.planes.is_whole()
    }

    fn ends(&self) -> impl Iterator<Item = &Ends> + Clone {
        self.pairs.ends().iter().chain(self.planes.ends())
    }

    fn ends_mut(&mut self) -> impl Iterator<Item = &mut Ends> {
        self.pairs.ends_mut().iter_mut().chain(self.planes.ends_mut())
    }

    fn solve(&mut self, bodies: &Bodies<Space>, laws: &Laws, dt: f64) -> Tally {
        let common = Common {
            records: &bodies.records,
            shapes: &self.tables.shapes,
            laws: &self.tables.laws,
            materials: laws.materials(),
            wanted: Wanted {
                curvature: laws.rules().radius == RadiusRule::Curvature,
                patches: laws.rules().flat == FlatRule::Patch,
            },
            dt,
        };
        let pairs = self.pairs.solve(common);
        pairs.add(&self.planes.solve(common))
    }

    fn hand_over(&mut self, mut take: impl FnMut(Ends, DVec3, History<Space>)) {
        self.pairs.hand_over(&mut take);
        self.planes.hand_over(&mut take);
    }

    fn part(&mut self, mut sleep: impl FnMut(Parted<Space>)) {
        self.pairs.part(&mut sleep);
        self.planes.part(&mut sleep);
    }

    fn forget(&mut self, gone: impl Fn(&Ends) -> bool) {
        self.pairs.forget(&gone);
        self.planes.forget(&gone);
    }

    #[inline]
    fn row(&self, contact: usize) -> Row<Space> {
        match contact.checked_sub(self.pairs.len()) {
            None => self.pairs.row(contact),
            Some(contact) => self.planes.row(contact),
        }
    }

    fn finding(&self, contact: usize) -> (f64, DVec3) {
        match contact.checked_sub(self.pairs.len()) {
            None => self.pairs.finding(contact),
            Some(contact) => self.planes.finding(contact),
        }
    }
}

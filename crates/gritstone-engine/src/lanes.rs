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
mod gather;
mod kernel;
mod look;
mod motion;
mod planes;
mod quartic;
mod rolling;
mod spheres;
mod superellipsoids;
#[cfg(test)]
mod tests;
mod turning;

use glam::DVec3;
use gritstone_core::Space;
use gritstone_force::History;
use gritstone_shape::Support;
use gritstone_shape::space::Solid;
use serde::{Deserialize, Serialize};

use self::block::{Beginning, Couple};
use self::bucket::{AnyBucket, Bucket};
use self::ellipsoids::EllipsoidPairs;
use self::found::Wanted;
use self::kernel::{Common, LaneRow};
use self::look::Looks;
use self::planes::EllipsoidsOnPlanes;
use self::quartic::QuarticPairs;
use self::spheres::{SpherePairs, SpheresOnPlanes};
use self::superellipsoids::{SuperellipsoidPairs, SuperellipsoidsOnPlanes};
use crate::bodies::{Bodies, Record, State};
use crate::contacts::batch::{ContactBatch, GapBound, InactivePair, Separated};
use crate::contacts::by_body::Entry;
use crate::contacts::{BodyPair, ContactForce, Laws, StepStats};
use crate::setup::RadiusRule;

pub(crate) use self::motion::advance;

/// Contacts in lanes, by the kinds of their bodies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LaneContacts {
    balls: Bucket<SpherePairs>,
    balls_on_planes: Bucket<SpheresOnPlanes>,
    round: Bucket<EllipsoidPairs>,
    round_on_planes: Bucket<EllipsoidsOnPlanes>,
    quartic: Bucket<QuarticPairs>,
    boxy: Bucket<SuperellipsoidPairs>,
    boxy_on_planes: Bucket<SuperellipsoidsOnPlanes>,
    #[serde(skip)]
    tables: Tables,
}

/// Does the same with every bucket, in order.
macro_rules! every {
    ($contacts:ident, $bucket:ident => $do:expr) => {{
        let $bucket = &mut $contacts.balls;
        $do;
        let $bucket = &mut $contacts.balls_on_planes;
        $do;
        let $bucket = &mut $contacts.round;
        $do;
        let $bucket = &mut $contacts.round_on_planes;
        $do;
        let $bucket = &mut $contacts.quartic;
        $do;
        let $bucket = &mut $contacts.boxy;
        $do;
        let $bucket = &mut $contacts.boxy_on_planes;
        $do;
    }};
}

/// Asks the bucket that has a contact.
macro_rules! ask {
    ($contacts:ident, $contact:ident, $method:ident) => {{
        let mut contact = $contact;
        let LaneContacts { balls, balls_on_planes, round, round_on_planes, quartic, boxy, boxy_on_planes, .. } = $contacts;
        ask!(@ contact, $method, balls, balls_on_planes, round, round_on_planes, quartic, boxy);
        boxy_on_planes.$method(contact)
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

/// What lanes look up.
#[derive(Clone, Debug, Default)]
struct Tables {
    kinds: Vec<Kind>,
    /// Of every shape, for pairs of ellipsoids and for pairs with a superellipsoid: see the files of these.
    round: Vec<[LaneRow; 2]>,
    boxy: Vec<[LaneRow; 2]>,
    /// Of every pair of materials, and whether lanes can do what it does.
    laws: Vec<LaneRow>,
    takes: Vec<bool>,
    materials: usize,
}

/// How lanes see a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ball,
    Round,
    /// A superellipsoid with [fourth powers](quartic).
    Quartic,
    Boxy,
    Plane,
    Other,
}

fn kind_of(shape: &Solid) -> Kind {
    match shape {
        Solid::Sphere(_) => Kind::Ball,
        Solid::Ellipsoid(_) => Kind::Round,
        Solid::Superellipsoid(shape) if quartic::is_quartic(shape) => Kind::Quartic,
        Solid::Superellipsoid(_) => Kind::Boxy,
        Solid::HalfSpace(_) => Kind::Plane,
        Solid::Superquadric(_)
        | Solid::Polyhedron(_)
        | Solid::Cylinder(_)
        | Solid::Capsule(_)
        | Solid::Triangle(_)
        | Solid::Custom(_) => Kind::Other,
    }
}

/// What two bodies have in common; `materials` is the number of those.
fn couple(bodies: &Bodies<Space>, materials: usize, pair: BodyPair) -> Couple {
    let [a, b] = [pair.a, pair.b].map(|slot| &bodies.records[slot as usize]);
    let by_mass = 1.0 / a.mass + 1.0 / b.mass;
    let mass = if by_mass > 0.0 { 1.0 / by_mass } else { 0.0 };
    let law = u32::from(a.material) * materials as u32 + u32::from(b.material);
    Couple {
        mass,
        radius: gritstone_force::radius::from_radii(a.radius, b.radius),
        rows: [a.shape, b.shape, law],
    }
}

impl LaneContacts {
    /// Goes through the buckets in order.
    fn each<T>(&self, start: T, next: impl Fn(T, &dyn AnyBucket) -> T) -> T {
        let buckets: [&dyn AnyBucket; 7] = [
            &self.balls,
            &self.balls_on_planes,
            &self.round,
            &self.round_on_planes,
            &self.quartic,
            &self.boxy,
            &self.boxy_on_planes,
        ];
        buckets.into_iter().fold(start, next)
    }

    fn kind(&self, bodies: &Bodies<Space>, slot: u32) -> Kind {
        self.tables.kinds[bodies.records[slot as usize].shape as usize]
    }
}

impl ContactBatch<Space> for LaneContacts {
    const LISTS: usize = 7;

    fn prepare(&mut self, bodies: &Bodies<Space>, laws: &Laws<Space>) {
        let shapes = || bodies.shapes.iter().map(|record| &record.shape);
        let plane_or =
            |shape, numbers: Option<_>| numbers.or_else(|| planes::numbers(shape)).unwrap_or_default();
        let numbers = laws.for_batches();
        self.tables = Tables {
            kinds: shapes().map(kind_of).collect(),
            round: shapes().map(|shape| plane_or(shape, ellipsoids::numbers(shape))).collect(),
            boxy: shapes().map(|shape| plane_or(shape, superellipsoids::numbers(shape))).collect(),
            takes: numbers.iter().map(Option::is_some).collect(),
            laws: numbers.into_iter().map(Option::unwrap_or_default).collect(),
            materials: laws.materials(),
        };
        every!(self, bucket => bucket.restore());
        self.join(bodies);
    }

    fn join(&mut self, bodies: &Bodies<Space>) {
        let materials = self.tables.materials;
        every!(self, bucket => bucket.join(|pair| couple(bodies, materials, pair)));
    }

    fn sort(&mut self) {
        every!(self, bucket => bucket.sort());
    }

    fn takes(&self, bodies: &Bodies<Space>, pair: BodyPair) -> bool {
        let rolls = |slot| self.tables.boxy[bodies.records[slot as usize].shape as usize][0][3] > 0.0;
        let Couple { rows: [.., law], .. } = couple(bodies, self.tables.materials, pair);
        self.tables.takes[law as usize]
            && match (self.kind(bodies, pair.a), self.kind(bodies, pair.b)) {
                (Kind::Plane | Kind::Other, _) | (_, Kind::Other) => false,
                (_, Kind::Plane) => true,
                // Without a ball that rolls in one of them, nothing can be proven here.
                _ => rolls(pair.a) || rolls(pair.b),
            }
    }

    fn push(&mut self, bodies: &Bodies<Space>, pair: BodyPair, direction: DVec3, history: &History<Space>) {
        let couple = couple(bodies, self.tables.materials, pair);
        let start = Beginning { normal: direction, points: [DVec3::ZERO; 2] };
        match (self.kind(bodies, pair.a), self.kind(bodies, pair.b)) {
            (Kind::Ball, Kind::Ball) => self.balls.push(pair, couple, start, history),
            (Kind::Ball, Kind::Plane) => self.balls_on_planes.push(pair, couple, start, history),
            (Kind::Ball | Kind::Round, Kind::Ball | Kind::Round) => {
                self.round.push(pair, couple, start, history);
            }
            (Kind::Round, Kind::Plane) => self.round_on_planes.push(pair, couple, start, history),
            (Kind::Quartic, Kind::Quartic) => {
                let points = [(pair.a, direction), (pair.b, -direction)].map(|(slot, direction)| {
                    let body = bodies.placed(slot);
                    body.shape.support(body.pose.rotation.conjugate() * direction)
                });
                self.quartic.push(pair, couple, Beginning { normal: direction, points }, history);
            }
            (_, Kind::Plane) => self.boxy_on_planes.push(pair, couple, start, history),
            _ => self.boxy.push(pair, couple, start, history),
        }
    }

    fn look(
        &self,
        bodies: &Bodies<Space>,
        candidates: &[InactivePair<Space>],
        seen: &mut [Option<GapBound<Space>>],
    ) {
        let Tables { kinds, round, boxy, .. } = &self.tables;
        let kinds = |shapes: [u32; 2]| shapes.map(|shape| kinds[shape as usize]);
        let is_round = |kind| matches!(kind, Kind::Ball | Kind::Round);
        let is_boxy = |kind| matches!(kind, Kind::Quartic | Kind::Boxy);
        let mut looks = Looks { records: &bodies.records, candidates, seen };
        looks.at::<SpherePairs>(round, |shapes| kinds(shapes) == [Kind::Ball; 2]);
        looks.at::<SpheresOnPlanes>(round, |shapes| kinds(shapes) == [Kind::Ball, Kind::Plane]);
        looks.at::<EllipsoidPairs>(round, |shapes| {
            let kinds = kinds(shapes);
            kinds.into_iter().all(is_round) && kinds != [Kind::Ball; 2]
        });
        looks.at::<EllipsoidsOnPlanes>(round, |shapes| kinds(shapes) == [Kind::Round, Kind::Plane]);
        looks.at::<SuperellipsoidPairs>(boxy, |shapes| {
            let kinds = kinds(shapes);
            kinds.into_iter().any(is_boxy) && kinds.into_iter().all(|kind| is_boxy(kind) || is_round(kind))
        });
        looks.at::<SuperellipsoidsOnPlanes>(boxy, |shapes| {
            let [a, b] = kinds(shapes);
            is_boxy(a) && b == Kind::Plane
        });
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
        let balls = self.balls.pairs_mut().iter_mut().chain(self.balls_on_planes.pairs_mut());
        let round = self.round.pairs_mut().iter_mut().chain(self.round_on_planes.pairs_mut());
        let boxy = self.quartic.pairs_mut().iter_mut().chain(self.boxy.pairs_mut());
        balls.chain(round).chain(boxy).chain(self.boxy_on_planes.pairs_mut())
    }

    fn solve(&mut self, bodies: &Bodies<Space>, laws: &Laws<Space>, dt: f64) -> StepStats {
        let Tables { round, boxy, laws: numbers, .. } = &self.tables;
        let common = Common {
            records: &bodies.records,
            shapes: round,
            laws: numbers,
            inertias: &bodies.inertias,
            wanted: Wanted {
                curvature: laws.rules().radius == RadiusRule::Curvature,
                patches: laws.rules().flat.has_patches(),
            },
            dt,
        };
        let with_powers = Common { shapes: boxy, ..common };
        self.balls
            .solve(common)
            .add(&self.balls_on_planes.solve(common))
            .add(&self.round.solve(common))
            .add(&self.round_on_planes.solve(common))
            .add(&self.quartic.solve(with_powers))
            .add(&self.boxy.solve(with_powers))
            .add(&self.boxy_on_planes.solve(with_powers))
    }

    fn hand_over(&mut self, mut take: impl FnMut(BodyPair, DVec3, History<Space>)) {
        every!(self, bucket => bucket.hand_over(&mut take));
    }

    fn hand_over_all(&mut self, mut take: impl FnMut(BodyPair, DVec3, History<Space>)) {
        every!(self, bucket => bucket.mark_all());
        self.hand_over(&mut take);
    }

    fn part(&mut self, mut sleep: impl FnMut(Separated<Space>)) {
        every!(self, bucket => bucket.part(&mut sleep));
    }

    fn forget(&mut self, gone: impl Fn(&BodyPair) -> bool) {
        every!(self, bucket => bucket.forget(&gone));
    }

    fn lists(&self) -> impl Iterator<Item = &[BodyPair]> + Clone {
        let balls = [self.balls.pair(), self.balls_on_planes.pair()];
        let round = [self.round.pair(), self.round_on_planes.pair()];
        let boxy = [self.quartic.pair(), self.boxy.pair(), self.boxy_on_planes.pair()];
        balls.into_iter().chain(round).chain(boxy)
    }

    fn gather<'e>(
        &self,
        entries: impl Fn(usize) -> &'e [Entry],
        general: &[ContactForce<Space>],
        records: &[Record<Space>],
        states: &mut [State<Space>],
    ) {
        let rows = [
            self.balls.rows(),
            self.balls_on_planes.rows(),
            self.round.rows(),
            self.round_on_planes.rows(),
            self.quartic.rows(),
            self.boxy.rows(),
            self.boxy_on_planes.rows(),
        ];
        gather::gather(entries, rows, general, records, states);
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

//! Contacts followed by one evaluation, in lanes.
//!
//! As the scalar [`follow`](crate::space::follow()): eight pairs are evaluated at a time; those whose error is too large
//! are gathered for another evaluation, again eight at a time; what is left then is solved.

use glam::DVec3;
use gritstone_core::Contact;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, Vec3, WIDTH};

use super::contacts::Contacts;
use super::kind::{Gathered, Kind, Pairs, Tangential};
use super::rows::Rows;
use super::step::{solve, square};
use super::{BatchScratch, Grains, PairList, Unfinished};
use crate::space::Pair;
use crate::space::follow::{EVALUATIONS, Followed, LARGEST_CHANGE, LARGEST_TURN, solve_fully};

/// Follows every pair from its direction in `pairs.start`; `contacts` are in the order of the pairs.
///
/// # Panics
///
/// If a pair names a grain that does not exist, or has no direction.
pub fn follow<G: Grains>(
    grains: &G,
    pairs: &PairList,
    tolerance: f64,
    scratch: &mut BatchScratch,
    contacts: &mut Vec<Followed>,
) {
    follow_on(Backend::best(), grains, pairs, tolerance, scratch, contacts);
}

/// [`follow`] with this instruction set.
///
/// # Panics
///
/// As [`follow`].
pub fn follow_on<G: Grains>(
    backend: Backend,
    grains: &G,
    pairs: &PairList,
    tolerance: f64,
    scratch: &mut BatchScratch,
    contacts: &mut Vec<Followed>,
) {
    let BatchScratch { unfinished, again, .. } = scratch;
    unfinished.clear();
    again.clear();
    again.extend(
        pairs.start[..pairs.len()].iter().enumerate().map(|(pair, &start)| Unfinished { pair, start }),
    );
    contacts.resize(pairs.len(), PENDING);
    for evaluations in 1..=EVALUATIONS {
        let last = evaluations == EVALUATIONS;
        let round = Round { grains, pairs, tolerance, evaluations, last, items: again, contacts, unfinished };
        let waiting = backend.run(round);
        again.truncate(waiting);
        if waiting == 0 {
            break;
        }
    }
    for rest in unfinished.iter() {
        let [a, b] = [pairs.a[rest.pair], pairs.b[rest.pair]].map(|grain| grain as usize);
        let pair = Pair::new(grains.shape(a), &grains.pose(a), grains.shape(b), &grains.pose(b));
        contacts[rest.pair] = solve_fully(&pair, rest.start, contacts[rest.pair].evaluations);
    }
}

/// Stands in a contact's place until it is there.
const PENDING: Followed = Followed {
    contact: Contact {
        point_a: DVec3::ZERO,
        point_b: DVec3::ZERO,
        normal: DVec3::ZERO,
        gap: f64::NAN,
        curvature: [f64::NAN; 2],
    },
    error: f64::INFINITY,
    evaluations: 0,
};

/// One evaluation of a list of pairs.
struct Round<'a, K> {
    grains: &'a K,
    pairs: &'a PairList,
    tolerance: f64,
    /// Evaluations so far, this one included.
    evaluations: u32,
    last: bool,
    /// Pairs with their directions; those that need another evaluation move to the front.
    items: &'a mut [Unfinished],
    contacts: &'a mut [Followed],
    /// Pairs that must be solved fully.
    unfinished: &'a mut Vec<Unfinished>,
}

impl<K: Kind> Kernel for Round<'_, K> {
    /// How many pairs need another evaluation.
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(mut self) -> usize {
        let mut waiting = 0;
        let mut first = 0;
        while first < self.items.len() {
            waiting = self.block::<L>(first, waiting);
            first += WIDTH;
        }
        waiting
    }
}

impl<K: Kind> Round<'_, K> {
    /// Evaluates eight pairs, from item `first` on. Returns how many wait by now for another evaluation.
    #[inline(always)]
    fn block<L: Lanes>(&mut self, first: usize, mut waiting: usize) -> usize {
        let count = (self.items.len() - first).min(WIDTH);
        let (mut columns, mut directions) = ([[0; WIDTH]; 2], Rows::<3>::ZERO);
        for lane in 0..WIDTH {
            let item = &self.items[first + lane.min(count - 1)];
            columns[0][lane] = self.pairs.a[item.pair] as usize;
            columns[1][lane] = self.pairs.b[item.pair] as usize;
            for (row, number) in directions.0.iter_mut().zip(item.start.to_array()) {
                row[lane] = number;
            }
        }
        let Gathered { pairs, frame, .. } = self.grains.gather::<L>(&columns);
        let c = directions.read().vec3();
        let c = match &frame {
            Some(frame) => frame.undo(c).renormalized(),
            None => c,
        };
        let (contacts, error, go_on) = extrapolate(&pairs, c);
        let (contacts, error) = (contacts.in_world(frame.as_ref()).to_rows(), error.to_array());
        let enough = (L::load(&error).le(L::splat(self.tolerance) * pairs.scale().0)).bits();
        for lane in 0..count {
            let pair = self.items[first + lane].pair;
            let contact = contacts.contact(lane, self.grains.centre(columns[0][lane]));
            self.contacts[pair] = Followed { contact, error: error[lane], evaluations: self.evaluations };
            if enough >> lane & 1 == 1 {
                continue;
            }
            if self.last || go_on >> lane & 1 == 0 {
                self.unfinished.push(Unfinished { pair, start: contacts.direction(lane) });
            } else {
                self.items[waiting] = Unfinished { pair, start: contact.normal };
                waiting += 1;
            }
        }
        waiting
    }
}

/// The contacts that an evaluation foretells, the errors of their gaps, and the lanes in which another evaluation is
/// worth while.
#[inline(always)]
fn extrapolate<L: Lanes, P: Pairs<L>>(pairs: &P, c: Vec3<L>) -> (Contacts<L>, L, u8) {
    let (jets, cubic) = pairs.cubic_jets(c);
    let tangential: Tangential<L> = pairs.tangential(&jets);
    let (zero, half, one) = (L::splat(0.0), L::splat(0.5), L::splat(1.0));
    let (s, definite) = solve(tangential.model(), tangential.d_t);
    let s = [L::select(definite, s[0], zero), L::select(definite, s[1], zero)];
    let [u, v] = c.tangents();
    let (third, change) = pairs.third(&jets, &cubic, u.mul_add(s[0], v * s[1]));
    let squared = square(s);
    let turn = squared.sqrt();
    let small = definite & turn.le(L::splat(LARGEST_TURN));
    let known = small & change.le(L::splat(LARGEST_CHANGE));
    let third = L::select(known, third * L::splat(1.0 / 6.0), zero);
    let error = L::splat(2.0) * third.abs() * change.max(turn);
    let mut contacts = Contacts::after(&tangential, s);
    contacts.gap = ((half * squared).mul_add(tangential.g, contacts.gap) + third) / (one + squared).sqrt();
    (contacts, L::select(known, error, L::splat(f64::INFINITY)), small.bits())
}

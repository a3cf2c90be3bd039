//! Pairs on their way out of the lanes: eight at a time, taken to second order, proven and turned back into the world.

use gritstone_core::lanes::{Kernel, Lanes, MaskBits, WIDTH};

use super::contacts::{ContactRows, Contacts};
use super::kind::{Jets, Kind, Pairs, Tangential};
use super::newton::Climb;
use super::rows::{JetRows, PairRows, Rows};
use super::{Task, Unfinished, tower};
use crate::{Answer, Goal, Verdict, tolerance};

/// Pairs that are done with, waiting until there are eight.
pub(super) struct Delivery {
    pairs: PairRows,
    jets: JetRows,
    /// Smallest |d| that was seen.
    nearest: Rows<1>,
    iterations: [u32; WIDTH],
    /// One bit per column.
    converged: u8,
    ids: [usize; WIDTH],
    pub(super) count: usize,
}

/// The delivery of what waits.
pub(super) struct Flush<'d, 'a, K>(pub(super) &'d mut Delivery, pub(super) &'d mut Task<'a, K>);

impl<K: Kind> Kernel for Flush<'_, '_, K> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        self.0.flush::<K, L>(self.1);
    }
}

/// Bounds of the signed distances of eight pairs.
struct Bounds {
    lower: [f64; WIDTH],
    upper: [f64; WIDTH],
    tolerance: [f64; WIDTH],
    /// Directions evaluated for the upper bound.
    evaluations: [f64; WIDTH],
}

impl Delivery {
    pub(super) const EMPTY: Self = Self {
        pairs: Rows::ZERO,
        jets: Rows::ZERO,
        nearest: Rows::ZERO,
        iterations: [0; WIDTH],
        converged: 0,
        ids: [0; WIDTH],
        count: 0,
    };

    /// Takes a pair from a lane.
    #[inline(always)]
    pub(super) fn take<K: Kind, L: Lanes>(&mut self, climb: &Climb, lane: usize, id: usize, converged: bool) {
        let column = self.count;
        climb.pairs.copy_column(K::PAIR_ROWS, lane, &mut self.pairs, column);
        climb.here.copy_column(<K::Pairs<L> as Pairs<L>>::Jets::ROWS, lane, &mut self.jets, column);
        self.nearest.0[0][column] = climb.upper(lane);
        self.iterations[column] = climb.iterations(lane);
        self.converged |= u8::from(converged) << column;
        self.ids[column] = id;
        self.count += 1;
    }

    /// Writes the answers of the pairs that wait here; those that lanes cannot answer are left to the scalar code.
    #[inline(always)]
    fn flush<K: Kind, L: Lanes>(&mut self, task: &mut Task<'_, K>) {
        let pairs = K::Pairs::<L>::load(&self.pairs);
        let jets = pairs.tangential(&Jets::load(&self.jets));
        let bounds = self.bounds(&pairs, &jets, task.settings.certify);
        let contacts = Contacts::of(&jets).in_world(task.frame(&self.ids).as_ref()).to_rows();
        for column in 0..self.count {
            self.answer(column, &bounds, &contacts, task);
        }
        (self.count, self.converged) = (0, 0);
    }

    #[inline(always)]
    fn bounds<L: Lanes, P: Pairs<L>>(&self, pairs: &P, jets: &Tangential<L>, certify: bool) -> Bounds {
        let (size, noise) = pairs.scale();
        let tolerance = (L::splat(tolerance::CERTIFICATE) * size).max(noise);
        let mut upper = L::load(&self.nearest.0[0]);
        let mut evaluations = L::splat(0.0);
        if certify {
            let overlap = jets.g.lt(L::splat(0.0)) & L::Mask::from_bits(self.converged);
            let open = (jets.g + tolerance).lt(upper) & overlap;
            let (proven, more) = tower::certify(pairs, jets, tolerance, open);
            (upper, evaluations) = (proven.min(upper), more);
        }
        Bounds {
            lower: jets.g.to_array(),
            upper: upper.to_array(),
            tolerance: tolerance.to_array(),
            evaluations: evaluations.to_array(),
        }
    }

    fn answer<K: Kind>(
        &self,
        column: usize,
        bounds: &Bounds,
        contacts: &ContactRows,
        task: &mut Task<'_, K>,
    ) {
        let (id, lower, upper) = (self.ids[column], bounds.lower[column], bounds.upper[column]);
        let settings = task.settings;
        let converged = self.converged >> column & 1 == 1;
        let closed = upper - lower <= bounds.tolerance[column];
        let verdict = if settings.goal == Goal::Detect && lower > 0.0 {
            Verdict::Apart { at_least: lower, along: contacts.direction(column) }
        } else if closed || (converged && !settings.certify) {
            Verdict::Solved(contacts.contact(column, task.origin(id)))
        } else {
            let start = contacts.direction(column);
            task.unfinished.push(Unfinished { pair: id, start });
            return;
        };
        let [iterations, more] = [self.iterations[column], bounds.evaluations[column] as u32];
        let counts = [iterations, iterations + 1 + more];
        task.answers[id] = Answer::new(verdict, [lower, upper], bounds.tolerance[column], counts);
    }
}

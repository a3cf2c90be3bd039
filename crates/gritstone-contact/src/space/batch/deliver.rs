//! Pairs on their way out of the lanes: eight at a time, taken to second order, proven and turned back into the world.

use glam::DVec3;
use gritstone_core::lanes::{Kernel, Lanes, MaskBits, Sym2, Turn, Vec3, WIDTH};
use gritstone_core::{Contact, Space};

use super::kind::{Jets, Kind, Pairs, Tangential};
use super::newton::Climb;
use super::rows::{JetRows, PairRows, Rows};
use super::step::solve;
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
        let mut contacts = Rows::ZERO;
        Contacts::of(&jets).in_world(task.frame(&self.ids).as_ref()).store(&mut contacts);
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
        contacts: &Rows<CONTACT_ROWS>,
        task: &mut Task<'_, K>,
    ) {
        let (id, lower, upper) = (self.ids[column], bounds.lower[column], bounds.upper[column]);
        let settings = task.settings;
        let converged = self.converged >> column & 1 == 1;
        let closed = upper - lower <= bounds.tolerance[column];
        let verdict = if settings.goal == Goal::Detect && lower > 0.0 {
            Verdict::Apart { at_least: lower, along: vector(contacts, DIRECTION, column) }
        } else if closed || (converged && !settings.certify) {
            Verdict::Solved(contact(contacts, column, task.origin(id)))
        } else {
            let start = vector(contacts, DIRECTION, column);
            task.unfinished.push(Unfinished { pair: id, start });
            return;
        };
        task.answers[id] = Answer {
            verdict,
            lower,
            upper,
            tolerance: bounds.tolerance[column],
            iterations: self.iterations[column],
            evaluations: self.iterations[column] + 1 + bounds.evaluations[column] as u32,
        };
    }
}

/// Contacts of eight pairs, relative to the centres of their first bodies.
struct Contacts<L> {
    x_a: Vec3<L>,
    x_b: Vec3<L>,
    normal: Vec3<L>,
    /// The direction that was evaluated last.
    direction: Vec3<L>,
    gap: L,
    curvature: [L; 2],
}

const CONTACT_ROWS: usize = 15;
/// First rows of the parts of [`Contacts`].
const POINT_A: usize = 0;
const POINT_B: usize = 3;
const NORMAL: usize = 6;
const DIRECTION: usize = 9;
const GAP: usize = 12;

impl<L: Lanes> Contacts<L> {
    /// One more Newton step, taken to second order without evaluating it.
    #[inline(always)]
    fn of(jets: &Tangential<L>) -> Self {
        let (s, definite) = solve(jets.model(), jets.d_t);
        let zero = L::splat(0.0);
        let s = [L::select(definite, s[0], zero), L::select(definite, s[1], zero)];
        let [u, v] = jets.c.tangents();
        let half_slope = L::splat(0.5) * jets.d_t[0].mul_add(s[0], jets.d_t[1] * s[1]);
        let (move_a, move_b) = (jets.h_a.apply(s), jets.h_b.apply(s));
        Self {
            x_a: jets.x_a + u.mul_add(move_a[0], v * move_a[1]),
            x_b: jets.x_b - u.mul_add(move_b[0], v * move_b[1]),
            normal: (jets.c + u.mul_add(s[0], v * s[1])).renormalized(),
            direction: jets.c,
            gap: jets.g + half_slope,
            curvature: curvature(jets.h_a, jets.h_b),
        }
    }

    #[inline(always)]
    fn in_world(self, frame: Option<&Turn<L>>) -> Self {
        let Some(frame) = frame else { return self };
        Self {
            x_a: frame.apply(self.x_a),
            x_b: frame.apply(self.x_b),
            normal: frame.apply(self.normal).renormalized(),
            direction: frame.apply(self.direction).renormalized(),
            ..self
        }
    }

    #[inline(always)]
    fn store(&self, rows: &mut Rows<CONTACT_ROWS>) {
        let mut to = rows.write();
        to.vec3(self.x_a);
        to.vec3(self.x_b);
        to.vec3(self.normal);
        to.vec3(self.direction);
        to.reals([self.gap, self.curvature[0], self.curvature[1]]);
    }
}

/// Principal relative curvatures `eig(H_a⁻¹ + H_b⁻¹)`, smallest first; infinite at a corner.
#[inline(always)]
fn curvature<L: Lanes>(h_a: Sym2<L>, h_b: Sym2<L>) -> [L; 2] {
    let (det_a, det_b) = (h_a.determinant(), h_b.determinant());
    let product = det_a * det_b;
    let half = L::splat(0.5) * (h_a.trace() / det_a + h_b.trace() / det_b);
    let determinant = (h_a + h_b).determinant() / product;
    let high = half + half.mul_sub(half, determinant).max(L::splat(0.0)).sqrt();
    let corner = product.le(L::splat(0.0));
    let infinite = L::splat(f64::INFINITY);
    [L::select(corner, infinite, determinant / high), L::select(corner, infinite, high)]
}

fn vector(contacts: &Rows<CONTACT_ROWS>, row: usize, column: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| contacts.0[row + i][column]))
}

fn contact(contacts: &Rows<CONTACT_ROWS>, column: usize, origin: DVec3) -> Contact<Space> {
    Contact {
        point_a: origin + vector(contacts, POINT_A, column),
        point_b: origin + vector(contacts, POINT_B, column),
        normal: vector(contacts, NORMAL, column),
        gap: contacts.0[GAP][column],
        curvature: [contacts.0[GAP + 1][column], contacts.0[GAP + 2][column]],
    }
}

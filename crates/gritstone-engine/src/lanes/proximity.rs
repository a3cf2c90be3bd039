//! Proximity tests of inactive pairs, eight at a time: as contacts are found, from the direction of the last test. Whatever
//! lanes cannot certify is left to the general methods.

use std::marker::PhantomData;

use glam::DVec3;
use gritstone_contact::space::lanes::{PairClass, PairSolver, Request, ShapeTables, Start, VisitSolvers};
use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, MaskBits, RowIndices, Vec3, WIDTH};

use super::body::Body;
use super::kernel::Line;
use crate::bodies::Record;
use crate::contacts::SLACK;
use crate::contacts::batch::{GapBound, InactivePair};

/// Pairs to test, and what is found.
pub(super) struct ProximityTest<'w> {
    pub(super) records: &'w [Record<Space>],
    pub(super) tables: &'w ShapeTables,
    pub(super) candidates: &'w [InactivePair<Space>],
    pub(super) bounds: &'w mut [Option<GapBound<Space>>],
}

impl VisitSolvers for ProximityTest<'_> {
    fn visit<S: PairSolver>(&mut self, class: PairClass) {
        let Self { records, tables, candidates, ref mut bounds } = *self;
        let solver = PhantomData;
        Backend::best().run(OneClass::<S> { records, tables, candidates, bounds, class, solver });
    }
}

/// The pairs of one class among them.
struct OneClass<'w, S> {
    records: &'w [Record<Space>],
    tables: &'w ShapeTables,
    candidates: &'w [InactivePair<Space>],
    bounds: &'w mut [Option<GapBound<Space>>],
    class: PairClass,
    solver: PhantomData<S>,
}

impl<S: PairSolver> Kernel for OneClass<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self) {
        let (mut lanes, mut count) = ([0; WIDTH], 0);
        for (i, candidate) in self.candidates.iter().enumerate() {
            let class = self.tables.class(self.shapes_of(candidate));
            if class.map(PairClass::from_direction) == Some(self.class) {
                lanes[count] = i;
                count += 1;
            }
            if count == WIDTH || count > 0 && i + 1 == self.candidates.len() {
                self.test::<L>(&lanes[..count]);
                count = 0;
            }
        }
    }
}

impl<S: PairSolver> OneClass<'_, S> {
    #[inline(always)]
    fn shapes_of(&self, candidate: &InactivePair<Space>) -> [u32; 2] {
        [candidate.pair.a, candidate.pair.b].map(|slot| self.records[slot as usize].shape)
    }

    /// Tests up to eight of them.
    #[inline(always)]
    fn test<L: Lanes>(&mut self, lanes: &[usize]) {
        // Lanes without a pair repeat the first one.
        let mut candidates = [self.candidates[lanes[0]]; WIDTH];
        for (candidate, &i) in candidates.iter_mut().zip(lanes) {
            *candidate = self.candidates[i];
        }
        let active = L::Mask::from_bits(((1_u16 << lanes.len()) - 1) as u8);
        let (a, b) = Body::<L>::load(self.records, &candidates.map(|candidate| candidate.pair));
        let indices = candidates.map(|candidate| self.shapes_of(&candidate));
        let rows = self.tables.rows(self.class);
        let shapes =
            [0, 1].map(|side| RowIndices::from(indices.map(|shapes| shapes[side])).load_pairs(rows, S::WIDE));
        let column = |axis: usize| L::load(&candidates.map(|candidate| candidate.direction[axis]));
        let start = Start::from_direction(Vec3::new(column(0), column(1), column(2)));
        let request = Request { slack: SLACK, cold: false, curvature: false, radii: false };
        let contacts = S::solve(&a.pose, &b.pose, shapes, start, request, active);

        let (n, d) = (contacts.normal, contacts.direction);
        let mut rows = [Line::default(); WIDTH];
        let numbers = [n.x, n.y, n.z, contacts.gap, d.x, d.y, d.z, contacts.lower];
        L::store_turned(numbers, rows.each_mut().map(|line| &mut line.0));
        let certified = (contacts.certified & active).bits();
        for (lane, &i) in lanes.iter().enumerate().filter(|(lane, _)| certified >> lane & 1 == 1) {
            let [nx, ny, nz, gap, dx, dy, dz, lower] = rows[lane].0;
            self.bounds[i] = Some(if gap < 0.0 {
                GapBound { gap, direction: DVec3::new(nx, ny, nz) }
            } else {
                GapBound { gap: lower.max(0.0), direction: DVec3::new(dx, dy, dz) }
            });
        }
    }
}

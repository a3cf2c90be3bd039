//! Forces added up for each body from the rows that lanes write.
//!
//! Rows have moments about the origin of the world, so that their sum is all there is to do; the torque about the body's
//! centre is what the sum of the forces leaves of the sum of the moments. Moments about far points lose digits, but no more
//! than the points of contact, which are given in the world as well, have lost before.

use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, Row, prefetch};

use super::kernel::Line;
use crate::bodies::{Record, State};
use crate::contacts::ContactForce;
use crate::contacts::by_body::Entry;

/// Rows that fit into a cache of a megabyte, where they need not be prefetched.
const NEAR: usize = 1 << 14;

/// What a body gets of a row: force and moment act on b and against a; energies are shared.
const ON_A: Row = [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 0.5, 0.5];
const ON_B: Row = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5];

/// Adds up the forces on some bodies; `rows` are those of every list, after which the general contacts come.
pub(super) fn gather<'e, const N: usize>(
    entries: impl Fn(usize) -> &'e [Entry],
    rows: [&[Line]; N],
    general: &[ContactForce<Space>],
    records: &[Record<Space>],
    states: &mut [State<Space>],
) {
    if rows.iter().any(|rows| rows.len() > NEAR) {
        for &entry in (0..states.len()).flat_map(&entries) {
            let rows = rows.get(entry.list());
            rows.and_then(|rows| rows.get(entry.index())).into_iter().for_each(|row| prefetch(&row.0));
        }
    }
    Backend::best().run(Gather { entries, rows, general, records, states });
}

struct Gather<'w, E, const N: usize> {
    entries: E,
    rows: [&'w [Line]; N],
    general: &'w [ContactForce<Space>],
    records: &'w [Record<Space>],
    states: &'w mut [State<Space>],
}

impl<'e, E: Fn(usize) -> &'e [Entry], const N: usize> Kernel for Gather<'_, E, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (i, (state, body)) in self.states.iter_mut().zip(self.records).enumerate() {
            let mut sum = L::splat(0.0);
            for &entry in (self.entries)(i) {
                let row = if let Some(rows) = self.rows.get(entry.list()) {
                    L::load(&rows[entry.index()].0)
                } else {
                    L::load(&about_origin(&self.general[entry.index()]))
                };
                sum = row.mul_add(L::load(if entry.is_b() { &ON_B } else { &ON_A }), sum);
            }
            set(state, sum.to_array(), body);
        }
    }
}

/// Forces on a wall from rows of contacts, some of them other processes': the sums of [`gather`], whose products are exact.
pub(super) fn load_wall<'r>(
    rows: impl Iterator<Item = &'r Row>,
    wall: &Record<Space>,
    state: &mut State<Space>,
) {
    let mut sum = [0.0; 8];
    for row in rows {
        sum.iter_mut().zip(row).zip(ON_B).for_each(|((sum, x), share)| *sum += x * share);
    }
    set(state, sum, wall);
}

/// Sets the sums of a body's rows.
#[inline(always)]
fn set(state: &mut State<Space>, [fx, fy, fz, mx, my, mz, dissipated, _]: Row, body: &Record<Space>) {
    let [x, y, z, ..] = body.lines()[0];
    // From the origin to the body: each product rounded, as those in the moments are.
    let torque = [mx - (y * fz - z * fy), my - (z * fx - x * fz), mz - (x * fy - y * fx)];
    let line = &mut state.lines_mut()[1];
    line[..3].copy_from_slice(&[fx, fy, fz]);
    line[3..6].copy_from_slice(&torque);
    line[6] += dissipated;
    line[7] = dissipated;
}

/// A general contact as lanes write theirs.
#[inline(always)]
pub(crate) fn about_origin(row: &ContactForce<Space>) -> Row {
    let moment = row.point.cross(row.force) + row.torque;
    let ([fx, fy, fz], [mx, my, mz]) = (row.force.to_array(), moment.to_array());
    [fx, fy, fz, mx, my, mz, row.dissipated, row.elastic]
}

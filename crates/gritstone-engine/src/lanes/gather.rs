//! Forces added up for each body from the rows that lanes write.

use gritstone_core::Space;
use gritstone_core::lanes::{Backend, Kernel, Lanes, expect};

use super::kernel::Line;
use crate::bodies::{Record, State};
use crate::contacts::Row;
use crate::gather::Entry;

/// Rows that fit into a cache of a megabyte, where they need not be sent for.
const NEAR: usize = 1 << 14;

/// Adds up the forces on some bodies; `rows` are those of every list, after which the general contacts come.
pub(super) fn gather<'e, const N: usize>(
    entries: impl Fn(usize) -> &'e [Entry],
    rows: [&[Line]; N],
    general: &[Row<Space>],
    records: &[Record<Space>],
    states: &mut [State<Space>],
) {
    if rows.iter().any(|rows| rows.len() > NEAR) {
        for &entry in (0..states.len()).flat_map(&entries) {
            let rows = rows.get(entry.list());
            rows.and_then(|rows| rows.get(entry.index())).into_iter().for_each(|row| expect(&row.0));
        }
    }
    Backend::for_scalars().run(Gather { entries, rows, general, records, states });
}

struct Gather<'w, E, const N: usize> {
    entries: E,
    rows: [&'w [Line]; N],
    general: &'w [Row<Space>],
    records: &'w [Record<Space>],
    states: &'w mut [State<Space>],
}

/// Three numbers and one that nobody looks at: one register.
type Four = [f64; 4];

impl<'e, E: Fn(usize) -> &'e [Entry], const N: usize> Kernel for Gather<'_, E, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (i, (state, body)) in self.states.iter_mut().zip(self.records).enumerate() {
            let [x, y, z, ..] = body.lines()[0];
            let (mut force, mut torque) = ([0.0; 4], [0.0; 4]);
            for &entry in (self.entries)(i) {
                let sign = entry.sign();
                if let Some(rows) = self.rows.get(entry.list()) {
                    let [fx, fy, fz, px, py, pz, gap, _] = rows[entry.index()].0;
                    let (f, lever) = ([fx, fy, fz, px], minus([px, py, pz, gap], [x, y, z, 0.0]));
                    force = plus(force, f, sign);
                    torque = plus(torque, cross(lever, f), sign);
                } else {
                    let row = &self.general[entry.index()];
                    let moment = (row.point - body.position).cross(row.force) + row.torque;
                    force = plus(force, row.force.extend(0.0).to_array(), sign);
                    torque = plus(torque, moment.extend(0.0).to_array(), sign);
                }
            }
            let line = &mut state.lines_mut()[1];
            line[..3].copy_from_slice(&force[..3]);
            line[3..6].copy_from_slice(&torque[..3]);
        }
    }
}

#[inline(always)]
fn plus(sum: Four, v: Four, sign: f64) -> Four {
    [sum[0] + sign * v[0], sum[1] + sign * v[1], sum[2] + sign * v[2], sum[3] + sign * v[3]]
}

#[inline(always)]
fn minus(a: Four, b: Four) -> Four {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]]
}

#[inline(always)]
fn cross(a: Four, b: Four) -> Four {
    let (forth, back) = ([a[1], a[2], a[0], a[3]], [a[2], a[0], a[1], a[3]]);
    let (other, one) = ([b[2], b[0], b[1], b[3]], [b[1], b[2], b[0], b[3]]);
    let mut out = [0.0; 4];
    for k in 0..4 {
        out[k] = forth[k] * other[k] - back[k] * one[k];
    }
    out
}

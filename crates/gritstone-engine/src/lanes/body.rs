//! Bodies in lanes.

use gritstone_core::Space;
use gritstone_core::lanes::{Lanes, Mask, Sym3, Turn, Vec3, WIDTH};

use super::kernel::LaneRow;
use super::turning::Top;
use crate::bodies::Record;
use crate::contacts::BodyPair;

/// Eight bodies.
pub(super) struct Body<L> {
    pub(super) position: Vec3<L>,
    /// x, y, z, w.
    quaternion: [L; 4],
    pub(super) velocity: Vec3<L>,
    pub(super) spin: Vec3<L>,
    /// Infinite for those that nothing moves.
    mass: L,
}

impl<L: Lanes> Body<L> {
    /// Loads the records of eight pairs.
    #[inline(always)]
    pub(super) fn load(records: &[Record<Space>], pair: &[BodyPair; WIDTH]) -> (Self, Self) {
        // Written out: a closure in `map` would be a call, around which registers go to the stack and back.
        let [c, d, e, f, g, h, i, j] = pair;
        (
            Self::from_lines([
                lines(records, c.a),
                lines(records, d.a),
                lines(records, e.a),
                lines(records, f.a),
                lines(records, g.a),
                lines(records, h.a),
                lines(records, i.a),
                lines(records, j.a),
            ]),
            Self::from_lines([
                lines(records, c.b),
                lines(records, d.b),
                lines(records, e.b),
                lines(records, f.b),
                lines(records, g.b),
                lines(records, h.b),
                lines(records, i.b),
                lines(records, j.b),
            ]),
        )
    }

    #[inline(always)]
    fn from_lines([a, b, c, d, e, f, g, h]: [&[[f64; WIDTH]; 2]; WIDTH]) -> Self {
        let [x, y, z, qx, qy, qz, qw, vx] =
            L::load_turned([&a[0], &b[0], &c[0], &d[0], &e[0], &f[0], &g[0], &h[0]]);
        let [vy, vz, wx, wy, wz, mass, ..] =
            L::load_turned([&a[1], &b[1], &c[1], &d[1], &e[1], &f[1], &g[1], &h[1]]);
        Self {
            position: Vec3::new(x, y, z),
            quaternion: [qx, qy, qz, qw],
            velocity: Vec3::new(vx, vy, vz),
            spin: Vec3::new(wx, wy, wz),
            mass,
        }
    }

    /// Velocity of the material point at `point`.
    #[inline(always)]
    pub(super) fn velocity_at(&self, point: Vec3<L>) -> Vec3<L> {
        self.velocity + self.spin.cross(point - self.position)
    }

    /// How much a push along `normal` at `point` moves that point by turning the body, per impulse: `(r×n)·I⁻¹(r×n)`.
    #[inline(always)]
    pub(super) fn yielding(&self, inertias: &[LaneRow], shapes: &Rows, point: Vec3<L>, normal: Vec3<L>) -> L {
        let [i, j, k, x, y, z, w, _] = look_up::<L>(inertias, shapes);
        let top = Top { by_moments: Vec3::new(i, j, k), axes: [x, y, z, w] };
        let moment = (point - self.position).cross(normal);
        moment.dot(top.spin(top.principal(self.quaternion), moment)) / self.mass
    }

    /// The body's axes in the world.
    #[inline(always)]
    pub(super) fn turn(&self) -> Turn<L> {
        let [x, y, z, w] = self.quaternion;
        Turn::from_quaternion([w, x, y, z])
    }

    /// `R diag(squares) Rᵀ`.
    #[inline(always)]
    pub(super) fn tensor(&self, squares: [L; 3]) -> Sym3<L> {
        // Bodies of revolution about their third axis need that axis alone.
        let [a, b, c] = squares;
        let round = a.le(b) & b.le(a);
        let axis = self.turn().columns[2];
        let long = axis * (c - a);
        let tensor = Sym3::from_array([
            long.x.mul_add(axis.x, a),
            long.y.mul_add(axis.y, a),
            long.z.mul_add(axis.z, a),
            long.x * axis.y,
            long.x * axis.z,
            long.y * axis.z,
        ]);
        if (!round).any() { Sym3::select(round, tensor, self.any_tensor(squares)) } else { tensor }
    }

    #[inline(always)]
    fn any_tensor(&self, squares: [L; 3]) -> Sym3<L> {
        let [u, v, w] = self.turn().columns;
        let (a, b, c) = (u * squares[0], v * squares[1], w * squares[2]);
        Sym3::from_array([
            a.x.mul_add(u.x, b.x.mul_add(v.x, c.x * w.x)),
            a.y.mul_add(u.y, b.y.mul_add(v.y, c.y * w.y)),
            a.z.mul_add(u.z, b.z.mul_add(v.z, c.z * w.z)),
            a.x.mul_add(u.y, b.x.mul_add(v.y, c.x * w.y)),
            a.x.mul_add(u.z, b.x.mul_add(v.z, c.x * w.z)),
            a.y.mul_add(u.z, b.y.mul_add(v.z, c.y * w.z)),
        ])
    }
}

#[inline(always)]
fn lines(records: &[Record<Space>], slot: u32) -> &[[f64; WIDTH]; 2] {
    records[slot as usize].lines()
}

/// Rows of a table, one for each of eight. Often they are one and the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rows {
    rows: [u32; WIDTH],
    same: bool,
}

impl From<[u32; WIDTH]> for Rows {
    #[inline(always)]
    fn from(rows: [u32; WIDTH]) -> Self {
        Self { rows, same: rows.iter().fold(0, |difference, row| difference | (row ^ rows[0])) == 0 }
    }
}

impl Rows {
    pub(super) fn get(&self, lane: usize) -> u32 {
        self.rows[lane]
    }

    pub(super) fn set(&mut self, lane: usize, row: u32) {
        self.rows[lane] = row;
        *self = self.rows.into();
    }
}

/// Eight rows of a table.
#[inline(always)]
pub(super) fn look_up<L: Lanes>(table: &[[f64; WIDTH]], rows: &Rows) -> [L; WIDTH] {
    if rows.same {
        return spread(&table[rows.rows[0] as usize]);
    }
    let [a, b, c, d, e, f, g, h] = rows.rows.map(|row| row as usize);
    L::load_turned([&table[a], &table[b], &table[c], &table[d], &table[e], &table[f], &table[g], &table[h]])
}

/// Eight shapes of a table, with both their rows if they are wanted.
#[inline(always)]
pub(super) fn look_up_shapes<L: Lanes>(table: &[[LaneRow; 2]], shapes: &Rows, wide: bool) -> [[L; WIDTH]; 2] {
    if shapes.same {
        let [first, second] = &table[shapes.rows[0] as usize];
        return [spread(first), if wide { spread(second) } else { [L::splat(0.0); WIDTH] }];
    }
    let [a, b, c, d, e, f, g, h] = shapes.rows.map(|shape| shape as usize);
    let ([a0, a1], [b0, b1], [c0, c1], [d0, d1]) = (&table[a], &table[b], &table[c], &table[d]);
    let ([e0, e1], [f0, f1], [g0, g1], [h0, h1]) = (&table[e], &table[f], &table[g], &table[h]);
    let first = L::load_turned([a0, b0, c0, d0, e0, f0, g0, h0]);
    if !wide {
        return [first, [L::splat(0.0); WIDTH]];
    }
    [first, L::load_turned([a1, b1, c1, d1, e1, f1, g1, h1])]
}

/// The same row in every lane.
#[inline(always)]
fn spread<L: Lanes>(row: &[f64; WIDTH]) -> [L; WIDTH] {
    let [a, b, c, d, e, f, g, h] = *row;
    [L::splat(a), L::splat(b), L::splat(c), L::splat(d), L::splat(e), L::splat(f), L::splat(g), L::splat(h)]
}

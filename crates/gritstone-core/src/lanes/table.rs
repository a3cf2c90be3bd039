//! Rows of tables, one for each lane.

use super::{Lanes, WIDTH};

/// Eight numbers: a row of a table.
pub type Row = [f64; WIDTH];

/// Indices of rows, one for each lane. Often they are all the same.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowIndices {
    rows: [u32; WIDTH],
    same: bool,
}

impl From<[u32; WIDTH]> for RowIndices {
    #[inline(always)]
    fn from(rows: [u32; WIDTH]) -> Self {
        Self { rows, same: rows.iter().fold(0, |difference, row| difference | (row ^ rows[0])) == 0 }
    }
}

impl RowIndices {
    /// The index of a lane.
    pub fn get(&self, lane: usize) -> u32 {
        self.rows[lane]
    }

    /// Changes the index of a lane.
    pub fn set(&mut self, lane: usize, row: u32) {
        self.rows[lane] = row;
        *self = self.rows.into();
    }

    /// The rows of a table: number k of the result is number k of each lane's row.
    #[inline(always)]
    pub fn load<L: Lanes>(&self, table: &[Row]) -> [L; WIDTH] {
        if self.same {
            return spread(&table[self.rows[0] as usize]);
        }
        let [a, b, c, d, e, f, g, h] = self.rows.map(|row| row as usize);
        L::load_turned([
            &table[a], &table[b], &table[c], &table[d], &table[e], &table[f], &table[g], &table[h],
        ])
    }

    /// The rows of a table of pairs of rows; the second ones are zero unless `second` asks for them.
    #[inline(always)]
    pub fn load_pairs<L: Lanes>(&self, table: &[[Row; 2]], second: bool) -> [[L; WIDTH]; 2] {
        if self.same {
            let [first, other] = &table[self.rows[0] as usize];
            return [spread(first), if second { spread(other) } else { [L::splat(0.0); WIDTH] }];
        }
        let [a, b, c, d, e, f, g, h] = self.rows.map(|row| row as usize);
        let ([a0, a1], [b0, b1], [c0, c1], [d0, d1]) = (&table[a], &table[b], &table[c], &table[d]);
        let ([e0, e1], [f0, f1], [g0, g1], [h0, h1]) = (&table[e], &table[f], &table[g], &table[h]);
        let first = L::load_turned([a0, b0, c0, d0, e0, f0, g0, h0]);
        if !second {
            return [first, [L::splat(0.0); WIDTH]];
        }
        [first, L::load_turned([a1, b1, c1, d1, e1, f1, g1, h1])]
    }
}

/// The same row in every lane.
#[inline(always)]
fn spread<L: Lanes>(row: &Row) -> [L; WIDTH] {
    let [a, b, c, d, e, f, g, h] = *row;
    [L::splat(a), L::splat(b), L::splat(c), L::splat(d), L::splat(e), L::splat(f), L::splat(g), L::splat(h)]
}

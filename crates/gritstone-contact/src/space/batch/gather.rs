//! Eight grains from their arrays.

use gritstone_core::lanes::{Lanes, Real, Two, WIDTH};

use super::kind::Columns;

/// Columns of eight grains.
#[inline(always)]
pub(super) fn gather<L: Lanes, const N: usize>(arrays: &[Vec<f64>; N], columns: &[usize; WIDTH]) -> [L; N] {
    let mut gathered = [L::splat(0.0); N];
    for (array, gathered) in arrays.iter().zip(&mut gathered) {
        let mut row = [0.0; WIDTH];
        for (value, &column) in row.iter_mut().zip(columns) {
            *value = array[column];
        }
        *gathered = L::load(&row);
    }
    gathered
}

/// Columns of both grains of eight pairs.
#[inline(always)]
pub(super) fn gather_both<L: Lanes, const N: usize>(
    arrays: &[Vec<f64>; N],
    columns: &Columns,
) -> [Two<L>; N] {
    let (first, second): ([L; N], [L; N]) = (gather(arrays, &columns[0]), gather(arrays, &columns[1]));
    let mut both = [Two::splat(0.0); N];
    for i in 0..N {
        both[i] = Two(first[i], second[i]);
    }
    both
}

/// The rotation of b seen from a: `conj(q_a) q_b`.
#[inline(always)]
pub(super) fn relative<L: Lanes>([w, x, y, z]: [Two<L>; 4]) -> [L; 4] {
    let (Two(aw, bw), Two(ax, bx), Two(ay, by), Two(az, bz)) = (w, x, y, z);
    [
        aw.mul_add(bw, ax.mul_add(bx, ay.mul_add(by, az * bz))),
        aw.mul_add(bx, ax.neg_mul_add(bw, az.mul_sub(by, ay * bz))),
        aw.mul_add(by, ay.neg_mul_add(bw, ax.mul_sub(bz, az * bx))),
        aw.mul_add(bz, az.neg_mul_add(bw, ay.mul_sub(bx, ax * by))),
    ]
}

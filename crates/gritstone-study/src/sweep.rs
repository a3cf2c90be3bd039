//! Many pairs on all cores, with results in the order of the pairs.

use rayon::prelude::*;

/// Pairs that are solved before their results are handed on: what is held in memory at a time.
const BLOCK: u64 = 8192;

/// Told now and then how many pairs are done, and of how many.
pub type Progress<'a> = &'a dyn Fn(u64, u64);

/// Solves pairs 0 to `pairs` on all cores and hands the results to `take` in that order, so that what becomes of them
/// does not depend on the number of threads. `done` is told how many pairs have been taken. Each thread has working
/// memory S of its own.
pub(crate) fn sweep<S: Default, T: Send>(
    pairs: u64,
    solve: impl Fn(u64, &mut S) -> T + Sync,
    mut take: impl FnMut(T),
    done: impl Fn(u64),
) {
    let mut from = 0;
    while from < pairs {
        let to = pairs.min(from + BLOCK);
        let results: Vec<T> =
            (from..to).into_par_iter().map_init(S::default, |scratch, index| solve(index, scratch)).collect();
        results.into_iter().for_each(&mut take);
        from = to;
        done(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_all_of_them() {
        for pairs in [0, 1, BLOCK, 2 * BLOCK + 5] {
            let mut next = 0;
            sweep(
                pairs,
                |index, _: &mut ()| index,
                |index| {
                    assert_eq!(index, next);
                    next += 1;
                },
                |_| (),
            );
            assert_eq!(next, pairs);
        }
    }
}

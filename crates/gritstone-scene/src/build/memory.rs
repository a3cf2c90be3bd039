//! How much memory a run will take, and scenes that ask for more than there may be.

use gritstone_force::Interaction;
use gritstone_io::memory::limit;

use crate::diagnostics::Diagnostics;
use crate::display::bytes;

/// Bytes per grain: state, blocks for lanes, sorting.
const PER_GRAIN: f64 = 1_000.0;
/// Bytes per pair of neighbours: memory of the narrow phase and of the laws.
const PER_PAIR: f64 = 500.0;
/// Pairs of neighbours per grain in a dense bed, within the skin.
const PAIRS_PER_GRAIN: f64 = 10.0;
/// Bytes that a grain takes at least, where it touches nothing (`docs/running.md`).
const LEAST_PER_GRAIN: f64 = 700.0;

/// An estimate (bytes) for a dense bed of so many grains.
pub(super) fn estimate(grains: usize) -> f64 {
    grains as f64 * (PER_GRAIN + PAIRS_PER_GRAIN * PER_PAIR)
}

/// Reports grains that cannot be held, before any is made: `wanted` by the key, with those that are `there` already.
pub(super) fn check(key: &str, there: usize, wanted: u64, diagnostics: &mut Diagnostics<'_>) -> Option<()> {
    let least = (there as f64 + wanted as f64) * LEAST_PER_GRAIN;
    if least <= limit() as f64 {
        return Some(());
    }
    let others = if there == 0 { String::new() } else { format!(", with {there} of other groups") };
    let (least, most) = (bytes(least), bytes(limit() as f64));
    diagnostics.error(
        key,
        format_args!(
            "{key} makes {wanted} grains{others}, which take {least} of memory at least, but the limit is {most} (--memory-limit)"
        ),
    );
    None
}

/// Warns of a dense bed that may come to take more than the limit.
pub(super) fn warn(grains: usize, diagnostics: &mut Diagnostics<'_>) {
    let (estimate, most) = (estimate(grains), limit() as f64);
    if estimate > most {
        let (estimate, most) = (bytes(estimate), bytes(most));
        diagnostics.warn(
            "grains",
            format_args!(
                "a dense bed of {grains} grains takes about {estimate} of memory, more than the limit of {most} (--memory-limit)"
            ),
        );
    }
}

/// Reports more materials than their table of pairs has room for, before it is made.
pub(super) fn check_materials(count: usize, diagnostics: &mut Diagnostics<'_>) -> Option<()> {
    let table = (count as f64) * (count as f64) * size_of::<Interaction>() as f64;
    if table <= limit() as f64 {
        return Some(());
    }
    let (table, most) = (bytes(table), bytes(limit() as f64));
    diagnostics.error(
        "materials",
        format_args!(
            "there are {count} materials, whose pairs take {table} of memory, but the limit is {most} (--memory-limit)"
        ),
    );
    None
}

//! How much memory a run will take.

/// Bytes per grain: state, blocks for lanes, sorting.
const PER_GRAIN: f64 = 1_000.0;
/// Bytes per pair of neighbours: memory of the narrow phase and of the laws.
const PER_PAIR: f64 = 500.0;
/// Pairs of neighbours per grain in a dense bed, within the skin.
const PAIRS_PER_GRAIN: f64 = 10.0;

/// An estimate (bytes) for a dense bed of so many grains.
pub(super) fn estimate(grains: usize) -> f64 {
    grains as f64 * (PER_GRAIN + PAIRS_PER_GRAIN * PER_PAIR)
}

//! Where the periodic cell is, for frames that have one.

use gritstone_core::Vector as _;
use gritstone_engine::Cell;

use super::{FrameCell, PackedRotation};

/// Numbers of the middle and of three sides.
const NUMBERS: usize = 12;

/// The middle, and the vector of each side; zero where nothing repeats.
pub(super) fn encode<D: PackedRotation>(cell: &Cell<D>) -> Vec<u8> {
    let sides = cell.sides.iter().map(|side| side.map(|side| side.vector).unwrap_or_default());
    let vectors = [cell.centre].into_iter().chain(sides);
    vectors.flat_map(D::xyz).flat_map(f64::to_le_bytes).collect()
}

/// The same, read; nothing where it is not that long.
pub(super) fn decode<D: PackedRotation>(payload: &[u8]) -> Option<FrameCell<D>> {
    let (words, rest) = payload.as_chunks::<8>();
    let numbers: Vec<f64> = words.iter().map(|word| f64::from_le_bytes(*word)).collect();
    if numbers.len() != NUMBERS || !rest.is_empty() {
        return None;
    }
    let vector = |i: usize| D::Vec::from_fn(|axis| numbers[3 * i + axis]);
    let side = |i: usize| Some(vector(i)).filter(|side| side.length() > 0.0);
    Some(FrameCell { centre: vector(0), sides: [side(1), side(2), side(3)] })
}

//! Points that a shape is to be made from.

use crate::ShapeError;

/// Whether products of such coordinates, which exact predicates take, stay finite.
pub(crate) fn usable(coordinate: f64) -> bool {
    (-1e30..=1e30).contains(&coordinate)
}

/// Checks that coordinates are numbers of usable magnitude, and that there are enough different points.
pub(crate) fn check<const N: usize>(
    points: impl Iterator<Item = [f64; N]>,
    needed: usize,
) -> Result<(), ShapeError> {
    let mut distinct: Vec<[f64; N]> = points.collect();
    for (index, point) in distinct.iter().enumerate() {
        if let Some(&value) = point.iter().find(|&&value| !usable(value)) {
            return Err(ShapeError::Coordinate { name: format!("vertices[{index}]"), value });
        }
    }
    distinct.sort_unstable_by(|p, q| p.partial_cmp(q).unwrap_or(std::cmp::Ordering::Equal));
    distinct.dedup();
    if distinct.len() < needed {
        return Err(ShapeError::TooFew { count: distinct.len(), needed });
    }
    Ok(())
}

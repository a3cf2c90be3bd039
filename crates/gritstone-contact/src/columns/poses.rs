//! Poses from arrays of numbers.

use glam::{DQuat, DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};

use super::ColumnError;
use super::error::check_number;

/// Poses in space: positions and quaternions `[w, x, y, z]`, which are normalised here.
pub fn poses_in_space(
    positions: &[[f64; 3]],
    quaternions: &[[f64; 4]],
) -> Result<Vec<Pose<Space>>, ColumnError> {
    check_length("quaternions", quaternions.len(), positions.len())?;
    let rows = positions.iter().zip(quaternions).enumerate();
    rows.map(|(row, (&position, &[w, x, y, z]))| {
        for value in position {
            check_number("positions", row, value)?;
        }
        // Scaled first, so that the square of the length neither under- nor overflows.
        let largest = [w, x, y, z].into_iter().fold(0.0, |largest: f64, part| largest.max(part.abs()));
        let scaled = DQuat::from_xyzw(x / largest, y / largest, z / largest, w / largest);
        if !scaled.is_finite() {
            return Err(ColumnError::Quaternion { row });
        }
        Ok(Pose::new(DVec3::from_array(position), scaled))
    })
    .collect()
}

/// Poses in the plane: positions and angles (rad).
pub fn poses_in_plane(positions: &[[f64; 2]], angles: &[f64]) -> Result<Vec<Pose<Plane>>, ColumnError> {
    check_length("angles", angles.len(), positions.len())?;
    let rows = positions.iter().zip(angles).enumerate();
    rows.map(|(row, (&position, &angle))| {
        for value in position {
            check_number("positions", row, value)?;
        }
        check_number("angles", row, angle)?;
        Ok(Pose::new(DVec2::from_array(position), angle))
    })
    .collect()
}

fn check_length(name: &'static str, given: usize, needed: usize) -> Result<(), ColumnError> {
    if given == needed { Ok(()) } else { Err(ColumnError::Length { name, given, needed }) }
}

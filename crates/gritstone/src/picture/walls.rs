//! The part of endless walls that is shown: around the grains, and not behind other walls.

use glam::DVec3;

use super::description::{Description, Form};
use super::frame::Frame;
use super::polygon::{HalfSpace, cut, square};
use super::stage::Stage;

/// What is shown around the grains where no wall is near, in lengths of the grains' diagonal.
const MARGIN: f64 = 0.06;

/// How far from the grains a wall still counts as theirs, in lengths of their diagonal.
const NEAR: f64 = 0.6;

/// How straight a wall faces an axis to end the picture there.
const STRAIGHT: f64 = 0.99;

/// The endless walls that are there.
pub(super) fn half_spaces(description: &Description, frame: &Frame) -> Vec<HalfSpace> {
    let walls = description.walls.iter().zip(&frame.walls).filter(|(_, place)| place.present);
    walls
        .filter_map(|(wall, place)| match wall.form {
            Form::Half { normal, offset } => {
                let normal = place.rotation * normal;
                Some(HalfSpace { normal, offset: offset + normal.dot(place.position) })
            }
            Form::Body(_) | Form::Unseen => None,
        })
        .filter(|wall| wall.normal.is_finite() && wall.offset.is_finite())
        .collect()
}

/// The box that is shown: up to walls that are near and face an axis, else a little beyond the grains.
pub(super) fn region(stage: &Stage, walls: &[HalfSpace]) -> [DVec3; 2] {
    let [low, high] = stage.bounds();
    let diagonal = low.distance(high);
    let margin = MARGIN * diagonal + stage.diameter;
    let mut region = [low - margin, high + margin];
    for axis in 0..3 {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let edge = [low, high][side][axis];
            let faces = |wall: &&HalfSpace| wall.normal[axis] * -sign > STRAIGHT;
            let beyond = |wall: &HalfSpace| sign * (wall.offset / wall.normal[axis] - edge);
            let near = walls.iter().filter(faces).map(beyond).filter(|d| d.abs() < NEAR * diagonal);
            if let Some(nearest) = near.reduce(f64::min) {
                region[side][axis] = edge + sign * nearest;
            }
        }
    }
    region
}

/// The part of one wall within the region that no other wall covers; empty where there is none.
pub(super) fn patch(walls: &[HalfSpace], number: usize, [low, high]: [DVec3; 2]) -> Vec<DVec3> {
    let diagonal = low.distance(high);
    // Walls that end the region lie on its rim.
    let slack = 1e-6 * diagonal;
    let mut polygon = square(&walls[number], 0.5 * (low + high), diagonal);
    for axis in DVec3::AXES {
        polygon = cut(&polygon, &HalfSpace { normal: axis, offset: axis.dot(low) - slack });
        polygon = cut(&polygon, &HalfSpace { normal: -axis, offset: -axis.dot(high) - slack });
    }
    for (other, wall) in walls.iter().enumerate().filter(|(other, _)| *other != number) {
        // Two walls in one plane do not hide each other.
        let same = wall.normal.dot(walls[number].normal).abs() > 1.0 - 1e-9;
        if !same || other < number && wall.above(walls[number].normal * walls[number].offset) < -slack {
            polygon = cut(&polygon, &HalfSpace { offset: wall.offset - slack, ..*wall });
        }
    }
    if polygon.len() > 2 { polygon } else { Vec::new() }
}

//! Pairs of a grain and a wall.

use gritstone_contact::{Goal, Query, Verdict};

use super::{NearPair, OldRow, Part};
use crate::bodies::Bodies;
use crate::realm::Realm;

/// Adds the walls that are near the grain in `slot`. Grains are tried against every wall that is there.
pub(crate) fn find_walls<D: Realm>(
    bodies: &Bodies<D>,
    slot: u32,
    skin: f64,
    old: &OldRow<'_, D>,
    part: &mut Part<D>,
) {
    // What is at home meets the walls: images of it would meet them twice.
    if bodies.is_image(slot) || !bodies.is_touchable(slot as usize) {
        return;
    }
    for wall in (0..bodies.walls as u32).filter(|&wall| bodies.states[wall as usize].is_present()) {
        let (gap, direction) = old.remaining(wall).unwrap_or_else(|| gap(bodies, slot, wall));
        if gap <= skin || gap == f64::INFINITY {
            part.pairs.push(NearPair { a: slot, b: wall, wake: gap.max(0.0) });
            part.directions.push(direction);
        }
    }
}

/// A lower bound of the gap, and its direction.
fn gap<D: Realm>(bodies: &Bodies<D>, slot: u32, wall: u32) -> (f64, D::Vec) {
    let query = Query { goal: Goal::Detect, ..Query::default() };
    let (grain, wall) = (bodies.placed(slot), bodies.placed(wall));
    match D::solve(grain, wall, query, &mut D::Memory::default(), &mut D::Scratch::default()) {
        Ok(answer) => match answer.verdict {
            Verdict::Apart { at_least, along } => (at_least, along),
            _ => (0.0, D::Vec::default()),
        },
        Err(_) => (0.0, D::Vec::default()),
    }
}

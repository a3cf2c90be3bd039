//! Pairs of a grain and a wall.

use gritstone_contact::{Goal, Query, Verdict};

use super::neighbour_list::{Candidate, Part, PreviousRow};
use crate::bodies::Bodies;
use crate::contacts::{BodyPair, ContactTable};
use crate::dimension::Dimension;

/// Adds the walls that are near the grain in `slot`. Grains are tried against every wall that is there, and
/// against the features of surfaces whose boxes are near.
pub(crate) fn find_walls<D: Dimension>(
    bodies: &Bodies<D>,
    contacts: &ContactTable<D>,
    slot: u32,
    skin: f64,
    old: &PreviousRow<'_, D>,
    part: &mut Part<D>,
) {
    // Owners meet the walls: images would meet them twice, copies in two processes.
    if bodies.is_image(slot) || bodies.is_elsewhere(slot) || !bodies.is_touchable(slot as usize) {
        return;
    }
    let mut test = |wall: u32| {
        let (gap, direction) = old.remaining(wall).unwrap_or_else(|| gap(bodies, contacts, slot, wall));
        if gap <= skin || gap == f64::INFINITY {
            part.pairs.push(Candidate { a: slot, b: wall, due_at: gap.max(0.0) });
            part.directions.push(direction);
        }
    };
    let there = |wall: usize| bodies.states[wall].is_present();
    let plain = (0..bodies.features.first).filter(|&wall| there(wall) && !bodies.features.has(wall));
    plain.for_each(|wall| test(wall as u32));
    for surface in bodies.features.surfaces.iter().filter(|surface| there(surface.wall)) {
        let centre = bodies.records[surface.wall].pose().to_body(bodies.records[slot as usize].position);
        let reach = bodies.size(slot as usize) + skin;
        surface.tree.near(centre, reach, |feature| test((surface.slots.start + feature) as u32));
    }
}

/// A lower bound of the gap, and its direction. With a feature of a mesh the displacement before it can own a contact.
fn gap<D: Dimension>(bodies: &Bodies<D>, contacts: &ContactTable<D>, slot: u32, wall: u32) -> (f64, D::Vec) {
    if let Some(clear) = bodies.clearance(BodyPair { a: slot, b: wall }, contacts) {
        return (clear.budget.max(0.0), clear.direction);
    }
    let query = Query { goal: Goal::Detect, ..Query::default() };
    let (grain, wall) = (bodies.placed(slot), bodies.placed(wall));
    match D::solve_warm(grain, wall, query, &mut D::Memory::default(), &mut D::Scratch::default()) {
        Ok(answer) => match answer.verdict {
            Verdict::Apart { at_least, along } => (at_least, along),
            _ => (0.0, D::Vec::default()),
        },
        Err(_) => (0.0, D::Vec::default()),
    }
}

//! Grains that come to rest before a run begins.
//!
//! **Idea.** Most of what a bed takes to settle is its fall, whose duration has nothing to do with the stiffness of the grains,
//! while the time step has: with the part s of the stiffness it is longer by √(1/s). Grains settle so, and the bed gets its real
//! stiffness in stages, each of which doubles it and lasts as many steps as an elastic wave takes through the bed: springs that
//! become stiffer at once would throw the bed apart. Damping stays the same part of the critical one, so that impacts have the
//! restitution that they have later.
//!
//! **Fails when** overlaps of the soft bed are not small beside the grains: it is denser then, and has other contacts. The last
//! step of the soft bed tells.

use std::collections::HashSet;

use gritstone_engine::{Backend, Dimension, Earlier, Grain, Setup, World};
use gritstone_scene::{Preparation, steps_up_to};

use super::{RunError, Watch};

/// Steps between two questions whether to stop.
const STRETCH: u64 = 100;
/// Growth of the stiffness from stage to stage.
const GROWTH: f64 = 2.0;
/// Overlap of the soft bed, relative to the smaller grain's bounding radius, from which it is told.
const DEEP: f64 = 0.05;

/// The setup of a run whose grains have come to rest, and what to say of it.
pub(super) fn prepare<D: Dimension>(
    setup: &Setup<D>,
    how: &Preparation,
    watch: &dyn Watch,
) -> Result<(Setup<D>, Vec<String>), RunError> {
    let stage = |stiffness: f64, grains: Vec<Grain<D>>, earlier| Setup {
        interactions: setup.interactions.softened(stiffness),
        time_step: setup.time_step / stiffness.sqrt(),
        tools: Vec::new(),
        grains,
        earlier,
        ..setup.clone()
    };
    let mut stiffness = how.stiffness;
    let mut before = stage(stiffness, setup.grains.clone(), None);
    let soft_steps = steps_up_to(how.time, before.time_step);
    let mut world = World::new(&before)?;
    advance(&mut world, soft_steps, watch)?;
    let (deepest, mut steps) = (world.status().deepest, 0);
    while stiffness < 1.0 {
        stiffness = (GROWTH * stiffness).min(1.0);
        let next = stage(stiffness, left(setup, &world), Some(going_on(before, &world)?));
        world = World::new(&next)?;
        // The last stage leaves the bed at rest.
        let relax = if stiffness < 1.0 { how.relax } else { 2 * how.relax };
        advance(&mut world, relax, watch)?;
        (before, steps) = (next, steps + relax);
    }
    let mut notes = vec![format!(
        "prepared in {} steps: {soft_steps} with {} of the stiffness, and {steps} while it was restored; the largest overlap of the \
         soft bed was {deepest:.3} of the bounding radius",
        soft_steps + steps,
        how.stiffness
    )];
    if deepest > DEEP {
        notes.push(format!(
            "warning: the soft bed was pressed together by more than {DEEP} of the bounding radius, and is denser and has other \
             contacts than one that has settled with the real stiffness: a larger prepare.stiffness helps"
        ));
    }
    let earlier = Some(going_on(before, &world)?);
    Ok((Setup { grains: left(setup, &world), earlier, ..setup.clone() }, notes))
}

/// Makes these steps, unless it is asked to stop.
fn advance<D: Dimension>(world: &mut World<D>, steps: u64, watch: &dyn Watch) -> Result<(), RunError> {
    for done in (0..steps).step_by(STRETCH as usize) {
        if watch.wants_stop() {
            return Err(RunError::Unprepared);
        }
        Backend::advance(world, STRETCH.min(steps - done))?;
    }
    Ok(())
}

/// The grains of a setup that are still in a world that was made from it.
fn left<D: Dimension>(setup: &Setup<D>, world: &World<D>) -> Vec<Grain<D>> {
    let there: HashSet<u32> = world.snapshot().bodies.iter().map(|body| body.id).collect();
    setup.grains.iter().filter(|grain| there.contains(&grain.id)).cloned().collect()
}

/// What goes on from the state of a world that was made from this setup.
fn going_on<D: Dimension>(setup: Setup<D>, world: &World<D>) -> Result<Earlier<D>, RunError> {
    Ok(Earlier {
        shapes: (0..setup.shapes.len() as u32).map(Some).collect(),
        materials: (0..setup.densities.len() as u16).map(Some).collect(),
        setup: Box::new(Setup { earlier: None, ..setup }),
        state: world.save()?.into(),
    })
}

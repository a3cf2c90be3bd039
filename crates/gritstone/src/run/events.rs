//! Events of a scene.

use gritstone_engine::{Backend, BodyColumns, Dimension, Region};
use gritstone_scene::{Action, Plan};

use super::RunError;
use super::health::check_room;

/// Applies the events of a step, and reports each.
pub(super) fn happen<D: Dimension>(
    plan: &Plan<D>,
    world: &mut dyn Backend<D>,
    step: u64,
    mut note: impl FnMut(&str),
) -> Result<(), RunError> {
    for action in plan.events.iter().filter(|event| event.step == step).flat_map(|event| &event.actions) {
        let what = perform(action, world)?;
        note(&format!("at {:.6} s: {what}", world.time()));
    }
    Ok(())
}

/// Does it, and says what was done.
fn perform<D: Dimension>(action: &Action<D>, world: &mut dyn Backend<D>) -> Result<String, RunError> {
    Ok(match action {
        Action::RemoveWalls(names) => {
            let gone = names.iter().filter(|name| world.remove_wall(name)).count();
            format!("{} removed: {}", counted(gone, "wall"), names.join(", "))
        }
        Action::AddWalls(names) => {
            let come = names.iter().filter(|name| world.add_wall(name)).count();
            check_room(names, &world.status())?;
            format!("{} added: {}", counted(come, "wall"), names.join(", "))
        }
        Action::Remove(region) => {
            let gone = world.remove(&ids_in(region, world));
            format!("{} removed", counted(gone, "grain"))
        }
        Action::Freeze(region) => {
            let frozen = world.freeze(&ids_in(region, world));
            format!("{} frozen", counted(frozen, "grain"))
        }
        Action::DriveCell(gradient, press) => {
            world.drive_cell(gradient, *press);
            "the cell moves another way".to_owned()
        }
    })
}

/// "1 wall", "2 walls".
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Grains whose centre is in a zone, or that of one of their images.
fn ids_in<D: Dimension>(zone: &Region<D>, world: &dyn Backend<D>) -> Vec<u32> {
    let (lattice, bodies) = (world.lattice(), BodyColumns::of(world));
    let all = bodies.id.iter().zip(&bodies.position);
    all.filter(|(_, x)| lattice.is_in(zone, **x)).map(|(id, _)| *id).collect()
}

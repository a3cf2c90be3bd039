//! The conditions of `[stop]`, which end a run early.

use gritstone_core::Vector;
use gritstone_engine::{Backend, Dimension, Setup, Snapshot};
use gritstone_scene::StopWhen;

/// Steps between two looks at the reasons to stop and at the signs of instability. Fixed, so that a run ends at the same
/// step whatever else it does.
pub const CHECK_EVERY: u64 = 100;

/// Whether all given conditions hold.
pub(super) fn stop_conditions_hold<D: Dimension>(
    when: &StopWhen,
    world: &dyn Backend<D>,
    setup: &Setup<D>,
) -> bool {
    world.time() >= when.not_before
        && when.kinetic_energy.is_none_or(|limit| world.energies().kinetic() < limit)
        && when.unbalanced_force.is_none_or(|limit| unbalanced_force(setup, &world.snapshot()) < limit)
}

/// Mean unbalanced force of the grains over the mean force of the contacts; infinite where nothing touches. Grains that are
/// frozen have no balance to keep.
fn unbalanced_force<D: Dimension>(setup: &Setup<D>, snapshot: &Snapshot<D>) -> f64 {
    let volumes: Vec<f64> = (0..setup.shapes.len() as u32).map(|shape| setup.volume(shape)).collect();
    let free: Vec<f64> = snapshot
        .bodies
        .iter()
        .filter(|body| !body.frozen)
        .map(|body| {
            let mass = volumes[body.shape as usize] * setup.densities[usize::from(body.material)];
            (body.force + setup.gravity * mass).length()
        })
        .collect();
    let mean = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
    let net = mean(free.iter().sum(), free.len());
    let push = snapshot.contacts.iter().map(|contact| contact.force.length()).sum();
    let push = mean(push, snapshot.contacts.len());
    if push > 0.0 { net / push } else { f64::INFINITY }
}

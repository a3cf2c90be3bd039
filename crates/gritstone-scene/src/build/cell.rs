//! The cell that repeats, from its words.

use gritstone_core::{Linear as _, Vector as _};
use gritstone_engine::{Cell, Gradient, Grain, Setup, Side, Wall};

use super::check_corners;
use super::scenery::Scenery;
use crate::display::plain;
use crate::ledger::Ledger;
use crate::words::{self, Axis, CellMotion, SceneFile};

/// How far the normal of a wall may point along an axis that repeats.
const UPRIGHT: f64 = 1e-6;

/// Tells of a cell that cannot be.
pub(super) fn check<D: Scenery>(file: &SceneFile, walls: Option<&[Wall<D>]>, ledger: &mut Ledger<'_>) {
    for (i, event) in file.events.iter().enumerate() {
        if let Some(motion) = &event.cell {
            let key = format!("events[{i}].cell");
            if file.cell.is_none() {
                ledger.wrong(&key, format_args!("{key} moves a cell, but the scene has no table \"cell\""));
            }
            check_motion::<D>(&key, motion, file, ledger);
        }
    }
    let Some(cell) = &file.cell else { return };
    check_corners::<D>("cell", cell.low.vector::<D>(), cell.high.vector::<D>(), ledger);
    if let Some(i) = cell.repeat.iter().position(|axis| axis.number() >= D::N) {
        let place = format!("cell.repeat[{i}]");
        ledger.wrong(&place, format_args!("{place} is \"z\", which the plane does not have"));
    }
    if let Some(motion) = &cell.motion {
        check_motion::<D>("cell.motion", motion, file, ledger);
    }
    for wall in walls.unwrap_or_default() {
        let Some(normal) = D::normal(&wall.shape).map(|n| D::rotate(wall.pose.rotation, n)) else { continue };
        let across = axes::<D>(cell).into_iter().find(|axis| normal.component(axis.number()).abs() > UPRIGHT);
        if let Some(axis) = across {
            let key = format!("walls.{}", wall.name);
            ledger.wrong(
                &key,
                format_args!(
                    "wall \"{}\" stands across the axis {}, along which the cell repeats",
                    wall.name,
                    axis.word()
                ),
            );
        }
    }
}

fn check_motion<D: Scenery>(key: &str, motion: &CellMotion, file: &SceneFile, ledger: &mut Ledger<'_>) {
    let given = (motion.shear_along, motion.shear_across);
    let sheared = motion.shear_rate.si != 0.0;
    match given {
        (None, None) if !sheared => {}
        (Some(along), Some(across)) => {
            let (repeats, word) = (file.cell.as_ref().map(axes::<D>).unwrap_or_default(), across.word());
            if along == across {
                let place = format!("{key}.shear_across");
                ledger.wrong(&place, format_args!("{place} is \"{word}\", but must differ from shear_along"));
            } else if !repeats.contains(&across) || along.number() >= D::N {
                let place = format!("{key}.shear_across");
                ledger.wrong(
                    &place,
                    format_args!("{place} is \"{word}\", along which the cell does not repeat"),
                );
            }
        }
        _ => {
            ledger.wrong(
                key,
                format_args!(
                    "{key} must have all of \"shear_along\", \"shear_across\", \"shear_rate\", or none"
                ),
            );
        }
    }
}

/// Axes along which a cell repeats.
fn axes<D: Scenery>(cell: &words::Cell) -> Vec<Axis> {
    let all = [Axis::X, Axis::Y, Axis::Z];
    let said = |axis: &Axis| cell.repeat.is_empty() || cell.repeat.contains(axis);
    all.into_iter().take(D::N).filter(said).collect()
}

/// The velocity gradient of a motion.
pub(super) fn gradient(motion: &CellMotion) -> Gradient {
    let mut gradient = [[0.0; 3]; 3];
    for (i, rate) in motion.strain_rates.iter().flat_map(|rates| &rates.si).enumerate().take(3) {
        gradient[i][i] = *rate;
    }
    if let (Some(along), Some(across)) = (motion.shear_along, motion.shear_across) {
        gradient[along.number()][across.number()] += motion.shear_rate.si;
    }
    gradient
}

/// Tells of a cell that is too narrow for its grains.
pub(super) fn check_width<D: Scenery>(setup: &Setup<D>, ledger: &mut Ledger<'_>) {
    if let Some((axis, width, needed)) = setup.narrow_side() {
        let place = format!("cell.high[{axis}]");
        let (width, needed) = (plain(width), plain(needed));
        ledger.wrong(
            &place,
            format_args!(
                "{place}: the cell is {width} m wide there, but must be wider than {needed} m, than the largest grain and \
                 what lists need around it"
            ),
        );
    }
}

/// The cell of a scene; grains get its velocity beside their own.
pub(super) fn make<D: Scenery>(file: &SceneFile, grains: &mut [Grain<D>]) -> Option<Cell<D>> {
    let cell = file.cell.as_ref()?;
    let (low, high) = (cell.low.vector::<D>(), cell.high.vector::<D>());
    let motion = cell.motion.as_ref().map_or([[0.0; 3]; 3], gradient);
    let axes = axes::<D>(cell);
    let mut made = Cell::<D> { centre: (low + high) * 0.5, ..Cell::default() };
    for axis in axes.iter().map(|axis| axis.number()) {
        let vector = D::Vec::axis(axis) * (high - low).component(axis);
        let side = Side::<D> { vector, velocity: D::Vec::default() };
        made.sides[axis] = Some(Side { velocity: side.driven(&motion), ..side });
    }
    for grain in grains {
        let x = grain.pose.position - made.centre;
        for Side { vector, velocity } in made.sides.into_iter().flatten() {
            grain.velocity += velocity * (x.dot(vector) / vector.dot(vector));
        }
    }
    Some(made)
}

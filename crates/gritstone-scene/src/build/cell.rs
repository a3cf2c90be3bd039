//! The periodic cell, from its table.

use gritstone_core::{Linear as _, Vector as _};
use gritstone_engine::{Cell, Setup, Side, StressControl, VelocityGradient, Wall};
use gritstone_shape::AnyShape as _;

use super::from_scene::FromScene;
use super::grains::Placed;
use super::{axes, check_corners};
use crate::diagnostics::Diagnostics;
use crate::display::plain;
use crate::schema::{self, Axis, CellMotion, SceneFile};

/// Farthest from the origin that a corner may be (m): squares of lengths must be numbers.
const FARTHEST: f64 = 1e150;
/// How far the normal of a wall may point along an axis that repeats.
const UPRIGHT: f64 = 1e-6;

/// Reports a cell that cannot be.
pub(super) fn check<D: FromScene>(
    file: &SceneFile,
    walls: Option<&[Wall<D>]>,
    diagnostics: &mut Diagnostics<'_>,
) {
    for (i, event) in file.events.iter().enumerate() {
        if let Some(motion) = &event.cell {
            let key = format!("events[{i}].cell");
            if file.cell.is_none() {
                diagnostics
                    .error(&key, format_args!("{key} moves a cell, but the scene has no table \"cell\""));
            }
            check_motion::<D>(&key, motion, file, diagnostics);
        }
    }
    let Some(cell) = &file.cell else { return };
    check_corners::<D>("cell", cell.low.vector::<D>(), cell.high.vector::<D>(), diagnostics);
    for (name, corner) in [("low", &cell.low), ("high", &cell.high)] {
        let far = corner.si.iter().position(|x| x.abs() > FARTHEST);
        if let Some(i) = far {
            let (place, x) = (format!("cell.{name}[{i}]"), corner.si[i]);
            diagnostics.error(
                &place,
                format_args!("{place} is {x:e} m, but must be from {:e} m to {FARTHEST:e} m", -FARTHEST),
            );
        }
    }
    check_axes::<D>("cell.repeat", cell.repeat.as_deref(), diagnostics);
    if let Some(motion) = &cell.motion {
        check_motion::<D>("cell.motion", motion, file, diagnostics);
    }
    for wall in walls.unwrap_or_default() {
        let Some(normal) = wall.shape.plane_normal().map(|n| D::rotate(wall.pose.rotation, n)) else {
            continue;
        };
        let across =
            repeats::<D>(cell).into_iter().find(|axis| normal.component(axis.number()).abs() > UPRIGHT);
        if let Some(axis) = across {
            let key = format!("walls.{}", wall.name);
            diagnostics.error(
                &key,
                format_args!(
                    "wall \"{}\" stands across the axis {}, along which the cell repeats",
                    wall.name,
                    axis.keyword()
                ),
            );
        }
    }
}

/// Reports a list of axes that is empty, has one twice, or one that is not there.
fn check_axes<D: FromScene>(key: &str, list: Option<&[Axis]>, diagnostics: &mut Diagnostics<'_>) {
    let Some(list) = list else { return };
    if list.is_empty() {
        diagnostics.error(
            key,
            format_args!("{key} has no axes, but must have at least one: leave it out for all of them"),
        );
    }
    if let Some((i, what)) = axes::stray(list, |axis| axis.number() < D::N) {
        let place = format!("{key}[{i}]");
        diagnostics.error(&place, format_args!("{place} {what}"));
    }
}

/// Reports edges that are to grow where there are none.
fn check_strain<D: FromScene>(
    key: &str,
    motion: &CellMotion,
    cell: &schema::Cell,
    diagnostics: &mut Diagnostics<'_>,
) {
    let (repeats, rates) = (repeats::<D>(cell), motion.strain_rates.iter().flat_map(|rates| &rates.si));
    for (axis, rate) in [Axis::X, Axis::Y, Axis::Z].into_iter().zip(rates) {
        if *rate != 0.0 && !repeats.contains(&axis) {
            let (place, keyword) = (format!("{key}.strain_rates[{}]", axis.number()), axis.keyword());
            diagnostics.error(
                &place,
                format_args!("{place} is {rate}, but must be 0: the cell does not repeat along {keyword}"),
            );
        }
    }
}

fn check_motion<D: FromScene>(
    key: &str,
    motion: &CellMotion,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) {
    check_press::<D>(key, motion, file, diagnostics);
    if let Some(cell) = &file.cell {
        check_strain::<D>(key, motion, cell, diagnostics);
    }
    let given = (motion.shear_along, motion.shear_across);
    let sheared = motion.shear_rate.si != 0.0;
    match given {
        (None, None) if !sheared => {}
        (Some(along), Some(across)) => {
            let (repeats, keyword) =
                (file.cell.as_ref().map(repeats::<D>).unwrap_or_default(), across.keyword());
            if along == across {
                let place = format!("{key}.shear_across");
                diagnostics.error(
                    &place,
                    format_args!("{place} is \"{keyword}\", but must differ from shear_along"),
                );
            } else if !repeats.contains(&across) || along.number() >= D::N {
                let place = format!("{key}.shear_across");
                diagnostics.error(
                    &place,
                    format_args!("{place} is \"{keyword}\", along which the cell does not repeat"),
                );
            }
        }
        _ => {
            diagnostics.error(
                key,
                format_args!(
                    "{key} must have all of \"shear_along\", \"shear_across\", \"shear_rate\", or none"
                ),
            );
        }
    }
}

/// Reports stresses that cannot be reached.
fn check_press<D: FromScene>(
    key: &str,
    motion: &CellMotion,
    file: &SceneFile,
    diagnostics: &mut Diagnostics<'_>,
) {
    if motion.stress.is_none() {
        let stray =
            [("stress_along", motion.stress_along.is_some()), ("max_rate", motion.max_rate.is_some())];
        for (name, _) in stray.into_iter().filter(|(_, given)| *given) {
            let place = format!("{key}.{name}");
            diagnostics.error(&place, format_args!("{place} goes with {key}.stress, which is missing"));
        }
        return;
    }
    check_axes::<D>(&format!("{key}.stress_along"), motion.stress_along.as_deref(), diagnostics);
    let place = format!("{key}.max_rate");
    match motion.max_rate {
        None => diagnostics.error(key, format_args!("{key} has \"stress\", and must have \"max_rate\", too")),
        Some(rate) if rate.si <= 0.0 => {
            diagnostics.error(&place, format_args!("{place} is {}, but must be more than zero", rate.si));
        }
        Some(_) => {}
    }
    let repeats = file.cell.as_ref().map(repeats::<D>).unwrap_or_default();
    if repeats.len() < D::N {
        let place = format!("{key}.stress");
        diagnostics.error(
            &place,
            format_args!(
                "{place} needs a cell that is periodic along all axes: otherwise the area of its sides is undefined"
            ),
        );
    }
    for axis in pressed::<D>(motion, &repeats) {
        let rate = motion.strain_rates.as_ref().and_then(|rates| rates.si.get(axis.number()).copied());
        if rate.is_some_and(|rate| rate != 0.0) {
            let place = format!("{key}.strain_rates[{}]", axis.number());
            diagnostics.error(
                &place,
                format_args!("{place} is given along {}, along which {key}.stress counts", axis.keyword()),
            );
        }
    }
}

/// Axes along which a motion's stress counts.
fn pressed<D: FromScene>(motion: &CellMotion, repeats: &[Axis]) -> Vec<Axis> {
    let said = |axis: &&Axis| motion.stress_along.as_ref().is_none_or(|list| list.contains(axis));
    repeats.iter().filter(said).copied().collect()
}

/// The stresses of a motion, if it has any.
pub(super) fn press<D: FromScene>(motion: &CellMotion, cell: Option<&schema::Cell>) -> Option<StressControl> {
    let (stress, max_rate) = (motion.stress.as_ref()?.vector::<D>(), motion.max_rate?.si);
    let mut press = StressControl { stress: [None; 3], max_rate };
    for axis in pressed::<D>(motion, &repeats::<D>(cell?)).into_iter().map(Axis::number) {
        press.stress[axis] = Some(stress.component(axis));
    }
    Some(press)
}

/// Axes along which a cell repeats.
pub(super) fn repeats<D: FromScene>(cell: &schema::Cell) -> Vec<Axis> {
    let all = [Axis::X, Axis::Y, Axis::Z];
    let said = |axis: &Axis| cell.repeat.as_ref().is_none_or(|list| list.contains(axis));
    all.into_iter().take(D::N).filter(said).collect()
}

/// The velocity gradient of a motion.
pub(super) fn gradient(motion: &CellMotion) -> VelocityGradient {
    let mut gradient = [[0.0; 3]; 3];
    for (i, rate) in motion.strain_rates.iter().flat_map(|rates| &rates.si).enumerate().take(3) {
        gradient[i][i] = *rate;
    }
    if let (Some(along), Some(across)) = (motion.shear_along, motion.shear_across) {
        gradient[along.number()][across.number()] += motion.shear_rate.si;
    }
    gradient
}

/// Reports a cell that is too narrow for its grains.
pub(super) fn check_width<D: FromScene>(setup: &Setup<D>, diagnostics: &mut Diagnostics<'_>) {
    if let Some((axis, width, needed)) = setup.narrow_side() {
        let place = format!("cell.high[{axis}]");
        let (width, needed) = (plain(width), plain(needed));
        diagnostics.error(
            &place,
            format_args!(
                "{place}: the cell is {width} m wide there, but must be wider than {needed} m, than the largest grain and \
                 the cutoff of the neighbour lists"
            ),
        );
    }
}

/// The cell of a scene, with the sides of another one if there is one that it is to continue from.
pub(super) fn make<D: FromScene>(file: &SceneFile, like: Option<&Cell<D>>) -> Option<Cell<D>> {
    let cell = file.cell.as_ref()?;
    let (low, high) = (cell.low.vector::<D>(), cell.high.vector::<D>());
    let motion = cell.motion.as_ref().map_or([[0.0; 3]; 3], gradient);
    let press = cell.motion.as_ref().and_then(|motion| press::<D>(motion, Some(cell)));
    let mut made = Cell::<D> { centre: (low + high) * 0.5, press, ..Cell::default() };
    for axis in repeats::<D>(cell).iter().map(|axis| axis.number()) {
        let vector = D::Vec::axis(axis) * (high - low).component(axis);
        let side = Side::<D> { vector, velocity: D::Vec::default() };
        made.sides[axis] = Some(Side { velocity: side.driven(&motion), ..side });
    }
    let repeats_alike =
        |like: &Cell<D>| like.sides.map(|side| side.is_some()) == made.sides.map(|side| side.is_some());
    if let Some(like) = like.filter(|like| repeats_alike(like)) {
        made.centre = like.centre;
        made.sides = like.sides.map(|side| side.map(|side| Side { velocity: side.driven(&motion), ..side }));
    }
    Some(made)
}

/// New grains get the velocity of the cell beside their own; those of an earlier run have it.
pub(super) fn carry<D: FromScene>(cell: &Cell<D>, groups: &mut Placed<D>) {
    let going_on = groups.going_on.clone();
    for (_, grain) in groups.grains.iter_mut().enumerate().filter(|(i, _)| !going_on.contains(i)) {
        let x = grain.pose.position - cell.centre;
        for Side { vector, velocity } in cell.sides.into_iter().flatten() {
            grain.velocity += velocity * (x.dot(vector) / vector.dot(vector));
        }
    }
}

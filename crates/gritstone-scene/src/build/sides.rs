//! Walls that are near a side of a periodic cell: they do not repeat themselves.

use gritstone_core::Vector as _;
use gritstone_engine::{Inlet, Setup};
use gritstone_shape::AnyShape as _;

use super::extents::along;
use super::from_scene::FromScene;
use crate::diagnostics::Diagnostics;
use crate::display::plain;

/// Reports walls that grains across a side of the cell would meet if walls repeated: those that come nearer to it than the
/// largest grain reaches, without going on beyond both sides.
pub(super) fn check<D: FromScene>(setup: &Setup<D>, inlets: &[Inlet<D>], diagnostics: &mut Diagnostics<'_>) {
    let Some(cell) = &setup.cell else { return };
    let coming = inlets.iter().flat_map(|inlet| inlet.mix.classes()).map(|sort| sort.shape);
    let shapes = setup.grains.iter().map(|grain| grain.shape).chain(coming);
    let reach = shapes.map(|shape| setup.form(shape).size()).fold(0.0, f64::max);
    for (axis, side) in cell.sides.iter().enumerate() {
        let Some(side) = side else { continue };
        let (centre, half) = (cell.centre.component(axis), 0.5 * side.vector.component(axis));
        // Planes are the same everywhere.
        for wall in
            setup.walls.iter().filter(|wall| wall.shape.plane_normal().is_none() || wall.surface.is_some())
        {
            let [low, high] = along(wall, axis).map(|x| x - centre);
            let is_inside = low >= -half + reach && high <= half - reach;
            let goes_on = low <= -half - reach && high >= half + reach;
            let is_outside = low >= half + reach || high <= -half - reach;
            if !(is_inside || goes_on || is_outside) {
                let (keyword, reach) = (["x", "y", "z"][axis], plain(reach));
                diagnostics.warn(
                    &format!("walls.{}", wall.name),
                    format_args!(
                        "wall \"{}\" comes nearer to a side of the cell along {keyword} than the largest grain reaches, \
                         {reach} m: walls do not repeat, so that grains across the side do not meet it. It should end \
                         {reach} m before the sides, or go on by {reach} m beyond both of them",
                        wall.name
                    ),
                );
            }
        }
    }
}

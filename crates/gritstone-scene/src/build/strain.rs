//! Cells whose edges shrink at given rates: how wide they are then is known before the run.

use gritstone_core::Vector as _;
use gritstone_engine::Setup;

use super::cell;
use super::from_scene::FromScene;
use super::plan::steps_up_to;
use crate::diagnostics::Diagnostics;
use crate::display::{plain, time};
use crate::schema::{Axis, CellMotion, SceneFile};

/// A motion of the cell, from some step on.
struct Stage<'w> {
    key: String,
    motion: &'w CellMotion,
    from: u64,
}

/// Reports edges that become too short for the grains, or turn inside out, before the last step.
pub(super) fn check<D: FromScene>(
    file: &SceneFile,
    setup: &Setup<D>,
    steps: u64,
    diagnostics: &mut Diagnostics<'_>,
) {
    let Some(spec) = &file.cell else { return };
    // What is too narrow from the start on is reported already.
    if setup.narrow_side().is_some() {
        return;
    }
    let stages = stages(file, setup.time_step);
    for axis in cell::repeats::<D>(spec) {
        let side = setup.cell.and_then(|cell| cell.sides[axis.number()]);
        let Some(mut width) = side.map(|side| side.vector.component(axis.number())) else { continue };
        for (k, stage) in stages.iter().enumerate() {
            if stage.presses::<D>(axis, file) {
                break;
            }
            let to = stages.get(k + 1).map_or(steps, |next| next.from).min(steps);
            let shrinking = Shrinking { setup, axis, width, steps: [stage.from.min(to), to] };
            let Some(next) = shrinking.end(stage, file.stop.is_some(), diagnostics) else { break };
            width = next;
        }
    }
}

/// All motions, in their order.
fn stages(file: &SceneFile, dt: f64) -> Vec<Stage<'_>> {
    let first = file.cell.as_ref().and_then(|cell| cell.motion.as_ref());
    let first = first.map(|motion| Stage { key: "cell.motion".to_owned(), motion, from: 0 });
    let event = |(i, event): (usize, &'_ crate::schema::Event)| (i, steps_up_to(event.at.si, dt));
    let mut later: Vec<_> = file.events.iter().enumerate().map(event).collect();
    later.sort_by_key(|(_, from)| *from);
    let later = later.into_iter().filter_map(|(i, from)| {
        let motion = file.events[i].cell.as_ref()?;
        Some(Stage { key: format!("events[{i}].cell"), motion, from })
    });
    first.into_iter().chain(later).collect()
}

impl Stage<'_> {
    fn presses<D: FromScene>(&self, axis: Axis, file: &SceneFile) -> bool {
        let press = cell::press::<D>(self.motion, file.cell.as_ref());
        press.is_some_and(|press| press.stress[axis.number()].is_some())
    }

    /// How fast an edge grows, as a fraction of its length at the start of this.
    fn rate(&self, axis: Axis) -> f64 {
        cell::gradient(self.motion)[axis.number()][axis.number()]
    }
}

/// An edge during a stage.
struct Shrinking<'s, D: FromScene> {
    setup: &'s Setup<D>,
    axis: Axis,
    /// At the start of it (m).
    width: f64,
    /// Its first and last step.
    steps: [u64; 2],
}

impl<D: FromScene> Shrinking<'_, D> {
    /// How long the edge is at the end of the stage; reports where that is too short. `early` says that the run may end before.
    fn end(&self, stage: &Stage<'_>, early: bool, diagnostics: &mut Diagnostics<'_>) -> Option<f64> {
        let ([from, to], dt, rate) = (self.steps, self.setup.time_step, stage.rate(self.axis));
        let (seconds, needed) = ((to - from) as f64 * dt, self.setup.needed_width());
        let end = self.width * (1.0 + rate * seconds);
        if end >= needed {
            return Some(end);
        }
        // By which part of itself the edge may shrink.
        let room = needed / self.width - 1.0;
        let (place, keyword) =
            (format!("{}.strain_rates[{}]", stage.key, self.axis.number()), self.axis.keyword());
        let (least, needed) = (plain(room / seconds), plain(needed));
        let [reached, until] = [from as f64 * dt + room / rate, to as f64 * dt].map(time);
        let message = format!(
            "{place} is {rate}, but must be at least {least}: along {keyword} the cell must be wider than {needed} m, than the \
             largest grain and the cutoff of the neighbour lists, which it is until {reached}, and it shrinks until {until}"
        );
        if early {
            diagnostics.warn(&place, message);
        } else {
            diagnostics.error(&place, message);
        }
        None
    }
}

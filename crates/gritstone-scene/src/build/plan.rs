//! When a run ends, what happens during the run, and what is written when: in steps.

use gritstone_core::Dim;
use gritstone_engine::{Region, StressControl, VelocityGradient, Wall};

use super::from_scene::FromScene;
use super::step::TimeStep;
use super::{cell, check_corners};
use crate::diagnostics::Diagnostics;
use crate::display::plain;
use crate::quantity::{Duration, Quantity};
use crate::schema::{self, Event, OutputInterval, SceneFile};

/// When a run ends, what happens during the run, and what is written when.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<D: Dim> {
    /// Number of steps to the end.
    pub steps: u64,
    /// Reasons to end earlier.
    pub stop: Option<StopWhen>,
    /// What happens during the run, in order.
    pub events: Vec<ScheduledEvent<D>>,
    /// How often what is written.
    pub output: Intervals,
}

/// Reasons to end before the last step: all that are given must hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopWhen {
    /// Kinetic energy of all grains below this (J).
    pub kinetic_energy: Option<f64>,
    /// Mean unbalanced force of the grains over the mean force of the contacts below this.
    pub unbalanced_force: Option<f64>,
    /// Not before this time (s).
    pub not_before: f64,
}

/// What happens before some step.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduledEvent<D: Dim> {
    /// The number of steps made until then.
    pub step: u64,
    /// What happens, in order.
    pub actions: Vec<Action<D>>,
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<D: Dim> {
    /// The walls with these names vanish.
    RemoveWalls(Vec<String>),
    /// The walls with these names come.
    AddWalls(Vec<String>),
    /// Grains in this region vanish.
    Remove(Region<D>),
    /// Grains in this region stay where they are.
    Freeze(Region<D>),
    /// The sides of the cell move with this velocity gradient, and until these stresses are reached.
    DriveCell(VelocityGradient, Option<StressControl>),
}

/// How often what is written: numbers of steps; none for never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    /// What has no interval of its own.
    pub every: u64,
    /// Frames for ParaView.
    pub vtk: Option<u64>,
    /// Frames of the trajectory.
    pub trajectory: Option<u64>,
    /// Lines of the table of energies.
    pub energies: Option<u64>,
    /// Lines of the table of walls and tools.
    pub walls: Option<u64>,
    /// Checkpoints.
    pub checkpoint: Option<u64>,
}

/// Reports times and events that make no sense, whatever the time step is.
pub(super) fn check<D: FromScene>(
    file: &SceneFile,
    walls: Option<&[Wall<D>]>,
    diagnostics: &mut Diagnostics<'_>,
) {
    if file.time.end.is_none() && file.time.steps.is_none() {
        diagnostics.error("time", "time has neither \"end\" nor \"steps\": give at least one of them");
    }
    if file.time.steps == Some(0) {
        diagnostics.error("time.steps", "time.steps is 0, but must be 1 or more");
    }
    if let Some(stop) = &file.stop
        && stop.kinetic_energy.is_none()
        && stop.unbalanced_force.is_none()
    {
        diagnostics.error(
            "stop",
            "stop has neither \"kinetic_energy\" nor \"unbalanced_force\": give at least one of them",
        );
    }
    for (i, event) in file.events.iter().enumerate() {
        let key = format!("events[{i}]");
        check_event::<D>(&key, event, file, diagnostics);
        for (list, names) in [("remove_walls", &event.remove_walls), ("add_walls", &event.add_walls)] {
            for (k, name) in names.iter().enumerate() {
                if let Some(walls) = walls.filter(|walls| !walls.iter().any(|wall| is_called(wall, name))) {
                    let place = format!("{key}.{list}[{k}]");
                    let known = walls.iter().map(|wall| wall.name.as_str());
                    diagnostics.unknown(&place, name, "wall", "walls", known);
                }
            }
        }
    }
}

/// Whether a wall has this name, or is a side of one that has it.
pub(super) fn is_called<D: FromScene>(wall: &Wall<D>, name: &str) -> bool {
    wall.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn check_event<D: FromScene>(key: &str, event: &Event, file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    let regions = [("remove", &event.remove), ("freeze", &event.freeze)];
    let idle = event.remove_walls.is_empty() && event.add_walls.is_empty() && event.cell.is_none();
    if idle && regions.iter().all(|(_, region)| region.is_none()) {
        diagnostics.error(
            key,
            format_args!(
                "{key} does nothing: give it \"remove_walls\", \"add_walls\", \"remove\", \"freeze\" or \"cell\""
            ),
        );
    }
    let end = file.time.end.map_or(f64::INFINITY, |end| end.si);
    if event.at.si > end {
        let at = event.at.si;
        diagnostics.error(
            &format!("{key}.at"),
            format_args!("{key}.at is {at} s, but must not be after time.end, which is {end} s"),
        );
    }
    for (name, region) in regions {
        if let Some(region) = region {
            let place = format!("{key}.{name}");
            check_corners::<D>(&place, region.low.vector::<D>(), region.high.vector::<D>(), diagnostics);
        }
    }
}

/// The most steps that a run can have: decades on the clock, and few enough to be counted in floating point.
pub const MOST_STEPS: f64 = 1e15;

/// Reports a run that would never end, at the value that is to blame for it.
fn check_length(file: &SceneFile, step: &TimeStep, diagnostics: &mut Diagnostics<'_>) {
    let by_time = file.time.end.map_or(f64::INFINITY, |end| end.si / step.seconds);
    let by_count = file.time.steps.map_or(f64::INFINITY, |steps| steps as f64);
    let count = by_time.min(by_count);
    if count <= MOST_STEPS && step.seconds > 0.0 {
        return;
    }
    let (key, value) = culprit(file, step, by_count < by_time);
    let (value, steps) = (plain(value), plain(count));
    diagnostics.error(
        &key,
        format_args!(
            "{key} is {value}, which is too much or too little: the time step is {step}, and there are {steps} of them, but \
             must be at most {MOST_STEPS:e}"
        ),
    );
}

/// The first value that is beyond anything in nature; the end where none is.
fn culprit(file: &SceneFile, step: &TimeStep, by_count: bool) -> (String, f64) {
    let end = file.time.end.map_or(f64::INFINITY, |end| end.si);
    if by_count {
        return ("time.steps".to_owned(), file.time.steps.unwrap_or_default() as f64);
    }
    // The age of the universe is 4e17 s.
    let suspects = [
        ("time.end", Some(end).filter(|end| *end > 1e9)),
        ("time.step", Some(step.seconds).filter(|_| !step.automatic)),
        ("time.fraction", file.time.fraction.map(|fraction| fraction.si).filter(|part| *part < 1e-6)),
    ];
    if let Some((key, value)) = suspects.into_iter().find_map(|(key, value)| Some((key, value?))) {
        return (key.to_owned(), value);
    }
    let material = file.materials.find(&step.why.material).map(|(_, material)| material);
    let suspects = [
        ("density", material.and_then(|m| m.density).map(|density| density.si).filter(|x| *x < 1e-6)),
        ("young", material.and_then(|m| m.young).map(|young| young.si).filter(|x| *x > 1e18)),
        ("kn", material.and_then(|m| m.kn).map(|kn| kn.si).filter(|x| *x > 1e18)),
    ];
    match suspects.into_iter().find_map(|(key, value)| Some((key, value?))) {
        Some((key, value)) => (format!("materials.{}.{key}", step.why.material), value),
        None => ("time.end".to_owned(), end),
    }
}

/// The plan for a time step.
pub(super) fn make<D: FromScene>(
    file: &SceneFile,
    step: &TimeStep,
    walls: &[Wall<D>],
    diagnostics: &mut Diagnostics<'_>,
) -> Plan<D> {
    check_length(file, step, diagnostics);
    let dt = step.seconds;
    let by_time = file.time.end.map(|end| steps_up_to(end.si, dt));
    let steps = by_time.unwrap_or(u64::MAX).min(file.time.steps.unwrap_or(u64::MAX));
    if let Some(end) = file.time.end.filter(|end| end.si < 0.5 * dt) {
        let end = end.si;
        diagnostics.error(
            "time.end",
            format_args!("time.end is {end} s, less than one step of {dt} s: there would be no steps"),
        );
    }
    check_reached(file, steps, dt, diagnostics);
    let mut events: Vec<_> =
        file.events.iter().map(|event| planned(event, file.cell.as_ref(), dt, walls)).collect();
    // Stable: what is at the same step stays in the order of the file.
    events.sort_by_key(|event: &ScheduledEvent<D>| event.step);
    let stop = file.stop.as_ref().map(|stop| StopWhen {
        kinetic_energy: stop.kinetic_energy.map(|energy| energy.si),
        unbalanced_force: stop.unbalanced_force.map(|ratio| ratio.si),
        not_before: stop.not_before.si,
    });
    Plan { steps, stop, events, output: intervals(file, steps, dt) }
}

/// Reports events that the last step comes before; what is after `time.end` has been reported.
fn check_reached(file: &SceneFile, steps: u64, dt: f64, diagnostics: &mut Diagnostics<'_>) {
    let Some(given) = file.time.steps else { return };
    for (i, event) in file.events.iter().enumerate().filter(|(_, event)| steps_up_to(event.at.si, dt) > steps)
    {
        let (place, at, last) = (format!("events[{i}].at"), event.at.si, plain(steps as f64 * dt));
        let what = format!("{place} is {at} s, after the last of time.steps, {given}, which is at {last} s");
        // A run that has an end of its own may be cut short on purpose.
        if file.time.end.is_some() {
            diagnostics.warn(&place, format_args!("{what}: it does not happen"));
        } else {
            diagnostics.error(&place, format_args!("{what}, but must not be after it"));
        }
    }
}

fn planned<D: FromScene>(
    event: &Event,
    of: Option<&schema::Cell>,
    dt: f64,
    walls: &[Wall<D>],
) -> ScheduledEvent<D> {
    let mut actions = Vec::new();
    let called = |names: &[String]| -> Vec<String> {
        let named = |wall: &&Wall<D>| names.iter().any(|name| is_called(wall, name));
        walls.iter().filter(named).map(|wall| wall.name.clone()).collect()
    };
    actions
        .extend(Some(called(&event.remove_walls)).filter(|gone| !gone.is_empty()).map(Action::RemoveWalls));
    actions.extend(Some(called(&event.add_walls)).filter(|come| !come.is_empty()).map(Action::AddWalls));
    let region =
        |of: &schema::BoxRegion| Region::Box { low: of.low.vector::<D>(), high: of.high.vector::<D>() };
    actions.extend(event.remove.as_ref().map(|of| Action::Remove(region(of))));
    actions.extend(event.freeze.as_ref().map(|of| Action::Freeze(region(of))));
    let driven = |motion| Action::DriveCell(cell::gradient(motion), cell::press::<D>(motion, of));
    actions.extend(event.cell.as_ref().map(driven));
    ScheduledEvent { step: steps_up_to(event.at.si, dt), actions }
}

/// Steps of `dt` until at least this time; rounding does not add one.
pub fn steps_up_to(time: f64, dt: f64) -> u64 {
    let steps = time / dt;
    let nearest = steps.round();
    if (steps - nearest).abs() <= 1e-9 * nearest.max(1.0) { nearest as u64 } else { steps.ceil() as u64 }
}

fn intervals(file: &SceneFile, steps: u64, dt: f64) -> Intervals {
    let in_steps = |interval: Quantity<Duration>| ((interval.si / dt).round() as u64).max(1);
    let every = file.output.every.map_or_else(|| (steps / 100).max(1), in_steps);
    let steps_of = |rhythm: OutputInterval| match rhythm {
        OutputInterval::Default => Some(every),
        OutputInterval::Never => None,
        OutputInterval::Every(interval) => Some(in_steps(interval)),
    };
    let spec = &file.output;
    Intervals {
        every,
        vtk: steps_of(spec.vtk),
        trajectory: steps_of(spec.trajectory),
        energies: steps_of(spec.energies),
        walls: steps_of(spec.walls),
        checkpoint: steps_of(spec.checkpoint),
    }
}

//! Values that are allowed, but hardly meant: wrong units, lost zeros, things that never happen.

use gritstone_engine::Setup;

use super::extents::{Extent, diameters};
use super::from_scene::FromScene;
use super::step::TimeStep;
use crate::diagnostics::Diagnostics;
use crate::display::{length, plain, time};
use crate::schema::{Material, Move, OutputInterval, Pair, SceneFile};

/// Densities of solids, with room on both sides (kg/m³).
const DENSITIES: [f64; 2] = [10.0, 30_000.0];
/// Walls so many times larger than the smallest grain are doubtful.
const WALL_OVER_GRAIN: f64 = 1000.0;
/// Grains so many times larger than others are doubtful.
const LARGEST_OVER_SMALLEST: f64 = 50.0;
/// Runs of more steps take days.
const MANY_STEPS: u64 = 100_000_000;

/// Warns of what is hardly meant.
pub(super) fn check<D: FromScene>(
    file: &SceneFile,
    setup: &Setup<D>,
    extents: &[Extent],
    step: &TimeStep,
    steps: u64,
    diagnostics: &mut Diagnostics<'_>,
) {
    densities::<D>(file, diagnostics);
    friction(file, diagnostics);
    sizes(setup, extents, diagnostics);
    intervals(file, step.seconds, diagnostics);
    moves(file, steps as f64 * step.seconds, diagnostics);
    if steps > MANY_STEPS {
        let stiffness = if step.automatic { ": a softer material allows longer steps" } else { "" };
        diagnostics.warn("time", format_args!("the run has {steps} steps of {step}{stiffness}"));
    }
}

fn densities<D: FromScene>(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    if D::N == 2 {
        // Mass per area: any thickness may be meant.
        return;
    }
    let [least, most] = DENSITIES;
    for (name, material) in &file.materials.list {
        let Some(density) = material.density.filter(|density| !(least..=most).contains(&density.si)) else {
            continue;
        };
        diagnostics.warn(
            &format!("materials.{name}.density"),
            format_args!(
                "materials.{name}.density is {} kg/m3, but solids have {least} to {most}: is the unit right? \
                 Numbers without a unit are in kg/m3; others are given as \"2.5 g/cm3\"",
                plain(density.si)
            ),
        );
    }
}

/// Reports scenes that say nothing of friction at all: `friction = 0` is meant.
fn friction(file: &SceneFile, diagnostics: &mut Diagnostics<'_>) {
    let material = |material: &Material| material.friction.is_some() || material.friction_angle.is_some();
    let pair = |pair: &Pair| pair.friction.is_some() || pair.friction_angle.is_some();
    if !file.materials.list.iter().any(|(_, spec)| material(spec)) && !file.pairs.iter().any(pair) {
        diagnostics.warn(
            "materials",
            "no material has friction: grains slide freely. Give materials \"friction\" (friction = 0 if that is meant)",
        );
    }
}

fn sizes<D: FromScene>(setup: &Setup<D>, extents: &[Extent], diagnostics: &mut Diagnostics<'_>) {
    let Some([smallest, largest]) = diameters(setup) else { return };
    if largest > LARGEST_OVER_SMALLEST * smallest {
        let (large, small) = (length(largest), length(smallest));
        diagnostics.warn(
            "grains",
            format_args!(
                "grains have diameters from {small} to {large}: the smallest limit the time step, and the largest make \
                 neighbour lists long"
            ),
        );
    }
    for extent in extents.iter().filter(|extent| extent.name != "grains") {
        let key = format!("walls.{}", extent.name);
        let edge = extent.longest_edge();
        if edge > WALL_OVER_GRAIN * smallest {
            diagnostics.warn(
                &key,
                format_args!(
                    "wall \"{}\" is {} long, {} times the diameter of the smallest grain, {}: is its file in millimetres \
                     (units = \"mm\")?",
                    extent.name,
                    length(edge),
                    plain((edge / smallest).round()),
                    length(smallest)
                ),
            );
        } else if extent.triangles.is_some() && edge < smallest {
            diagnostics.warn(
                &key,
                format_args!(
                    "wall \"{}\" is {} long, less than the diameter of the smallest grain, {}: are its units right?",
                    extent.name,
                    length(edge),
                    length(smallest)
                ),
            );
        }
    }
}

fn intervals(file: &SceneFile, dt: f64, diagnostics: &mut Diagnostics<'_>) {
    let output = &file.output;
    let of = |interval: &OutputInterval| match interval {
        OutputInterval::Every(every) => Some(*every),
        _ => None,
    };
    let all = [
        ("every", output.every),
        ("vtk", of(&output.vtk)),
        ("trajectory", of(&output.trajectory)),
        ("energies", of(&output.energies)),
        ("walls", of(&output.walls)),
        ("checkpoint", of(&output.checkpoint)),
    ];
    for (name, every) in all.into_iter().filter_map(|(name, every)| Some((name, every?))) {
        // Half a per cent: a given interval may be the time step itself.
        if every.si < 0.995 * dt {
            let (interval, step) = (time(every.si), time(dt));
            let key = format!("output.{name}");
            diagnostics.warn(
                &key,
                format_args!("{key} is {interval}, less than the time step, {step}: every step is written"),
            );
        }
    }
}

fn moves(file: &SceneFile, end: f64, diagnostics: &mut Diagnostics<'_>) {
    for (name, tool) in &file.tools.list {
        for (i, motion) in tool.moves.iter().enumerate() {
            let start = match motion {
                Move::Translate(spec) => spec.start.si,
                Move::Rotate(spec) => spec.start.si,
                Move::Oscillate(spec) => spec.start.si,
                Move::Vibrate(spec) => spec.start.si,
                Move::Rock(spec) => spec.start.si,
                Move::Servo(spec) => spec.start.si,
            };
            if start >= end {
                let key = format!("tools.{name}.moves[{i}].start");
                let (start, end) = (time(start), time(end));
                diagnostics.warn(
                    &key,
                    format_args!("{key} is {start}, but the run ends at {end}: the tool never moves so"),
                );
            }
        }
    }
}

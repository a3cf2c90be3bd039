//! Warnings about a run: what is wrong, by how much, where, and the remedy.

use gritstone_engine::{Dimension, FAR, RadiusRule, Setup, Status};
use gritstone_scene::display::{plain, time};

use super::health::{DEEP, Health, Touching};
use super::summary::POOR_DRIFT;

/// Steps in a contact below which its forces are not resolved: with fourteen the energy balance of violent beds is off by 15 %.
const FEW_STEPS: f64 = 20.0;
/// Steps in a contact that an automatic step gives.
const ENOUGH_STEPS: f64 = 50.0;
/// Overlap that laws are made for.
const SHALLOW: f64 = 0.05;
/// Unresolved contacts for each contact and step from which they are said to be the cause.
const MANY_UNRESOLVED: f64 = 1e-3;

/// The warnings about a run up to now, one per line.
pub(super) fn alarms<D: Dimension>(health: &Health, status: &Status, setup: &Setup<D>) -> Vec<String> {
    let mut alarms = Vec::new();
    let (worst, when) = health.worst_drift;
    if worst.is_nan() || worst.abs() > POOR_DRIFT {
        let what = if worst > 0.0 { "created" } else { "lost" };
        let percent = plain((1000.0 * worst.abs()).round() / 10.0);
        alarms.push(format!(
            "energy was {what} in contacts: {percent} % of the energy exchanged at {}. {}",
            time(when),
            advice(health, status, setup)
        ));
    }
    if status.fast.count > 0 {
        alarms.push(fast_moves(status, setup));
    }
    if health.deepest > DEEP {
        alarms.push(deep_contact(health, setup));
    }
    alarms
}

/// The likely cause of an energy drift, and the remedy.
pub(super) fn advice<D: Dimension>(health: &Health, status: &Status, setup: &Setup<D>) -> String {
    let contacts = status.contacts.max(1) as f64 * status.step.max(1) as f64;
    let (steps, at) = health.coarsest_contact;
    if steps < FEW_STEPS {
        let shorter = time(rounded_down(setup.time_step * steps / ENOUGH_STEPS));
        let (who, steps) = (name(&at, setup), plain((10.0 * steps).round() / 10.0));
        format!(
            "The step is too long for the stiffness: the contact of {who} lasts {steps} steps; time.step = {shorter} would make \
             that {ENOUGH_STEPS}"
        )
    } else if status.fast.count > 0 {
        fast_moves(status, setup)
    } else if health.deepest > DEEP {
        deep_contact(health, setup)
    } else if status.unresolved_since_start as f64 > MANY_UNRESOLVED * contacts {
        let unresolved = status.unresolved_since_start;
        format!(
            "{unresolved} contacts could not be resolved, and were guessed: contact.method, or other shapes, may help"
        )
    } else if setup.rules.radius == RadiusRule::Curvature {
        "contact.radius = \"curvature\" has no energy: \"body-function\" keeps it".to_owned()
    } else if setup.walls.iter().any(|wall| wall.surface.is_some()) {
        "Surfaces with bumps as wide as grains may be the cause: see whether a smoother surface, or a shorter time.step, helps"
            .to_owned()
    } else {
        "See whether a shorter time.step or stiffer contacts help".to_owned()
    }
}

fn fast_moves<D: Dimension>(status: &Status, setup: &Setup<D>) -> String {
    let fast = &status.fast;
    let (when, farthest) =
        (time(fast.step as f64 * setup.time_step), plain((1000.0 * fast.farthest).round() / 1000.0));
    let shorter = time(rounded_down(setup.time_step * FAR / fast.farthest));
    let (id, count) = (fast.id, fast.count);
    format!(
        "grains went more than {FAR} of half their thickness in a step, {count} times: grain {id} went {farthest} of it at {when}. \
         They may pass through others and through thin walls: time.step = {shorter} prevents it, slower grains do too"
    )
}

fn deep_contact<D: Dimension>(health: &Health, setup: &Setup<D>) -> String {
    let (deepest, (_, at)) = (health.deepest, health.deepest_contact);
    // The overlap of an impact goes with the root of the stiffness, at least.
    let stiffer = plain((deepest / SHALLOW).powi(2).ceil());
    format!(
        "the largest overlap was {} of the bounding radius, that of {} at {}: contacts that are {stiffer} times as stiff (kn, \
         young), with a step that fits, would keep it below {SHALLOW}",
        plain((1000.0 * deepest).round() / 1000.0),
        name(&at, setup),
        time(at.time)
    )
}

/// A number with two digits that is no larger.
fn rounded_down(x: f64) -> f64 {
    let unit = 10_f64.powi(x.log10().floor() as i32 - 1);
    (x / unit).floor() * unit
}

/// The two bodies of a contact.
fn name<D: Dimension>(at: &Touching, setup: &Setup<D>) -> String {
    let Touching { a, b, with_wall, .. } = *at;
    if with_wall {
        let wall = setup.walls.get(b as usize).map_or("", |wall| wall.name.as_str());
        format!("grain {a} and wall \"{wall}\"")
    } else {
        format!("grains {a} and {b}")
    }
}

//! Cohesion against closed forms.

use glam::DVec3;
use gritstone_core::Space;
use gritstone_force::{Cohesion, History, Interaction, Load, Touch, jkr};

const YOUNG: f64 = 5e6;
const RADIUS: f64 = 2e-3;
const WORK: f64 = 0.05;

fn touch(depth: f64) -> Touch<Space> {
    Touch { depth, normal: DVec3::X, radius: RADIUS, mass: 1e-5, normal_mass: 1e-5, ..Touch::default() }
}

fn sticky() -> Interaction {
    Interaction::hertz(YOUNG, 1.6e6).with_cohesion(Cohesion::Jkr { work: WORK })
}

/// Depth and force as functions of the radius of the contact: Johnson, Kendall and Roberts 1971.
fn closed_form(a: f64) -> (f64, f64) {
    let pi = std::f64::consts::PI;
    let depth = a * a / RADIUS - (2.0 * pi * WORK * a / YOUNG).sqrt();
    let force = 4.0 * YOUNG * a.powi(3) / (3.0 * RADIUS) - (8.0 * pi * WORK * YOUNG * a.powi(3)).sqrt();
    (depth, force)
}

/// Radius at which the contact breaks: the least depth.
fn break_radius() -> f64 {
    (std::f64::consts::PI * WORK * RADIUS * RADIUS / (8.0 * YOUNG)).cbrt()
}

/// A slow pull from a depth until the neck breaks: the loads of all steps.
fn pull(from: f64, steps: usize) -> Vec<(f64, Load<Space>)> {
    let law = sticky();
    let mut history = History::default();
    let reach = law.reach(RADIUS);
    (0..=steps)
        .map(|k| {
            let depth = from - (from + 1.01 * reach) * k as f64 / steps as f64;
            (depth, law.load(&touch(depth), &mut history, 1e-6))
        })
        .collect()
}

#[test]
fn jkr_follows_the_closed_form() {
    let law = sticky();
    for k in 0..200 {
        let a = break_radius() * (1.001 + 0.05 * f64::from(k));
        let (depth, force) = closed_form(a);
        let mut history = History { stiffness: 1.0, ..History::default() };
        let found = law.load(&touch(depth), &mut history, 1e-6).normal_force;
        let pull_off = 1.5 * std::f64::consts::PI * WORK * RADIUS;
        assert!((found - force).abs() < 1e-9 * force.abs().max(pull_off), "{k}: {found} {force}");
    }
}

#[test]
fn pull_off_force_is_three_halves_pi_w_r() {
    let loads = pull(1e-5, 20_000);
    let strongest = loads.iter().map(|(_, load)| load.normal_force).fold(f64::INFINITY, f64::min);
    let expected = -1.5 * std::f64::consts::PI * WORK * RADIUS;
    assert!((strongest / expected - 1.0).abs() < 1e-6, "{strongest} {expected}");
    assert_eq!(-jkr::pull_off(WORK, RADIUS), expected);
    // The neck breaks at the least depth of the closed form.
    let held = loads.iter().filter(|(_, load)| load.normal_force != 0.0).map(|&(depth, _)| depth);
    let farthest = held.fold(f64::INFINITY, f64::min);
    let (least, _) = closed_form(break_radius());
    assert!((farthest / least - 1.0).abs() < 1e-2, "{farthest} {least}");
    assert!((sticky().reach(RADIUS) / -least - 1.0).abs() < 1e-12);
}

/// Bodies that have not touched do not hold each other; those that have do.
#[test]
fn neck_forms_at_contact_only() {
    let law = sticky();
    let apart = -0.5 * law.reach(RADIUS);
    let mut history = History::default();
    assert_eq!(law.load(&touch(apart), &mut history, 1e-6), Load::default());
    law.load(&touch(1e-9), &mut history, 1e-6);
    assert!(law.load(&touch(apart), &mut history, 1e-6).normal_force < 0.0);
    law.load(&touch(-2.0 * law.reach(RADIUS)), &mut history, 1e-6);
    assert_eq!(history, History::default());
}

/// Work done in a cycle of touching and pulling apart is what jumping in and breaking lose.
#[test]
fn cycle_of_adhesion_loses_what_it_says() {
    let law = sticky();
    let reach = law.reach(RADIUS);
    let deepest = 5.0 * reach;
    let steps = 200_000;
    let mut history = History::default();
    let (mut work, mut lost, mut last) = (0.0, 0.0, (-1.01 * reach, 0.0));
    for k in 0..=steps {
        // In and out again.
        let t = 2.0 * f64::from(k) / f64::from(steps);
        let depth = -1.01 * reach + (deepest + 1.01 * reach) * t.min(2.0 - t);
        let load = law.load(&touch(depth), &mut history, 1e-6);
        work += 0.5 * (load.normal_force + last.1) * (depth - last.0);
        lost += load.dissipated;
        last = (depth, load.normal_force);
    }
    assert!(lost > 0.0 && (work / lost - 1.0).abs() < 1e-4, "{work} {lost}");
}

/// Bodies that touch at the start, when no time passes, have jumped into contact before: nothing is lost then, nor in the next step.
#[test]
fn contacts_at_the_start_lose_no_jump() {
    let law = sticky();
    let mut history = History::default();
    let lost = [0.0, 1e-6].map(|dt| law.load(&touch(1e-5), &mut history, dt).dissipated);
    assert_eq!(lost, [0.0; 2]);
    let begun = law.load(&touch(1e-5), &mut History::default(), 1e-6).dissipated;
    assert!(begun > 0.0, "{begun}");
}

/// The stored energy is the integral of the force.
#[test]
fn energies_are_integrals_of_forces() {
    let linear = Cohesion::Linear { density: 2e5 };
    for law in [sticky(), Interaction::hertz(YOUNG, 1e6).with_cohesion(linear), Interaction::linear(1e3, 1e3)]
    {
        let at =
            |depth: f64| law.load(&touch(depth), &mut History { stiffness: 1.0, ..History::default() }, 1e-6);
        for depth in [1e-6, 1e-5, 3e-5] {
            let step = 1e-4 * depth;
            let slope = (at(depth + step).elastic - at(depth - step).elastic) / (2.0 * step);
            let force = at(depth).normal_force;
            assert!((slope / force - 1.0).abs() < 1e-6, "{law:?}: {slope} {force}");
        }
    }
}

/// c·π·R*·δ is taken off Hertz's force.
#[test]
fn linear_cohesion_pulls_with_the_area() {
    let (density, depth) = (2e5, 1e-5);
    let bare = Interaction::hertz(YOUNG, 1e6);
    let [with, without] = [bare.with_cohesion(Cohesion::Linear { density }), bare]
        .map(|law| law.load(&touch(depth), &mut History::default(), 1e-6).normal_force);
    let expected = density * std::f64::consts::PI * RADIUS * depth;
    assert!(((without - with) / expected - 1.0).abs() < 1e-12);
}

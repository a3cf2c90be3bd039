//! Central collisions against closed forms.

use crate::rig::Collision;
use gritstone_force::{Interaction, hertz, linear, restitution};

const YOUNG: f64 = 5.5e6;
const SHEAR: f64 = 1.0e6;
const RADIUS: f64 = 1.3e-3;
const MASS: f64 = 8.0e-5;
const SPEED: f64 = 0.4;
const KN: f64 = 700.0;

fn close(what: &str, got: f64, expected: f64, tolerance: f64) {
    assert!((got / expected - 1.0).abs() < tolerance, "{what}: {got} instead of {expected}");
}

/// Johnson, Contact Mechanics, section 11.4: δ = (15mv²/16Y√R)^(2/5), F = 4/3·Y·√R·δ^(3/2), T = 2.943·δ/v.
#[test]
fn spheres_collide_as_hertz_says() {
    let deepest = (15.0 * MASS * SPEED * SPEED / (16.0 * YOUNG * RADIUS.sqrt())).powf(0.4);
    let strongest = 4.0 / 3.0 * YOUNG * RADIUS.sqrt() * deepest.powf(1.5);
    let duration = 2.9432 * deepest / SPEED;
    let outcome =
        Collision::new(Interaction::hertz(YOUNG, SHEAR), RADIUS, MASS, SPEED, duration / 500.0).run();
    close("overlap", outcome.deepest, deepest, 1e-3);
    close("force", outcome.strongest, strongest, 1e-3);
    close("duration", outcome.duration, duration, 1e-3);
    close("restitution", outcome.restitution, 1.0, 1e-4);
    close("time", hertz::contact_time(YOUNG, RADIUS, MASS, SPEED), duration, 1e-4);
}

#[test]
fn linear_springs_collide_as_an_oscillator() {
    let omega = (KN / MASS).sqrt();
    let duration = std::f64::consts::PI / omega;
    let outcome = Collision::new(Interaction::linear(KN, KN), RADIUS, MASS, SPEED, duration / 500.0).run();
    close("overlap", outcome.deepest, SPEED / omega, 1e-3);
    close("force", outcome.strongest, KN * SPEED / omega, 1e-3);
    close("duration", outcome.duration, duration, 1e-3);
    close("time", linear::contact_time(KN, MASS), duration, 1e-12);
}

/// Restitution asked for against restitution measured, both laws, at two speeds, with fifty steps in a contact that begins
/// anywhere between two of them.
#[test]
fn restitution_is_what_was_asked_for() {
    for e in [0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.99, 1.0] {
        for speed in [SPEED, 10.0 * SPEED] {
            let laws =
                [Interaction::linear(KN, KN), Interaction::linear(KN, 0.0), Interaction::hertz(YOUNG, SHEAR)];
            for law in laws.map(|law| law.with_restitution(e)) {
                let dt = law.contact_time(RADIUS, MASS, speed) / 50.0;
                for phase in [0.01, 0.2, 0.4, 0.6, 0.8, 0.99] {
                    let start = -phase * speed * dt;
                    let collision =
                        Collision { depth: start, ..Collision::new(law, RADIUS, MASS, speed, dt) };
                    close("restitution", collision.run().restitution, e, 1e-2);
                }
            }
        }
    }
}

/// The figures of a contact that may not pull but is damped by the usual formula.
#[test]
fn usual_formula_gives_too_much_when_clamped() {
    for (asked, got) in [(0.5, 0.55), (0.2, 0.33)] {
        for law in [Interaction::linear(KN, KN), Interaction::hertz(YOUNG, SHEAR)] {
            let dt = law.contact_time(RADIUS, MASS, SPEED) / 500.0;
            let outcome = Collision::new(law.as_published(asked), RADIUS, MASS, SPEED, dt).run();
            assert!((outcome.restitution - got).abs() < 0.01, "{asked}: {outcome:?}");
        }
    }
}

/// Kinetic, elastic and lost energy together stay what they were, to second order in the time step.
#[test]
fn energy_is_balanced() {
    for e in [0.1, 0.5, 0.9, 1.0] {
        let laws = [Interaction::linear(KN, KN), Interaction::hertz(YOUNG, SHEAR)];
        for law in laws.map(|law| law.with_restitution(e)) {
            let time = law.contact_time(RADIUS, MASS, SPEED);
            let [coarse, fine] =
                [50.0, 200.0].map(|steps| Collision::new(law, RADIUS, MASS, SPEED, time / steps).run());
            assert!(coarse.worst_balance < 0.02, "{law:?}: {coarse:?}");
            // A quarter of the step: a sixteenth of the error, or nearly.
            assert!(fine.worst_balance < coarse.worst_balance / 10.0, "{law:?}: {coarse:?} {fine:?}");
        }
    }
}

/// The relation of Schwager and Pöschel against the motion of the oscillator, integrated in small steps.
#[test]
fn damping_ratio_is_that_of_a_clamped_oscillator() {
    for zeta in [0.05_f64, 0.3, 0.7, 1.0, 1.5, 3.0] {
        let (mut x, mut v, dt) = (0.0, 1.0, 1e-4);
        while x + 2.0 * zeta * v > 0.0 {
            let force = |x: f64, v: f64| -x - 2.0 * zeta * v;
            let (x1, v1) = (x + 0.5 * dt * v, v + 0.5 * dt * force(x, v));
            (x, v) = (x + dt * v1, v + dt * force(x1, v1));
        }
        close("restitution", restitution::restitution(zeta), -v, 1e-4);
        close("damping ratio", restitution::damping_ratio(restitution::restitution(zeta)), zeta, 1e-9);
    }
}

//! Friction, rolling and twisting resistance: a ball on a plane, and what any law must obey.

use glam::{DQuat, DVec3};
use gritstone_core::Space;
use gritstone_force::{History, Interaction, Load, Touch};
use proptest::prelude::*;

const G: f64 = 9.81;
const RADIUS: f64 = 0.01;
const MASS: f64 = 0.02;
const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

/// A ball on the plane z = 0.
struct Ball {
    law: Interaction,
    gravity: DVec3,
    dt: f64,
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
    load: Load<Space>,
    torque: DVec3,
    history: History<Space>,
    dissipated: f64,
}

impl Ball {
    /// Resting on its normal spring, on a slope of this angle.
    fn on_a_slope(law: Interaction, angle: f64, dt: f64) -> Self {
        let gravity = DVec3::new(angle.sin(), 0.0, -angle.cos()) * G;
        let sink = MASS * G * angle.cos() / law.normal_stiffness(RADIUS, 1.0);
        Self::new(law, gravity, RADIUS - sink, dt)
    }

    fn new(law: Interaction, gravity: DVec3, height: f64, dt: f64) -> Self {
        Self {
            law,
            gravity,
            dt,
            position: DVec3::Z * height,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            load: Load::default(),
            torque: DVec3::ZERO,
            history: History::default(),
            dissipated: 0.0,
        }
    }

    fn kick(&mut self, dt: f64) {
        self.velocity += (self.gravity + self.load.force / MASS) * dt;
        self.spin += self.torque / INERTIA * dt;
    }

    fn step(&mut self) {
        let dt = self.dt;
        self.kick(0.5 * dt);
        let (velocity, spin) = (self.velocity, self.spin);
        self.position += velocity * dt;
        self.dissipated += 0.5 * self.load.dissipated;
        self.kick(0.5 * dt); // A prediction for the law, which is taken back.
        let depth = RADIUS - self.position.z;
        let lever = DVec3::Z * -(RADIUS - 0.5 * depth);
        let touch = Touch {
            depth,
            normal: DVec3::Z,
            velocity: self.velocity + self.spin.cross(lever),
            spin: self.spin,
            mean_spin: self.spin * 0.5,
            radius: RADIUS,
            mass: MASS,
            normal_mass: MASS,
            ..Touch::default()
        };
        self.load = self.law.load(&touch, &mut self.history, dt);
        self.torque = lever.cross(self.load.force) + self.load.torque;
        self.dissipated += 0.5 * self.load.dissipated;
        (self.velocity, self.spin) = (velocity, spin);
        self.kick(0.5 * dt);
    }

    fn run(&mut self, steps: usize) {
        (0..steps).for_each(|_| self.step());
    }

    fn energy(&self) -> f64 {
        let kinetic =
            0.5 * MASS * self.velocity.length_squared() + 0.5 * INERTIA * self.spin.length_squared();
        kinetic - MASS * self.gravity.dot(self.position) + self.load.elastic + self.dissipated
    }

    /// Acceleration along the slope over some steps.
    fn acceleration(&mut self, steps: usize) -> f64 {
        let start = self.velocity.x;
        self.run(steps);
        (self.velocity.x - start) / (steps as f64 * self.dt)
    }
}

/// So stiff that the lever is the radius to 1e-6.
fn stiff() -> Interaction {
    let kn = MASS * G / (1e-6 * RADIUS);
    Interaction::linear(kn, 0.8 * kn).with_restitution(0.5)
}

fn step_of(law: &Interaction) -> f64 {
    law.contact_time(RADIUS, MASS, 1.0) / 50.0
}

#[test]
fn ball_rolls_with_five_sevenths() {
    let law = stiff().with_friction(0.5);
    let mut ball = Ball::on_a_slope(law, 0.3, step_of(&law));
    ball.run(2000);
    let found = ball.acceleration(20_000);
    let expected = 5.0 / 7.0 * G * 0.3_f64.sin();
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
}

#[test]
fn ball_slides_where_friction_is_too_small() {
    let law = stiff().with_friction(0.1);
    let mut ball = Ball::on_a_slope(law, 0.6, step_of(&law));
    ball.run(2000);
    let found = ball.acceleration(20_000);
    let expected = G * (0.6_f64.sin() - 0.1 * 0.6_f64.cos());
    assert!((found / expected - 1.0).abs() < 1e-4, "{found} {expected}");
}

/// A slope below the rolling coefficient holds a ball; a steeper one lets it roll with 5/7 of what is left.
#[test]
fn rolling_resistance_holds_a_ball() {
    let law = stiff().with_friction(0.8).with_rolling(0.2);
    let mut ball = Ball::on_a_slope(law, 0.19, step_of(&law));
    ball.run(40_000);
    let start = ball.position;
    ball.run(20_000);
    assert!((ball.position - start).length() < 1e-9 * RADIUS, "{}", ball.position - start);

    let mut ball = Ball::on_a_slope(law, 0.3, step_of(&law));
    ball.run(4000);
    let found = ball.acceleration(20_000);
    let expected = 5.0 / 7.0 * G * (0.3_f64.sin() - 0.2 * 0.3_f64.cos());
    assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
}

/// A top on its point: the torque is μ_t·R·m·g until it stands.
#[test]
fn twisting_resistance_stops_a_top() {
    let law = stiff().with_friction(0.5).with_twisting(0.05);
    let mut ball = Ball::on_a_slope(law, 0.0, step_of(&law));
    ball.spin = DVec3::Z * 20.0;
    ball.run(1000);
    let start = ball.spin.z;
    ball.run(20_000);
    let found = (start - ball.spin.z) / (20_000.0 * ball.dt);
    let expected = 0.05 * RADIUS * MASS * G / INERTIA;
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    let rest = ball.spin.z / expected / ball.dt;
    ball.run(rest as usize + 2000);
    assert!(ball.spin.length() < 1e-9, "{}", ball.spin);
}

/// An oblique impact with spin, friction, rolling and twisting: all energy is accounted for, afterwards to second order in
/// the step, and meanwhile to the half step of sliding that may already have been counted.
#[test]
fn energy_of_oblique_impacts_is_balanced() {
    for bare in [Interaction::linear(1e4, 7e3), Interaction::hertz(5e6, 1.6e6)] {
        for law in [
            bare.with_friction(0.9),
            bare.with_restitution(0.6).with_friction(0.3),
            bare.with_restitution(0.3).with_friction(0.5).with_rolling(0.1).with_twisting(0.05),
        ] {
            let [coarse, fine] = [200.0, 800.0].map(|steps| unbalanced(law, steps));
            assert!(coarse[0] < 5e-3 && fine[0] < 0.5 * coarse[0], "{law:?}: {coarse:?} {fine:?}");
            assert!(coarse[1] < 1e-4 && fine[1] < coarse[1] / 8.0, "{law:?}: {coarse:?} {fine:?}");
        }
    }
}

/// What is missing of the energy, relative to all of it: at worst, and after an oblique impact.
fn unbalanced(law: Interaction, steps: f64) -> [f64; 2] {
    let dt = law.contact_time(RADIUS, MASS, 1.0) / steps;
    let mut ball = Ball::new(law, DVec3::ZERO, RADIUS + 0.5 * dt, dt);
    ball.velocity = DVec3::new(0.5, 0.3, -1.0);
    ball.spin = DVec3::new(20.0, -40.0, 30.0);
    let start = ball.energy();
    let (mut worst, mut missing) = (0.0_f64, 0.0);
    while ball.velocity.z < 0.0 || ball.position.z < RADIUS {
        ball.step();
        assert!(ball.load.dissipated >= 0.0);
        missing = (ball.energy() / start - 1.0).abs();
        worst = worst.max(missing);
    }
    [worst, missing]
}

/// Maw, Barber and Fawcett's limit: a ball that slides throughout loses (1 + e)·μ of its normal momentum along the plane.
#[test]
fn sliding_impact_follows_coulomb() {
    let law = Interaction::linear(1e4, 7e3).with_restitution(0.7).with_friction(0.2);
    let dt = law.contact_time(RADIUS, MASS, 1.0) / 500.0;
    let mut ball = Ball::new(law, DVec3::ZERO, RADIUS + 0.5 * dt, dt);
    ball.velocity = DVec3::new(3.0, 0.0, -1.0);
    while ball.velocity.z < 0.0 || ball.position.z < RADIUS {
        ball.step();
    }
    let gained = ball.velocity.z + 1.0;
    assert!((gained / 1.7 - 1.0).abs() < 5e-3, "{gained}");
    let lost = 3.0 - ball.velocity.x;
    assert!((lost / (0.2 * gained) - 1.0).abs() < 1e-3, "{lost}");
}

fn vector(size: f64) -> impl Strategy<Value = DVec3> {
    prop::array::uniform3(-size..size).prop_map(DVec3::from)
}

fn laws() -> impl Strategy<Value = Interaction> {
    prop::sample::select(vec![
        Interaction::linear(1e4, 7e3),
        Interaction::hertz(5e6, 1.6e6),
        Interaction::hertz(5e6, 1.6e6).with_cohesion(gritstone_force::Cohesion::Jkr { work: 0.1 }),
        Interaction::hertz(5e6, 1.6e6).with_cohesion(gritstone_force::Cohesion::Linear { density: 1e4 }),
    ])
    .prop_map(|law| law.with_restitution(0.4).with_friction(0.3).with_rolling(0.1).with_twisting(0.05))
}

prop_compose! {
    fn touches()(
        depth in 1e-6_f64..1e-4, turn in vector(3.0), velocity in vector(1.0), spin in vector(50.0),
        mean_spin in vector(50.0),
    ) -> Touch<Space> {
        let normal = DQuat::from_scaled_axis(turn) * DVec3::X;
        Touch {
            depth,
            normal,
            velocity,
            spin,
            mean_spin,
            radius: RADIUS,
            mass: MASS,
            normal_mass: MASS,
            ..Touch::default()
        }
    }
}

/// A few steps with the same touch.
fn follow(law: &Interaction, touch: &Touch<Space>, steps: usize) -> (Load<Space>, History<Space>) {
    let mut history = History::default();
    let mut load = Load::default();
    for _ in 0..steps {
        load = law.load(touch, &mut history, 1e-5);
    }
    (load, history)
}

proptest! {
    /// With a and b exchanged the load is the opposite.
    #[test]
    fn exchanged_bodies_get_opposite_loads(law in laws(), touch in touches(), steps in 1_usize..20) {
        let swapped =
            Touch { normal: -touch.normal, velocity: -touch.velocity, spin: -touch.spin, ..touch };
        let ((one, _), (other, _)) = (follow(&law, &touch, steps), follow(&law, &swapped, steps));
        prop_assert_eq!(one.force, -other.force);
        prop_assert_eq!(one.torque, -other.torque);
        prop_assert_eq!((one.elastic, one.dissipated), (other.elastic, other.dissipated));
    }

    /// Neither spring nor dashpot exceeds what the slider holds, and nothing creates energy.
    #[test]
    fn limits_are_kept(law in laws(), touch in touches(), steps in 1_usize..50) {
        let [friction, rolling, twisting] = law.coefficients();
        let (load, _) = follow(&law, &touch, steps);
        let grip = match law.cohesion() {
            gritstone_force::Cohesion::None => load.normal_force,
            gritstone_force::Cohesion::Jkr { work } => {
                load.normal_force + 2.0 * gritstone_force::jkr::pull_off(work, RADIUS)
            }
            gritstone_force::Cohesion::Linear { density } => {
                load.normal_force + density * std::f64::consts::PI * RADIUS * touch.depth
            }
        } * (1.0 + 1e-9);
        let across = (load.force - touch.normal * load.normal_force).length();
        let twist = load.torque.dot(touch.normal).abs();
        let roll = (load.torque - touch.normal * load.torque.dot(touch.normal)).length();
        prop_assert!(across <= friction * grip, "{across} {grip}");
        prop_assert!(roll <= rolling * RADIUS * grip, "{roll} {grip}");
        prop_assert!(twist <= twisting * RADIUS * grip, "{twist} {grip}");
        prop_assert!(load.dissipated >= 0.0);
    }

    /// Everything turned: the load is turned with it.
    #[test]
    fn turned_contacts_have_turned_loads(law in laws(), touch in touches(), turn in vector(3.0)) {
        let q = DQuat::from_scaled_axis(turn);
        let turned = Touch {
            normal: q * touch.normal,
            velocity: q * touch.velocity,
            spin: q * touch.spin,
            mean_spin: q * touch.mean_spin,
            ..touch
        };
        let ((one, _), (other, _)) = (follow(&law, &touch, 10), follow(&law, &turned, 10));
        prop_assert!((q * one.force - other.force).length() < 1e-10 * one.force.length().max(1e-3));
        prop_assert!((q * one.torque - other.torque).length() < 1e-10 * RADIUS * one.force.length().max(1e-3));
    }

    /// Everything turning: springs that are held are carried round by a full turn.
    #[test]
    fn springs_turn_with_the_contact(touch in touches(), axis in vector(1.0)) {
        prop_assume!(axis.length() > 0.1);
        let law = Interaction::linear(1e4, 7e3).with_friction(5.0).with_rolling(5.0);
        let slow = Touch { velocity: touch.velocity * 0.01, spin: touch.spin * 0.01, mean_spin: DVec3::ZERO, ..touch };
        let (_, mut history) = follow(&law, &slow, 100);
        let held = history;
        let still = Touch { velocity: DVec3::ZERO, spin: DVec3::ZERO, ..touch };
        let (steps, dt) = (20_000, 1e-5);
        let spin = axis.normalize() * (std::f64::consts::TAU / (f64::from(steps) * dt));
        for k in 1..=steps {
            let normal = DQuat::from_scaled_axis(spin * (f64::from(k) * dt)) * touch.normal;
            law.load(&Touch { normal, mean_spin: spin, ..still }, &mut history, dt);
        }
        prop_assert!((history.slip - held.slip).length() < 2e-3 * held.slip.length());
        prop_assert!((history.roll - held.roll).length() < 2e-3 * held.roll.length());
        prop_assert!((history.slip.length() / held.slip.length() - 1.0).abs() < 1e-9);
    }
}

//! Physics of one's own, compared with closed forms.

use std::sync::Arc;

use gritstone::glam::DVec3;
use gritstone::prelude::*;
use gritstone::probe::{Gauge, Measure, View};
use own_physics::{Drag, PowerLaw, Temperature};

const RADIUS: f64 = 5e-3;
const DENSITY: f64 = 2500.0;

/// Balls at these heights with these velocities, above a floor.
fn setup(grains: &[(f64, DVec3)], gravity: f64) -> Setup<Space> {
    let material = Material { density: DENSITY, ..Material::elastic("glass", 1e7, 0.3) };
    let ball = Sphere::new(RADIUS).unwrap();
    let grain = |(i, (height, velocity)): (usize, &(f64, DVec3))| Grain {
        velocity: *velocity,
        ..Grain::at(i as u32 + 1, 0, DVec3::new(4.0 * RADIUS * i as f64, 0.0, *height))
    };
    Setup {
        grains: grains.iter().enumerate().map(grain).collect(),
        walls: vec![Wall::fixed("floor", HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0)],
        gravity: DVec3::Z * -gravity,
        time_step: 1e-6,
        ..Setup::of(vec![ball.into()], &[material]).unwrap()
    }
}

fn mass() -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * DENSITY
}

/// All kinetic energy is in the spring at the deepest moment: `m v²/2 = k δᵖ⁺¹/(p + 1)`.
#[test]
fn a_power_law_is_as_deep_as_energy_says() {
    let law = PowerLaw { stiffness: 4e6, exponent: 1.8 };
    let speed = 0.5;
    let mut world = World::new(&setup(&[(1.01 * RADIUS, DVec3::Z * -speed)], 0.0)).unwrap();
    assert!(world.set_law([0, 0], &(Arc::new(law) as Arc<dyn ContactLaw<Space>>)));
    let energy = 0.5 * mass() * speed * speed;
    let expected = (energy * (law.exponent + 1.0) / law.stiffness).powf(1.0 / (law.exponent + 1.0));
    let mut deepest = 0.0_f64;
    for _ in 0..4_000 {
        world.step().unwrap();
        deepest = deepest.max(world.status().deepest * RADIUS);
    }
    assert!((deepest / expected - 1.0).abs() < 1e-4, "{deepest} instead of {expected}");
    let ball = world.snapshot().bodies[0];
    assert!((ball.velocity.z / speed - 1.0).abs() < 1e-4, "{ball:?} has not bounced back");
}

/// `v(t) = −(m g/c) (1 − exp(−c t/m))`; energies balance with the work of the drag.
#[test]
fn drag_ends_in_terminal_velocity() {
    let drag = Drag::<Space> { coefficient: 0.05, fluid: DVec3::ZERO };
    let mut world = World::new(&setup(&[(1.0, DVec3::ZERO)], 9.81)).unwrap();
    world.add_force(Arc::new(drag));
    let start = world.energies();
    for _ in 0..40_000 {
        world.step().unwrap();
    }
    let (time, rate) = (world.time(), drag.coefficient / mass());
    let expected = -9.81 / rate * (1.0 - (-rate * time).exp());
    let velocity = world.snapshot().bodies[0].velocity.z;
    assert!((velocity / expected - 1.0).abs() < 1e-4, "{velocity} instead of {expected}");
    let now = world.energies();
    let fallen = start.potential - now.potential;
    assert!((now.balance() - start.balance()).abs() < 1e-4 * fallen, "{now:?}");
}

#[test]
fn temperature_is_the_variance_of_velocities() {
    let setup = setup(&[(0.1, DVec3::X), (0.1, -DVec3::X), (0.1, DVec3::Z * 2.0)], 0.0);
    let world = World::new(&setup).unwrap();
    let (gauge, snapshot, lattice) = (Gauge::new(&setup), world.snapshot(), world.lattice());
    let view = View { setup: &setup, gauge: &gauge, snapshot: &snapshot, lattice: &lattice };
    // Mean velocity (0, 0, 2/3): squares 1 + 4/9, 1 + 4/9, 16/9.
    let expected = (2.0 * (1.0 + 4.0 / 9.0) + 16.0 / 9.0) / 9.0;
    let row = &Temperature.rows(&view)[0];
    assert!((row[0] - expected).abs() < 1e-12, "{row:?} instead of {expected}");
}

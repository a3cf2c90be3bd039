//! A triaxial body that tumbles freely.

use glam::{DMat3, DVec3};
use gritstone_core::Space;
use gritstone_engine::World;
use gritstone_shape::space::{Ellipsoid, Solid};

use super::bench::{DENSITY, POINTS, empty, grain, linear, material};
use super::{Case, Check, Effort, Trouble};

pub(super) const CASE: Case = Case {
    name: "free-flight",
    proves: "free turning keeps energy and angular momentum, and has the right period",
    source: "Euler's equations; their period 4K(k)/p, Landau and Lifshitz, Mechanics, section 37",
    run,
};

/// Turn in one step (rad).
const TURN: f64 = 0.002;
/// Moments of inertia of an ellipsoid with semi-axes 1, 2, 3 about z, y, x, for unit mass.
const MOMENTS: [f64; 3] = [1.0, 2.0, 2.6];
/// Angular velocity about z, y, x (rad/s).
const SPIN: [f64; 3] = [0.5, 0.3, 0.8];

fn run(effort: Effort) -> Result<Vec<Check>, Trouble> {
    let spin = DVec3::new(SPIN[2], SPIN[1], SPIN[0]);
    let mut setup = empty::<Space>(material(linear(1.0), 1.0), POINTS, TURN / spin.length())?;
    setup.shapes = vec![Solid::from(Ellipsoid::new(DVec3::new(1.0, 2.0, 3.0))?)];
    setup.grains = vec![gritstone_engine::Grain { spin, ..grain(0, 0, DVec3::ZERO) }];
    let mut world = World::new(&setup)?;
    let state = |world: &World<Space>| {
        let body = world.snapshot().bodies[0];
        let frame = DMat3::from_quat(body.pose.rotation);
        let spin = frame.transpose() * body.spin;
        let momentum = DVec3::new(MOMENTS[2], MOMENTS[1], MOMENTS[0]) * spin;
        (spin, 0.5 * spin.dot(momentum), frame * momentum)
    };
    let (_, energy, momentum) = state(&world);
    let (mut worst, mut crossings) = ([0.0_f64; 2], Vec::new());
    let mut before = SPIN[1];
    for _ in 0..effort.pick(20_000, 100_000) {
        world.step()?;
        let (spin, energy_now, momentum_now) = state(&world);
        worst[0] = worst[0].max((energy_now / energy - 1.0).abs());
        worst[1] = worst[1].max((momentum_now - momentum).length() / momentum.length());
        if before < 0.0 && spin.y >= 0.0 {
            crossings.push(world.time() - setup.time_step * spin.y / (spin.y - before));
        }
        before = spin.y;
    }
    let periods = crossings.len().saturating_sub(1);
    let span = crossings.last().unwrap_or(&0.0) - crossings.first().unwrap_or(&0.0);
    let mass = DENSITY * 8.0 * std::f64::consts::PI;
    Ok(vec![
        Check::at_most("energy, relative", worst[0], 1e-6),
        Check::at_most("angular momentum, relative", worst[1], 1e-12),
        Check::relative("period, relative", span / periods as f64, period(), 1e-5),
        Check::relative(
            "energy as the engine counts it, relative",
            world.energies().rotation,
            energy * mass,
            1e-6,
        ),
    ])
}

/// Period of the angular velocity in the body's frame, for `L² > 2E·I₂`.
fn period() -> f64 {
    let [a, b, c] = MOMENTS;
    let energy2: f64 = (0..3).map(|i| MOMENTS[i] * SPIN[i] * SPIN[i]).sum();
    let momentum2: f64 = (0..3).map(|i| (MOMENTS[i] * SPIN[i]).powi(2)).sum();
    let rate = ((c - b) * (momentum2 - energy2 * a) / (a * b * c)).sqrt();
    let k2 = (b - a) * (energy2 * c - momentum2) / ((c - b) * (momentum2 - energy2 * a));
    // K(k) = π/2 over the arithmetic–geometric mean of 1 and √(1 − k²).
    let (mut x, mut y) = (1.0, (1.0 - k2).sqrt());
    for _ in 0..8 {
        (x, y) = (0.5 * (x + y), (x * y).sqrt());
    }
    2.0 * std::f64::consts::PI / (x * rate)
}

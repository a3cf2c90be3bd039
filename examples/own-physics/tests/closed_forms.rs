//! Physics of one's own, compared with closed forms.

use std::sync::Arc;

use gritstone::glam::DVec3;
use gritstone::prelude::*;
use gritstone::probe::{Gauge, Measure, View};
use gritstone::scene::{Build, Scene};
use gritstone::shape::Custom;
use own_physics::{Drag, Lens, PowerLaw, Temperature};

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

/// As a half ball (d = 0, two of them: a ball) and as a thin lens, whose volume is twice that of a cap, `π h² (3 R − h)/3`.
#[test]
fn a_lens_has_the_mass_of_two_caps() {
    let (radius, offset) = (1.3, 0.8);
    let ball = Lens { radius, offset: 0.0 }.mass();
    let volume = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    assert!((ball.volume / volume - 1.0).abs() < 1e-14);
    assert_eq!(ball.inertia().xx, ball.inertia().yy);
    assert!((ball.inertia().xx / (0.4 * volume * radius * radius) - 1.0).abs() < 1e-13);
    assert!((ball.inertia().zz / ball.inertia().xx - 1.0).abs() < 1e-13);
    let lens = Lens { radius, offset };
    let h = lens.half_thickness();
    let caps = 2.0 / 3.0 * std::f64::consts::PI * h * h * (3.0 * radius - h);
    assert!((lens.mass().volume / caps - 1.0).abs() < 1e-13);
}

/// Scene, and in it a law, a shape, a force and a probe from this crate.
const SCENE: &str = r#"
dimension = 3
gravity = [0, 0, 0]
time = { end = "10 ms", step = "1 us" }
materials = { glass = { density = 2500, young = "10 MPa", poisson = 0.3, restitution = 1, friction = 0 } }
shapes = { ball = { shape = "sphere", radius = "5 mm" } }
walls = { floor = { kind = "plane", material = "glass", point = [0, 0, 0], normal = [0, 0, 1] } }
contact = { radius = "curvature" }

[[grains]]
from = "points"
shape = "ball"
material = "glass"
at = [[0, 0, "5 mm"]]
velocity = [0, 0, -0.2]
"#;

fn scene() -> Setup<Space> {
    let Build::Space(built) = Scene::parse(SCENE, "lens").unwrap().build().unwrap() else {
        panic!("in space")
    };
    built.setup
}

/// A lens falls on its cap: Hertz' law for the cap's radius, `m v²/2 = (8/15) E* √R δ^(5/2)` at the deepest moment.
#[test]
fn a_lens_bounces_as_its_cap_is_curved() {
    let lens = Lens { radius: 8e-3, offset: 5e-3 };
    let mut setup = scene();
    setup.shapes[0] = Custom::new(Arc::new(lens)).unwrap().into();
    setup.grains[0].pose.position.z = 1.01 * lens.half_thickness();
    let mut world = World::new(&setup).unwrap();
    let mass = lens.mass().volume * DENSITY;
    let speed = 0.2;
    let effective = 1e7 / (2.0 * (1.0 - 0.3 * 0.3)); // E*
    let expected = (15.0 / 16.0 * mass * speed * speed / (effective * lens.radius.sqrt())).powf(0.4);
    let mut lowest = f64::INFINITY;
    for _ in 0..3_000 {
        world.step().unwrap();
        lowest = lowest.min(world.snapshot().bodies[0].pose.position.z);
    }
    let deepest = lens.half_thickness() - lowest;
    assert!((deepest / expected - 1.0).abs() < 1e-3, "{deepest} instead of {expected}");
    let lens = world.snapshot().bodies[0];
    assert!((lens.velocity.z / speed - 1.0).abs() < 1e-3, "{lens:?} has not bounced back");
}

/// All four at once: lenses in drag under a law of one's own, on the floor of a scene; the probe sees them come to rest.
#[test]
fn a_scene_with_everything_of_ones_own() {
    let mut setup = scene();
    setup.shapes[0] = Custom::new(Arc::new(Lens { radius: 8e-3, offset: 5e-3 })).unwrap().into();
    setup.gravity = DVec3::Z * -9.81;
    let first = setup.grains[0];
    setup.grains = (0..9)
        .map(|i| {
            let mut grain = first;
            grain.id = i + 1;
            grain.pose.position =
                DVec3::new(7e-3 * f64::from(i % 3), 7e-3 * f64::from(i / 3), 4e-3 + 7e-3 * f64::from(i));
            grain
        })
        .collect();
    let mut world = World::new(&setup).unwrap();
    assert!(world.set_law(
        [0, 0],
        &(Arc::new(PowerLaw { stiffness: 4e6, exponent: 1.5 }) as Arc<dyn ContactLaw<Space>>)
    ));
    world.add_force(Arc::new(Drag::<Space> { coefficient: 0.05, fluid: DVec3::ZERO }));
    let gauge = Gauge::new(&setup);
    let temperature = |world: &World<Space>| {
        let (snapshot, lattice) = (world.snapshot(), world.lattice());
        let view = View { setup: &setup, gauge: &gauge, snapshot: &snapshot, lattice: &lattice };
        Temperature.rows(&view)[0][0]
    };
    let (mut hottest, mut touched) = (0.0_f64, 0);
    for step in 0..1_000_000 {
        world.step().unwrap();
        if step % 1000 == 0 {
            hottest = hottest.max(temperature(&world));
            touched = touched.max(world.status().contacts);
        }
    }
    let (status, end) = (world.status(), temperature(&world));
    assert!(touched > 5 && status.unresolved == 0, "{status:?}");
    assert!(end < 1e-2 * hottest, "{end} after {hottest}");
}

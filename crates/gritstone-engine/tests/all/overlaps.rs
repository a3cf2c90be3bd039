//! Polyhedra on planes: what the energy of their overlap does in the engine.

use glam::DVec3;
use gritstone_core::{Pose, Space};
use gritstone_engine::{Compounds, FlatRule, Grain, RadiusRule, Rules, Setup, Wall, World};
use gritstone_force::moment::punch_pull_off;
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};

const DENSITY: f64 = 2000.0;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;

fn plate(half: DVec3) -> Solid {
    let sign = |bit: usize| [-1.0, 1.0][bit & 1];
    let corner = |i: usize| half * DVec3::new(sign(i), sign(i >> 1), sign(i >> 2));
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0.into()
}

fn material(cohesion: Adhesion) -> Material {
    Material {
        name: "m".into(),
        density: DENSITY,
        stiffness: Stiffness::Hertz { young: YOUNG, poisson: POISSON },
        damping: Damping::Restitution(0.5),
        friction: Friction::Coefficient(0.3),
        rolling: 0.0,
        twisting: 0.0,
        cohesion,
    }
}

/// A plate that hangs from a plane above it with this acceleration away from it.
fn hanging(half: DVec3, work: f64, away: f64) -> Setup<Space> {
    let m = material(Adhesion::Jkr(work));
    let grain = Grain {
        id: 0,
        shape: 0,
        material: 0,
        pose: Pose::at(DVec3::Z * (half.z - 1e-8)),
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        frozen: false,
    };
    Setup {
        shapes: vec![plate(half)],
        densities: vec![m.density],
        interactions: Interactions::mix(&[m], &[]).unwrap(),
        method: None,
        rules: Rules { radius: RadiusRule::Volume, flat: FlatRule::Patch, crown: 0.0 },
        grains: vec![grain],
        walls: vec![Wall::fixed("ceiling", HalfSpace::new(DVec3::Z, 0.0).unwrap().into(), 0)],
        tools: Vec::new(),
        gravity: DVec3::Z * away,
        time_step: 2e-6,
        domain: None,
        compounds: Compounds::new(),
        cell: None,
        earlier: None,
    }
}

/// A face comes off at Kendall's pull-off force of a punch of its area, whatever the area, and the books balance. From three quarters of it
/// on it may tilt off: adhesion is then larger in a wedge, `U = −Fc·(V/δ₀A)^¾·(δ̄/δ₀)^¼·δ₀` with `δ̄² = δ₀² + 3θ²σ²`, which outweighs the
/// elastic `½K·3θ²σ²` where `Kδ₀ < ¼Fc`.
#[test]
fn pull_off_grows_with_the_face() {
    let work = 0.05;
    let effective = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    for edge in [2e-3, 4e-3, 8e-3] {
        let half = DVec3::new(0.5 * edge, 0.5 * edge, 1e-3);
        let area = edge * edge;
        let mass = DENSITY * area * 2e-3;
        let limit = punch_pull_off(effective, work, area) / mass;
        for (part, holds) in [(0.7, true), (1.1, false)] {
            let mut world = World::new(&hanging(half, work, part * limit)).unwrap();
            let start = world.energies().balance();
            for _ in 0..5000 {
                world.step().unwrap();
            }
            let energies = world.energies();
            let height = world.snapshot().bodies[0].pose.position.z - half.z;
            assert_eq!(height < 0.0, holds, "edge {edge}, {part} of the pull-off force: {height}");
            let scale = energies.dissipated.abs() + energies.kinetic() + energies.elastic.abs();
            let off = (energies.balance() - start).abs() / scale;
            assert!(off < 0.02, "edge {edge}, {part}: books off by {off}, {energies:?}");
        }
    }
}

/// A plate that is pressed so little that its overlap is lost in rounding is carried all the same.
#[test]
fn rounding_does_not_drop_a_plate() {
    let mut setup = hanging(DVec3::new(0.5, 0.5, 0.1), 0.0, -9.81);
    let soft = Material {
        stiffness: Stiffness::Linear { kn: 1e17, ks: 1e16 },
        cohesion: Adhesion::None,
        ..material(Adhesion::None)
    };
    setup.interactions = Interactions::mix(&[soft], &[]).unwrap();
    setup.time_step = 1e-8;
    setup.grains[0].pose.position.z = 0.1 + 1e-13;
    let mut world = World::new(&setup).unwrap();
    for _ in 0..2000 {
        world.step().unwrap();
    }
    let sunk = 0.1 - world.snapshot().bodies[0].pose.position.z;
    assert!(sunk < 1e-10, "{sunk}");
}

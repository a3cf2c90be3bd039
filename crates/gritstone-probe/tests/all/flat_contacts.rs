//! Forces of faces on faces act where the pressure does, not at the deepest corner: blocks at rest, whose stress follows from
//! statics alone.

use crate::common::{body, near, rows, setup, touching};
use glam::{DVec2, DVec3};
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{
    Compound, ContactState, Dimension, Grain, Part, Region, Setup, Snapshot, Wall, World,
};
use gritstone_force::{Adhesion, Damping, Friction, Interactions, Material, Stiffness};
use gritstone_probe::{ContactList, GrainStress, Stress};
use gritstone_shape::plane::{Figure, HalfPlane, Polygon};
use gritstone_shape::space::{HalfSpace, Polyhedron, Solid};

/// Half the edge of a block (m).
const HALF: f64 = 0.01;
/// Angle between gravity and the floor's normal.
const SLOPE: f64 = 5.0 * std::f64::consts::PI / 180.0;
const G: f64 = 9.81;
const DENSITY: f64 = 1000.0;

/// A block on a rough floor, after a second.
fn at_rest<D: Dimension>(
    mut setup: Setup<D>,
    kn: f64,
    at: D::Vec,
    floor: D::Shape,
) -> (Setup<D>, Snapshot<D>) {
    let material = Material {
        name: "rough".into(),
        density: DENSITY,
        stiffness: Stiffness::Linear { kn, ks: kn },
        damping: Damping::Restitution(0.3),
        friction: Friction::Coefficient(0.5),
        rolling: 0.0,
        twisting: 0.0,
        cohesion: Adhesion::None,
    };
    setup.interactions = Interactions::mix(&[material], &[]).unwrap();
    setup.time_step = 1e-4;
    setup.walls = vec![Wall::fixed("floor", floor, 0)];
    let (velocity, spin) = Default::default();
    let pose = Pose::at(at);
    setup.grains = vec![Grain { id: 1, shape: 0, material: 0, pose, velocity, spin, frozen: false }];
    let mut world = World::new(&setup).unwrap();
    for _ in 0..10_000 {
        world.step().unwrap();
    }
    let snapshot = world.snapshot();
    (setup, snapshot)
}

fn block(low: DVec3, high: DVec3) -> Solid {
    let corner =
        |k: usize| DVec3::from_array(std::array::from_fn(|i| if k >> i & 1 == 0 { low[i] } else { high[i] }));
    Polyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().0.into()
}

const FALL: DVec3 = DVec3::new(0.854_997_836_354_526_6, 0.0, -9.772_669_988_280_024);

/// The floor's force opposes the weight, and passes through the centre: it acts HALF·tan 5° beside the middle of the face.
/// With r = (HALF tan 5°, −HALF) and f = ρ V G (−sin 5°, cos 5°), −r fᵀ/V is [[0.748, −8.55], [−8.55, 97.7]] Pa. A block
/// sinks in by 1/1250 of HALF, and what it has not come to rest by is less.
#[track_caller]
fn is_that_of_statics([xx, xz, zx, zz]: [f64; 4]) {
    let (sin, cos) = SLOPE.sin_cos();
    let weight = DENSITY * G * HALF;
    let expected = [weight * sin * sin / cos, -weight * sin, -weight * sin, weight * cos];
    for (found, expected) in [xx, xz, zx, zz].into_iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} instead of {expected}");
    }
    assert!((xz - zx).abs() < 1e-9 * zz, "{xz} {zx}");
}

#[test]
fn stress_of_a_cube_on_a_slope() {
    let cube = block(DVec3::splat(-HALF), DVec3::splat(HALF));
    let floor = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
    let (setup, snapshot) = at_rest(setup::<Space>(vec![cube], FALL), 1e4, DVec3::Z * HALF, floor);
    let s = &rows(GrainStress { zone: None }, &setup, &snapshot)[0][5..14];
    is_that_of_statics([s[0], s[2], s[6], s[8]]);
    // The same over its own volume.
    let zone = Region::Box { low: DVec3::new(-HALF, -HALF, 0.0), high: DVec3::new(HALF, HALF, 2.0 * HALF) };
    let s = &rows(Stress { zone }, &setup, &snapshot)[0][2..];
    is_that_of_statics([s[0], s[2], s[6], s[8]]);
    // Its contact is listed at the centre of pressure.
    let list = rows(ContactList { zone: None }, &setup, &snapshot);
    let x = snapshot.bodies[0].pose.position.x + HALF * SLOPE.tan();
    assert!(
        list.len() == 1 && (list[0][3] - x).abs() < 1e-3 * HALF && list[0][4].abs() < 1e-6 * HALF,
        "{list:?}"
    );
}

/// Two halves side by side push as the whole cube: what goes with the pressure is the same. How they share the friction is
/// not for statics to say.
#[test]
fn stress_of_two_half_cubes_on_a_slope() {
    let half = block(DVec3::new(-0.5 * HALF, -HALF, -HALF), DVec3::new(0.5 * HALF, HALF, HALF));
    let part = |x: f64| Part { shape: half.clone(), pose: Pose::at(DVec3::X * x) };
    let mut setup = setup::<Space>(vec![half.clone()], FALL);
    setup.compounds.insert(0, Compound::new(vec![part(-0.5 * HALF), part(0.5 * HALF)]).unwrap().0);
    let floor = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
    let (setup, snapshot) = at_rest(setup, 1e4, DVec3::Z * HALF, floor);
    let s = &rows(GrainStress { zone: None }, &setup, &snapshot)[0][5..14];
    let xx = DENSITY * G * HALF * SLOPE.sin() * SLOPE.tan();
    is_that_of_statics([xx, s[2], s[6], s[8]]);
}

#[test]
fn stress_of_a_square_on_a_slope() {
    let corners = [[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]].map(DVec2::from);
    let square: Figure = Polygon::hull(&corners).unwrap().0.into();
    let setup = setup::<Plane>(vec![square], DVec2::new(FALL.x, FALL.z));
    let floor = HalfPlane::new(DVec2::Y, 0.0).unwrap().into();
    // As deep in proportion as the cube.
    let (setup, snapshot) = at_rest(setup, 5e5, DVec2::Y * HALF, floor);
    let s = &rows(GrainStress { zone: None }, &setup, &snapshot)[0][4..8];
    is_that_of_statics([s[0], s[1], s[2], s[3]]);
}

/// A torque of 6 N m about the normal z, beside no force: shear all around, half of it in xy and half, with the other sign, in yx.
/// One about y: pressure along z that changes along x; all of it in xz and nothing in zx.
#[test]
fn torques_at_a_contact_count() {
    let setup = setup::<Space>(vec![block(DVec3::splat(-0.5), DVec3::splat(0.5))], DVec3::ZERO);
    let with = |torque: DVec3| {
        let contact = ContactState { torque, ..touching::<Space>(1, 2, DVec3::ZERO, DVec3::Z, DVec3::ZERO) };
        let bodies = vec![body(1, 0, DVec3::Z * -0.5), body(2, 0, DVec3::Z * 0.5)];
        let snapshot = Snapshot { bodies, contacts: vec![contact], ..Snapshot::default() };
        rows(GrainStress { zone: None }, &setup, &snapshot)
    };
    // The torque on the first is the opposite; stress is −Σ r fᵀ.
    let twisted = with(DVec3::Z * 6.0);
    near(&twisted[0][5..14], &[0.0, 3.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    near(&twisted[1][5..14], &[0.0, -3.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // On the second r × p z = 6 y holds for r p = −6 x.
    let tilted = with(DVec3::Y * 6.0);
    near(&tilted[1][5..14], &[0.0, 0.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    near(&tilted[0][5..14], &[0.0, 0.0, -6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

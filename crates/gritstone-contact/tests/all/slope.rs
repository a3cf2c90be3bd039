//! The force that a law takes from a patch is the slope of the energy that it takes from it, whichever way the bodies move.

use glam::{DQuat, DVec3};
use gritstone_contact::Query;
use gritstone_contact::space::{Auto, Memory, Patch, Placed, Scratch};
use gritstone_core::{Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{Cylinder, HalfSpace, Polyhedron, Solid};

/// What linear springs of stiffness one make of a patch.
struct Loaded {
    /// `½δ̄²` with the mean depth `δ̄ = W/V`.
    energy: f64,
    /// Force on b, and torque on it about the middle of the contact.
    force: DVec3,
    torque: DVec3,
    middle: DVec3,
}

type Body<'s> = (&'s Solid, Pose<Space>);

fn load(a: Body<'_>, b: Body<'_>) -> Loaded {
    let [a, b] = [a, b].map(|(shape, pose)| Placed { shape, pose });
    let answer =
        Auto.solve_warm(a, b, Query::default(), &mut Memory::default(), &mut Scratch::default()).unwrap();
    let contact = answer.contact().unwrap();
    let mut patch = Patch::default();
    patch.measure(a, b, contact);
    let found = patch.moments();
    assert!(patch.weight == 1.0 && found.volume > 0.0, "{a:?} {b:?} {contact:?}");
    let mean = found.square / found.volume;
    // The pressure is ½δ̄/V·(4δ − 2δ̄).
    let scale = 0.5 * mean / found.volume;
    let push = scale * (4.0 * found.volume - 2.0 * mean * found.area);
    let moment = found.lift(found.deep_lever * 4.0 - found.lever * (2.0 * mean)) * scale;
    Loaded {
        energy: 0.5 * mean * mean,
        force: contact.normal * push,
        torque: moment.cross(contact.normal),
        middle: contact.midpoint(),
    }
}

/// Compares them, b lying on a with this overlap where nothing else is in the way. Errors are relative to the force, and for
/// torques to the force times the body's size.
fn compare(name: &str, (a, lie): (&Solid, DQuat), (b, turn): (&Solid, DQuat), depth: f64, allowed: f64) {
    let reach = |solid: &Solid, turn: DQuat, c: DVec3| (turn * solid.support(turn.conjugate() * c)).dot(c);
    let top = if a.is_bounded() { reach(a, lie, DVec3::Z) } else { 0.0 };
    let ground = Pose::new(DVec3::ZERO, lie);
    let place = Pose::new(DVec3::new(0.02, 0.03, top + reach(b, turn, -DVec3::Z) - depth), turn);
    let found = load((a, ground), (b, place));
    let energy = |way: DVec3, angle: DVec3| {
        let by = DQuat::from_scaled_axis(angle);
        let position = found.middle + by * (place.position - found.middle) + way;
        load((a, ground), (b, Pose::new(position, by * turn))).energy
    };
    let slope = |along: &dyn Fn(f64) -> f64, h: f64| (along(-h) - along(h)) / (2.0 * h);
    let h = 1e-5 * depth;
    for axis in DVec3::AXES {
        let force = slope(&|h| energy(axis * h, DVec3::ZERO), h);
        let torque = slope(&|h| energy(DVec3::ZERO, axis * h), h / b.size());
        let off = (force - found.force.dot(axis)).abs() / found.force.length();
        let turning = (torque - found.torque.dot(axis)).abs() / (found.force.length() * b.size());
        assert!(
            off < allowed && turning < allowed,
            "{name}, {depth} deep: {off} along, {turning} about {axis}"
        );
    }
}

fn tilted(degrees: f64, about: DVec3) -> DQuat {
    DQuat::from_axis_angle(about.normalize(), degrees.to_radians())
}

fn floor() -> Solid {
    HalfSpace::new(DVec3::Z, 0.0).unwrap().into()
}

#[test]
fn polyhedra_on_a_floor() {
    let sign = |bit: usize| [-1.0, 1.0][bit & 1];
    let corners: Vec<DVec3> =
        (0..8).map(|i| DVec3::new(0.6 * sign(i), 0.6 * sign(i >> 1), 0.8 * sign(i >> 2))).collect();
    let block = Solid::from(Polyhedron::hull(&corners).unwrap().0);
    for depth in [1e-3, 1e-2] {
        for degrees in [0.3, 3.0, 30.0, 87.0] {
            let turn = tilted(degrees, DVec3::new(0.3, 1.0, 0.0));
            compare(&format!("block at {degrees}"), (&floor(), DQuat::IDENTITY), (&block, turn), depth, 3e-4);
        }
    }
}

/// Cylinders, whose facets follow the contact, are off by what their strips leave out.
#[test]
fn cylinders_on_a_floor() {
    let rod = Solid::from(Cylinder::new(0.6, 0.8).unwrap());
    for depth in [1e-3, 1e-2] {
        for degrees in [0.0, 0.3, 3.0, 30.0, 60.0, 87.0, 89.7, 90.0] {
            let turn = tilted(20.0, DVec3::Z) * tilted(degrees, DVec3::Y);
            compare(&format!("rod at {degrees}"), (&floor(), DQuat::IDENTITY), (&rod, turn), depth, 0.012);
        }
    }
}

#[test]
fn cylinders_on_each_other() {
    let cylinder = |radius, half_height| Solid::from(Cylinder::new(radius, half_height).unwrap());
    let (rod, long, wide) = (cylinder(0.6, 0.8), cylinder(0.6, 2.0), cylinder(1.5, 0.5));
    let lying = tilted(90.0, DVec3::X);
    for depth in [1e-3, 1e-2] {
        for degrees in [90.0, 45.0, 10.0] {
            let across = tilted(degrees, DVec3::Z) * lying;
            compare(&format!("sides at {degrees}"), (&long, lying), (&long, across), depth, 0.02);
        }
        for degrees in [45.0, 10.0, 2.0] {
            let turn = tilted(20.0, DVec3::Z) * tilted(degrees, DVec3::Y);
            compare(&format!("on a cap at {degrees}"), (&wide, DQuat::IDENTITY), (&rod, turn), depth, 0.012);
        }
    }
}

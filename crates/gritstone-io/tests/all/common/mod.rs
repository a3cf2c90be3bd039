//! A moment with every kind of shape, made up by hand.
#![allow(dead_code, reason = "each suite uses its part")]

use glam::{DQuat, DVec2, DVec3};
use gritstone_contact::NarrowPhase;
use gritstone_core::{Plane, Pose, Space};
use gritstone_engine::{BodyState, ContactState, Snapshot, Wall, WallState};
use gritstone_shape::plane::{Circle, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse};
use gritstone_shape::space::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid, Superquadric,
    Triangle,
};

/// Shapes, walls, and a moment.
pub(crate) struct Sample<D: NarrowPhase> {
    pub(crate) shapes: Vec<D::Shape>,
    pub(crate) walls: Vec<Wall<D>>,
    pub(crate) snapshot: Snapshot<D>,
}

fn wall<D: NarrowPhase>(name: &str, shape: D::Shape, pose: Pose<D>) -> Wall<D> {
    Wall { pose, ..Wall::fixed(name, shape, 0) }
}

pub(crate) fn tetrahedron() -> Polyhedron {
    let corners = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.5]].map(DVec3::from);
    Polyhedron::hull(&corners).unwrap().0
}

pub(crate) fn solids() -> Vec<Solid> {
    vec![
        Sphere::new(0.25).unwrap().into(),
        Ellipsoid::new(DVec3::new(0.1, 0.2, 0.3)).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.3, 0.2, 0.1), [0.5, 0.5]).unwrap().into(),
        Superellipsoid::new(DVec3::new(0.1, 0.15, 0.3), [0.6, 1.7]).unwrap().into(),
        Superquadric::new(DVec3::new(0.1, 0.2, 0.15), [3.0, 4.0, 2.5]).unwrap().into(),
        tetrahedron().into(),
        Cylinder::new(0.1, 0.3).unwrap().into(),
        Capsule::new(0.1, 0.2).unwrap().into(),
    ]
}

/// A rotation that is like no other.
pub(crate) fn turn(i: usize) -> DQuat {
    let k = i as f64;
    DQuat::from_xyzw((1.0 + 3.0 * k).sin(), (2.0 + 5.0 * k).cos(), (0.5 + k).sin(), (7.0 * k).cos())
        .normalize()
}

/// One grain of each shape, in a row, at some step.
pub(crate) fn in_space(step: u64) -> Sample<Space> {
    let shapes = solids();
    let drift = step as f64 * 1e-3;
    let bodies: Vec<BodyState<Space>> = (0..shapes.len())
        .map(|i| BodyState {
            id: 10 * i as u32 + 3,
            shape: i as u32,
            material: (i % 2) as u16,
            coordination: i as u16,
            frozen: false,
            pose: Pose { position: DVec3::new(i as f64, 0.1 * i as f64, drift), rotation: turn(i) },
            velocity: DVec3::new(0.1, -0.2, 0.01 * i as f64),
            spin: DVec3::new(1.0, 2.0, 3.0),
            force: DVec3::new(0.0, 0.0, -9.81),
        })
        .collect();
    let floor = HalfSpace::new(DVec3::Z, 0.0).unwrap().into();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y];
    let (flap, middle) = Triangle::new(corners).unwrap();
    let walls = vec![
        wall("floor", floor, Pose::at(DVec3::new(0.0, 0.0, -1.0))),
        wall("flap", flap.into(), Pose::at(middle)),
    ];
    let states = walls.iter().map(|wall| WallState {
        present: true,
        pose: wall.pose,
        force: DVec3::new(0.0, 0.0, -2.5),
        ..Default::default()
    });
    let touching = |b, with_wall, x| ContactState {
        a: 3,
        b,
        with_wall,
        point: DVec3::new(x, 0.05, drift),
        normal: DVec3::X,
        depth: 1e-3,
        force: DVec3::new(30.0, 0.0, 40.0),
        ..ContactState::default()
    };
    let contacts = vec![touching(0, true, -0.25), touching(13, false, 0.5)];
    let snapshot = Snapshot { step, time: step as f64 * 1e-4, bodies, walls: states.collect(), contacts };
    Sample { shapes, walls, snapshot }
}

pub(crate) fn figures() -> Vec<Figure> {
    let corners = [[0.0, 0.0], [0.3, 0.0], [0.0, 0.4]].map(DVec2::from);
    vec![
        Circle::new(0.25).unwrap().into(),
        Ellipse::new(DVec2::new(0.3, 0.1)).unwrap().into(),
        Superellipse::new(DVec2::new(0.3, 0.2), 5.0).unwrap().into(),
        Polygon::hull(&corners).unwrap().0.into(),
    ]
}

/// One grain of each shape, in a row, at some step.
pub(crate) fn in_plane(step: u64) -> Sample<Plane> {
    let shapes = figures();
    let drift = step as f64 * 1e-3;
    let bodies: Vec<BodyState<Plane>> = (0..shapes.len())
        .map(|i| BodyState {
            id: i as u32,
            shape: i as u32,
            material: 0,
            coordination: 1,
            frozen: false,
            pose: Pose { position: DVec2::new(i as f64, drift), rotation: 0.7 * i as f64 - 1.0 },
            velocity: DVec2::new(3.0, 4.0),
            spin: -1.0,
            force: DVec2::new(0.0, -1.0),
        })
        .collect();
    let (beam, middle) = Segment::between([DVec2::ZERO, DVec2::X]).unwrap();
    let floor = HalfPlane::new(DVec2::Y, 0.0).unwrap().into();
    let block = Polygon::hull(&[DVec2::ZERO, DVec2::X, DVec2::Y]).unwrap().0.into();
    let walls = vec![
        wall("block", block, Pose::at(DVec2::new(-2.0, 0.0))),
        wall("floor", floor, Pose::at(DVec2::new(0.0, -1.0))),
        wall("beam", beam.into(), Pose::at(middle)),
    ];
    let states = walls.iter().enumerate().map(|(i, wall)| WallState {
        present: true,
        pose: wall.pose,
        force: DVec2::new(i as f64, -1.0),
        torque: 0.5,
    });
    let touching = ContactState {
        a: 0,
        b: 1,
        with_wall: false,
        point: DVec2::new(0.5, drift),
        normal: DVec2::X,
        depth: 1e-3,
        force: DVec2::new(3.0, -4.0),
        ..ContactState::default()
    };
    let snapshot = Snapshot {
        step,
        time: step as f64 * 1e-4,
        bodies,
        walls: states.collect(),
        contacts: vec![touching],
    };
    Sample { shapes, walls, snapshot }
}

//! Gritstone: the discrete element method for grains of any convex shape, with certified contact detection.
//!
//! Contact detection finds whether two grains touch, where, how deep and in which direction. The published methods are included as
//! published, next to a default, `auto`, that encloses its answer between a proven lower and a proven upper bound or
//! reports it as unresolved.
//!
//! ```
//! use gritstone::prelude::*;
//!
//! // A box with round edges, and an octahedron-like grain turned by 30° about z.
//! let boxy = Solid::from(Superellipsoid::new(DVec3::new(1.0, 1.0, 1.5), [0.3, 0.3])?);
//! let pointy = Solid::from(Superellipsoid::new(DVec3::new(1.0, 0.8, 1.2), [1.7, 1.7])?);
//! let a = Placed { shape: &boxy, pose: Pose::at(DVec3::ZERO) };
//! let turned = DQuat::from_rotation_z(30_f64.to_radians());
//! let b = Placed { shape: &pointy, pose: Pose::new(DVec3::new(1.9, 0.1, 0.2), turned) };
//!
//! let auto = space::method("auto").ok_or("no such method")?;
//! let answer = auto.solve(a, b, Query::default(), &mut Scratch::default())?;
//! // The distance lies between the bounds.
//! assert!(answer.lower <= answer.distance() && answer.distance() <= answer.upper);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A simulation is a [`World`](engine::World), built from a [`Setup`](engine::Setup):
//!
//! ```
//! use gritstone::prelude::*;
//!
//! // A ball of glass falls on a floor and bounces.
//! let glass = Material { density: 2500.0, ..Material::elastic("glass", 1e7, 0.3) };
//! let ball = Sphere::new(5e-3)?;
//! let setup = Setup {
//!     grains: vec![Grain::at(1, 0, DVec3::Z * 6e-3)],
//!     walls: vec![Wall::fixed("floor", HalfSpace::new(DVec3::Z, 0.0)?.into(), 0)],
//!     gravity: DVec3::Z * -9.81,
//!     time_step: 1e-5,
//!     ..Setup::<Space>::of(vec![ball.into()], &[glass])?
//! };
//! let mut world = World::new(&setup)?;
//! world.advance(3_000)?;
//!
//! let mut columns = BodyColumns::default();
//! world.bodies(&mut columns);
//! assert!(columns.position[0].z > 4.9e-3 && columns.velocity[0].z.abs() < 0.15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Contact laws, shapes, forces on grains and probes of other crates are trait objects: the crate `own-physics` in `examples/` has one
//! of each.
//!
//! Units are SI, quaternions are `[w, x, y, z]` in files, normals point from a to b, and a negative distance is an
//! overlap.

pub use glam;
pub use gritstone_contact as contact;
pub use gritstone_core as core;
pub use gritstone_engine as engine;
pub use gritstone_force as force;
pub use gritstone_gpu as gpu;
pub use gritstone_io as io;
pub use gritstone_probe as probe;
pub use gritstone_render as render;
pub use gritstone_report as report;
pub use gritstone_scene as scene;
pub use gritstone_shape as shape;
pub use gritstone_study as study;

pub mod bench;
pub mod convert;
pub mod digest;
pub mod picture;
pub mod run;
pub mod sweep;

/// What most programs need.
pub mod prelude {
    pub use glam::{DQuat, DVec2, DVec3};
    pub use gritstone_contact::space::{self, Method, Placed, Scratch};
    pub use gritstone_contact::{Answer, Doubt, Goal, NarrowPhase, Query, Refusal, Verdict, plane};
    pub use gritstone_core::{Contact, Dim, Plane, Pose, Space};
    pub use gritstone_engine::{
        Backend, BodyColumns, ContactColumns, Energies, ExternalForce, Grain, GrainView, Setup, Snapshot,
        Status, StepError, Tool, Wall, World,
    };
    pub use gritstone_force::{ContactLaw, History, Interactions, Load, Material, Touch};
    pub use gritstone_shape::plane::{
        Circle, Conic, Ellipse, Figure, HalfPlane, Polygon, Segment, Superellipse,
    };
    pub use gritstone_shape::space::{Ellipsoid, HalfSpace, Polyhedron, Solid, Sphere, Superellipsoid};
    pub use gritstone_shape::{Body, Implicit, ShapeError, Support};
}

/// The README's example is tested with the others.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

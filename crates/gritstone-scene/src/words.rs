//! The words of scene files, as plain structs: one file per section. All numbers are in SI units.

mod cell;
mod contact;
mod events;
mod grains;
mod material;
mod output;
mod place;
mod probes;
mod scene_file;
mod shape;
mod size;
mod streams;
mod time;
mod tools;
mod walls;
mod zone;

pub use cell::{Axis, Cell, CellMotion};
pub use contact::{Contact, Damping, Flat, Law, Radius};
pub use events::{Event, Region};
pub use grains::{Csv, Dump, Grains, Lattice, Points, Random};
pub use material::{Material, Pair};
pub use output::{Output, Rhythm};
pub use place::{Counts, Dimension, Names, Numbers, Orientation, Spin};
pub use probes::{BoundedProbe, FlowProbe, Probe, ProfileProbe, WallProbe, ZoneProbe};
pub use scene_file::SceneFile;
pub use shape::{
    Capsule, Circle, Compound, CompoundPart, Conic, Cylinder, Ellipse, Ellipsoid, HalfPlane, HalfSpace,
    Polygon, Polyhedron, Segment, Shape, Sphere, Superellipse, Superellipsoid, Superquadric, Triangle,
};
pub use size::{By, LognormalSize, SieveSize, Size, UniformSize};
pub use streams::{Inlet, Outlet};
pub use time::{Step, Stop, Time};
pub use tools::{Free, Move, Oscillate, Profile, Rock, Rotate, Servo, Tool, Translate};
pub use walls::{
    BoxWalls, Domain, Leaving, MeshSide, MeshWall, PlaneWall, RevolvedWall, ShapeWall, Side, Wall,
};
pub use zone::{BallZone, BeyondZone, BoxZone, CylinderZone, Zone};

//! The words of scene files, as plain structs: one file per section. All numbers are in SI units.

mod cell;
mod contact;
mod events;
mod grains;
mod material;
mod output;
mod place;
mod scene_file;
mod shape;
mod time;
mod tools;
mod walls;

pub use cell::{Axis, Cell, CellMotion};
pub use contact::{Contact, Damping, Flat, Law, Radius};
pub use events::{Event, Region};
pub use grains::{Csv, Dump, Grains, Lattice, Points};
pub use material::{Material, Pair};
pub use output::{Output, Rhythm};
pub use place::{Counts, Dimension, Names, Numbers, Orientation, Spin};
pub use scene_file::SceneFile;
pub use shape::{
    Capsule, Circle, Compound, CompoundPart, Conic, Cylinder, Ellipse, Ellipsoid, HalfPlane, HalfSpace,
    Polygon, Polyhedron, Segment, Shape, Sphere, Superellipse, Superellipsoid, Superquadric, Triangle,
};
pub use time::{Step, Stop, Time};
pub use tools::{Free, Move, Oscillate, Profile, Rock, Rotate, Servo, Tool, Translate};
pub use walls::{BoxWalls, Domain, Leaving, PlaneWall, ShapeWall, Side, Wall};

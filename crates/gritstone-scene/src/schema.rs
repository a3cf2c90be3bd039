//! The tables and keys of scene files as plain structs, one file per table. All numbers are in SI units.

mod cell;
mod contact;
mod events;
mod grains;
mod inlets_outlets;
mod material;
mod output;
mod probes;
mod region;
mod scene_file;
mod shape;
mod size;
mod time;
mod tools;
mod values;
mod walls;

pub use cell::{Axis, Cell, CellMotion};
pub use contact::{Contact, Damping, Flat, Law, Radius};
pub use events::{BoxRegion, Event};
pub use grains::{Boundaries, Csv, Dump, FromRun, Grains, Lattice, Points, Random};
pub use inlets_outlets::{Inlet, Outlet};
pub use material::{Material, Pair};
pub use output::{Output, OutputInterval};
pub use probes::{BoundedRegionProbe, FlowProbe, Probe, ProfileProbe, RegionProbe, WallProbe};
pub use region::{BoxOfRegion, CylinderRegion, HalfSpaceRegion, Region, SphereRegion};
pub use scene_file::SceneFile;
pub use shape::{
    Approximation, Capsule, Circle, Compound, CompoundPart, Conic, Cylinder, Ellipse, Ellipsoid, HalfPlane,
    HalfSpace, MeshShape, Polygon, Polyhedron, Segment, Shape, Sphere, Superellipse, Superellipsoid,
    Superquadric, Triangle,
};
pub use size::{By, LognormalSize, SieveSize, Size, UniformSize};
pub use time::{Prepare, Step, Stop, Time};
pub use tools::{Free, Move, Oscillate, Profile, Rock, Rotate, Servo, Tool, Translate, Vibrate};
pub use values::{Counts, Dimension, LengthUnit, Names, Numbers, Orientation, Spin};
pub use walls::{
    BoxWalls, Domain, Leaving, MeshSide, MeshWall, PlaneWall, RevolvedWall, ShapeWall, Side, Wall,
};

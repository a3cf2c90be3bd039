//! Grains that move: the discrete element method in the plane and in space, the same bits every time.
//!
//! A [`World`] is made from a [`Setup`] and stepped. A step reads like the method's loop: bodies move,
//! pairs that may touch are tested, contacts are solved and their laws give forces, forces are summed for each
//! body, velocities follow ([`World::step`]).
//!
//! | folder | idea |
//! |---|---|
//! | `world` | the step, and changes between steps |
//! | `bodies` | records and states of all bodies, integration, compounds, ghosts |
//! | `broad_phase` | neighbour lists, and which candidates are due for a proximity test |
//! | `contacts` | the contact table: what touches, its history, its forces, sorted by body |
//! | `lanes` | contacts of smooth grains in space, eight at a time |
//! | `boundary` | walls, meshes as features, tools and servos |
//! | `periodic` | cells that repeat, shear and stress control |
//! | `insertion` | grains that are added: regions, inlets, packing |
//! | `state` | snapshots, energies, checkpoints |
//! | `threads` | threads that stay awake while steps are made |
//! | `dimension` | what a dimension provides, trait by trait |
//! | `backend` | the seam behind which a world is stepped |
//! | `exchange` | ghosts of bodies beyond a boundary: periodic images, other processes |
//! | `offload` | steps made elsewhere, by a device |
//! | `external` | forces on grains from outside |

// The same bits on every machine: `clippy.toml` lists what would break that. Tests may compare with it.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod backend;
mod bodies;
mod boundary;
mod broad_phase;
mod contacts;
mod dimension;
mod exchange;
mod external;
mod insertion;
mod lanes;
pub mod offload;
mod periodic;
mod setup;
mod state;
mod threads;
mod workspace;
mod world;

pub use backend::{Backend, BodyColumns, ContactColumns};
pub use bodies::compound::{Compound, CompoundError, Compounds, Part};
pub use bodies::fast::{FAR, FastMoves};
pub use bodies::grain_shape::GrainShape;
pub use bodies::kinematics::{Kinematics, Storable};
pub use boundary::obstacle::MeshObstacle;
pub use boundary::surface::{
    FacetFilter, FacetSet, FacetWork, MeshContacts, MeshError, MeshFeature, Ownership, Sides, Surface,
    TriangleMesh, revolved,
};
pub use boundary::surface_motion::SurfaceMotion;
pub use boundary::tools::{
    Area, ConstantRate, CurveKind, Drive, Free, MotionCurve, Move, Oscillation, Servo, ServoReport,
    SmoothStep, Span, Tool, ToolReport,
};
pub use contacts::flat::FlatContacts;
pub use contacts::key::{BodyKey, ContactKey};
pub use contacts::solves::Solves;
pub use dimension::Dimension;
pub use exchange::{Communicator, SharedWorld, dismiss, first_failure, serve, threads};
pub use external::{ExternalForce, GrainView};
pub use insertion::inlet::{Inlet, InletState, Measure, Outlet, OutletState};
pub use insertion::mixture::{GrainClass, Mixture};
pub use insertion::packing_grid::PackingGrid;
pub use insertion::random::RandomStream;
pub use insertion::region::Region;
pub use periodic::cell::{Cell, Side, VelocityGradient};
pub use periodic::cell_state::CellState;
pub use periodic::lattice::Lattice;
pub use periodic::stress_control::StressControl;
pub use setup::{CROWN, Domain, FlatRule, Grain, Leaving, RadiusRule, Rules, Setup, SetupError, Wall};
pub use state::checkpoint::{RestoreError, SAVED_VERSION, SaveError};
pub use state::observe::{Energies, Status};
pub use state::snapshot::{BodyState, ContactState, Snapshot, WallState};
pub use world::memory::{BodyMemory, ColumnPlace, Number, WrittenError};
pub use world::phases::{Phase, PhaseTimes};
pub use world::{Earlier, StepError, World};

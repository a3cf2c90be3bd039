//! Grains that move: the discrete element method in the plane and in space, the same bits every time.
//!
//! A [`Setup`] says what there is; a [`World`] is made from it and stepped. A step reads like the method's loop: bodies move,
//! pairs that may touch by now are looked at, contacts are solved and their laws give forces, forces are added up for each
//! body, velocities follow ([`World::step`]).
//!
//! | file | idea |
//! |---|---|
//! | `bodies`, `motion` | records and states of all bodies; integration |
//! | `compound` | grains of several shapes |
//! | `ghosts`, `cell` | parts and images: bodies that follow others; what repeats |
//! | `realm` | how bodies turn in the plane and in space, how their contacts are solved |
//! | `near`, `grid` | who is near whom; sleeping pairs |
//! | `workspaces` | working memory of each thread |
//! | `wake` | sleeping pairs that may touch by now |
//! | `contacts` | narrow phase and laws of what touches, with memory and history |
//! | `lanes` | contacts of smooth grains in space, eight at a time |
//! | `gather` | forces added up for each body in a fixed order |
//! | `surface` | meshes as features that touch grains one by one |
//! | `tools` | walls that move together, by a plan, a servo or freely |
//! | `insert` | grains that are added between steps |
//! | `region`, `mix`, `packing`, `inlet`, `random` | where grains come in and go out, which, and whether there is workspace |
//! | `edit` | grains and walls that go, freeze or are sorted |
//! | `phases` | where the time of a step goes |
//! | `observe`, `snapshot`, `periodic` | what can be asked, and told a cell |
//! | `saved` | the state that the next step depends on, as bytes |

mod bodies;
mod boundary;
mod broad_phase;
mod contacts;
mod dimension;
mod external;
mod insertion;
mod lanes;
mod periodic;
mod setup;
mod state;
mod workspace;
mod world;

pub use bodies::compound::{Compound, CompoundError, Compounds, Part};
pub use bodies::grain_shape::GrainShape;
pub use boundary::obstacle::MeshObstacle;
pub use boundary::surface::{
    FacetFilter, MeshError, MeshFeature, Ownership, Sides, Surface, TriangleMesh, revolved,
};
pub use boundary::tools::{
    Area, ConstantRate, CurveKind, Drive, Free, MotionCurve, Move, Oscillation, Servo, ServoReport,
    SmoothStep, Span, Tool, ToolReport,
};
pub use contacts::key::{BodyKey, ContactKey};
pub use dimension::{Dimension, Storable};
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
pub use setup::{Domain, FlatRule, Grain, Leaving, RadiusRule, Rules, Setup, SetupError, Wall};
pub use state::checkpoint::{RestoreError, SAVED_VERSION, SaveError};
pub use state::observe::{Energies, Status};
pub use state::snapshot::{BodyState, ContactState, Snapshot, WallState};
pub use world::phases::{Phase, PhaseTimes};
pub use world::{StepError, World};

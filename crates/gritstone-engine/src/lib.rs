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
//! | `followers`, `cell` | parts and images: bodies that follow others; what repeats |
//! | `realm` | how bodies turn in the plane and in space, how their contacts are solved |
//! | `near`, `grid` | who is near whom; sleeping pairs |
//! | `rooms` | working memory of each thread |
//! | `wake` | sleeping pairs that may touch by now |
//! | `contacts` | narrow phase and laws of what touches, with memory and history |
//! | `lanes` | contacts of smooth grains in space, eight at a time |
//! | `gather` | forces added up for each body in a fixed order |
//! | `surface` | meshes as pieces that touch grains one by one |
//! | `tools` | walls that move together, by a plan, a servo or freely |
//! | `insert` | grains that are added between steps |
//! | `zone`, `mix`, `crowd`, `inlet`, `dice` | where grains come in and go out, which, and whether there is room |
//! | `edit` | grains and walls that go, freeze or are sorted |
//! | `phases` | where the time of a step goes |
//! | `observe`, `snapshot`, `periodic` | what can be asked, and told a cell |
//! | `saved` | the state that the next step depends on, as bytes |

mod bodies;
mod cell;
mod company;
mod compound;
mod contacts;
mod crowd;
mod dice;
mod edit;
mod followers;
mod form;
mod gather;
mod grid;
mod hurdle;
mod inlet;
mod insert;
mod lanes;
mod lines;
mod mix;
mod motion;
mod near;
mod observe;
mod periodic;
mod phases;
mod press;
mod realm;
mod rooms;
mod saved;
mod setup;
mod snapshot;
mod surface;
mod tools;
mod wake;
mod world;
mod zone;

pub use cell::{Cell, Gradient, Lattice, Side};
pub use compound::{Compound, CompoundError, Compounds, Part};
pub use crowd::Crowd;
pub use dice::Dice;
pub use form::Form;
pub use hurdle::Hurdle;
pub use inlet::{Drain, Feed, Inlet, Measure, Outlet};
pub use mix::{Mix, Sort};
pub use observe::{Energies, Status};
pub use periodic::CellState;
pub use phases::{Laps, Phase};
pub use press::Press;
pub use realm::{Realm, Storable};
pub use saved::{RestoreError, SAVED_VERSION, SaveError};
pub use setup::{Domain, FlatRule, Grain, Leaving, RadiusRule, Rules, Setup, SetupError, Wall};
pub use snapshot::{BodyState, Snapshot, Touching, WallState};
pub use surface::{Gate, MeshError, Own, Piece, Sides, Surface, TriangleMesh, revolved};
pub use tools::{
    Area, Course, CourseKind, Drive, Free, Move, Servo, ServoReport, Smooth, Span, Steady, Swing, Tool,
    ToolReport,
};
pub use world::{StepError, World};
pub use zone::Zone;

//! What a step costs: beds that are brought to a known state and timed there.
//!
//! Every repetition makes the same steps from the same saved state, bit by bit, so that the shortest time of each short
//! stretch of steps can be taken: what else the machine does only lengthens times.
//!
//! | name | state |
//! |---|---|
//! | `settle-*` | the settle scene at rest, 0.45 s after the start |
//! | `flow-*` | the same beds with gravity tilted, on the move |
//! | `impact-*` | the same grains while they come down |
//! | `dense-polyhedra` | 500 different polyhedra at rest in a box |
//! | `strict-polyhedra` | the same, with every contact found in every step |
//! | `flow-polyhedra` | nine of these boxes side by side, flowing where two sides were taken away |
//! | `hopper-*` | seeds and tablets close to the wall of a hopper: a closed container, a thick solid, a sheet |
//! | `bed-*` | 768 grains of other kinds at rest in a box, beside ellipsoids to compare them with |
//! | `drum-mesh` | the drum scene, turning: ellipsoids in a mesh |
//! | `ellipse-2d` | ellipses in the plane, poured |
//! | `growth-*` | the settled bed beside itself, as often as it takes |
//! | `pairs-*` | the narrow phase alone: touching pairs of these beds |

mod beds;
mod cache;
mod cases;
mod hoppers;
mod pairs;
mod shapes;
mod timing;

use std::path::PathBuf;

use crate::run::BackendKind;

pub use cases::{CASES, Case, chosen};

/// How a benchmark is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often the same steps are made.
    pub repetitions: usize,
    /// How many steps are timed; each case has its own number otherwise.
    pub steps: Option<u64>,
    /// Growing beds have no more grains than this.
    pub largest: usize,
    /// Where settled states are kept; without a folder they are made anew.
    pub cache: Option<PathBuf>,
    /// What computes.
    pub backend: BackendKind,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            repetitions: 7,
            steps: None,
            largest: usize::MAX,
            cache: cache::usual_folder(),
            backend: BackendKind::default(),
        }
    }
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Name of the case.
    pub name: String,
    /// What state the bed is in, where a name stands for several.
    pub state: String,
    /// Number of grains, or of pairs.
    pub particles: usize,
    /// Pairs that touch at the end, walls included.
    pub contacts: usize,
    /// Those of them that are solved many at a time.
    pub contacts_in_lanes: usize,
    /// Pairs in the lists.
    pub near_pairs: usize,
    /// Steps in each repetition.
    pub steps: u64,
    /// Threads that did the work.
    pub threads: usize,
    /// Time per grain and step (µs), the shortest stretches together.
    pub best: f64,
    /// Time per grain and step (µs), median of the repetitions.
    pub median: f64,
    /// Time per contact and step for narrow phase and law together (ns); for pairs that of the narrow phase.
    pub per_contact: f64,
    /// Share of the time for each part of a step.
    pub shares: Option<Shares>,
    /// Contacts that could not be certified, over all timed steps.
    pub unresolved: u64,
    /// Memory of the world per grain (bytes).
    pub bytes_per_grain: f64,
}

/// Where the time of a step goes, as shares of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    /// Neighbour lists rebuilt.
    pub neighbour_lists: f64,
    /// Candidates that are due tested.
    pub activation: f64,
    /// Narrow phase and law, of contacts in lanes.
    pub lanes: f64,
    /// Narrow phase and law, of all other contacts.
    pub general: f64,
    /// Contacts sorted by body, and those taken out that have come apart.
    pub sorting: f64,
    /// Forces added up by body.
    pub gathering: f64,
    /// Bodies moved.
    pub integration: f64,
}

impl Shares {
    /// Every share with its name.
    pub fn named(&self) -> [(&'static str, f64); 7] {
        [
            ("neighbour lists", self.neighbour_lists),
            ("activation", self.activation),
            ("contacts in lanes", self.lanes),
            ("other contacts", self.general),
            ("sorting", self.sorting),
            ("gathering", self.gathering),
            ("integration", self.integration),
        ]
    }
}

/// Why a benchmark cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Trouble(String);

impl Trouble {
    fn of(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

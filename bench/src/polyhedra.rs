//! Polyhedra: ours against parry3d-f64 on the same pairs, and a dense bed.

mod bed;
mod jobs;
mod pairs;
mod peer;
mod planes;
mod report;
mod wrong;

pub use bed::Bed;
pub use jobs::{COLD, WARM, jobs};
pub use pairs::{Couple, Group, groups, references};
pub use report::report;
pub use wrong::{Tally, wrong_distances};

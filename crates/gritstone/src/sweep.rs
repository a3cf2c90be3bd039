//! Sweeps: one scene with every combination of some values, each case measured at its end.
//!
//! A [`Case`] is a scene with its values set, and [`measure`](fn@measure) asks a simulation for numbers of its summary by their names.
//! [`run`](fn@run) runs the cases on threads of this process; programs that have an executor of their own run [`Case::scene`]
//! themselves. Either way a [`Ledger`] notes what is done as lines of JSON, from which a sweep continues after it was stopped.
//! A line knows the scene of its case, files included: after a change of the scene its cases run again.

mod case;
mod ledger;
mod measure;
mod run;

pub use case::{Case, cases};
pub use ledger::{Ledger, Row};
pub use measure::measure;
pub use run::{Outcome, Watch, key, run};

//! One suite that runs any backend through the same scenes, and compares it with the reference on the processor.
//!
//! A backend's test file has one line for each scene:
//!
//! ```no_run
//! use gritstone_engine::World;
//! use gritstone_testkit::backend::{Agreement, conforms, scenes};
//!
//! conforms::<_, World<_>>(&scenes::sheared_cell(), Agreement::SameBits).unwrap();
//! ```
//!
//! - [`Script`]: a scene, and what happens in it at which step: grains come and go, walls move, laws change, the state is saved
//!   and restored;
//! - [`scenes`]: the scripts;
//! - [`Observation`]: all that crosses the seam at one moment, by column;
//! - [`Agreement`]: how near two backends must be.
//!
//! Two things are asked of every observation without the reference: forces of grains are those of their contacts, and energy
//! is created.

mod compare;
pub mod scenes;
mod script;

pub use compare::{Agreement, Deviation};
pub use script::{Act, Observation, Script};

use gritstone_engine::{Backend, Dimension, World};

/// Runs a script with a backend and with the reference, and compares what was observed.
pub fn conforms<D: Dimension, B: Backend<D>>(
    script: &Script<D>,
    agreement: Agreement,
) -> Result<(), Deviation> {
    let expected = script.run::<World<D>>()?;
    let found = script.run::<B>()?;
    for (expected, found) in expected.iter().zip(&found) {
        found.is_consistent(script)?;
        compare::compare(script, agreement, expected, found)?;
    }
    Ok(())
}

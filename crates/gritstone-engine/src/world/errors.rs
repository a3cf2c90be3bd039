//! Why a step can fail.

use serde::{Deserialize, Serialize};

/// Why a step failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum StepError {
    /// A grain has left the domain.
    #[error("grain {id} left the domain at step {step}: its centre is at {position:?}")]
    Left {
        /// Its id.
        id: u32,
        /// The step.
        step: u64,
        /// Where it is.
        position: Vec<f64>,
    },
    /// A grain's position or velocity is no longer a number.
    #[error(
        "grain {id} diverged at step {step}: its position or velocity is not finite. The time step is probably too long for \
         the contacts' stiffness"
    )]
    NotFinite {
        /// Its id.
        id: u32,
        /// The step.
        step: u64,
    },
    /// The cell has become too narrow for its grains.
    #[error(
        "the cell is {width:e} m wide along axis {axis} at step {step}, but must be wider than {needed:e} m: the \
         largest grain plus the cutoff of the neighbour lists"
    )]
    Narrow {
        /// Which axis, counted from 0.
        axis: usize,
        /// Distance of the sides (m).
        width: f64,
        /// Distance that is needed (m).
        needed: f64,
        /// The step.
        step: u64,
    },
    /// The device that makes the steps has failed.
    #[error("the device failed at step {step}: {what}")]
    Device {
        /// What it says.
        what: String,
        /// The step.
        step: u64,
    },
    /// There are more contacts than can be numbered.
    #[error(
        "more than 268 million contacts of one kind at step {step}: share the grains among several processes"
    )]
    TooManyContacts {
        /// The step.
        step: u64,
    },
}

//! What is written, and how often.

use crate::form::Form;
use crate::node::{Item, Node, Reader};
use crate::quantity::{Duration, Quantity};
use crate::section::section;

section! {
    /// What is written, and how often, in simulated time. Each kind of file: true for as often as `every` says, false for
    /// never, or an interval of its own.
    Output {
        /// How often; a hundredth of the whole time where nothing is said.
        every: Option<Quantity<Duration>>;
        /// Frames for ParaView.
        vtk: Rhythm = Rhythm::AsAll;
        /// The compact trajectory for the viewer.
        trajectory: Rhythm = Rhythm::AsAll;
        /// Energies, as a line of a table.
        energies: Rhythm = Rhythm::AsAll;
        /// Forces, torques and work of walls and tools, as a line of a table.
        walls: Rhythm = Rhythm::AsAll;
        /// A state from which the run can go on.
        checkpoint: Rhythm = Rhythm::AsAll;
    }
}

/// How often something is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rhythm {
    /// As often as everything else.
    AsAll,
    /// Never.
    Never,
    /// At an interval of its own.
    Every(Quantity<Duration>),
}

impl Node for Rhythm {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match item.value.as_bool() {
            Some(true) => Some(Self::AsAll),
            Some(false) => Some(Self::Never),
            None => Quantity::read(item, reader).map(Self::Every),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        match self {
            Self::AsAll => Some(toml::Value::Boolean(true)),
            Self::Never => Some(toml::Value::Boolean(false)),
            Self::Every(interval) => interval.write(),
        }
    }

    fn form() -> Form {
        Form::Either(vec![Form::Bool, Quantity::<Duration>::form()])
    }
}

//! What is written, and how often.

use crate::node::{Item, Node, Reader};
use crate::quantity::{Duration, Quantity};
use crate::section::section;
use crate::value_type::ValueType;

section! {
    /// What is written, and how often, in simulated time. Each kind of file: true for as often as `every` says, false for
    /// never, or an interval of its own.
    Output {
        /// How often; default: a hundredth of the whole time.
        every: Option<Quantity<Duration>>;
        /// Frames for ParaView.
        vtk: OutputInterval = OutputInterval::Default;
        /// The compact trajectory for the viewer.
        trajectory: OutputInterval = OutputInterval::Default;
        /// Energies, as a line of a table.
        energies: OutputInterval = OutputInterval::Default;
        /// Forces, torques and work of walls and tools, as a line of a table.
        walls: OutputInterval = OutputInterval::Default;
        /// A state from which the run can go on.
        checkpoint: OutputInterval = OutputInterval::Default;
    }
}

/// How often something is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutputInterval {
    /// As often as everything else.
    Default,
    /// Never.
    Never,
    /// At an interval of its own.
    Every(Quantity<Duration>),
}

impl Node for OutputInterval {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match item.value.as_bool() {
            Some(true) => Some(Self::Default),
            Some(false) => Some(Self::Never),
            None => Quantity::read(item, reader).map(Self::Every),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        match self {
            Self::Default => Some(toml::Value::Boolean(true)),
            Self::Never => Some(toml::Value::Boolean(false)),
            Self::Every(interval) => interval.write(),
        }
    }

    fn value_type() -> ValueType {
        ValueType::Either(vec![ValueType::Bool, Quantity::<Duration>::value_type()])
    }
}

//! What is written, and how often.

use crate::node::{Item, Node, Reader};
use crate::quantity::{Duration, Quantity};
use crate::section::section;
use crate::value_type::ValueType;

section! {
    /// Output files and their intervals in simulated time. For each kind of file: true for the interval `every`, false for
    /// none, or its own interval.
    Output {
        /// Output interval; default: a hundredth of the simulated time.
        every: Option<Quantity<Duration>>;
        /// Frames for ParaView, by default none: they take some 50 times the space of the trajectory, from which
        /// `gritstone export --format vtk` makes them after the run. `true`: as often as `every`.
        vtk: OutputInterval = OutputInterval::Never;
        /// The compact trajectory for the viewer.
        trajectory: OutputInterval = OutputInterval::Default;
        /// Energies, one row of `energies.csv` each time.
        energies: OutputInterval = OutputInterval::Default;
        /// Forces, torques and work of walls and tools, one row of `walls.csv` each time.
        walls: OutputInterval = OutputInterval::Default;
        /// Checkpoints from which the run can be resumed.
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

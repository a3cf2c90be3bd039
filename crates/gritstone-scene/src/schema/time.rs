//! How long a simulation runs, and in which steps.

use crate::node::{Item, Node, Reader};
use crate::quantity::{Coefficient, Duration, Energy, Fraction, Quantity, TimePoint};
use crate::section::section;
use crate::value_type::ValueType;

section! {
    /// Duration and time step of the simulation. At least one of `end` and `steps` is needed.
    Time {
        /// Simulated time at which the run ends.
        end: Option<Quantity<Duration>>;
        /// Number of steps after which the run ends.
        steps: Option<u64>;
        /// Time step, or "auto": a fraction of the shortest contact or Rayleigh time.
        step: Step = Step::Auto;
        /// That fraction: of the duration of a contact for the law `linear` (default: 0.02), of the Rayleigh
        /// time for the law `hertz-mindlin` (0.1), or of the duration of a contact between faces (0.02) if that is shorter.
        fraction: Option<Quantity<Fraction>>;
    }
}

section! {
    /// Brings the grains to rest before the run begins, at a fraction of the cost: they settle with softer contacts in larger steps, then the
    /// real stiffness is restored in stages. The run begins at time zero with the bed at rest. Walls stand still meanwhile; tools,
    /// inlets, outlets and events wait.
    Prepare {
        /// Simulated time in which the grains come to rest with soft contacts.
        time: Quantity<Duration>;
        /// Stiffness of these contacts, as a fraction of the real one; the time step is longer by the root of its inverse.
        stiffness: Quantity<Fraction> = Quantity::new(0.02);
        /// Number of steps of each stage, in which the stiffness is doubled: as many as an elastic wave takes through the bed, some
        /// twenty for each layer of grains. The last stage has twice as many.
        relax: u64 = 300;
    }
}

section! {
    /// Conditions that end the run early: all that are given must hold.
    Stop {
        /// The kinetic energy of all grains is below this.
        kinetic_energy: Option<Quantity<Energy>>;
        /// The mean unbalanced force of the grains over the mean contact force is below this.
        unbalanced_force: Option<Quantity<Coefficient>>;
        /// Earliest time at which this is tested: a bed that has not started to fall is at rest, too.
        not_before: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

/// A time step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Found from the stiffest contact.
    Auto,
    /// As given.
    Given(Quantity<Duration>),
}

impl Node for Step {
    fn read(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<Self> {
        match item.text() {
            Some("auto") => Some(Self::Auto),
            Some(text) if !text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => {
                reader.invalid(item, &Self::value_type().describe(reader.dimension()));
                None
            }
            _ => Quantity::read(item, reader).map(Self::Given),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        match self {
            Self::Auto => Some(toml::Value::String("auto".to_owned())),
            Self::Given(step) => step.write(),
        }
    }

    fn value_type() -> ValueType {
        ValueType::Either(vec![
            ValueType::Keyword(&[("auto", "Found from the stiffest contact.")]),
            Quantity::<Duration>::value_type(),
        ])
    }
}

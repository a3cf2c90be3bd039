//! Grains that come in and go out on the way.

use crate::quantity::{
    Coefficient, Coordinates, Duration, Frequency, Mass, MassRate, Quantity, TimePoint, Velocity,
};
use crate::section::section;

use super::region::Region;
use super::size::{By, Size};
use super::values::{Names, Orientation, Spin};

section! {
    /// Insertion of grains at a rate: give `number_rate` or `mass_rate`. A grain that cannot be placed waits for the next attempt, and
    /// the summary states how many still wait.
    Inlet {
        /// Name of their shape, or a list of names from which one is drawn at random for each grain.
        shape: Names;
        /// Shares of the shapes, in their order; default: equal.
        shares: Option<Vec<Quantity<Coefficient>>>;
        /// Whether shares are of number or mass.
        share_by: By = By::Number;
        /// Their size distribution; default: the size of their shapes.
        size: Option<Size>;
        /// Name of their material.
        material: String;
        /// The region in which they are inserted, entirely inside and without contact.
        region: Region;
        /// Number of grains per time.
        number_rate: Option<Quantity<Frequency>>;
        /// Mass per time.
        mass_rate: Option<Quantity<MassRate>>;
        /// Largest total number.
        count: Option<u64>;
        /// Largest total mass.
        mass: Option<Quantity<Mass>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: the end of the run.
        end: Option<Quantity<TimePoint>>;
        /// Their orientation.
        orientation: Orientation = Orientation::Random;
        /// Initial velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Initial angular velocity of all of them.
        spin: Option<Spin>;
        /// Interval between insertions; default: 50 steps.
        every: Option<Quantity<Duration>>;
        /// Trial positions per grain at each insertion.
        attempts: u32 = 500;
        /// Seed of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Removal of grains during the run: those whose centre is in a region are removed and counted.
    Outlet {
        /// The region.
        region: Region;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// End time; default: the end of the run.
        end: Option<Quantity<TimePoint>>;
        /// Interval between removals; default: 50 steps.
        every: Option<Quantity<Duration>>;
    }
}

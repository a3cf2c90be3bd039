//! Grains that come in and go out on the way.

use crate::quantity::{
    Coefficient, Coordinates, Duration, Frequency, Mass, MassRate, Quantity, TimePoint, Velocity,
};
use crate::section::section;

use super::region::Region;
use super::size::{By, Size};
use super::values::{Names, Orientation, Spin};

section! {
    /// Grains come in at a rate: give `number_rate` or `mass_rate`. A grain that finds no place waits for the next look, and
    /// the summary tells how many still wait.
    Inlet {
        /// Name of their shape, or a list of names, from which each grain takes one at random.
        shape: Names;
        /// Shares of the shapes, in their order; default: equal.
        shares: Option<Vec<Quantity<Coefficient>>>;
        /// What the shares are of.
        share_by: By = By::Number;
        /// How large they are; default: as their shapes say.
        size: Option<Size>;
        /// Name of their material.
        material: String;
        /// Where they appear, each as a whole and touching nothing.
        region: Region;
        /// How many per second.
        number_rate: Option<Quantity<Frequency>>;
        /// How much per second.
        mass_rate: Option<Quantity<MassRate>>;
        /// How many in all, at most.
        count: Option<u64>;
        /// How much in all, at most.
        mass: Option<Quantity<Mass>>;
        /// From when.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// Until when; default: to the end of the run.
        end: Option<Quantity<TimePoint>>;
        /// How they are turned.
        orientation: Orientation = Orientation::Random;
        /// Velocity of all of them.
        velocity: Option<Coordinates<Velocity>>;
        /// Angular velocity of all of them.
        spin: Option<Spin>;
        /// How often it is looked whether grains are due; default: 50 steps.
        every: Option<Quantity<Duration>>;
        /// Places that are tried for a grain at each look.
        attempts: u32 = 500;
        /// Start of the random numbers.
        seed: u64 = 1;
    }
}

section! {
    /// Grains go out: those whose centre is in a region are taken out of the world and counted.
    Outlet {
        /// The region.
        region: Region;
        /// From when.
        start: Quantity<TimePoint> = Quantity::new(0.0);
        /// Until when; default: to the end of the run.
        end: Option<Quantity<TimePoint>>;
        /// How often it is looked; default: 50 steps.
        every: Option<Quantity<Duration>>;
    }
}

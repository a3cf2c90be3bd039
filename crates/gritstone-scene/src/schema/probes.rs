//! What is measured on the way.

use crate::quantity::{Coordinates, Dimensionless, Duration, Position, Quantity, TimePoint};
use crate::section::{choice, section};

use super::region::Region;

choice! {
    /// A measurement during the run: a table `probes/NAME.csv`, with a row at its interval and at the last step; last values and means
    /// are in the summary. Probes do not change the run. What is undefined at a time, such as the fabric of
    /// no contacts, is `NaN` in tables and left out of means. In a periodic cell a grain belongs to a region if one of
    /// its images does. Two grains, or a grain and a wall, have one contact, however many parts or facets of them touch; its dyad
    /// is the mean of those of the parts. `contacts` and stresses have every part.
    Probe by "kind" {
        Energies(RegionProbe) => "energies",
        Coordination(RegionProbe) => "coordination",
        SolidFraction(BoundedRegionProbe) => "solid-fraction",
        Stress(BoundedRegionProbe) => "stress",
        GrainStress(RegionProbe) => "grain-stress",
        Fabric(RegionProbe) => "fabric",
        Flow(FlowProbe) => "flow",
        WallForces(WallProbe) => "wall-forces",
        Contacts(RegionProbe) => "contacts",
        Profile(ProfileProbe) => "profile",
        Repose(ProfileProbe) => "repose",
    }
}

section! {
    /// For the grains whose centre is in a region, or the contacts whose point is: `energies`, `coordination` with its
    /// distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own volume, number of its
    /// contacts, and its fabric, the mean of the dyads of their normals, contacts with walls included), `fabric` (the mean of
    /// the dyads of normals of contacts among grains), `contacts` (a row for each contact with its force, and the point where
    /// it acts: that of faces at the centre of pressure).
    RegionProbe {
        /// The region; default: everywhere.
        region: Option<Region>;
        /// Interval; default: `output.every`.
        every: Option<Quantity<Duration>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// In a bounded region: `solid-fraction`, where grains count with the part of their volume that is
    /// inside; `stress`, after Love and Weber, of the grains whose centre is inside, positive in compression.
    BoundedRegionProbe {
        /// The region.
        region: Region;
        /// Interval; default: `output.every`.
        every: Option<Quantity<Duration>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `flow`: number and mass of grains whose centre has crossed a plane (in 2D: a line) since the start, along its
    /// normal less against it, and the mean rates since the previous row. Crossings are detected every ten steps. In a periodic cell it is the
    /// part of the plane around its point, as wide as the cell.
    FlowProbe {
        /// A point on it.
        point: Coordinates<Position>;
        /// Direction that counts as positive; of any length.
        normal: Coordinates<Dimensionless>;
        /// Only crossings inside this region count, which may start or end at the plane; default: everywhere.
        region: Option<Region>;
        /// Interval of the rows; default: `output.every`.
        every: Option<Quantity<Duration>>;
        /// Start time of the rows; grains are counted from the beginning.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `wall-forces`: force of the grains on each wall, and torque about the origin of its shape.
    WallProbe {
        /// Names of walls: `box` with all its sides, or `box.z-low` alone; default: all walls.
        walls: Vec<String>;
        /// Interval; default: `output.every`.
        every: Option<Quantity<Duration>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `profile`: height of the highest point of the grains in bins along a direction, or over the distance from a vertical
    /// axis; negative below the origin, `NaN` for bins without grains. `repose`: the angle of the slope that falls from the highest
    /// bin, by a straight line through the bins between a fifth and four fifths of the largest height and above one and a half layers
    /// of grains; where there is none, the summary says why. Up is against gravity.
    ProfileProbe {
        /// Origin of the bins and of heights.
        origin: Coordinates<Position>;
        /// Direction of the bins, not along gravity; default: radial, the distance from the vertical axis through the origin.
        along: Option<Coordinates<Dimensionless>>;
        /// Start of the first bin, from the origin; not negative for radial bins.
        from: Quantity<Position> = Quantity::new(0.0);
        /// End of the last bin, from the origin.
        to: Quantity<Position>;
        /// Number of bins, 100000 at most.
        bins: u32 = 50;
        /// Interval; default: `output.every`.
        every: Option<Quantity<Duration>>;
        /// Start time.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

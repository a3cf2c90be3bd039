//! What is measured on the way.

use crate::quantity::{Coordinates, Dimensionless, Duration, Position, Quantity, TimePoint};
use crate::section::{choice, section};

use super::region::Region;

choice! {
    /// Something that is measured on the way: a table `probes/NAME.csv`, the last values and the means in the summary. Probes
    /// look and never touch: the run is the same with and without them. What does not exist at a moment, such as the fabric of
    /// no contacts, is `NaN` in tables, and means leave it out. In a cell that repeats a grain belongs to a region when one of
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
    /// Of the grains whose centre is in a region, or of the contacts whose point is: `energies`, `coordination` with its
    /// distribution, `grain-stress` (a row for each grain: stress after Love and Weber over its own volume, number of its
    /// contacts, and its fabric, the mean of the dyads of their normals, contacts with walls included), `fabric` (the mean of
    /// the dyads of normals of contacts among grains), `contacts` (a row for each contact with its force, and the point where
    /// it acts: that of faces at the centre of pressure).
    RegionProbe {
        /// The region; default: everywhere.
        region: Option<Region>;
        /// How often; default: as `output.every`.
        every: Option<Quantity<Duration>>;
        /// From when on.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// Of a region that ends in every direction: `solid-fraction`, grains that reach out of it counted with the part that is
    /// inside; `stress`, after Love and Weber, of the grains whose centre is inside, positive in compression.
    BoundedRegionProbe {
        /// The region.
        region: Region;
        /// How often; default: as `output.every`.
        every: Option<Quantity<Duration>>;
        /// From when on.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `flow`: number and mass of grains whose centre has passed a plane (in the plane: a line) since the start, along its
    /// normal less against it. It is looked every ten steps; between them centres go straight. In a cell that repeats it is the
    /// part of the plane about its point, as wide as the cell.
    FlowProbe {
        /// A point on it.
        point: Coordinates<Position>;
        /// Direction that counts as positive; of any length.
        normal: Coordinates<Dimensionless>;
        /// Only what passes the plane in this region counts, which may begin or end there; default: everything.
        region: Option<Region>;
        /// How often a row is written; default: as `output.every`.
        every: Option<Quantity<Duration>>;
        /// From when on rows are written; it is counted from the beginning.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `wall-forces`: force of the grains on each wall, and torque about the origin of its shape.
    WallProbe {
        /// Names of walls: `box` with all its sides, or `box.z-low` alone; default: all walls.
        walls: Vec<String>;
        /// How often; default: as `output.every`.
        every: Option<Quantity<Duration>>;
        /// From when on.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

section! {
    /// `profile`: height of the highest point of the grains in bins along a direction, or over the distance from a vertical
    /// axis; negative below the origin, `NaN` for bins without grains. `repose`: the angle of the slope that falls from the highest bin on, by a straight line through the bins between
    /// a fifth and four fifths of the largest height. Up is against gravity.
    ProfileProbe {
        /// Where the bins begin, and where heights are zero.
        origin: Coordinates<Position>;
        /// Along what, but not along gravity; default: over the distance from the vertical axis through the origin.
        along: Option<Coordinates<Dimensionless>>;
        /// Where the first bin begins, from the origin; not negative over the distance from an axis.
        from: Quantity<Position> = Quantity::new(0.0);
        /// Where the last bin ends, from the origin.
        to: Quantity<Position>;
        /// Number of bins, 100000 at most.
        bins: u32 = 50;
        /// How often; default: as `output.every`.
        every: Option<Quantity<Duration>>;
        /// From when on.
        start: Quantity<TimePoint> = Quantity::new(0.0);
    }
}

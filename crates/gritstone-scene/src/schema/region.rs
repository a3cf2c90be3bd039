//! Parts of the plane or of space.

use crate::quantity::{Coordinates, Dimensionless, Length, Limit, Position, Quantity};
use crate::section::{choice, section};

choice! {
    /// A part of the plane or of space: where grains are put, come in, go out or are measured. Its `kind` says of what sort it
    /// is: `region = { kind = "box", low = [0, 0, 0], high = ["5 cm", "5 cm", "2 cm"] }`. In a cell that repeats, a grain is
    /// there with any of its images.
    Region by "kind" {
        Box(BoxOfRegion) => "box",
        Sphere(SphereRegion) => "sphere",
        Circle(SphereRegion) => "circle",
        Cylinder(CylinderRegion) => "cylinder",
        Beyond(HalfSpaceRegion) => "beyond",
    }
}

section! {
    /// A box along the axes.
    BoxOfRegion {
        /// Corner with the least coordinates; `-inf` where there is no limit.
        low: Coordinates<Limit>;
        /// Corner with the largest coordinates; `inf` where there is no limit.
        high: Coordinates<Limit>;
    }
}

section! {
    /// A ball (`sphere`, in space) or a disc (`circle`, in the plane).
    SphereRegion {
        /// Its centre.
        center: Coordinates<Position>;
        /// Its radius.
        radius: Quantity<Length>;
    }
}

section! {
    /// A cylinder, in space.
    CylinderRegion {
        /// Centre of one end.
        from: Coordinates<Position>;
        /// Centre of the other end.
        to: Coordinates<Position>;
        /// Its radius.
        radius: Quantity<Length>;
    }
}

section! {
    /// Everything beyond a plane (in space) or line (in the plane).
    HalfSpaceRegion {
        /// A point on it.
        point: Coordinates<Position>;
        /// Direction to the side that is meant; of any length.
        normal: Coordinates<Dimensionless>;
    }
}

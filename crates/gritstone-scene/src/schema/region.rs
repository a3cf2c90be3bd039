//! Parts of the plane or of space.

use crate::quantity::{Coordinates, Dimensionless, Length, Limit, Position, Quantity};
use crate::section::{choice, section};

choice! {
    /// A region in which grains are placed, inserted, removed or measured. Its `kind` is its shape:
    /// `region = { kind = "box", low = [0, 0, 0], high = ["5 cm", "5 cm", "2 cm"] }`. In a periodic cell, a grain is
    /// inside if any of its images is.
    Region by "kind" {
        Box(BoxOfRegion) => "box",
        Sphere(SphereRegion) => "sphere",
        Circle(SphereRegion) => "circle",
        Cylinder(CylinderRegion) => "cylinder",
        Beyond(HalfSpaceRegion) => "beyond",
    }
}

section! {
    /// An axis-aligned box.
    BoxOfRegion {
        /// Lower corner; `-inf` for no limit.
        low: Coordinates<Limit>;
        /// Upper corner; `inf` for no limit.
        high: Coordinates<Limit>;
    }
}

section! {
    /// A sphere (`sphere`, in 3D) or a disc (`circle`, in 2D).
    SphereRegion {
        /// Its centre.
        center: Coordinates<Position>;
        /// Radius.
        radius: Quantity<Length>;
    }
}

section! {
    /// A cylinder, in 3D.
    CylinderRegion {
        /// Centre of one end.
        from: Coordinates<Position>;
        /// Centre of the other end.
        to: Coordinates<Position>;
        /// Radius.
        radius: Quantity<Length>;
    }
}

section! {
    /// The half-space beyond a plane (in 2D: a line).
    HalfSpaceRegion {
        /// A point on it.
        point: Coordinates<Position>;
        /// Direction towards the region; of any length.
        normal: Coordinates<Dimensionless>;
    }
}

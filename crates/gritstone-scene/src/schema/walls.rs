//! What grains cannot pass, and where they may be.

use crate::quantity::{Coordinates, Dimensionless, Factor, Limit, Position, Quantity};
use crate::section::{choice, keywords, section};

use super::values::{Numbers, Orientation};

choice! {
    /// A wall. Walls with several sides are as many walls: the floor of `[walls.box]` is `box.z-low`.
    Wall by "kind" {
        Plane(PlaneWall) => "plane",
        Line(PlaneWall) => "line",
        Box(BoxWalls) => "box",
        Shape(ShapeWall) => "shape",
        Mesh(MeshWall) => "mesh",
        Revolved(RevolvedWall) => "revolved",
    }
}

section! {
    /// A plane (in space) or line (in the plane) without end; solid behind it.
    PlaneWall {
        /// Name of its material.
        material: String;
        /// A point on it.
        point: Coordinates<Position>;
        /// Direction out of it, to the side where grains are; of any length.
        normal: Coordinates<Dimensionless>;
    }
}

section! {
    /// The inside of a box along the axes, each side a wall without end.
    BoxWalls {
        /// Name of their material.
        material: String;
        /// Corner with the least coordinates.
        low: Coordinates<Position>;
        /// Corner with the largest coordinates.
        high: Coordinates<Position>;
        /// Sides that are not there.
        open: Vec<Side>;
    }
}

section! {
    /// A fixed body of any shape.
    ShapeWall {
        /// Name of its material.
        material: String;
        /// Name of its shape.
        shape: String;
        /// Where its centre of mass is, or the origin of shapes that have none.
        position: Option<Coordinates<Position>>;
        /// How it is turned.
        orientation: Option<Orientation>;
    }
}

section! {
    /// A surface of triangles from a file, in space: STL (text or binary) or OBJ. Triangles that lie in one plane act as one
    /// facet, and edges and corners push no more than once.
    MeshWall {
        /// Name of its material.
        material: String;
        /// The file, beside the scene; its name ends in `.stl` or `.obj`.
        file: String;
        /// Coordinates are multiplied by this: 0.001 for a file in millimetres.
        scale: Quantity<Factor> = Quantity::new(1.0);
        /// On which side of the surface grains are.
        grains: MeshSide = MeshSide::Outside;
        /// Where the file's origin is; default: at the scene's.
        position: Option<Coordinates<Position>>;
        /// How it is turned.
        orientation: Option<Orientation>;
    }
}

section! {
    /// A surface that is round about z, in space: cylinders, cones, hoppers, drums. A line of points is turned about the axis
    /// in flat facets; between them a facet is nearer to the axis by radius · (1 − cos(π / facets)).
    RevolvedWall {
        /// Name of its material.
        material: String;
        /// The line: points [radius, height], upwards where the outside is away from the axis. It is closed where both ends
        /// have the radius 0.
        profile: Vec<Numbers<Position, 2>>;
        /// Facets around.
        facets: u32 = 64;
        /// On which side of the surface grains are; a line with open ends is a sheet with grains on both.
        grains: MeshSide = MeshSide::Both;
        /// Where its origin is; default: at the scene's.
        position: Option<Coordinates<Position>>;
        /// How it is turned.
        orientation: Option<Orientation>;
    }
}

keywords! {
    /// On which side of a surface grains are.
    MeshSide {
        /// Outside of the body that the surface encloses.
        Outside => "outside",
        /// Inside: the surface is a container.
        Inside => "inside",
        /// On both sides of a sheet without thickness, which may have an edge.
        Both => "both",
    }
}

keywords! {
    /// A side of a box.
    Side {
        /// Least x.
        XLow => "x-low",
        /// Largest x.
        XHigh => "x-high",
        /// Least y.
        YLow => "y-low",
        /// Largest y.
        YHigh => "y-high",
        /// Least z.
        ZLow => "z-low",
        /// Largest z.
        ZHigh => "z-high",
    }
}

impl Side {
    /// All sides, those of the plane first.
    pub const ALL: [Self; 6] = [Self::XLow, Self::XHigh, Self::YLow, Self::YHigh, Self::ZLow, Self::ZHigh];

    /// Which axis it bounds, and whether from above.
    pub fn axis(self) -> (usize, bool) {
        match self {
            Self::XLow => (0, false),
            Self::XHigh => (0, true),
            Self::YLow => (1, false),
            Self::YHigh => (1, true),
            Self::ZLow => (2, false),
            Self::ZHigh => (2, true),
        }
    }
}

section! {
    /// Where grains may be, and what happens to those that leave.
    Domain {
        /// Corner with the least coordinates; `-inf` where there is no limit.
        low: Coordinates<Limit>;
        /// Corner with the largest coordinates; `inf` where there is no limit.
        high: Coordinates<Limit>;
        /// What happens to a grain whose centre leaves. This is looked at whenever the list of grains near walls is made
        /// anew, so a grain may be outside by as much as it moves between two lists, a fraction of its size.
        leaving: Leaving = Leaving::Error;
    }
}

keywords! {
    /// What happens to a grain that leaves the domain.
    Leaving {
        /// The run ends with an error that names the grain.
        Error => "error",
        /// The grain is taken out, and counted.
        Remove => "remove",
        /// It goes on.
        Keep => "keep",
    }
}

//! What grains cannot pass, and where they may be.

use crate::quantity::{Coordinates, Dimensionless, Factor, Limit, Position, Quantity, Velocity};
use crate::section::{choice, keywords, section};

use super::values::{LengthUnit, Numbers, Orientation, Spin};

choice! {
    /// A wall. The sides of a box are walls of their own: the floor of `[walls.box]` is `box.z-low`.
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
    /// An unbounded plane (in 2D: a line), solid behind it.
    PlaneWall {
        /// Name of its material.
        material: String;
        /// A point on it.
        point: Coordinates<Position>;
        /// Normal, towards the grains; of any length.
        normal: Coordinates<Dimensionless>;
        /// Velocity of its material along the surface while the wall stays in place, as of a conveyor: it affects
        /// friction only. Components normal to the surface are ignored.
        surface_velocity: Option<Coordinates<Velocity>>;
        /// The same as an angular velocity, about `point`: a turntable, a roller.
        surface_spin: Option<Spin>;
    }
}

section! {
    /// The inside of an axis-aligned box, each side an unbounded wall.
    BoxWalls {
        /// Name of their material.
        material: String;
        /// Lower corner.
        low: Coordinates<Position>;
        /// Upper corner.
        high: Coordinates<Position>;
        /// Open sides.
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
        /// Position of its centre of mass, or of the origin for shapes without one.
        position: Option<Coordinates<Position>>;
        /// Its orientation.
        orientation: Option<Orientation>;
        /// Velocity of its material along the surface while the wall stays in place, as of a conveyor: it affects
        /// friction only. Components normal to the surface are ignored.
        surface_velocity: Option<Coordinates<Velocity>>;
        /// The same as an angular velocity, about its position: a turntable, a roller.
        surface_spin: Option<Spin>;
    }
}

section! {
    /// A surface of triangles from a file, in 3D: STL, OBJ or PLY. Coplanar triangles act as one facet, and a contact at
    /// an edge or vertex counts once. Vertices closer than a millionth of the extent are merged, and degenerate triangles are
    /// dropped; `check` prints how many.
    MeshWall {
        /// Name of its material.
        material: String;
        /// The file, relative to the scene; its name ends in `.stl`, `.obj` or `.ply`.
        file: String;
        /// Unit of its coordinates; CAD programs mostly write millimetres.
        units: LengthUnit = LengthUnit::Metre;
        /// Factor on its coordinates, in addition to the unit.
        scale: Quantity<Factor> = Quantity::new(1.0);
        /// The side of the surface on which grains are.
        grains: MeshSide = MeshSide::Outside;
        /// Position of the file's origin; default: the scene's origin.
        position: Option<Coordinates<Position>>;
        /// Its orientation.
        orientation: Option<Orientation>;
        /// Velocity of its material along the surface while the wall stays in place, as of a conveyor: it affects
        /// friction only. Components normal to the surface are ignored.
        surface_velocity: Option<Coordinates<Velocity>>;
        /// The same as an angular velocity, about its position: a turntable, a roller.
        surface_spin: Option<Spin>;
    }
}

section! {
    /// A surface of revolution about z, in 3D: cylinders, cones, hoppers, drums. A profile is revolved about the axis
    /// in flat facets, whose middle is closer to the axis by radius · (1 − cos(π / facets)).
    RevolvedWall {
        /// Name of its material.
        material: String;
        /// The profile: points [radius, height], upwards if the outside is away from the axis. The surface is closed if both ends
        /// have radius 0.
        profile: Vec<Numbers<Position, 2>>;
        /// Number of facets around the axis.
        facets: u32 = 64;
        /// The side of the surface on which grains are; a profile with open ends is a sheet with grains on both.
        grains: MeshSide = MeshSide::Both;
        /// Position of its origin; default: the scene's origin.
        position: Option<Coordinates<Position>>;
        /// Its orientation.
        orientation: Option<Orientation>;
        /// Velocity of its material along the surface while the wall stays in place, as of a conveyor: it affects
        /// friction only. Components normal to the surface are ignored.
        surface_velocity: Option<Coordinates<Velocity>>;
        /// The same as an angular velocity, about its position: a turntable, a roller.
        surface_spin: Option<Spin>;
    }
}

keywords! {
    /// The side of a surface on which grains are.
    MeshSide {
        /// Outside of the body that the surface encloses.
        Outside => "outside",
        /// Inside: the surface is a container.
        Inside => "inside",
        /// Both sides of a sheet without thickness, which may be open.
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
    /// Bounds of the simulation, and what happens to grains that leave them.
    Domain {
        /// Lower corner; `-inf` for no limit.
        low: Coordinates<Limit>;
        /// Upper corner; `inf` for no limit.
        high: Coordinates<Limit>;
        /// What happens to a grain whose centre leaves. This is tested when the wall neighbour list is rebuilt,
        /// so a grain may be outside by its displacement between two rebuilds, a fraction of its size.
        leaving: Leaving = Leaving::Error;
    }
}

keywords! {
    /// What happens to a grain that leaves the domain.
    Leaving {
        /// The run ends with an error that names the grain.
        Error => "error",
        /// The grain is removed and counted.
        Remove => "remove",
        /// The grain stays in the simulation.
        Keep => "keep",
    }
}

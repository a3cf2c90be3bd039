//! Shapes, with the keys of `gritstone contact`.

use crate::quantity::{Coordinates, Dimensionless, Factor, Length, Position, Quantity};
use crate::section::{choice, keywords, section};

use super::values::{LengthUnit, Numbers, Orientation};

choice! {
    /// A shape: those of 3D first, then those of 2D.
    Shape by "shape" {
        Sphere(Sphere) => "sphere",
        Ellipsoid(Ellipsoid) => "ellipsoid",
        Superellipsoid(Superellipsoid) => "superellipsoid",
        Superquadric(Superquadric) => "superquadric",
        Polyhedron(Polyhedron) => "polyhedron",
        Cylinder(Cylinder) => "cylinder",
        Capsule(Capsule) => "capsule",
        Triangle(Triangle) => "triangle",
        HalfSpace(HalfSpace) => "half-space",
        Circle(Circle) => "circle",
        Ellipse(Ellipse) => "ellipse",
        Conic(Conic) => "conic",
        Superellipse(Superellipse) => "superellipse",
        Polygon(Polygon) => "polygon",
        Segment(Segment) => "segment",
        HalfPlane(HalfPlane) => "half-plane",
        Compound(Compound) => "compound",
        Mesh(MeshShape) => "mesh",
    }
}

/// The same shape with its `scale` changed, for every kind that has one.
macro_rules! scaled {
    ($shape:expr, $factor:expr, $($kind:ident)*) => {
        match $shape {
            $(Shape::$kind(shape) => {
                let mut shape = shape.clone();
                shape.scale.si *= $factor;
                Some(Shape::$kind(shape))
            })*
            Shape::HalfSpace(_) | Shape::HalfPlane(_) | Shape::Compound(_) => None,
        }
    };
}

impl Shape {
    /// The same with all lengths multiplied by a factor; none for shapes without end, and for compounds, whose parts are shapes
    /// of their own.
    pub fn scaled(&self, factor: f64) -> Option<Self> {
        scaled!(
            self, factor, Sphere Ellipsoid Superellipsoid Superquadric Polyhedron Cylinder Capsule Triangle Circle Ellipse
            Conic Superellipse Polygon Segment Mesh
        )
    }
}

section! {
    /// A sphere.
    Sphere {
        /// Radius.
        radius: Quantity<Length>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipsoid.
    Ellipsoid {
        /// Semi-axes.
        radii: Numbers<Length, 3>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superellipsoid after Barr, from needles to boxes to octahedra: give `exponents` or `blockiness`.
    Superellipsoid {
        /// Semi-axes.
        radii: Numbers<Length, 3>;
        /// The exponents ε1 (x-y section) and ε2 (along z), in (0, 2): 1 is an ellipsoid, towards 0 a box.
        exponents: Option<Numbers<Dimensionless, 2>>;
        /// The exponents as LIGGGHTS has them, n1 = 2/ε2 and n2 = 2/ε1, more than 1: 2 is an ellipsoid, large a box.
        blockiness: Option<Numbers<Dimensionless, 2>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superquadric |x/a|^n1 + |y/b|^n2 + |z/c|^n3 = 1.
    Superquadric {
        /// Semi-axes a, b, c.
        semi_axes: Numbers<Length, 3>;
        /// The exponents n1, n2, n3, more than 1.
        blockiness: Numbers<Dimensionless, 3>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A convex polyhedron: the convex hull of points.
    Polyhedron {
        /// The points; the centre of mass of their convex hull becomes the grain's position.
        vertices: Vec<Numbers<Position, 3>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A cylinder about z.
    Cylinder {
        /// Radius.
        radius: Quantity<Length>;
        /// Half the height.
        half_height: Quantity<Length>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A capsule about z: a cylinder with hemispherical ends.
    Capsule {
        /// Radius.
        radius: Quantity<Length>;
        /// Half the height of the cylinder.
        half_height: Quantity<Length>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A triangle without thickness, for walls.
    Triangle {
        /// Its corners.
        vertices: Vec<Numbers<Position, 3>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// All points x with normal·x ≤ offset, for walls.
    HalfSpace {
        /// Outward normal.
        normal: Numbers<Dimensionless, 3>;
        /// Distance of its surface from the origin along the normal.
        offset: Quantity<Position>;
    }
}

section! {
    /// A circle.
    Circle {
        /// Radius.
        radius: Quantity<Length>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipse.
    Ellipse {
        /// Semi-axes.
        semi_axes: Numbers<Length, 2>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipse given as a conic section A x² + B x y + C y² + D x + E y + F = 0.
    Conic {
        /// The coefficients A to F, coordinates in metres.
        coefficients: Numbers<Dimensionless, 6>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superellipse |x/a|^n + |y/b|^n = 1.
    Superellipse {
        /// Semi-axes a, b.
        semi_axes: Numbers<Length, 2>;
        /// The exponent n, more than 1.
        blockiness: Quantity<Dimensionless>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A convex polygon: the convex hull of points.
    Polygon {
        /// The points; the centre of mass of their convex hull becomes the grain's position.
        vertices: Vec<Numbers<Position, 2>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A segment without thickness, for walls.
    Segment {
        /// Its ends.
        vertices: Vec<Numbers<Position, 2>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// All points x with normal·x ≤ offset, for walls.
    HalfPlane {
        /// Outward normal.
        normal: Numbers<Dimensionless, 2>;
        /// Distance of its edge from the origin along the normal.
        offset: Quantity<Position>;
    }
}

section! {
    /// Several shapes that form one rigid grain: concave grains, clumps of spheres. Overlapping volume is counted once; the
    /// centre of mass is the grain's position.
    Compound {
        /// The parts.
        parts: Vec<CompoundPart>;
    }
}

section! {
    /// A part of a compound.
    CompoundPart {
        /// Name of its shape: one with a volume, not a compound.
        shape: String;
        /// Position of its centre of mass; default for shapes given by vertices: where the vertices are.
        position: Option<Coordinates<Position>>;
        /// Its orientation; not "random".
        orientation: Option<Orientation>;
    }
}

section! {
    /// A grain from a closed surface of triangles in a file, in 3D, such as the scan of a rock: STL, OBJ or PLY. It is turned into a convex
    /// hull, convex parts or a superellipsoid of the same volume; `check` prints how far that is from the surface.
    MeshShape {
        /// The file, relative to the scene; its name ends in `.stl`, `.obj` or `.ply`.
        file: String;
        /// Unit of its coordinates.
        units: LengthUnit = LengthUnit::Metre;
        /// What it is turned into.
        approximation: Approximation = Approximation::Hull;
        /// The most vertices that the hull or each of the parts has; contacts cost more with more of them.
        vertices: u32 = 40;
        /// The most parts.
        parts: u32 = 8;
        /// Diameter of the sphere of the same volume; default: as the file has it.
        size: Option<Quantity<Length>>;
        /// Factor on all lengths.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

keywords! {
    /// What a surface of triangles is turned into.
    Approximation {
        /// Its convex hull.
        Hull => "hull",
        /// Convex parts of an approximate decomposition, as a compound: for concave grains.
        Parts => "parts",
        /// The superellipsoid that fits best.
        Superellipsoid => "superellipsoid",
    }
}

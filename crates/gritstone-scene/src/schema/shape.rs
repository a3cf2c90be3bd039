//! Shapes, with the keys of `gritstone contact`.

use crate::quantity::{Coordinates, Dimensionless, Factor, Length, Position, Quantity};
use crate::section::{choice, section};

use super::values::{Numbers, Orientation};

choice! {
    /// A shape: those of space first, then those of the plane.
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
            Conic Superellipse Polygon Segment
        )
    }
}

section! {
    /// A sphere.
    Sphere {
        /// Its radius.
        radius: Quantity<Length>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipsoid.
    Ellipsoid {
        /// Half its axes.
        radii: Numbers<Length, 3>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superellipsoid after Barr, from needles to boxes to octahedra: give `exponents` or `blockiness`.
    Superellipsoid {
        /// Half its axes.
        radii: Numbers<Length, 3>;
        /// The exponents ε1 (x-y section) and ε2 (along z), in (0, 2): 1 is an ellipsoid, towards 0 a box.
        exponents: Option<Numbers<Dimensionless, 2>>;
        /// The exponents as LIGGGHTS has them, n1 = 2/ε2 and n2 = 2/ε1, more than 1: 2 is an ellipsoid, large a box.
        blockiness: Option<Numbers<Dimensionless, 2>>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superquadric |x/a|^n1 + |y/b|^n2 + |z/c|^n3 = 1.
    Superquadric {
        /// Half its axes a, b, c.
        semi_axes: Numbers<Length, 3>;
        /// The exponents n1, n2, n3, more than 1.
        blockiness: Numbers<Dimensionless, 3>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A convex polyhedron: the hull of some points.
    Polyhedron {
        /// The points; their hull is moved so that its centre of mass is the grain's position.
        vertices: Vec<Numbers<Position, 3>>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A cylinder about z.
    Cylinder {
        /// Its radius.
        radius: Quantity<Length>;
        /// Half its height.
        half_height: Quantity<Length>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A cylinder about z with half a ball at each end.
    Capsule {
        /// Its radius.
        radius: Quantity<Length>;
        /// Half the height of the cylinder.
        half_height: Quantity<Length>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A triangle without thickness, for walls.
    Triangle {
        /// Its corners.
        vertices: Vec<Numbers<Position, 3>>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// All points x with normal·x ≤ offset, for walls.
    HalfSpace {
        /// Direction out of it.
        normal: Numbers<Dimensionless, 3>;
        /// How far its surface is from the origin along the normal.
        offset: Quantity<Position>;
    }
}

section! {
    /// A circle.
    Circle {
        /// Its radius.
        radius: Quantity<Length>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipse.
    Ellipse {
        /// Half its axes.
        semi_axes: Numbers<Length, 2>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// An ellipse given as a conic section A x² + B x y + C y² + D x + E y + F = 0.
    Conic {
        /// The coefficients A to F, coordinates in metres.
        coefficients: Numbers<Dimensionless, 6>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A superellipse |x/a|^n + |y/b|^n = 1.
    Superellipse {
        /// Half its axes a, b.
        semi_axes: Numbers<Length, 2>;
        /// The exponent n, more than 1.
        blockiness: Quantity<Dimensionless>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A convex polygon: the hull of some points.
    Polygon {
        /// The points; their hull is moved so that its centre of mass is the grain's position.
        vertices: Vec<Numbers<Position, 2>>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// A segment without thickness, for walls.
    Segment {
        /// Its ends.
        vertices: Vec<Numbers<Position, 2>>;
        /// All lengths are multiplied by this.
        scale: Quantity<Factor> = Quantity::new(1.0);
    }
}

section! {
    /// All points x with normal·x ≤ offset, for walls.
    HalfPlane {
        /// Direction out of it.
        normal: Numbers<Dimensionless, 2>;
        /// How far its edge is from the origin along the normal.
        offset: Quantity<Position>;
    }
}

section! {
    /// Several shapes that are one grain: concave ones, clumps of spheres. Where parts overlap, matter is counted once; the
    /// centre of mass is the grain's position.
    Compound {
        /// The parts.
        parts: Vec<CompoundPart>;
    }
}

section! {
    /// A part of a compound.
    CompoundPart {
        /// Name of its shape, one with a volume and no compound.
        shape: String;
        /// Where its centre of mass is; shapes given by vertices are where these are if nothing is said.
        position: Option<Coordinates<Position>>;
        /// How it is turned; not "random".
        orientation: Option<Orientation>;
    }
}

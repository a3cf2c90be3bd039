//! The table of shapes in the plane.

use glam::DVec2;
use gritstone_core::{Mass, Outline, Plane};

use super::{Circle, Custom, Ellipse, HalfPlane, Polygon, Segment, Superellipse};
use crate::{Body, Implicit, Jet, Support, Trace};

/// The name of a shape: that of the table, or its own where the table has none.
macro_rules! word {
    ($shape:ident, own) => {
        $shape.shape().name()
    };
    ($shape:ident, $word:literal) => {
        $word
    };
}

/// Forwards every capability to the shape at hand: one line per shape.
macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident => $word:tt,)*) => {
        /// Any shape in the plane.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Figure {
            $($(#[$doc])* $name($name),)*
        }

        impl Figure {
            /// The shape's name in scenes and in JSON.
            pub fn word(&self) -> &'static str {
                match self { $(Self::$name(_s) => word!(_s, $word),)* }
            }
        }

        $(impl From<$name> for Figure {
            fn from(shape: $name) -> Self { Self::$name(shape) }
        })*

        impl Support<Plane> for Figure {
            #[inline]
            fn support(&self, n: DVec2) -> DVec2 {
                match self { $(Self::$name(s) => s.support(n),)* }
            }
            #[inline]
            fn jet(&self, n: DVec2) -> Jet<Plane> {
                match self { $(Self::$name(s) => s.jet(n),)* }
            }
            fn change(&self, n: DVec2, s: DVec2) -> Option<f64> {
                match self { $(Self::$name(shape) => shape.change(n, s),)* }
            }
            #[inline]
            fn size(&self) -> f64 {
                match self { $(Self::$name(s) => s.size(),)* }
            }
            fn nested_ball(&self, n: DVec2, x: DVec2, wanted: f64) -> f64 {
                match self { $(Self::$name(s) => s.nested_ball(n, x, wanted),)* }
            }
            fn implicit(&self) -> Option<&dyn Implicit<Plane>> {
                match self { $(Self::$name(s) => s.implicit(),)* }
            }
        }

        impl Body<Plane> for Figure {
            fn mass(&self) -> Mass<Plane> {
                match self { $(Self::$name(s) => s.mass(),)* }
            }
            fn half_extents(&self) -> DVec2 {
                match self { $(Self::$name(s) => s.half_extents(),)* }
            }
        }

        impl Trace for Figure {
            fn outline(&self, detail: u32) -> Outline {
                match self { $(Self::$name(s) => s.outline(detail),)* }
            }
        }
    };
}

figures! {
    /// A disc.
    Circle => "circle",
    /// An ellipse.
    Ellipse => "ellipse",
    /// A superellipse.
    Superellipse => "superellipse",
    /// A convex polygon.
    Polygon => "polygon",
    /// A segment of a line.
    Segment => "segment",
    /// A half-plane, which has no bounds.
    HalfPlane => "half-plane",
    /// A shape from another crate.
    Custom => own,
}

impl Figure {
    /// Corners, counter-clockwise, for shapes that are made of them: a polygon's, and the two ends of a segment.
    #[inline]
    pub fn corners(&self) -> Option<&[DVec2]> {
        match self {
            Self::Polygon(polygon) => Some(polygon.vertices()),
            Self::Segment(segment) => Some(segment.ends()),
            Self::Circle(_)
            | Self::Ellipse(_)
            | Self::Superellipse(_)
            | Self::HalfPlane(_)
            | Self::Custom(_) => None,
        }
    }

    /// Length of the longest edge of a body: zero for those without edges.
    pub fn largest_face(&self) -> f64 {
        match self {
            Self::Polygon(polygon) => {
                let corners = polygon.vertices().iter();
                let next = corners.clone().cycle().skip(1);
                corners.zip(next).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max)
            }
            Self::Circle(_)
            | Self::Ellipse(_)
            | Self::Superellipse(_)
            | Self::Segment(_)
            | Self::HalfPlane(_)
            | Self::Custom(_) => 0.0,
        }
    }

    /// Half-axes of circles and ellipses.
    pub fn semi_axes(&self) -> Option<DVec2> {
        match self {
            Self::Circle(circle) => Some(DVec2::splat(circle.radius())),
            Self::Ellipse(ellipse) => Some(ellipse.semi_axes()),
            Self::Superellipse(_)
            | Self::Polygon(_)
            | Self::Segment(_)
            | Self::HalfPlane(_)
            | Self::Custom(_) => None,
        }
    }
}

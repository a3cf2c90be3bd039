//! The table of shapes in the plane.

use glam::DVec2;
use gritstone_core::{Mass, Outline, Plane};

use super::{Circle, Ellipse, HalfPlane, Polygon, Segment, Superellipse};
use crate::{Body, Implicit, Jet, Support, Trace};

/// Forwards every capability to the shape at hand: one line per shape.
macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// Any shape in the plane.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Figure {
            $($(#[$doc])* $name($name),)*
        }

        impl Figure {
            /// The shape's name in scenes and in JSON.
            pub fn word(&self) -> &'static str {
                match self { $(Self::$name(_) => $word,)* }
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
}

impl Figure {
    /// Corners, counter-clockwise, for shapes that are made of them: a polygon's, and the two ends of a segment.
    #[inline]
    pub fn corners(&self) -> Option<&[DVec2]> {
        match self {
            Self::Polygon(polygon) => Some(polygon.vertices()),
            Self::Segment(segment) => Some(segment.ends()),
            _ => None,
        }
    }
}

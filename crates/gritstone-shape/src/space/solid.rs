//! The table of shapes in space.

use glam::DVec3;
use gritstone_core::linalg::Sym3;
use gritstone_core::{Mass, Mesh, Space};

use super::{Ellipsoid, Polyhedron, Polytope, Sphere, Superellipsoid};
use crate::{Body, Cubic, Implicit, Jet, Support, Tessellate};

/// Forwards every capability to the shape at hand: one line per shape.
macro_rules! solids {
    ($($(#[$doc:meta])* $name:ident => $word:literal,)*) => {
        /// Any shape in space.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Solid {
            $($(#[$doc])* $name($name),)*
        }

        impl Solid {
            /// The shape's name in scenes and in JSON.
            pub fn word(&self) -> &'static str {
                match self { $(Self::$name(_) => $word,)* }
            }
        }

        $(impl From<$name> for Solid {
            fn from(shape: $name) -> Self { Self::$name(shape) }
        })*

        impl Support<Space> for Solid {
            #[inline]
            fn support(&self, n: DVec3) -> DVec3 {
                match self { $(Self::$name(s) => s.support(n),)* }
            }
            #[inline]
            fn jet(&self, n: DVec3) -> Jet<Space> {
                match self { $(Self::$name(s) => s.jet(n),)* }
            }
            #[inline]
            fn cubic_jet(&self, n: DVec3) -> (Jet<Space>, Option<Cubic<Space>>) {
                match self { $(Self::$name(s) => s.cubic_jet(n),)* }
            }
            #[inline]
            fn size(&self) -> f64 {
                match self { $(Self::$name(s) => s.size(),)* }
            }
            fn implicit(&self) -> Option<&dyn Implicit<Space>> {
                match self { $(Self::$name(s) => s.implicit(),)* }
            }
        }

        impl Implicit<Space> for Solid {
            fn inside_outside(&self, x: DVec3) -> f64 {
                match self { $(Self::$name(s) => s.inside_outside(x),)* }
            }
            fn gradient(&self, x: DVec3) -> DVec3 {
                match self { $(Self::$name(s) => s.gradient(x),)* }
            }
            fn curvature(&self, x: DVec3) -> Sym3 {
                match self { $(Self::$name(s) => s.curvature(x),)* }
            }
            fn gauge(&self, x: DVec3) -> f64 {
                match self { $(Self::$name(s) => s.gauge(x),)* }
            }
            fn gauge_with_gradient(&self, x: DVec3) -> (f64, DVec3) {
                match self { $(Self::$name(s) => s.gauge_with_gradient(x),)* }
            }
            fn gauge_jet(&self, x: DVec3) -> (f64, DVec3, Sym3) {
                match self { $(Self::$name(s) => s.gauge_jet(x),)* }
            }
            fn normal(&self, x: DVec3) -> DVec3 {
                match self { $(Self::$name(s) => s.normal(x),)* }
            }
        }

        impl Tessellate for Solid {
            fn tessellate(&self, detail: u32) -> Mesh {
                match self { $(Self::$name(s) => s.tessellate(detail),)* }
            }
        }

        impl Body<Space> for Solid {
            fn mass(&self) -> Mass<Space> {
                match self { $(Self::$name(s) => s.mass(),)* }
            }
            fn half_extents(&self) -> DVec3 {
                match self { $(Self::$name(s) => s.half_extents(),)* }
            }
        }
    };
}

solids! {
    /// A sphere.
    Sphere => "sphere",
    /// An ellipsoid.
    Ellipsoid => "ellipsoid",
    /// A superellipsoid.
    Superellipsoid => "superellipsoid",
    /// A convex polyhedron.
    Polyhedron => "polyhedron",
}

impl Solid {
    /// Vertices, edges and faces, for shapes that are made of them.
    #[inline]
    pub fn polytope(&self) -> Option<&Polytope> {
        match self {
            Self::Polyhedron(shape) => Some(shape.polytope()),
            _ => None,
        }
    }
}

//! The table of shapes in space, and of what each of them offers.

use glam::DVec3;
use gritstone_core::Space;

use super::{
    Capsule, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Polytope, Sphere, Superellipsoid, Superquadric,
    Triangle,
};
use crate::{Body, Cubic, Implicit, Jet, ShapeError, Support, Tessellate};

/// The shape itself where the capability is among those it offers, nothing otherwise.
macro_rules! offered {
    ($shape:ident, Body, [Body $($rest:ident)*]) => { Some($shape) };
    ($shape:ident, Tessellate, [Tessellate $($rest:ident)*]) => { Some($shape) };
    ($shape:ident, $wanted:ident, [$other:ident $($rest:ident)*]) => { offered!($shape, $wanted, [$($rest)*]) };
    ($shape:ident, $wanted:ident, []) => {{ let _ = $shape; None }};
}

/// Forwards every capability to the shape at hand: one line per shape.
macro_rules! solids {
    ($($(#[$doc:meta])* $name:ident => $word:literal, $offers:tt;)*) => {
        /// Any shape in space.
        ///
        /// All have a support function; the rest is there for those that offer it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Solid {
            $($(#[$doc])* $name($name),)*
        }

        impl Solid {
            /// The shape's name in scenes and in JSON.
            pub fn word(&self) -> &'static str {
                match self { $(Self::$name(_) => $word,)* }
            }

            /// Mass properties and extents, for shapes that have a volume.
            pub fn body(&self) -> Option<&dyn Body<Space>> {
                match self { $(Self::$name(s) => offered!(s, Body, $offers),)* }
            }

            /// The surface as triangles, for shapes that can be drawn.
            pub fn surface(&self) -> Option<&dyn Tessellate> {
                match self { $(Self::$name(s) => offered!(s, Tessellate, $offers),)* }
            }

            /// The same shape with all lengths multiplied by `factor`.
            pub fn scaled(&self, factor: f64) -> Result<Self, ShapeError> {
                match self { $(Self::$name(s) => s.scaled(factor).map(Self::from),)* }
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
            fn creased(&self) -> bool {
                match self { $(Self::$name(s) => s.creased(),)* }
            }
            fn round_face(&self, n: DVec3, slope: f64) -> Option<(DVec3, f64)> {
                match self { $(Self::$name(s) => s.round_face(n, slope),)* }
            }
            fn nested_ball(&self, n: DVec3, x: DVec3, wanted: f64) -> f64 {
                match self { $(Self::$name(s) => s.nested_ball(n, x, wanted),)* }
            }
            fn implicit(&self) -> Option<&dyn Implicit<Space>> {
                match self { $(Self::$name(s) => s.implicit(),)* }
            }
        }
    };
}

#[rustfmt::skip]
solids! {
    /// A sphere.
    Sphere         => "sphere",         [Body Tessellate];
    /// An ellipsoid.
    Ellipsoid      => "ellipsoid",      [Body Tessellate];
    /// A superellipsoid.
    Superellipsoid => "superellipsoid", [Body Tessellate];
    /// A superquadric with three exponents.
    Superquadric   => "superquadric",   [Body Tessellate];
    /// A convex polyhedron.
    Polyhedron     => "polyhedron",     [Body Tessellate];
    /// A cylinder.
    Cylinder       => "cylinder",       [Body Tessellate];
    /// A capsule.
    Capsule        => "capsule",        [Body Tessellate];
    /// A triangle, without thickness.
    Triangle       => "triangle",       [Tessellate];
    /// A half-space, which has no end.
    HalfSpace      => "half-space",     [];
}

impl Solid {
    /// Whether the shape ends somewhere in every direction. The support function of one that does not is infinite in most
    /// directions, and of use to nobody but those who know it.
    pub fn is_bounded(&self) -> bool {
        self.size().is_finite()
    }

    /// Whether the shape has flat faces, with edges or rims around them.
    #[inline]
    pub fn has_faces(&self) -> bool {
        matches!(self, Self::Polyhedron(_) | Self::Cylinder(_) | Self::HalfSpace(_))
    }

    /// Vertices, edges and faces, for shapes that are made of them.
    #[inline]
    pub fn polytope(&self) -> Option<&Polytope> {
        match self {
            Self::Polyhedron(shape) => Some(shape.polytope()),
            _ => None,
        }
    }
}

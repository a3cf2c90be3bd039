//! The table of shapes in space, and of what each of them offers.

use glam::DVec3;
use gritstone_core::Space;

use super::{
    Capsule, Crowned, Custom, Cylinder, Ellipsoid, HalfSpace, Polyhedron, Polytope, Sphere, Superellipsoid,
    Superquadric, Triangle,
};
use crate::{Body, Cubic, Implicit, Jet, ShapeError, Support, Tessellate};

/// The shape itself where the capability is among those it offers, nothing otherwise.
macro_rules! offered {
    ($shape:ident, Body, [Body $($rest:ident)*]) => { Some($shape) };
    ($shape:ident, Tessellate, [Tessellate $($rest:ident)*]) => { Some($shape) };
    ($shape:ident, $wanted:ident, [$other:ident $($rest:ident)*]) => { offered!($shape, $wanted, [$($rest)*]) };
    ($shape:ident, $wanted:ident, []) => {{ let _ = $shape; None }};
}

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
macro_rules! solids {
    ($($(#[$doc:meta])* $name:ident => $word:tt, $offers:tt;)*) => {
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
                match self { $(Self::$name(_s) => word!(_s, $word),)* }
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
            fn change(&self, n: DVec3, s: DVec3) -> Option<f64> {
                match self { $(Self::$name(shape) => shape.change(n, s),)* }
            }
            #[inline]
            fn size(&self) -> f64 {
                match self { $(Self::$name(s) => s.size(),)* }
            }
            fn creased(&self) -> bool {
                match self { $(Self::$name(s) => s.creased(),)* }
            }
            fn curved(&self) -> bool {
                match self { $(Self::$name(s) => s.curved(),)* }
            }
            fn round_face(&self, n: DVec3, slope: f64) -> Option<(DVec3, f64)> {
                match self { $(Self::$name(s) => s.round_face(n, slope),)* }
            }
            fn nested_ball(&self, n: DVec3, x: DVec3, wanted: f64) -> f64 {
                match self { $(Self::$name(s) => s.nested_ball(n, x, wanted),)* }
            }
            fn rolling_ball(&self) -> f64 {
                match self { $(Self::$name(s) => s.rolling_ball(),)* }
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
    /// A capsule, cylinder or flat superellipsoid with a slight crown, as simulations have them.
    Crowned        => own,              [Body Tessellate];
    /// A triangle, without thickness.
    Triangle       => "triangle",       [Tessellate];
    /// A half-space, which has no end.
    HalfSpace      => "half-space",     [];
    /// A shape from another crate.
    Custom         => own,              [Body Tessellate];
}

impl Solid {
    /// Whether the shape is bounded. The support function of an unbounded one is infinite in most directions, and must not be
    /// passed to general methods.
    pub fn is_bounded(&self) -> bool {
        self.size().is_finite()
    }

    /// Whether the shape has flat faces, with edges or rims around them, that contact patches know.
    #[inline]
    pub fn has_faces(&self) -> bool {
        match self {
            Self::Polyhedron(_) | Self::Cylinder(_) | Self::HalfSpace(_) => true,
            Self::Sphere(_)
            | Self::Ellipsoid(_)
            | Self::Superellipsoid(_)
            | Self::Superquadric(_)
            | Self::Capsule(_)
            | Self::Crowned(_)
            | Self::Triangle(_)
            | Self::Custom(_) => false,
        }
    }

    /// Area of the largest flat face of a body: zero for those without faces.
    pub fn largest_face(&self) -> f64 {
        match self {
            Self::Cylinder(cylinder) => std::f64::consts::PI * cylinder.radius() * cylinder.radius(),
            Self::Polyhedron(body) => body.polytope().largest_face(),
            Self::Sphere(_)
            | Self::Ellipsoid(_)
            | Self::Superellipsoid(_)
            | Self::Superquadric(_)
            | Self::Capsule(_)
            | Self::Crowned(_)
            | Self::Triangle(_)
            | Self::HalfSpace(_)
            | Self::Custom(_) => 0.0,
        }
    }

    /// Half-axes of spheres and ellipsoids.
    pub fn semi_axes(&self) -> Option<DVec3> {
        match self {
            Self::Sphere(sphere) => Some(DVec3::splat(sphere.radius())),
            Self::Ellipsoid(ellipsoid) => Some(ellipsoid.radii()),
            Self::Superellipsoid(_)
            | Self::Superquadric(_)
            | Self::Polyhedron(_)
            | Self::Cylinder(_)
            | Self::Capsule(_)
            | Self::Crowned(_)
            | Self::Triangle(_)
            | Self::HalfSpace(_)
            | Self::Custom(_) => None,
        }
    }

    /// Vertices, edges and faces, for shapes that are made of them.
    #[inline]
    pub fn polytope(&self) -> Option<&Polytope> {
        match self {
            Self::Polyhedron(shape) => Some(shape.polytope()),
            Self::Sphere(_)
            | Self::Ellipsoid(_)
            | Self::Superellipsoid(_)
            | Self::Superquadric(_)
            | Self::Cylinder(_)
            | Self::Capsule(_)
            | Self::Crowned(_)
            | Self::Triangle(_)
            | Self::HalfSpace(_)
            | Self::Custom(_) => None,
        }
    }
}

//! What shapes can be asked for.

use std::fmt::Display;

use gritstone_core::{Dim, Mass, Mesh, Outline};

use crate::Cubic;

/// A support point with the second derivative of the support function there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet<D: Dim> {
    /// The support point ∇h(n).
    pub point: D::Vec,
    /// ∇²h(n). It annihilates n; for unit n its other eigenvalues are the principal radii of curvature.
    pub hessian: D::Sym,
}

/// A convex body given by its support function `h(n) = max n·x`, in the body's own frame.
pub trait Support<D: Dim> {
    /// The farthest point along `n`, ∇h(n). `n` has any length but zero.
    fn support(&self, n: D::Vec) -> D::Vec;

    /// The farthest point along the unit vector `n`, and the Hessian of h there. Where a radius of curvature is
    /// infinite the Hessian is large but finite; at a vertex it is zero.
    fn jet(&self, n: D::Vec) -> Jet<D>;

    /// The same with the third derivative of h across n, for shapes that know it.
    fn cubic_jet(&self, n: D::Vec) -> (Jet<D>, Option<Cubic<D>>) {
        (self.jet(n), None)
    }

    /// The largest relative change that a small step s across the unit vector `n` makes to what the Hessian depends on: the part of
    /// the second-order term that the third derivative is, but for a small number. None where it is not known.
    fn change(&self, n: D::Vec, s: D::Vec) -> Option<f64> {
        Some(self.cubic_jet(n).1?.along(s).1)
    }

    /// Radius of the smallest ball about the body's origin that holds the body: the body's size. Infinite for bodies
    /// without bounds.
    fn size(&self) -> f64;

    /// Whether support points jump somewhere as the direction turns: bodies with faces, edges or straight sides.
    fn creased(&self) -> bool {
        false
    }

    /// Whether the radii of curvature are finite everywhere, and known exactly: a direction then determines a point, however flat
    /// the surface is there.
    fn curved(&self) -> bool {
        false
    }

    /// Centre and radius of the round face whose outward normal is the unit vector `n` to within `slope` (rad), for shapes
    /// that have one. Other faces are known by their corners, the support points around their normals.
    fn round_face(&self, _n: D::Vec, _slope: f64) -> Option<(D::Vec, f64)> {
        None
    }

    /// Radius of a ball inside the body that touches its surface at `x`, the support point of the unit vector `n`. One of
    /// at least `wanted` is looked for; zero where none is known.
    fn nested_ball(&self, _n: D::Vec, _x: D::Vec, _wanted: f64) -> f64 {
        0.0
    }

    /// Radius of a ball that rolls inside the body, all around: the body is a smaller convex one with that ball added. Zero where
    /// none is known.
    fn rolling_ball(&self) -> f64 {
        0.0
    }

    /// The inside-outside function, for shapes that have one.
    fn implicit(&self) -> Option<&dyn Implicit<D>> {
        None
    }
}

/// A body given by an inside-outside function F, F ≤ 1 inside, in the body's own frame.
pub trait Implicit<D: Dim>: Support<D> {
    /// F(x).
    fn inside_outside(&self, x: D::Vec) -> f64;

    /// ∇F(x).
    fn gradient(&self, x: D::Vec) -> D::Vec;

    /// ∇²F(x); large but finite where it is unbounded.
    fn curvature(&self, x: D::Vec) -> D::Sym;

    /// The factor by which the body must be scaled about its origin to have `x` on its surface (Minkowski gauge).
    fn gauge(&self, x: D::Vec) -> f64;

    /// The gauge at `x` and its gradient, in one evaluation. At the origin, where the gradient jumps, it is any finite
    /// vector.
    fn gauge_with_gradient(&self, x: D::Vec) -> (f64, D::Vec);

    /// The gauge at `x` with its gradient and Hessian. The Hessian is large but finite where it is unbounded, and zero
    /// at the origin, where there is none.
    fn gauge_jet(&self, x: D::Vec) -> (f64, D::Vec, D::Sym);

    /// Outward unit normal of the scaled body on which `x` lies.
    fn normal(&self, x: D::Vec) -> D::Vec;
}

/// What simulation needs of a shape beside its contacts.
pub trait Body<D: Dim> {
    /// Mass properties for density one.
    fn mass(&self) -> Mass<D>;

    /// Half the edges of the smallest box, aligned with the body's axes and centred on its origin, that holds it.
    fn half_extents(&self) -> D::Vec;
}

/// A body in space that can be drawn.
pub trait Tessellate {
    /// A closed surface of triangles whose vertices lie on the body's, with its normals there. `detail` is the number
    /// of divisions of an eighth of the girth: 1 is a crude sketch, 16 looks smooth.
    fn tessellate(&self, detail: u32) -> Mesh;
}

/// A body in the plane that can be drawn.
pub trait Trace {
    /// A closed polygon whose vertices lie on the body's boundary, with its normals there. `detail` is the number of
    /// divisions of an eighth of the girth: 1 is a crude sketch, 16 looks smooth. Empty for bodies without bounds.
    fn outline(&self, detail: u32) -> Outline;
}

/// Why a shape cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is not a positive number of usable magnitude.
    #[error("{name} is {value:?}, but must be positive (1e-30 to 1e30)")]
    Length {
        /// Which one, in the words of the input.
        name: String,
        /// What was given.
        value: f64,
    },
    /// A parameter lies outside an open interval.
    #[error("{name} is {value:?}, but must lie in ({low}, {high})")]
    Range {
        /// Which one, in the words of the input.
        name: String,
        /// What was given.
        value: f64,
        /// Open lower end.
        low: f64,
        /// Open upper end.
        high: f64,
    },
    /// A coordinate is not a number of usable magnitude.
    #[error("{name} has the coordinate {value:?}, but must lie within 1e30 of the origin")]
    Coordinate {
        /// Which point, in the words of the input.
        name: String,
        /// The coordinate that was given.
        value: f64,
    },
    /// There are not enough different points for a body.
    #[error("vertices has {count} different points, but must have at least {needed}")]
    TooFew {
        /// How many there are.
        count: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The points do not enclose a volume.
    #[error("vertices lie in one plane or line (to 1e-10 of their extent), but must enclose a volume")]
    Flat,
    /// The points do not enclose an area.
    #[error("vertices lie in one line (to 1e-10 of their extent), but must enclose an area")]
    InLine,
    /// A vector that must have a direction has none.
    #[error("{name} is zero or not finite, but must have a direction")]
    NoDirection {
        /// Which one, in the words of the input.
        name: &'static str,
    },
    /// A support function of a shape from another crate that is none.
    #[error("shape {name} {what}")]
    Support {
        /// The shape's name.
        name: &'static str,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A conic section that is no ellipse.
    #[error("coefficients describe {what}, but must describe an ellipse")]
    NoEllipse {
        /// What it is instead.
        what: &'static str,
    },
}

impl ShapeError {
    /// Checks that a length is usable: positive, and such that the products of lengths that
    /// exact predicates take stay finite and normal.
    pub(crate) fn check_length(name: impl Display, value: f64) -> Result<(), Self> {
        if (1e-30..=1e30).contains(&value) {
            Ok(())
        } else {
            Err(Self::Length { name: name.to_string(), value })
        }
    }

    /// Checks that a parameter lies in an open interval.
    pub(crate) fn check_range(name: impl Display, value: f64, low: f64, high: f64) -> Result<(), Self> {
        if value > low && value < high {
            Ok(())
        } else {
            Err(Self::Range { name: name.to_string(), value, low, high })
        }
    }
}

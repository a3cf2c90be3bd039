//! Which solver takes which shapes.

use gritstone_core::lanes::{Lanes, Row, WIDTH};
use gritstone_shape::space::{Solid, Superellipsoid};

use super::{
    EllipsoidPairs, EllipsoidsOnHalfSpaces, PairSolver, SpherePairs, SpheresOnHalfSpaces,
    SuperellipsoidPairs, SuperellipsoidsOnHalfSpaces, ellipsoids, half_spaces, quartic, rolling_ball,
    superellipsoids,
};

/// What lanes know of a shape; the second row only where a [`PairSolver`] is wide.
pub type ShapeRows = [Row; 2];

/// A shape as lanes see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeClass {
    /// A sphere.
    Sphere,
    /// An ellipsoid.
    Ellipsoid,
    /// A superellipsoid `|x/a|⁴ + |y/b|⁴ + |z/c|⁴ ≤ 1`.
    Quartic,
    /// Any other superellipsoid.
    Superellipsoid,
    /// A half-space.
    HalfSpace,
    /// A shape that no solver takes.
    Other,
}

impl ShapeClass {
    /// The class of a shape.
    pub fn of(shape: &Solid) -> Self {
        match shape {
            Solid::Sphere(_) => Self::Sphere,
            Solid::Ellipsoid(_) => Self::Ellipsoid,
            Solid::Superellipsoid(shape) if quartic::is_quartic(shape) => Self::Quartic,
            Solid::Superellipsoid(_) => Self::Superellipsoid,
            Solid::HalfSpace(_) => Self::HalfSpace,
            Solid::Superquadric(_)
            | Solid::Polyhedron(_)
            | Solid::Cylinder(_)
            | Solid::Capsule(_)
            | Solid::Crowned(_)
            | Solid::Triangle(_)
            | Solid::Custom(_) => Self::Other,
        }
    }
}

/// `1/R³` of the ball of the same volume, from the rows of shapes of a solver that is wide or is not; zero for half-spaces.
#[inline(always)]
pub fn inverse_cube<L: Lanes>([first, second]: &[[L; WIDTH]; 2], wide: bool) -> L {
    if wide { second[7] } else { first[6] }
}

/// The solver that takes a pair of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairClass {
    /// [`SpherePairs`].
    Spheres,
    /// [`SpheresOnHalfSpaces`].
    SpheresOnHalfSpaces,
    /// [`EllipsoidPairs`], which take spheres, too.
    Ellipsoids,
    /// [`EllipsoidsOnHalfSpaces`].
    EllipsoidsOnHalfSpaces,
    /// [`QuarticPairs`](super::QuarticPairs).
    Quartics,
    /// [`SuperellipsoidPairs`], which take spheres and ellipsoids, too.
    Superellipsoids,
    /// [`SuperellipsoidsOnHalfSpaces`].
    SuperellipsoidsOnHalfSpaces,
}

/// Does the same with every solver.
pub trait VisitSolvers {
    /// Called with the solver of each class.
    fn visit<S: PairSolver>(&mut self, class: PairClass);
}

impl PairClass {
    /// The class of two shapes, the half-space second; none if no solver takes them.
    #[inline]
    pub fn of(shapes: [ShapeClass; 2]) -> Option<Self> {
        use ShapeClass::{Ellipsoid, HalfSpace, Other, Quartic, Sphere};
        Some(match shapes {
            [HalfSpace | Other, _] | [_, Other] => return None,
            [Sphere, Sphere] => Self::Spheres,
            [Sphere, HalfSpace] => Self::SpheresOnHalfSpaces,
            [Sphere | Ellipsoid, Sphere | Ellipsoid] => Self::Ellipsoids,
            [Ellipsoid, HalfSpace] => Self::EllipsoidsOnHalfSpaces,
            [Quartic, Quartic] => Self::Quartics,
            [_, HalfSpace] => Self::SuperellipsoidsOnHalfSpaces,
            _ => Self::Superellipsoids,
        })
    }

    /// The class to solve by where a direction is known to start from, but no points.
    #[inline]
    pub fn from_direction(self) -> Self {
        if self == Self::Quartics { Self::Superellipsoids } else { self }
    }

    /// Visits the solvers that start from directions.
    #[inline(always)]
    pub fn visit_all(visitor: &mut impl VisitSolvers) {
        visitor.visit::<SpherePairs>(Self::Spheres);
        visitor.visit::<SpheresOnHalfSpaces>(Self::SpheresOnHalfSpaces);
        visitor.visit::<EllipsoidPairs>(Self::Ellipsoids);
        visitor.visit::<EllipsoidsOnHalfSpaces>(Self::EllipsoidsOnHalfSpaces);
        visitor.visit::<SuperellipsoidPairs>(Self::Superellipsoids);
        visitor.visit::<SuperellipsoidsOnHalfSpaces>(Self::SuperellipsoidsOnHalfSpaces);
    }

    /// Whether shapes have the rows of superellipsoids here, and else those of ellipsoids.
    fn has_powers(self) -> bool {
        match self {
            Self::Quartics | Self::Superellipsoids | Self::SuperellipsoidsOnHalfSpaces => true,
            Self::Spheres | Self::SpheresOnHalfSpaces | Self::Ellipsoids | Self::EllipsoidsOnHalfSpaces => {
                false
            }
        }
    }

    /// Rows of a shape for pairs of this class; of superellipsoids without the numbers that take time to find.
    pub(super) fn rows(self, shape: &Solid) -> ShapeRows {
        match shape {
            Solid::HalfSpace(plane) => half_spaces::shape_rows(plane),
            shape if self.has_powers() => {
                superellipsoids::shape_rows(shape, |_| [0.0; 2]).unwrap_or_default()
            }
            shape => ellipsoids::shape_rows(shape).unwrap_or_default(),
        }
    }
}

/// Radius of the rolling ball, and `1/R³` of the ball of the same volume.
fn costly_numbers(shape: &Superellipsoid) -> [f64; 2] {
    use gritstone_shape::Body as _;
    [rolling_ball::radius(shape), 4.0 * std::f64::consts::PI / (3.0 * shape.mass().volume)]
}

/// Rows of every shape, by index.
#[derive(Clone, Debug, Default)]
pub struct ShapeTables {
    classes: Vec<ShapeClass>,
    ellipsoids: Vec<ShapeRows>,
    superellipsoids: Vec<ShapeRows>,
}

impl ShapeTables {
    /// Tables of these shapes.
    pub fn new<'s>(shapes: impl Iterator<Item = &'s Solid> + Clone) -> Self {
        let rows = |shape: &Solid, rows: Option<ShapeRows>| match shape {
            Solid::HalfSpace(plane) => half_spaces::shape_rows(plane),
            _ => rows.unwrap_or_default(),
        };
        let superellipsoid = |shape| superellipsoids::shape_rows(shape, costly_numbers);
        Self {
            classes: shapes.clone().map(ShapeClass::of).collect(),
            ellipsoids: shapes.clone().map(|shape| rows(shape, ellipsoids::shape_rows(shape))).collect(),
            superellipsoids: shapes.map(|shape| rows(shape, superellipsoid(shape))).collect(),
        }
    }

    /// The class of two shapes, given by their indices.
    #[inline]
    pub fn class(&self, shapes: [u32; 2]) -> Option<PairClass> {
        PairClass::of(shapes.map(|shape| self.classes[shape as usize]))
    }

    /// Rows of every shape for pairs of this class.
    #[inline]
    pub fn rows(&self, class: PairClass) -> &[ShapeRows] {
        if class.has_powers() { &self.superellipsoids } else { &self.ellipsoids }
    }
}

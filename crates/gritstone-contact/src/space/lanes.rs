//! Narrow phase in SIMD lanes: the contacts of eight pairs of smooth bodies at a time.
//!
//! **Idea.** A [`PairSolver`] for each [`PairClass`] takes eight pairs of bodies, as poses and rows of shape numbers, and gives
//! gap, normal and points with a mask of the lanes in which they are certified. From a good start, the direction or the
//! points of the last time step, one evaluation of the support functions is taken to second order and is mostly enough;
//! [`solve`] starts from the line between the centres. Pairs that are not certified here (flat or pointed at the contact, too
//! deep, several optima) are left to the scalar [`Auto`](super::Auto).
//!
//! **Certificate.** A ball of radius ρ rolls inside a body whose radii of curvature are all at least ρ: the body is a smaller
//! convex body with that ball added all around. Two bodies that overlap by less than ρ_a + ρ_b are therefore two smaller ones
//! that are *apart*, with the same directions; and for bodies apart a stationary direction is the only one. With g the
//! evaluated value and d_t the distance of the support points across c, the signed distance lies between g and
//! `√((g + ρ)² + |d_t|²) − ρ`, ρ = ρ_a + ρ_b, at no further evaluation. The upper bound needs no more than two balls inside the
//! bodies that touch the support points. Where the ball that rolls everywhere is
//! too small, or there is none because of sharp edges, [`nested_ball`] looks for one at the contact point.
//!
//! **Same bits.** The answer to a pair depends neither on the processor's instruction set nor on the other pairs.

mod batch;
mod body;
mod class;
mod curvature;
mod ellipsoids;
mod half_spaces;
mod nested_ball;
mod quartic;
mod rolling_ball;
mod spheres;
mod superellipsoid_support;
mod superellipsoids;

use gritstone_core::lanes::{Lanes, Sym2, Vec3, WIDTH};

pub use self::batch::solve;
pub use self::body::Body;
pub use self::class::{PairClass, ShapeClass, ShapeRows, ShapeTables, VisitSolvers, inverse_cube};
pub use self::curvature::Curvature;
pub use self::ellipsoids::EllipsoidPairs;
pub use self::half_spaces::EllipsoidsOnHalfSpaces;
pub use self::quartic::{QuarticPairs, quartic_support};
pub use self::spheres::{SpherePairs, SpheresOnHalfSpaces};
pub use self::superellipsoids::{SuperellipsoidPairs, SuperellipsoidsOnHalfSpaces};

/// What is asked of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// How far the bounds of an overlap may lie apart, as a fraction of it, where that is more than the certificate's width.
    pub slack: f64,
    /// Whether the start is only a guess: more and safer steps, and convergence to rounding.
    pub cold: bool,
    /// Whether the curvature is wanted.
    pub curvature: bool,
    /// Whether the radii of curvature of both bodies are wanted.
    pub radii: bool,
}

impl Request {
    /// Solves from a guess to the full certificate.
    pub const COLD: Self = Self { slack: 0.0, cold: true, curvature: true, radii: false };

    /// Allowed width between the bounds of overlaps of depth `−g`.
    #[inline(always)]
    fn width<L: Lanes>(self, g: L, size: L) -> L {
        (L::splat(-self.slack) * g).max(L::splat(crate::tolerance::CERTIFICATE) * size)
    }

    /// Most evaluations, where `warm` ones do from the last time step.
    #[inline(always)]
    fn evaluations(self, warm: usize) -> usize {
        if self.cold { COLD_EVALUATIONS } else { warm }
    }
}

/// Evaluations from a guess after which a pair is left unsolved.
const COLD_EVALUATIONS: usize = 16;
/// Longest step from a guess (rad).
const LONGEST_STEP: f64 = 0.7;
/// Longest step (rad) whose extrapolation is right to rounding.
const CONVERGED_STEP: f64 = 1e-6;

/// Where solvers start.
#[derive(Clone, Copy, Debug)]
pub struct Start<L> {
    /// Unit vectors from a to b.
    pub direction: Vec3<L>,
    /// Points of the bodies, each in the frame of its body; for solvers that start from points.
    pub points: [Vec3<L>; 2],
}

impl<L: Lanes> Start<L> {
    /// Starts from directions.
    #[inline(always)]
    pub fn from_direction(direction: Vec3<L>) -> Self {
        Self { direction, points: no_points() }
    }
}

/// Zeros, for solvers that give no points in the frames of the bodies.
#[inline(always)]
fn no_points<L: Lanes>() -> [Vec3<L>; 2] {
    let zero = L::splat(0.0);
    [Vec3::new(zero, zero, zero); 2]
}

/// Upper bounds of the signed distances from one evaluation: with ρ the sum of the radii of two balls inside the bodies that
/// touch the support points, `√((g + ρ)² + |d_t|²) − ρ`, the distance of their centres less the radii; `across` is |d_t|².
#[inline(always)]
fn ball_bound<L: Lanes>(g: L, across: L, radii: L) -> L {
    let inner = g + radii;
    inner.mul_add(inner, across).sqrt() - radii
}

/// Zeros, for solvers that give no radii of curvature.
#[inline(always)]
fn no_radii<L: Lanes>() -> [Sym2<L>; 2] {
    let zero = L::splat(0.0);
    [Sym2 { xx: zero, yy: zero, xy: zero }; 2]
}

/// The contacts of eight pairs, in the world.
#[derive(Clone, Copy, Debug)]
pub struct Contacts<L: Lanes> {
    /// Unit vector from a to b.
    pub normal: Vec3<L>,
    /// Signed distance.
    pub gap: L,
    /// Proven lower bound of the signed distance, and the direction in which it was evaluated.
    pub lower: L,
    /// See [`Self::lower`].
    pub direction: Vec3<L>,
    /// Proven upper bound of the signed distance.
    pub upper: L,
    /// Midway between the bodies' points.
    pub point: Vec3<L>,
    /// Relative curvature of the surfaces, if it is wanted.
    pub curvature: Curvature<L>,
    /// Hessians of the support functions of a and b across `direction`, in the basis [`Vec3::tangents`] of it, if they are wanted:
    /// their eigenvalues are the radii of curvature. Zero from solvers of spheres, of ellipsoids on
    /// half-spaces, and of half-spaces themselves.
    pub radii: [Sym2<L>; 2],
    /// Size of the smaller body.
    pub size: L,
    /// Lanes in which all this is certified.
    pub certified: L::Mask,
    /// The bodies' points, each in the frame of its body, from solvers that start from points.
    pub points: [Vec3<L>; 2],
    /// Evaluated directions or points.
    pub evaluations: L,
}

/// Finds the contacts of pairs of one [`PairClass`], eight at a time.
pub trait PairSolver: Clone + Default + std::fmt::Debug + Send + Sync {
    /// Whether shapes need the second of their rows.
    const WIDE: bool;

    /// Finds the contacts of a and b; only lanes of `active` count. `shapes` are the rows of both shapes, from the table of the
    /// [`PairClass`].
    fn solve<L: Lanes>(
        a: &Body<L>,
        b: &Body<L>,
        shapes: [[[L; WIDTH]; 2]; 2],
        start: Start<L>,
        request: Request,
        active: L::Mask,
    ) -> Contacts<L>;
}

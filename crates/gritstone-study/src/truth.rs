//! Answers that owe nothing to the contact methods.
//!
//! **Idea.** The signed distance is the maximum over unit directions c of `g(c) = c·d(c)`, with d(c) a point of the
//! Minkowski difference D = {x_b − x_a}. Every point d of D bounds g everywhere: `g(c) ≤ d·c`. So one evaluation
//! excludes a whole cone of directions: those where d·c is below the best value found so far. The sphere is cut into
//! convex cones, each is evaluated at its centre of gravity and cut, and split where the cut removes little, until
//! nothing is left that could be better by more than the tolerance. What remains is the maximum, the global one, with
//! a proof. There is no iteration that could stall or settle in the wrong place, no derivative and no tuning.
//!
//! **Cost.** 50 to 100 evaluations on average, 300 where the overlap is deep. [`bracket`] does it in f64 for anything
//! that has a support function, [`bracket_in_plane`] the same in the plane, [`precise`] with 31 digits for superellipsoids, whose support function it evaluates by
//! itself.
//!
//! **Fails when** a continuum of directions is nearly as good as the best one (coincident spheres): the number of
//! cones is limited, and the answer then has no upper bound.

mod cone;
mod dd;
mod plane;
mod precise;
mod scalar;
mod search;
mod vector;

use glam::{DMat3, DVec3};
use gritstone_core::{Dim, Pose, Space};
use gritstone_shape::Support;

pub use plane::bracket_in_plane;
pub use precise::{Precise, precise};
use search::{Effort, search};
use vector::Vector;

/// Usual width of the bracket that [`bracket`] returns, relative to the smaller grain's size.
pub const TOLERANCE: f64 = 1e-12;

/// Cones that are looked at before the search gives up.
const LIMIT: u32 = 200_000;

/// The signed distance of a pair, between bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth<D: Dim = Space> {
    /// The largest g that was found.
    pub lower: f64,
    /// No direction has a larger g than this; infinite if that could not be shown.
    pub upper: f64,
    /// Where the largest g was found.
    pub direction: D::Vec,
    /// Directions that were evaluated.
    pub evaluations: u32,
}

/// Encloses the signed distance of two bodies in an interval of `tolerance` times the size of the smaller one.
pub fn bracket<A, B>(a: &A, pose_a: &Pose<Space>, b: &B, pose_b: &Pose<Space>, tolerance: f64) -> Truth
where
    A: Support<Space> + ?Sized,
    B: Support<Space> + ?Sized,
{
    let (frame_a, frame_b) = (pose_a.frame(), pose_b.frame());
    let offset = pose_b.position - pose_a.position;
    let difference = |c: Vector<f64>| {
        let c = DVec3::from_array(c.0);
        let x_a = frame_a * a.support(frame_a.transpose() * c);
        let x_b = frame_b * b.support(frame_b.transpose() * -c) + offset;
        Vector((x_b - x_a).to_array())
    };
    let effort = Effort { tolerance: tolerance * a.size().min(b.size()), limit: LIMIT };
    let centre_line = offset.try_normalize().unwrap_or(frame_a.x_axis);
    let found = search(difference, Vector(centre_line.to_array()), axes(&frame_a, &frame_b), effort);
    Truth {
        lower: found.value,
        upper: if found.proven { found.value + effort.tolerance } else { f64::INFINITY },
        direction: DVec3::from_array(found.direction.0),
        evaluations: found.evaluations,
    }
}

/// The axes of both bodies, both ways: directions that are worth a look.
fn axes(frame_a: &DMat3, frame_b: &DMat3) -> impl Iterator<Item = Vector<f64>> {
    let frames = [frame_a.to_cols_array_2d(), frame_b.to_cols_array_2d()];
    frames.into_iter().flatten().flat_map(|axis| [Vector(axis), Vector(axis.map(std::ops::Neg::neg))])
}

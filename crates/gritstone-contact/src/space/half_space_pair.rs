//! A half-space and any other body: one evaluation, exact.
//!
//! **Idea.** The only direction that bounds the half-space is its normal, so the signed distance is how far the body's
//! support point against that normal lies above the plane. Where the body lies on the plane with a face or a line, the
//! point is the middle of that ([`flat`](super::flat)), and the distance is the same.
//!
//! **Cost.** One evaluation of one support function; twelve more where the point is not determined by it.

use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{HalfSpace, Polyhedron};

use super::flat::{self, Resting};
use crate::{Answer, Goal, Query, Verdict, tolerance};

/// Slope from which edges are too steep to count as lying on the plane, with room for the corners of a flat part, which are
/// searched for at [`flat::SLOPE`].
const STEEP: f64 = 4.0 * flat::SLOPE;

/// The contact of a half-space (a) and a bounded body (b).
pub(crate) fn solve<S: Support<Space> + ?Sized>(
    half_space: &HalfSpace,
    pose_a: &Pose<Space>,
    body: &S,
    pose_b: &Pose<Space>,
    query: Query<Space>,
) -> Answer<Space> {
    let (normal, frame) = (pose_a.rotation * half_space.normal(), pose_b.frame());
    let jet = body.jet(frame.transpose() * -normal);
    let lowest = frame * jet.point;
    let offset = pose_b.position - pose_a.position;
    let gap = (normal.dot(offset) - half_space.offset()) + normal.dot(lowest);

    let size = body.size();
    let rounding = tolerance::ROUNDING * (size + offset.length() + half_space.offset().abs());
    let verdict = if gap > 0.0 && query.goal == Goal::Detect {
        Verdict::Apart { at_least: gap, along: normal }
    } else {
        let tangent = Tangent::across(normal);
        let radii = tangent.restrict(&jet.hessian, &frame);
        let Resting { across, radii } = flat::rest(body, &frame, -normal, &tangent, lowest, radii);
        let point_b = pose_b.position + lowest + tangent.lift(across);
        Verdict::Solved(Contact {
            point_a: point_b - normal * gap,
            point_b,
            normal,
            gap,
            curvature: curvature(&radii),
        })
    };
    let tolerance = (tolerance::CERTIFICATE * size).max(rounding);
    Answer::new(verdict, [gap; 2], tolerance, [0, 1])
}

/// The contact of a half-space (a) and a polyhedron (b): at once where that stands on a vertex, from which all edges rise
/// too steeply for anything else to count as level with it.
pub(crate) fn solve_polyhedron(
    half_space: &HalfSpace,
    pose_a: &Pose<Space>,
    body: &Polyhedron,
    pose_b: &Pose<Space>,
    query: Query<Space>,
) -> Answer<Space> {
    let (normal, frame) = (pose_a.rotation * half_space.normal(), pose_b.frame());
    let (polytope, down) = (body.polytope(), frame.transpose() * -normal);
    let vertex = polytope.support(down);
    for ray in polytope.rays(vertex) {
        let rise = -down.dot(*ray);
        if rise <= 0.0 || rise * rise <= STEEP * STEEP * ray.length_squared() {
            return solve(half_space, pose_a, body, pose_b, query);
        }
    }
    let offset = pose_b.position - pose_a.position;
    let (size, lowest) = (body.size(), frame * polytope.vertex(vertex));
    let gap = (normal.dot(offset) - half_space.offset()) + normal.dot(lowest);
    let rounding = tolerance::ROUNDING * (size + offset.length() + half_space.offset().abs());
    let verdict = if gap > 0.0 && query.goal == Goal::Detect {
        Verdict::Apart { at_least: gap, along: normal }
    } else {
        let point_b = pose_b.position + lowest;
        let point_a = point_b - normal * gap;
        Verdict::Solved(Contact { point_a, point_b, normal, gap, curvature: [f64::INFINITY; 2] })
    };
    let tolerance = (tolerance::CERTIFICATE * size).max(rounding);
    Answer::new(verdict, [gap; 2], tolerance, [0, 1])
}

/// Principal curvatures of the body, smallest first: the plane has none.
fn curvature(radii: &Sym2) -> [f64; 2] {
    let ([low, high], _) = radii.eigen();
    [high.max(0.0).recip(), low.max(0.0).recip()]
}

//! A half-plane and any bounded body: one evaluation.
//!
//! A half-plane has one support line, so that g is finite for one direction alone, that of its normal: the depth of the
//! body's farthest point is the signed distance.

use gritstone_core::{Contact, Plane};
use gritstone_shape::plane::{Figure, HalfPlane};
use gritstone_shape::{Jet, Support};

use super::flat;
use super::method::Placed;
use crate::{Answer, Card, Goal, Query, Refusal, Verdict, tolerance};

/// The answer for the method `card`, if one of the bodies is a half-plane; of two it is a refusal.
pub(crate) fn solve(
    card: &Card,
    a: Placed<'_>,
    b: Placed<'_>,
    query: Query<Plane>,
) -> Option<Result<Answer<Plane>, Refusal>> {
    match (a.shape, b.shape) {
        (Figure::HalfPlane(_), Figure::HalfPlane(_)) => Some(Err(Refusal {
            method: card.name,
            shapes: [a.shape.word(), b.shape.word()],
            takes: card.shapes,
        })),
        (Figure::HalfPlane(wall), _) => Some(Ok(answer(contact(wall, a, b), b.shape, query))),
        (_, Figure::HalfPlane(wall)) => Some(Ok(answer(contact(wall, b, a).swapped(), a.shape, query))),
        _ => None,
    }
}

fn answer(contact: Contact<Plane>, body: &Figure, query: Query<Plane>) -> Answer<Plane> {
    let Contact { gap, normal, .. } = contact;
    let verdict = if gap > 0.0 && query.goal == Goal::Detect {
        Verdict::Apart { at_least: gap, along: normal }
    } else {
        Verdict::Solved(contact)
    };
    let tolerance = tolerance::CERTIFICATE * body.size();
    Answer::new(verdict, [gap; 2], tolerance, [0, 1])
}

/// The contact of a half-plane with a body, its normal pointing to the body.
fn contact(wall: &HalfPlane, half_plane: Placed<'_>, body: Placed<'_>) -> Contact<Plane> {
    let (shape, frame) = (body.shape, body.pose.frame());
    let normal = half_plane.pose.frame() * wall.normal();
    let n = frame.transpose() * -normal;
    let Jet { point, hessian } = shape.jet(n);
    let (radius, t) = (hessian.trace(), n.perp());
    // A round body has its point; an edge, or what is as flat, has its middle.
    let round = radius > 0.0 && radius * flat::SLOPE <= tolerance::WITNESS * shape.size();
    let (along, curvature) = if round {
        (t.dot(point), radius.recip())
    } else {
        let part = [-flat::SLOPE, flat::SLOPE].map(|lean| t.dot(shape.support(n + t * lean)));
        (0.5 * (part[0] + part[1]), flat::curvature(radius, part, tolerance::WITNESS * shape.size()))
    };
    let above = normal.dot(body.pose.position - half_plane.pose.position) - wall.offset();
    let gap = above - n.dot(point);
    let point_b = body.pose.to_world(t * along + n * n.dot(point));
    Contact { point_a: point_b - normal * gap, point_b, normal, gap, curvature }
}

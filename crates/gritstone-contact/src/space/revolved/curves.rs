//! The depth of a body as a function of the direction around the axis.

use glam::{DVec2, DVec3};
use gritstone_core::Pose;
use gritstone_shape::space::Sphere;

use super::search::{Curve, Node};
use super::{Body, Extremum, Reach, TangentPlanes, towards};
use crate::space::{Auto, Method as _, Scratch};
use crate::{Placed, Query};

/// Radius of the ball that stands for a point, relative to the size of the body.
const POINT: f64 = 1e-6;

/// Depth in the half-spaces that touch a side.
pub(super) struct SideCurve<'p, F> {
    planes: &'p TangentPlanes,
    support: F,
    /// What is added to a depth to make it a support function about a point of the axis, and that function along the axis.
    about: f64,
    axial: f64,
}

impl<'p, F: Fn(DVec3) -> DVec3> SideCurve<'p, F> {
    /// Of a body with this support function, whose centre is at this height and whose size this is.
    pub(super) fn new(planes: &'p TangentPlanes, support: F, height: f64, size: f64) -> Self {
        let about = planes.offset - planes.axial * height;
        Self { planes, support, about, axial: planes.axial.abs() * size }
    }
}

impl<F: Fn(DVec3) -> DVec3> Curve for SideCurve<'_, F> {
    fn node(&mut self, u: DVec2) -> Node {
        let direction = self.planes.direction(u);
        let point = (self.support)(direction);
        let depth = direction.dot(point) - self.planes.offset;
        Node { u, depth, slope: self.planes.radial * u.perp().dot(point.truncate()), direction, point }
    }

    /// `α h₁ + β h₂ + (α + β − 1) h₀` is the part along u of a vector v less h₀, with `v·u₁ = h₁ + h₀`.
    fn bound(&self, left: &Node, right: &Node) -> f64 {
        let [a, b] = [left, right].map(|node| node.depth + self.about + self.axial);
        let (cosine, sine) = (left.u.dot(right.u), left.u.perp_dot(right.u));
        let ends = left.depth.max(right.depth);
        if sine <= 0.0 || a <= b * cosine || b <= a * cosine {
            return ends;
        }
        // 1 − cos, without cancellation.
        let versine = 0.5 * (left.u - right.u).length_squared();
        let length = ((a - b) * (a - b) + 2.0 * a * b * versine).max(0.0).sqrt() / sine;
        (length - self.about - self.axial).max(ends)
    }
}

/// Depth of the points of a circle in a body.
pub(super) struct EdgeCurve<'c, 'b> {
    pub(super) body: &'c Body<'b>,
    pub(super) radius: f64,
    pub(super) height: f64,
    pub(super) scratch: &'c mut Scratch,
}

impl EdgeCurve<'_, '_> {
    /// The tip of a cone: a circle of no radius.
    pub(super) fn tip(&mut self, found: &mut Vec<Extremum>) -> Reach {
        let node = self.node(towards(self.body.pose.position.truncate()));
        if node.depth > 0.0 {
            found.push(node.extremum(1.0));
        }
        Reach { depth: node.depth, direction: node.direction, certified: true }
    }
}

impl Curve for EdgeCurve<'_, '_> {
    fn node(&mut self, u: DVec2) -> Node {
        let (at, small) = ((u * self.radius).extend(self.height), POINT * self.body.size);
        let nowhere = Node { u, depth: f64::NEG_INFINITY, slope: 0.0, direction: DVec3::Z, point: at };
        let Ok(ball) = Sphere::new(small) else { return nowhere };
        let grain = Placed { shape: self.body.shape, pose: self.body.pose };
        let point = Placed { shape: &ball.into(), pose: Pose::at(at) };
        let Ok(answer) = Auto.solve(grain, point, Query::default(), self.scratch) else { return nowhere };
        let Some(contact) = answer.contact() else { return nowhere };
        // A unit vector from the body to the point; the ball is nearer than its centre.
        let (direction, depth) = (contact.normal, -contact.gap - small);
        let slope = -self.radius * u.perp().dot(direction.truncate());
        Node { u, depth, slope, direction, point: at + direction * depth }
    }

    /// Above neither of the parabolas from the two ends, whose second derivative is the radius.
    fn bound(&self, left: &Node, right: &Node) -> f64 {
        let ends = left.depth.max(right.depth);
        // An arc is longer than its chord by less than a tenth up to a quarter turn and more.
        let (width, r) = (1.12 * (left.u - right.u).length(), self.radius);
        let fall = left.slope - right.slope + r * width;
        if fall <= 0.0 {
            return ends;
        }
        let rise = right.depth - left.depth - right.slope * width + 0.5 * r * width * width;
        let cross = (rise / fall).clamp(0.0, width);
        ends.max(left.depth + left.slope * cross + 0.5 * r * cross * cross)
    }
}

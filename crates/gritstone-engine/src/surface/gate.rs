//! Which contacts are a piece's own, so that a surface of many pieces does not push twice.
//!
//! **Idea.** A grain is solved against the plane of a facet, and the contact counts where the grain's deepest point lies on
//! the facet. Beyond an edge that is concave there is more of the body, so a facet reaches over it as far as grains overlap:
//! a triangulated box holds a grain in its corner just as one of six planes does. Beyond an edge that is convex there is
//! nothing; there the edge has the contact, as long as its direction lies between the normals of its facets, and where it
//! ends the corner. A direction belongs to one of them alone.

use glam::{DVec2, DVec3};
use gritstone_contact::Placed;
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;

use super::facets::Bend;

/// How far a grain's deepest point may be in the body beyond a concave edge, relative to its size.
const DEEP: f64 = 0.1;
/// Sine of the angle by which a direction lies between two normals, at least.
const BETWEEN: f64 = 1e-7;
/// Cosine of the angle between an edge and a direction that leans over its end.
const LEANING: f64 = 1e-3;
/// How near a contact is to a corner that it is at, relative to the grain's size.
const AT: f64 = 1e-6;

/// Which contacts are a piece's own. Everything is in the frame of the piece.
#[derive(Clone, Debug)]
pub enum Gate {
    /// Those whose deepest point is on the facet.
    Facet(Outline),
    /// Those between the normals of the facets at an edge.
    Edge(Edge),
    /// Those at a corner.
    Corner(Corner),
}

/// A facet.
#[derive(Clone, Debug)]
pub struct Outline {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
    /// Unit vectors along which it is drawn.
    pub(super) axes: [DVec3; 2],
    pub(super) sides: Vec<Side>,
}

/// A side of a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) ends: [DVec2; 2],
    pub(super) bend: Bend,
    /// Normal and offset of the plane beyond.
    pub(super) beyond: (DVec3, f64),
}

/// A convex edge.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub(super) from: DVec3,
    /// Unit vector to its other end.
    pub(super) along: DVec3,
    pub(super) length: f64,
    /// Normals of its facets: turned about `along`, the first becomes the second.
    pub(super) normals: [DVec3; 2],
    /// Whether there is a corner at either end that has contacts of its own.
    pub(super) ends: [bool; 2],
}

/// A convex corner.
#[derive(Clone, Debug)]
pub struct Corner {
    pub(super) point: DVec3,
    /// Unit vectors along the edges that leave it.
    pub(super) edges: Vec<DVec3>,
}

impl Gate {
    /// Whether a contact of a grain with a piece at `pose` is the piece's own.
    pub(crate) fn admits(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
    ) -> bool {
        let size = grain.shape.size();
        let outwards = pose.rotation.conjugate() * -contact.normal;
        match self {
            Self::Facet(outline) => {
                let centre = pose.to_body(grain.pose.position);
                outline.normal.dot(centre) > outline.offset
                    && outline.holds(pose.to_body(contact.point_a), DEEP * size)
            }
            Self::Edge(edge) => edge.holds(pose.to_body(contact.point_b), outwards, AT * size),
            Self::Corner(corner) => corner.holds(pose.to_body(contact.point_b), outwards, AT * size),
        }
    }
}

impl Outline {
    /// Whether a point of the plane is on the facet, or beyond a concave edge of it in the body, but not deeper than that.
    fn holds(&self, x: DVec3, deep: f64) -> bool {
        let p = DVec2::new(self.axes[0].dot(x), self.axes[1].dot(x));
        let mut inside = false;
        let mut nearest: Option<(f64, &Side)> = None;
        for side in &self.sides {
            let [a, b] = side.ends;
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
            let edge = b - a;
            let at = a + edge * ((p - a).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let square = (p - at).length_squared();
            if nearest.is_none_or(|(least, _)| square < least) {
                nearest = Some((square, side));
            }
        }
        inside
            || nearest.is_some_and(|(_, side)| {
                let (normal, offset) = side.beyond;
                side.bend == Bend::Concave && offset - normal.dot(x) <= deep
            })
    }
}

impl Edge {
    fn holds(&self, point: DVec3, outwards: DVec3, near: f64) -> bool {
        let at = (point - self.from).dot(self.along);
        let [start, end] = self.ends.map(|corner| if corner { near } else { -near });
        let [first, second] = self.normals;
        // At an end without a corner the edge goes on as another one: what leans over it is that one's.
        let at_end = at < near || at > self.length - near;
        (start..=self.length - end).contains(&at)
            && !(at_end && outwards.dot(self.along).abs() > LEANING)
            && first.cross(outwards).dot(self.along) > BETWEEN
            && outwards.cross(second).dot(self.along) > BETWEEN
    }
}

impl Corner {
    fn holds(&self, point: DVec3, outwards: DVec3, near: f64) -> bool {
        point.distance(self.point) <= near && self.edges.iter().all(|edge| edge.dot(outwards) < -BETWEEN)
    }
}

//! Which contacts are a feature's own, so that a surface of many features does not push twice.
//!
//! **Idea.** A grain is solved against the plane of a facet, and the contact counts where the grain's deepest point lies on
//! the facet. Beyond an edge that is concave there is more of the body, so a facet reaches over it as far as grains overlap:
//! a triangulated box holds a grain in its corner just as one of six planes does. It does so only where its plane goes on *in the
//! body*: up to the rays from the ends of the edge at which the plane comes out again, and behind the facets that meet the
//! one beyond over convex edges. In front of the body there is no facet, however deep below its plane a grain is. Beyond an
//! edge that is convex there is nothing; there the edge has the contact, as long as its direction lies between the normals of
//! its facets, and where it ends the corner. A direction belongs to one of them alone.
//!
//! Near a convex edge there may be a shorter way out of the body than through the facet: then the contact is not the facet's
//! ([`Rim`]). Without this, a corner of a grain that comes through the side of a plate would all at once be as deep as it
//! is below the plate's face.

use std::sync::OnceLock;

use glam::{DVec2, DVec3};
use gritstone_contact::space::{Auto, Method as _, Scratch};
use gritstone_contact::{Goal, Placed, Query, Verdict};
use gritstone_core::{Contact, Pose, Space};
use gritstone_shape::Support;
use gritstone_shape::space::{HalfSpace, Solid};

use super::approach::Approach;
use super::facets::Bend;
use super::features::BLUNT;
use super::local_body::Flat;

/// How far a grain's deepest point may be in the body beyond a concave edge, relative to its size, unless it is held there.
pub(super) const DEEP: f64 = 0.1;
/// Sine of the angle by which a direction lies between two normals, at least.
const BETWEEN: f64 = 1e-7;
/// Cosine of the angle between an edge and a direction that leans over its end.
const LEANING: f64 = 1e-3;
/// How near a contact is to a corner that it is at, relative to the grain's size, beside how exact corners are.
pub(super) const AT: f64 = 1e-6;
/// How much farther before a feature the centre of a grain is, at least, than the grain reaches behind it.
pub(super) const AHEAD: f64 = 2.0;
/// How far from an edge a grain does not reach it, relative to its size.
const BESIDE: f64 = 2.0;
/// How much shorter a way out has to be to be another one.
const SHORTER: f64 = 1e-6;

/// Whether a contact is a feature's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// It could not be certified; this is the best guess.
    Perhaps(bool),
}

impl Ownership {
    pub(crate) fn is_certain(self) -> bool {
        !matches!(self, Self::Perhaps(_))
    }

    pub(crate) fn is_likely(self) -> bool {
        matches!(self, Self::Yes | Self::Perhaps(true))
    }
}

impl From<bool> for Ownership {
    fn from(own: bool) -> Self {
        if own { Self::Yes } else { Self::No }
    }
}

/// Which contacts are a feature's own. Everything is in the frame of the feature.
#[derive(Clone, Debug)]
pub(super) enum FacetFilter {
    /// Those whose deepest point is on the facet.
    Facet(Box<Outline>),
    /// Those between the normals of the facets at an edge.
    Edge(Edge),
    /// Those at a corner.
    Corner(Corner),
}

/// What grains with flat faces overlap with at a feature, about its centre, and where that is in the frame of the feature. Made when
/// such a grain is there.
pub(super) type Ground = (Solid, DVec3);

/// A facet, in whose plane the origin lies.
#[derive(Clone, Debug)]
pub(super) struct Outline {
    pub(super) normal: DVec3,
    /// Unit vectors along which it is drawn.
    pub(super) axes: [DVec3; 2],
    pub(super) sides: Vec<Side>,
    /// None where no edge is convex, or all are blunt.
    pub(super) rim: Option<Rim>,
    /// What grains with flat faces overlap with beside a convex edge.
    pub(super) ground: OnceLock<Option<Ground>>,
}

/// The body near a facet, as far as it is convex there.
#[derive(Clone, Debug)]
pub(super) struct Rim {
    pub(super) body: Solid,
    pub(super) centre: DVec3,
    /// `tan(ψ/2)` for the largest angle ψ between the facet's normal and another one. A point at the depth d below the facet
    /// has no shorter way out if it is farther from all edges than d times this.
    pub(super) widest: f64,
}

/// A side of a facet.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) pair: [DVec2; 2],
    /// Unit vector in the plane, away from the facet.
    pub(super) out: DVec3,
    pub(super) bend: Bend,
    /// Normal and offset of the plane beyond.
    pub(super) beyond: Flat,
    /// Planes behind which the body is beyond a concave side, with that of the facet there.
    pub(super) behind: Vec<Flat>,
    /// Vectors in the plane that point from the rays at the two ends, where the plane leaves the body again, to where it is in
    /// the body.
    pub(super) limits: [DVec2; 2],
}

impl Side {
    /// Whether a point x, over the point p of the plane, is where the plane goes on in the body beyond a side that is concave.
    fn leads_to(&self, x: DVec3, p: DVec2, out: DVec2, deep: f64) -> bool {
        let [a, b] = self.pair.map(|end| p - end);
        let below = |&(normal, offset): &Flat| offset - normal.dot(x);
        out.dot(a) > 0.0
            && self.limits[0].dot(a) >= 0.0
            && self.limits[1].dot(b) >= 0.0
            && below(&self.beyond) <= deep
            && self.behind.iter().all(|plane| below(plane) >= -AT * deep)
    }
}

/// A convex edge.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// What grains with flat faces overlap with there; none where a sheet ends.
    pub(super) ground: OnceLock<Option<Ground>>,
    pub(super) from: DVec3,
    /// Unit vector to its other end.
    pub(super) along: DVec3,
    pub(super) length: f64,
    /// Normals of its facets: turned about `along`, the first becomes the second.
    pub(super) normals: [DVec3; 2],
    pub(super) pair: [End; 2],
    /// How exact corners are.
    pub(super) slack: f64,
}

/// What is at the end of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A corner that has contacts of its own.
    Corner,
    /// The same edge goes on.
    Straight,
    /// The edge ends, and its line goes on in front of the body.
    Free,
    /// The edge runs into the body, and has what grains overlap with that.
    Body,
}

/// A convex corner.
#[derive(Clone, Debug)]
pub(super) struct Corner {
    /// What grains with flat faces overlap with there; none where a sheet ends.
    pub(super) ground: OnceLock<Option<Ground>>,
    pub(super) point: DVec3,
    /// Unit vectors along the edges that leave it.
    pub(super) edges: Vec<DVec3>,
    /// How exact it is.
    pub(super) slack: f64,
}

impl FacetFilter {
    /// Whether a contact of a grain with a feature at `pose` is the feature's own.
    pub(crate) fn admits(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
        approach: &Approach<Space>,
        scratch: &mut Scratch,
    ) -> Ownership {
        let size = grain.shape.size();
        let outwards = pose.rotation.conjugate() * -contact.normal;
        // What is behind a feature with a good part of it is on the other side of a sheet, or elsewhere in the body, unless
        // it came in here: it was before the feature a step ago, or it is held on this side of the surface.
        let (ahead, depth) = (contact.normal.dot(contact.point_b - grain.pose.position), -contact.gap);
        let came = contact.normal.dot(approach.displacement).max(0.0);
        let is_ahead = |came: f64| ahead + came > AHEAD * (depth - came).max(0.0);
        if !(is_ahead(0.0) || is_ahead(came) || approach.allows(depth)) {
            return Ownership::No;
        }
        match self {
            Self::Facet(outline) => outline.admits(grain, pose, contact, approach, scratch),
            Self::Edge(edge) => edge.holds(pose.to_body(contact.point_b), outwards, size).into(),
            Self::Corner(corner) => corner.holds(pose.to_body(contact.point_b), outwards, size).into(),
        }
    }

    /// The contact as laws see it: an edge is as hard as the faces beside it, so that a grain that goes over it finds nothing
    /// new. Its curvature is that of the grain on a plane.
    pub(crate) fn smooth(
        &self,
        grain: Placed<'_, Space>,
        contact: Contact<Space>,
        scratch: &mut Scratch,
    ) -> Contact<Space> {
        let Ok(plane) = HalfSpace::new(-contact.normal, 0.0) else { return contact };
        if matches!(self, Self::Facet(_)) {
            return contact;
        }
        let ground = Placed { shape: &plane.into(), pose: Pose::at(contact.point_b) };
        let seen = Auto.solve(grain, ground, Query::default(), scratch);
        let curvature = seen.ok().and_then(|answer| answer.contact().map(|contact| contact.curvature));
        Contact { curvature: curvature.unwrap_or(contact.curvature), ..contact }
    }

    /// The body that a grain with flat faces overlaps with, as far as it is convex: the feature itself where no convex edge is near;
    /// none where a sheet ends. The feature is at `pose`; `make` makes that body.
    pub(crate) fn overlapped<'g>(
        &'g self,
        (own, pose): (Placed<'g, Space>, &Pose<Space>),
        grain: Placed<'_, Space>,
        contact: &Contact<Space>,
        make: impl FnOnce() -> Option<Ground>,
    ) -> Option<Placed<'g, Space>> {
        let ground = match self {
            Self::Facet(outline) => {
                let (_, edge) = outline.locate(pose.to_body(contact.point_a), 0.0);
                if edge.is_none_or(|(distance, _)| distance >= BESIDE * grain.shape.size()) {
                    return Some(own);
                }
                &outline.ground
            }
            Self::Edge(edge) => &edge.ground,
            Self::Corner(corner) => &corner.ground,
        };
        let (shape, centre) = ground.get_or_init(make).as_ref()?;
        let pose = Pose { position: pose.to_world(*centre), rotation: pose.rotation };
        Some(Placed { shape, pose })
    }

    /// The body that a grain with flat faces lies on, where that ends beside the contact.
    pub(crate) fn ground(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
    ) -> Option<Placed<'_, Space>> {
        let Self::Facet(outline) = self else { return None };
        let rim = outline.rim.as_ref().filter(|_| grain.shape.has_faces())?;
        let (_, edge) = outline.locate(pose.to_body(contact.point_a), 0.0);
        edge.filter(|(distance, _)| *distance < BESIDE * grain.shape.size())?;
        Some(rim.placed(pose))
    }
}

impl Rim {
    fn placed(&self, pose: &Pose<Space>) -> Placed<'_, Space> {
        let pose = Pose { position: pose.to_world(self.centre), rotation: pose.rotation };
        Placed { shape: &self.body, pose }
    }

    /// Whether there is no shorter way out of the body.
    fn is_shortest(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        depth: f64,
        scratch: &mut Scratch,
    ) -> Ownership {
        let query = Query { goal: Goal::Detect, ..Query::default() };
        let Ok(answer) = Auto.solve(grain, self.placed(pose), query, scratch) else {
            return Ownership::Perhaps(true);
        };
        let no_less = |contact: Contact<Space>| answer.tolerance - contact.gap >= depth * (1.0 - SHORTER);
        match answer.verdict {
            Verdict::Apart { .. } => Ownership::No,
            Verdict::Solved(contact) => no_less(contact).into(),
            Verdict::Unresolved { best, .. } => Ownership::Perhaps(no_less(best)),
        }
    }
}

impl Outline {
    fn admits(
        &self,
        grain: Placed<'_, Space>,
        pose: &Pose<Space>,
        contact: &Contact<Space>,
        approach: &Approach<Space>,
        scratch: &mut Scratch,
    ) -> Ownership {
        let size = grain.shape.size();
        let deep = if approach.held.is_some() { size } else { DEEP * size };
        let (on, edge) = self.locate(pose.to_body(contact.point_a), deep);
        let Some((_, side)) = edge.filter(|(distance, _)| *distance < BESIDE * size) else {
            return on.into();
        };
        let (on, edge) = self.locate(self.inmost(grain, pose, side), deep);
        let depth = -contact.gap;
        let widest = self.rim.as_ref().map_or(BLUNT, |rim| rim.widest);
        if !on || edge.is_none_or(|(distance, _)| distance >= depth * widest) {
            return on.into();
        }
        match &self.rim {
            Some(rim) => rim.is_shortest(grain, pose, depth, scratch),
            None => self.is_least(grain, pose, depth).into(),
        }
    }

    /// Whether the grain is nowhere less deep beyond a convex edge. Where all of them are blunt, this is the shortest way out.
    fn is_least(&self, grain: Placed<'_, Space>, pose: &Pose<Space>, depth: f64) -> bool {
        let convex = self.sides.iter().filter(|side| side.bend == Bend::Convex);
        convex.into_iter().all(|side| {
            let (normal, offset) = side.beyond;
            let down = grain.pose.rotation.conjugate() * (pose.rotation * -normal);
            let lowest = pose.to_body(grain.pose.to_world(grain.shape.support(down)));
            offset - normal.dot(lowest) >= depth * (1.0 - SHORTER)
        })
    }

    /// The deepest point of a grain and, of several, that which is farthest from a side: where a face lies on the facet, a part
    /// of it may be beyond the side.
    fn inmost(&self, grain: Placed<'_, Space>, pose: &Pose<Space>, side: &Side) -> DVec3 {
        let down = pose.rotation * -(self.normal + side.out * BETWEEN);
        let point = grain.shape.support(grain.pose.rotation.conjugate() * down);
        pose.to_body(grain.pose.to_world(point))
    }

    /// Whether a point is over the facet, or beyond a concave edge of it in the body, but not deeper than that; and the nearest
    /// convex edge with its distance.
    fn locate(&self, x: DVec3, deep: f64) -> (bool, Option<(f64, &Side)>) {
        let flat = |x: DVec3| DVec2::new(self.axes[0].dot(x), self.axes[1].dot(x));
        let p = flat(x);
        let (mut inside, mut hidden) = (false, f64::INFINITY);
        let mut nearest: Option<(f64, &Side)> = None;
        for side in &self.sides {
            let [a, b] = side.pair;
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x) {
                inside = !inside;
            }
            let edge = b - a;
            let at = a + edge * ((p - a).dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
            let square = (p - at).length_squared();
            if side.bend == Bend::Convex {
                if nearest.is_none_or(|(least, _)| square < least) {
                    nearest = Some((square, side));
                }
            } else if square < hidden && side.leads_to(x, p, flat(side.out), deep) {
                hidden = square;
            }
        }
        let in_body = nearest.map_or(hidden.is_finite(), |(square, _)| hidden <= square);
        // What is deeper beyond an edge than grains overlap is elsewhere.
        let in_body = in_body && -self.normal.dot(x) <= deep;
        (inside || in_body, nearest.map(|(square, side)| (square.sqrt(), side)))
    }
}

impl Edge {
    fn holds(&self, point: DVec3, outwards: DVec3, size: f64) -> bool {
        let at = (point - self.from).dot(self.along);
        let [first, second] = self.normals;
        let [before, behind] = self.pair.map(|end| match end {
            End::Corner => self.slack + AT * size,
            End::Straight | End::Free => 0.0,
            End::Body => DEEP * size,
        });
        // Between its ends an edge has no other directions, but for how exact they are.
        let at_end = at < self.slack + AT * size || at > self.length - self.slack - AT * size;
        (-before..self.length + behind).contains(&at)
            && !(at_end && outwards.dot(self.along).abs() > LEANING)
            && first.cross(outwards).dot(self.along) > BETWEEN
            && outwards.cross(second).dot(self.along) > BETWEEN
    }
}

impl Corner {
    fn holds(&self, point: DVec3, outwards: DVec3, size: f64) -> bool {
        point.distance(self.point) <= self.slack + AT * size
            && self.edges.iter().all(|edge| edge.dot(outwards) < -LEANING)
    }
}

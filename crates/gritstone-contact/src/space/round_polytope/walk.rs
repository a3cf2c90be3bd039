//! The point of a polytope that a paraboloid meets first, by a walk over faces, edges and vertices.
//!
//! **Idea.** The round body is taken for the paraboloid that it is nearest to at x. The distance of its best direction is
//! then `min φ(y)` over the points y of the polytope, `φ = c·(y − x) + ½ ηᵀ M⁻¹ η`: a convex quadratic programme in three
//! unknowns, solved feature by feature. `q = ∇φ = c + M⁻¹η` is the direction of that point, not normalized.
//!
//! **Notation.** As in [`pair`](super::super::pair), a being the round body; in the axes of the polytope. η: y − x across c.

use glam::{DVec2, DVec3};
use gritstone_core::linalg::Tangent;
use serde::{Deserialize, Serialize};

use super::facets::Facets;

/// Steps from feature to feature.
const STEPS: usize = 48;
/// Slopes above minus this are level: rounding.
const LEVEL: f64 = 1e-12;
/// Cosine between a direction and a face, from which the face is seen too flatly.
const GRAZING: f64 = 1e-3;

/// A part of a polytope's surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Feature {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

impl Feature {
    /// Whether a body has it.
    pub(super) fn is_of(self, body: &impl Facets) -> bool {
        let [vertices, edges, faces] = body.counts();
        match self {
            Self::Vertex(v) => (v as usize) < vertices,
            Self::Edge(e) => (e as usize) < edges,
            Self::Face(f) => (f as usize) < faces,
        }
    }
}

/// A round body as it looks from one direction, in the axes of the polytope.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paraboloid {
    pub(super) c: DVec3,
    /// Support point along c.
    pub(super) x: DVec3,
    /// Axes of M: where these are far from alike, nothing else keeps its digits.
    pub(super) tangent: Tangent,
    /// M along its axes, both positive.
    pub(super) model: DVec2,
}

/// Where a walk ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    pub(super) feature: Feature,
    pub(super) y: DVec3,
    /// y − x across c.
    pub(super) across: DVec2,
    /// y − x along c.
    pub(super) along: f64,
    /// The turn to the best direction, in the tangent plane: `M⁻¹ η`.
    pub(super) turn: DVec2,
}

impl Paraboloid {
    /// Walks from a feature to the point that is met first; `None` where rounding or a bad start keeps it from arriving.
    #[inline]
    pub(super) fn meet(&self, body: &impl Facets, start: Feature) -> Option<Landing> {
        let mut feature = start;
        // Where the walk came into a face.
        let mut entry = None;
        for _ in 0..STEPS {
            let next = match feature {
                Feature::Vertex(v) => self.leave_vertex(body, v),
                Feature::Edge(e) => self.leave_edge(body, e, &mut entry),
                Feature::Face(f) => self.leave_face(body, f, entry)?,
            };
            match next {
                Next::Arrived(y) => return Some(self.landing(body, feature, y)),
                Next::Go(next) => feature = next,
            }
        }
        None
    }

    /// η of a point.
    fn across(&self, y: DVec3) -> DVec2 {
        self.tangent.project(y - self.x)
    }

    /// q at a point.
    fn push(&self, y: DVec3) -> DVec3 {
        self.c + self.tangent.lift(self.across(y) / self.model)
    }

    fn landing(&self, body: &impl Facets, feature: Feature, y: DVec3) -> Landing {
        let across = self.across(y);
        let turn = match feature {
            Feature::Face(f) => {
                let (normal, _) = body.face(f);
                self.tangent.project(normal) / self.c.dot(normal)
            }
            _ => across / self.model,
        };
        Landing { feature, y, across, along: self.c.dot(y - self.x), turn }
    }

    fn leave_vertex(&self, body: &impl Facets, v: u32) -> Next {
        let y = body.vertex(v);
        let q = self.push(y);
        let mut steepest = (LEVEL * LEVEL, None);
        for &spoke in body.spokes(v) {
            let [from, to] = body.edge(spoke).vertices;
            let ray = body.vertex(if from == v { to } else { from }) - y;
            let slope = q.dot(ray);
            let steep = slope * slope / ray.length_squared();
            if slope < 0.0 && steep > steepest.0 {
                steepest = (steep, Some(spoke));
            }
        }
        steepest.1.map_or(Next::Arrived(y), |spoke| Next::Go(Feature::Edge(spoke)))
    }

    fn leave_edge(&self, body: &impl Facets, e: u32, entry: &mut Option<DVec3>) -> Next {
        let edge = body.edge(e);
        let [v, w] = edge.vertices;
        let start = body.vertex(v);
        let ray = body.vertex(w) - start;
        let (slope, turn) = (self.push(start).dot(ray), self.tangent.project(ray));
        let bend = turn.dot(turn / self.model);
        if slope >= 0.0 {
            return Next::Go(Feature::Vertex(v));
        }
        if -slope >= bend {
            return Next::Go(Feature::Vertex(w));
        }
        let y = start + ray * (-slope / bend);
        let q = self.push(y);
        // Into the faces to the left and to the right.
        let [left, right] = edge.faces.map(|f| body.face(f).0.cross(ray));
        let (into_left, into_right) = (q.dot(left), -q.dot(right));
        // Back to back they are the same, and the one that is seen counts.
        let seen_left = || body.face(edge.faces[0]).0.dot(self.c) < 0.0;
        let go_left = into_left < into_right || (into_left == into_right && seen_left());
        let (slope, face) = if go_left { (into_left, edge.faces[0]) } else { (into_right, edge.faces[1]) };
        if slope * slope > LEVEL * LEVEL * ray.length_squared() && slope < 0.0 {
            *entry = Some(y);
            return Next::Go(Feature::Face(face));
        }
        Next::Arrived(y)
    }

    /// Goes to the lowest point of a face's plane, or to the side that is in the way; `None` where it does not face.
    fn leave_face(&self, body: &impl Facets, f: u32, entry: Option<DVec3>) -> Option<Next> {
        let (normal, offset) = body.face(f);
        // Seen too flatly, its lowest point is too far away to matter.
        let seen = -normal.dot(self.c);
        let cosine = seen.max(GRAZING);
        // There q points along −normal.
        let across = self.model * (self.tangent.project(-normal) / cosine);
        let base = self.x + self.tangent.lift(across);
        let y = base + self.c * ((normal.dot(base) - offset) / cosine);
        let corners = body.corners(f);
        // The side that a way from the entry crosses first; without one, the side that y is farthest beyond.
        let mut first = (f64::INFINITY, None);
        let mut v = body.vertex(corners[corners.len() - 1]);
        for (k, &corner) in corners.iter().enumerate() {
            let w = body.vertex(corner);
            let outward = (w - v).cross(normal);
            let beyond = outward.dot(y - v);
            if beyond > 0.0 {
                let at = match entry {
                    Some(entry) => {
                        let before = outward.dot(entry - v);
                        // On the side that it entered by it goes inwards.
                        -before.min(0.0) / (beyond - before)
                    }
                    None => -beyond * beyond / outward.length_squared(),
                };
                if at < first.0 {
                    first = (at, Some(k));
                }
            }
            v = w;
        }
        let Some(k) = first.1 else { return (seen >= GRAZING).then_some(Next::Arrived(y)) };
        // The side that ends at corner k is the one before.
        let before = if k == 0 { corners.len() - 1 } else { k - 1 };
        Some(Next::Go(Feature::Edge(body.sides(f)[before])))
    }
}

/// What to do next on a walk.
enum Next {
    Arrived(DVec3),
    Go(Feature),
}

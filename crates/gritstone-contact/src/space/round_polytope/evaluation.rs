//! A round body and a polytope as one function of direction, and the contact that they have.

use glam::{DMat3, DVec2, DVec3};
use gritstone_core::linalg::{Sym2, Tangent};
use gritstone_core::{Contact, Space};
use gritstone_shape::{Jet, Support};

use super::facets::Facets;
use super::walk::{Feature, Landing, Paraboloid};
use crate::space::flat;
use crate::space::pair::{Pair, PairJet, PointPair, Sample, relative_curvature};

/// Part of the smallest radius of curvature that the model takes off for an overlap: it stays a maximum.
const BENT: f64 = 0.9;
/// Least model, relative to the smaller body's size.
const STIFFEST: f64 = 1e-9;
/// A body is flat along an axis when its radius of curvature is more than this many times its size.
const FLAT: f64 = 1.0;
/// Sine of the angle to an edge up to which a direction counts as across it.
const ACROSS: f64 = 1e-12;
/// Cosine between an edge and an axis from which on a turn about the other axis moves the edge.
const LEVER: f64 = 0.1;
/// Balls are searched for that are this much larger than the overlap: with room, points beside each other lose little.
const ROOM: [f64; 2] = [2.0, 1.05];

/// A round body (a) and a polytope (b), placed.
pub(super) struct RoundAndPolytope<'p, 's, A, B, F> {
    pub(super) pair: &'p Pair<'s, A, B>,
    pub(super) facets: &'p F,
    /// Axes of b in those of a, as columns.
    turn: DMat3,
    /// Centre of b in the axes of a.
    offset: DVec3,
}

/// One evaluated direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluation {
    /// The direction in the axes of a: near flat faces the point depends on components too small to survive a rotation.
    pub(super) n: DVec3,
    /// What a says to it.
    jet: Jet<Space>,
    /// The direction in the axes of b, as all that follows.
    c: DVec3,
    x: DVec3,
    /// Axes of H_a.
    tangent: Tangent,
    /// H_a along its axes, the smaller first.
    radii: DVec2,
    /// The vertex of b that is least far along c.
    pub(super) lowest: u32,
    pub(super) g: f64,
}

impl<'p, 's, A, B, F> RoundAndPolytope<'p, 's, A, B, F>
where
    A: Support<Space>,
    B: Support<Space>,
    F: Facets,
{
    pub(super) fn new(pair: &'p Pair<'s, A, B>, facets: &'p F) -> Self {
        let back = pair.frame_a.transpose();
        Self { pair, facets, turn: back * pair.frame_b, offset: back * pair.offset }
    }

    /// A direction of the world in the axes of a.
    pub(super) fn to_round(&self, c: DVec3) -> DVec3 {
        (self.pair.frame_a.transpose() * c).normalize()
    }

    /// A direction in the axes of a in the world.
    pub(super) fn to_world(&self, n: DVec3) -> DVec3 {
        self.pair.frame_a * n
    }

    /// Evaluates the unit direction `n`.
    #[inline]
    pub(super) fn evaluate(&self, n: DVec3) -> Evaluation {
        let back = self.turn.transpose();
        let jet = self.pair.a.jet(n);
        let (c, x) = (back * n, back * (jet.point - self.offset));
        let lowest = self.facets.support(-c);
        let tangent = Tangent::across(c);
        let (radii, axis) = tangent.restrict(&jet.hessian, &back).eigen();
        let tangent = Tangent { u: tangent.lift(axis), v: tangent.lift(axis.perp()) };
        let radii = DVec2::from(radii).max(DVec2::ZERO);
        Evaluation { n, jet, c, x, tangent, radii, lowest, g: c.dot(self.facets.vertex(lowest) - x) }
    }

    /// Whether a is flat along an axis.
    pub(super) fn is_flat(&self, here: &Evaluation) -> bool {
        here.radii.y > FLAT * self.pair.a.size()
    }

    /// The paraboloid that a looks like, with its model raised by `damping`.
    #[inline]
    pub(super) fn paraboloid(&self, here: &Evaluation, damping: f64) -> Paraboloid {
        let Evaluation { c, x, tangent, radii, g, .. } = *here;
        let lift = if g >= 0.0 { g } else { g.max(-BENT * radii.x) };
        let model = radii + (lift + damping + STIFFEST * self.pair.size);
        Paraboloid { c, x, tangent, model }
    }

    /// The unit direction across a feature that is nearest to `n`: of a face its own.
    pub(super) fn suited(&self, n: DVec3, feature: Feature) -> DVec3 {
        match feature {
            Feature::Vertex(_) => n,
            Feature::Edge(e) => {
                let along = (self.turn * self.edge(e)).normalize();
                let lean = along.dot(n);
                if lean.abs() <= ACROSS { n } else { (n - along * lean).normalize() }
            }
            Feature::Face(f) => -(self.turn * self.facets.face(f).0),
        }
    }

    fn edge(&self, e: u32) -> DVec3 {
        let [v, w] = self.facets.edge(e).vertices;
        self.facets.vertex(w) - self.facets.vertex(v)
    }

    /// The direction that a landing leads to.
    pub(super) fn next(&self, here: &Evaluation, landing: &Landing) -> DVec3 {
        let c = (here.c + here.tangent.lift(landing.turn)).normalize();
        self.suited(self.turn * c, landing.feature)
    }

    /// The same by a step on the surface of a along the axis in which that is flat: a tiny turn moves the point far there,
    /// and the model in directions is worthless beyond it. Along the other axis, if that is not flat, too, the turn holds.
    /// `None` where neither is flat, or the direction is that of a face.
    pub(super) fn next_on_surface(&self, here: &Evaluation, landing: &Landing) -> Option<DVec3> {
        if !self.is_flat(here) || matches!(landing.feature, Feature::Face(_)) {
            return None;
        }
        let shift = self.turn * here.tangent.lift(here.radii * landing.turn);
        let n = self.pair.a.implicit()?.normal(here.jet.point + shift);
        if here.radii.x > FLAT * self.pair.a.size() {
            return Some(self.suited(n, landing.feature));
        }
        let (bent, cosine) = (self.turn * here.tangent.u, n.dot(here.n));
        let n = (n + bent * (cosine * landing.turn.x - bent.dot(n))).normalize();
        let Feature::Edge(e) = landing.feature else { return Some(n) };
        // Where it can, the turn across the edge is made along the axis that is not flat.
        let along = (self.turn * self.edge(e)).normalize();
        let share = along.dot(bent);
        let n = if share.abs() > LEVER { (n - bent * (along.dot(n) / share)).normalize() } else { n };
        Some(self.suited(n, landing.feature))
    }

    /// Upper bound of the signed distance from the points that a landing leads to.
    pub(super) fn upper(&self, here: &Evaluation, landing: &Landing) -> f64 {
        let y = self.turn * landing.y + self.offset;
        let upper = self.upper_at(here.n, here.jet.point, y, landing.feature);
        if !self.is_flat(here) {
            return upper;
        }
        // Where a is flat the direction says little about its point: the one that the step leads to is on it, too.
        let Some(implicit) = self.pair.a.implicit() else { return upper };
        let x = here.jet.point + self.turn * here.tangent.lift(here.radii * landing.turn);
        let (gauge, gradient) = implicit.gauge_with_gradient(x);
        upper.min(self.upper_at(gradient.normalize(), x / gauge, y, landing.feature))
    }

    /// Upper bound of the signed distance from the point x of a, with its outward normal n, and the point y of b, all in the
    /// axes of a.
    fn upper_at(&self, n: DVec3, x: DVec3, y: DVec3, feature: Feature) -> f64 {
        let between = y - x;
        let mut upper = between.length();
        let along = n.dot(between);
        if along >= 0.0 {
            return upper;
        }
        let nearest = self.facets.nearest_face(self.turn.transpose() * (x - self.offset));
        if let Some((_, height)) = nearest.filter(|(_, height)| *height < 0.0) {
            upper = height;
            if matches!(feature, Feature::Face(_)) && upper <= along {
                return upper;
            }
        }
        let square = (between - n * along).length_squared();
        for room in ROOM {
            let ball = self.pair.a.nested_ball(n, x, -room * along);
            // The point lies beside the centre of the ball by the root of `square`, and above it by what the ball is larger.
            let above = ball + along;
            if ball > 0.0 {
                upper = upper.min((above * above + square).sqrt() - ball);
            }
            if above > 0.0 {
                break;
            }
        }
        upper
    }

    /// The direction of a face that the support point lies less far below than the overlap is deep.
    pub(super) fn nearer_face(&self, here: &Evaluation) -> Option<DVec3> {
        let (f, height) = self.facets.nearest_face(here.x)?;
        (height < 0.0 && height > here.g).then(|| self.suited(here.n, Feature::Face(f)))
    }

    /// The contact by one more step, taken to second order without evaluating it.
    pub(super) fn contact(&self, here: &Evaluation, landing: &Landing) -> Contact<Space> {
        let (pair, frame) = (self.pair, &self.pair.frame_b);
        if !pair.a.curved() && !flat::bent(&Sym2::diagonal(here.radii), pair.a.size()) {
            return self.contact_on_flat(here, landing);
        }
        let place = |x: DVec3| *frame * x + pair.offset;
        let gap = landing.along + 0.5 * landing.across.dot(landing.turn);
        let normal = match landing.feature {
            Feature::Face(f) => -(*frame * self.facets.face(f).0),
            _ => (*frame * (here.c + here.tangent.lift(landing.turn))).normalize(),
        };
        let (x_a, x_b) = if let Feature::Face(_) = landing.feature {
            let x_a = place(here.x + here.tangent.lift(here.radii * landing.turn));
            (x_a, x_a + normal * gap)
        } else {
            let x_b = place(landing.y);
            (x_b - normal * gap, x_b)
        };
        pair.contact(normal, gap, x_a, x_b, self.curvature(here, landing))
    }

    /// Principal relative curvatures, smallest first.
    fn curvature(&self, here: &Evaluation, landing: &Landing) -> [f64; 2] {
        match landing.feature {
            Feature::Vertex(_) => [f64::INFINITY; 2],
            Feature::Edge(e) => {
                let edge = here.tangent.project(self.edge(e));
                let straight = Sym2::outer(edge.normalize(), edge.length() / (2.0 * flat::SLOPE));
                relative_curvature(&Sym2::diagonal(here.radii), &straight)
            }
            Feature::Face(_) => [here.radii.y.recip(), here.radii.x.recip()],
        }
    }

    /// The contact where a is so flat that the direction does not determine the point: the middle of what both have in common.
    #[cold]
    fn contact_on_flat(&self, here: &Evaluation, landing: &Landing) -> Contact<Space> {
        let pair = self.pair;
        let (c, x_a) = (self.to_world(here.n), pair.frame_a * here.jet.point);
        let x_b = pair.frame_b * self.facets.vertex(here.lowest) + pair.offset;
        let sample = Sample { c, x_a, x_b, d: x_b - x_a, g: here.g };
        let tangent = Tangent::across(c);
        let h_a = tangent.restrict(&here.jet.hessian, &pair.frame_a);
        let jet = PairJet { sample, tangent, h_a, h_b: Sym2::default(), d_t: tangent.project(sample.d) };
        let flat::Meeting { middle, radii: [h_a, h_b] } = flat::meet(pair, &jet);
        let met = pair.frame_b * landing.y + pair.offset;
        let witness = middle.unwrap_or(PointPair { x_a: met, x_b: met });
        pair.contact_at(&sample, witness, relative_curvature(&h_a, &h_b))
    }
}

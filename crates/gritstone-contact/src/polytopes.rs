//! Polygons and polyhedra, as the common-plane methods use them.
//!
//! **Notation.** c: unit normal of a plane, from a to b. `x_a`, `x_b`: the vertices of a and b that are nearest to the
//! plane, those farthest along c and −c. g: the gap that the plane leaves, `c·(x_b − x_a)`; a lower bound of the signed
//! distance, for every c. P, Q: ends of a link, points on the surfaces of a and of b.
//!
//! All vectors are in the axes of a, relative to its centre, except sites, which are in the axes of their own body.

use std::fmt::Debug;

use gritstone_core::{Contact, Linear, Vector};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Answer, Card, Doubt, NarrowPhase, Placed, Query, Refusal, Verdict, tolerance};

/// Makes a method of one that continues from a pair's last plane with `solve_warm`: a query by itself has no last plane.
macro_rules! traced {
    ($method:ty, name: $name:literal, source: $source:literal, guarantee: $guarantee:literal) => {
        impl<D: Polytopes> Method<D> for $method {
            fn card(&self) -> Card {
                Card { name: $name, source: $source, shapes: D::SHAPES, guarantee: $guarantee }
            }

            fn solve(
                &self,
                a: Placed<'_, D>,
                b: Placed<'_, D>,
                query: Query<D>,
                _: &mut D::Scratch,
            ) -> Result<Answer<D>, Refusal> {
                self.solve_warm(a, b, query, &mut Trace::default())
            }
        }
    };
}
pub(crate) use traced;

/// A dimension, with what the common-plane methods need of its polygons or polyhedra.
pub trait Polytopes: NarrowPhase {
    /// Vertices, edges and faces of a body.
    type Hull: 'static;
    /// Normals that lean to all sides of a given one.
    type Tilts: IntoIterator<Item = Self::Vec>;
    /// What the exact method keeps of a pair.
    type WarmStart: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned;
    /// Which shapes have corners.
    const SHAPES: &'static str;
    /// Relative curvature at a corner.
    const CORNER: Self::Curvature;

    /// A shape's name.
    fn word(shape: &Self::Shape) -> &'static str;

    /// Vertices, edges and faces, for shapes that are made of them.
    fn hull(shape: &Self::Shape) -> Option<&Self::Hull>;

    /// Where the vertices are.
    fn vertices(hull: &Self::Hull) -> &[Self::Vec];

    /// Whether a body has this feature.
    fn has(hull: &Self::Hull, feature: Feature) -> bool;

    /// The vertex farthest along `n`.
    fn farthest(hull: &Self::Hull, n: Self::Vec) -> u32;

    /// The axes of `inner` in those of `outer`.
    fn relative(outer: &Self::Frame, inner: &Self::Frame) -> Self::Frame;

    /// A vector given in the axes of a frame.
    fn out_of_frame(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// A vector in the axes of a frame.
    fn into_frame(frame: &Self::Frame, v: Self::Vec) -> Self::Vec;

    /// The unit normal `n` leaned by `angle` (rad) about axes across it, both ways.
    fn tilts(n: Self::Vec, angle: f64) -> Self::Tilts;

    /// Normals of the planes among which \[nezami2004\] looks for a better one than `trial`; of any length.
    fn candidates(blocks: &Blocks<'_, Self>, trial: &Trial<Self>, visit: impl FnMut(Self::Vec));

    /// The point of a body nearest to `q`, a point in the body's axes, by walking from `start` to neighbours
    /// (\[nezami2006\] section 3.4).
    fn nearest(hull: &Self::Hull, start: Site<Self>, q: Self::Vec) -> Site<Self>;

    /// The ends of the next link where both ends of this one lie on edges or faces (\[nezami2006\] section 3.5.2); `None`
    /// where it is no such case.
    fn special(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> Option<Ends<Self>>;

    /// Normal of the plane that the two features of a link determine, of any length; the link itself where they do not.
    fn normal(blocks: &Blocks<'_, Self>, ends: &Ends<Self>) -> Self::Vec;

    /// The certified answer, from what was kept of the last one.
    fn exact(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        query: Query<Self>,
        kept: &mut Self::WarmStart,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self>, Refusal>;
}

/// Part of a surface, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// A vertex.
    Vertex(u32),
    /// The inside of an edge.
    Edge(u32),
    /// The inside of a face; polygons have none.
    Face(u32),
}

/// A point on a surface.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "D::Vec: Serialize + DeserializeOwned")]
pub struct Site<D: Polytopes> {
    /// Where on the surface.
    pub feature: Feature,
    /// In the axes of the body.
    pub point: D::Vec,
}

/// The ends P and Q of a link, on a and on b.
pub type Ends<D> = [Site<D>; 2];

/// What a pair keeps from one time step to the next: the last common plane, and the last link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(bound = "D::Vec: Serialize + DeserializeOwned")]
pub struct Trace<D: Polytopes> {
    /// Normal of the last plane, in the world.
    pub normal: Option<D::Vec>,
    /// Ends of the last link.
    pub ends: Option<Ends<D>>,
}

/// Two bodies, in the axes of the first.
#[derive(Debug)]
pub struct Blocks<'s, D: Polytopes> {
    /// The first body.
    pub a: &'s D::Hull,
    /// The second body.
    pub b: &'s D::Hull,
    /// Axes of b.
    pub turn: D::Frame,
    /// Centre of b.
    pub offset: D::Vec,
    /// Axes of a in the world.
    frame: D::Frame,
    /// Where the centre of a is in the world.
    origin: D::Vec,
    /// Size of the smaller body.
    pub size: f64,
    /// Rounding error of a gap.
    pub rounding: f64,
}

/// A plane between two bodies, and what it leaves between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial<D: Polytopes> {
    /// Unit normal, from a to b.
    pub c: D::Vec,
    /// Numbers of the nearest vertices of a and of b.
    pub at: [u32; 2],
    /// The vertex of a nearest to the plane.
    pub x_a: D::Vec,
    /// The vertex of b nearest to the plane.
    pub x_b: D::Vec,
    /// The gap.
    pub g: f64,
}

/// What a method found, for its answer.
pub(crate) struct Found<D: Polytopes> {
    /// The plane.
    pub(crate) trial: Trial<D>,
    /// The method's signed distance.
    pub(crate) gap: f64,
    /// Midway between the contact's points.
    pub(crate) middle: D::Vec,
    /// Proven upper bound of the signed distance.
    pub(crate) upper: f64,
    pub(crate) iterations: u32,
    pub(crate) evaluations: u32,
    /// Why it is not to be relied on, where the method knows.
    pub(crate) doubt: Option<Doubt>,
}

impl<'s, D: Polytopes> Blocks<'s, D> {
    /// Two bodies, or the refusal of shapes without corners.
    pub fn new(a: Placed<'s, D>, b: Placed<'s, D>, card: &Card) -> Result<Self, Refusal> {
        let refusal = || card.refuse([D::word(a.shape), D::word(b.shape)]);
        let (hull_a, hull_b) = D::hull(a.shape).zip(D::hull(b.shape)).ok_or_else(refusal)?;
        let (frame_a, frame_b) = (a.pose.frame(), b.pose.frame());
        let offset = D::into_frame(&frame_a, b.pose.position - a.pose.position);
        let [size_a, size_b] = [a.shape, b.shape].map(gritstone_shape::Support::size);
        Ok(Self {
            a: hull_a,
            b: hull_b,
            turn: D::relative(&frame_a, &frame_b),
            offset,
            frame: frame_a,
            origin: a.pose.position,
            size: size_a.min(size_b),
            rounding: tolerance::ROUNDING * (size_a.max(size_b) + offset.length()),
        })
    }

    /// A point of b, given in its own axes.
    #[inline]
    pub fn from_b(&self, x: D::Vec) -> D::Vec {
        D::out_of_frame(&self.turn, x) + self.offset
    }

    /// A point in the axes of b.
    #[inline]
    pub fn to_b(&self, x: D::Vec) -> D::Vec {
        D::into_frame(&self.turn, x - self.offset)
    }

    /// The direction between the centres; where they coincide, the first axis of a.
    pub fn centre_line(&self) -> D::Vec {
        unit(self.offset).unwrap_or_else(|| D::Vec::axis(0))
    }

    /// The unit direction to start from: the one requested, or that of the last plane, both in the world.
    pub(crate) fn prior(&self, query: &Query<D>, trace: &Trace<D>) -> Option<D::Vec> {
        query.start.or(trace.normal).and_then(|n| unit(D::into_frame(&self.frame, n)))
    }

    /// The last link, if it can be one of these bodies.
    pub(crate) fn last(&self, trace: &Trace<D>) -> Option<Ends<D>> {
        trace.ends.filter(|[p, q]| D::has(self.a, p.feature) && D::has(self.b, q.feature))
    }

    /// The plane with unit normal `c`, midway between the nearest vertices.
    #[inline]
    pub fn trial(&self, c: D::Vec) -> Trial<D> {
        let at = [D::farthest(self.a, c), D::farthest(self.b, D::into_frame(&self.turn, -c))];
        let x_a = D::vertices(self.a)[at[0] as usize];
        let x_b = self.from_b(D::vertices(self.b)[at[1] as usize]);
        // [nezami2006] eqs. (1), (2) and condition 3: d_B − d_A, wherever the plane stands between the two.
        Trial { c, at, x_a, x_b, g: c.dot(x_b - x_a) }
    }

    /// Temporary separation (\[nezami2004\]): both bodies moved along the normal of a plane until the gap is `gap`. Only
    /// their relative position counts, so that b moves all the way.
    pub fn separated(&self, trial: &Trial<D>, gap: f64) -> Self {
        Self { offset: self.offset + trial.c * (gap - trial.g), ..*self }
    }

    /// From P to Q.
    pub fn between(&self, ends: &Ends<D>) -> D::Vec {
        self.from_b(ends[1].point) - ends[0].point
    }

    /// Midway between P and Q.
    pub fn middle(&self, ends: &Ends<D>) -> D::Vec {
        (self.from_b(ends[1].point) + ends[0].point) * 0.5
    }

    /// A direction in the world.
    pub(crate) fn to_world(&self, v: D::Vec) -> D::Vec {
        D::out_of_frame(&self.frame, v)
    }

    /// Width between the bounds of a certified gap: corners leave nothing but rounding, of the two sums of products that
    /// bounds are.
    pub(crate) fn tolerance(&self) -> f64 {
        2.0 * self.rounding
    }

    /// What was found, in the world.
    pub(crate) fn answer(&self, found: &Found<D>) -> Answer<D> {
        let Found { trial, gap, middle, upper, iterations, evaluations, doubt } = *found;
        let half = trial.c * (0.5 * gap);
        let [point_a, point_b] = [middle - half, middle + half].map(|x| self.origin + self.to_world(x));
        let normal = self.to_world(trial.c);
        let contact = Contact { point_a, point_b, normal, gap, curvature: D::CORNER };
        let verdict = match doubt {
            Some(doubt) => Verdict::Unresolved { best: contact, doubt },
            None => Verdict::Solved(contact),
        };
        Answer::new(verdict, [trial.g, upper], self.tolerance(), [iterations, evaluations])
    }

    /// The separating plane that detection stops at.
    pub(crate) fn apart(&self, trial: &Trial<D>, iterations: u32, evaluations: u32) -> Answer<D> {
        let verdict = Verdict::Apart { at_least: trial.g, along: self.to_world(trial.c) };
        let upper = (trial.x_b - trial.x_a).length();
        Answer::new(verdict, [trial.g, upper], self.tolerance(), [iterations, evaluations])
    }
}

impl<D: Polytopes> Trial<D> {
    /// The point above or below `x` that lies midway between the vertices nearest to the plane.
    pub(crate) fn level(&self, x: D::Vec) -> D::Vec {
        x + self.c * self.c.dot((self.x_a + self.x_b) * 0.5 - x)
    }

    /// What the vertices nearest to the plane make of it.
    pub(crate) fn found(&self, iterations: u32, evaluations: u32) -> Found<D> {
        Found {
            trial: *self,
            gap: self.g,
            middle: (self.x_a + self.x_b) * 0.5,
            upper: (self.x_b - self.x_a).length(),
            iterations,
            evaluations,
            doubt: None,
        }
    }
}

/// A vector's direction; `None` where it is too short to have one.
#[inline]
pub(crate) fn unit<V: Vector>(v: V) -> Option<V> {
    let scale = v.length().recip();
    scale.is_finite().then(|| v * scale)
}

//! What is common to all methods: how they are asked, and what they say of themselves.

use std::fmt::Debug;

use gritstone_core::{Dim, Pose, Space};
use gritstone_shape::AnyShape;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Answer;

/// Contact detection in a dimension: its table of shapes, its methods, and the certified default from one step to the next.
pub trait NarrowPhase: Dim {
    /// Any shape of this dimension.
    type Shape: AnyShape<Self>;
    /// Working memory of the methods; keep one per thread and no query allocates.
    type Scratch: Default + Send;
    /// What a pair keeps from one step to the next.
    type Memory: Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned;

    /// Every method, the default first.
    fn methods() -> &'static [&'static dyn Method<Self>];

    /// The method of that name.
    fn method(name: &str) -> Option<&'static dyn Method<Self>> {
        Self::methods().iter().copied().find(|m| m.card().name == name)
    }

    /// Solves a pair by the certified default, from what the pair kept of the last time.
    fn solve_warm(
        a: Placed<'_, Self>,
        b: Placed<'_, Self>,
        query: Query<Self>,
        memory: &mut Self::Memory,
        scratch: &mut Self::Scratch,
    ) -> Result<Answer<Self>, Refusal>;

    /// The memory of a pair of which only the direction is known.
    fn remember(direction: Self::Vec) -> Self::Memory;
}

/// A shape and where it is.
#[derive(Debug)]
pub struct Placed<'s, D: NarrowPhase> {
    /// The shape, in its own frame.
    pub shape: &'s D::Shape,
    /// Its position and orientation.
    pub pose: Pose<D>,
}

impl<D: NarrowPhase> Clone for Placed<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: NarrowPhase> Copy for Placed<'_, D> {}

/// A way to find the contact of two bodies.
pub trait Method<D: NarrowPhase = Space>: Sync {
    /// What it says of itself.
    fn card(&self) -> Card;

    /// Solves one pair, or says that it does not take these shapes.
    fn solve(
        &self,
        a: Placed<'_, D>,
        b: Placed<'_, D>,
        query: Query<D>,
        scratch: &mut D::Scratch,
    ) -> Result<Answer<D>, Refusal>;

    /// Solves many pairs; `answers` are in their order. An answer does not depend on the other pairs.
    fn solve_all(
        &self,
        pairs: &[[Placed<'_, D>; 2]],
        query: Query<D>,
        scratch: &mut D::Scratch,
        answers: &mut Vec<Result<Answer<D>, Refusal>>,
    ) {
        answers.clear();
        answers.extend(pairs.iter().map(|&[a, b]| self.solve(a, b, query, scratch)));
    }
}

/// What a method says of itself, for `gritstone methods` and the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// The name by which it is called.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Which shapes it takes.
    pub shapes: &'static str,
    /// What its answer is worth.
    pub guarantee: &'static str,
}

impl Card {
    /// The refusal of shapes with these names.
    pub(crate) fn refuse(&self, shapes: [&'static str; 2]) -> Refusal {
        Refusal { method: self.name, shapes, takes: self.shapes }
    }
}

/// What is asked of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query<D: Dim> {
    /// How much is wanted.
    pub goal: Goal,
    /// A direction from a to b to start from, say that of the last time step. Methods that do not use one ignore it.
    pub start: Option<D::Vec>,
    /// How far the bounds of an overlap may lie apart, as a fraction of it, where that is more than the certificate's
    /// tolerance. Zero for the full certificate.
    pub slack: f64,
}

impl<D: Dim> Default for Query<D> {
    fn default() -> Self {
        Self { goal: Goal::Distance, start: None, slack: 0.0 }
    }
}

impl<D: Dim> Query<D> {
    /// Width allowed between the bounds of a signed distance `gap`, given the certificate's own.
    pub(crate) fn width(&self, certificate: f64, gap: f64) -> f64 {
        certificate.max(-self.slack * gap)
    }
}

/// How much is wanted of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The signed distance, whether the bodies touch or not.
    #[default]
    Distance,
    /// The contact if there is one; for bodies that are apart the first separating plane is enough.
    Detect,
}

/// A method that does not take these shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The method's name.
    pub method: &'static str,
    /// Names of the two shapes.
    pub shapes: [&'static str; 2],
    /// Which shapes it takes.
    pub takes: &'static str,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { method, shapes: [a, b], takes } = self;
        write!(f, "method {method} does not take {a} and {b}: it takes {takes}")
    }
}

impl std::error::Error for Refusal {}

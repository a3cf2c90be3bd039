//! Contacts of many pairs: arrays in, columns out.
//!
//! Bodies are given as an array of distinct shapes, a shape index and a pose for each body; pairs as indices of bodies.
//! Each quantity of the answers is one column in the order of the pairs, vectors row by row, ready to be handed to another
//! language without copying. Any method of the table can be asked. Pairs are solved in parallel, in chunks of fixed length,
//! by the threads of the rayon pool from which [`solve`] is called; the answers do not depend on their number.
//!
//! ```
//! use gritstone_contact::columns::{self, Bodies, Outcome};
//! use gritstone_contact::{Goal, space};
//! use gritstone_shape::space::{Solid, Sphere};
//!
//! let shapes = [Solid::from(Sphere::new(1.0)?)];
//! let positions = [[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
//! let poses = columns::poses_in_space(&positions, &[[1.0, 0.0, 0.0, 0.0]; 3])?;
//! let bodies = Bodies::new(&shapes, &[0, 0, 0], &poses)?;
//! let method = space::method("auto").unwrap();
//! let found = columns::solve(&bodies, &[[0, 1], [1, 2]], method, Goal::Distance)?;
//! assert_eq!(found.gap, [-0.5, 5.5]);
//! assert_eq!(found.outcome, [Outcome::Contact, Outcome::Apart]);
//! assert_eq!(found.normal, [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod poses;

use gritstone_core::{Pose, Vector};
use rayon::prelude::*;

pub use self::error::ColumnError;
pub use self::poses::{poses_in_plane, poses_in_space};
use crate::{Answer, Goal, Method, NarrowPhase, Placed, Query, Refusal, Verdict};

/// Pairs that one task solves.
const CHUNK: usize = 1024;

/// Bodies as arrays.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a, D: NarrowPhase> {
    shapes: &'a [D::Shape],
    shape_indices: &'a [u32],
    poses: &'a [Pose<D>],
}

impl<'a, D: NarrowPhase> Bodies<'a, D> {
    /// Bodies with these poses; `shape_indices` has the index of each body's shape in `shapes`.
    pub fn new(
        shapes: &'a [D::Shape],
        shape_indices: &'a [u32],
        poses: &'a [Pose<D>],
    ) -> Result<Self, ColumnError> {
        if shape_indices.len() != poses.len() {
            let [given, needed] = [shape_indices.len(), poses.len()];
            return Err(ColumnError::Length { name: "shape_indices", given, needed });
        }
        for (row, &index) in shape_indices.iter().enumerate() {
            error::check_index("shape_indices", row, index, shapes.len())?;
        }
        Ok(Self { shapes, shape_indices, poses })
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.poses.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.poses.is_empty()
    }

    fn placed(&self, body: u32) -> Placed<'a, D> {
        let body = body as usize;
        Placed { shape: &self.shapes[self.shape_indices[body] as usize], pose: self.poses[body] }
    }
}

/// The outcome of one pair, as the `contact` command names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// The bodies do not touch.
    Apart = 0,
    /// The bodies touch or overlap.
    Contact = 1,
    /// The method failed or could not prove its answer; the columns hold the best that was found.
    Unresolved = 2,
    /// The method does not take these shapes; the columns hold NaN.
    Refused = 3,
}

impl Outcome {
    /// The word of the JSON lines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Contact => "contact",
            Self::Unresolved => "unresolved",
            Self::Refused => "error",
        }
    }

    /// The outcome that an answer stands for.
    pub fn of<D: NarrowPhase>(answer: &Answer<D>) -> Self {
        let distance = answer.distance();
        match answer.verdict {
            Verdict::Unresolved { .. } => Self::Unresolved,
            _ if distance <= 0.0 => Self::Contact,
            _ if distance > 0.0 => Self::Apart,
            _ => Self::Unresolved,
        }
    }
}

/// Answers, one column per quantity, in the order of the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Coordinates of a vector: 3 in space, 2 in the plane.
    pub dimension: usize,
    /// Signed distance, negative where bodies overlap; a lower bound of it where detection stopped at a separating plane.
    pub gap: Vec<f64>,
    /// Proven lower bound of the signed distance.
    pub lower: Vec<f64>,
    /// Proven upper bound of the signed distance.
    pub upper: Vec<f64>,
    /// Unit vectors from a to b, row by row.
    pub normal: Vec<f64>,
    /// Points of the first bodies, row by row; NaN where detection stopped at a separating plane.
    pub point_a: Vec<f64>,
    /// Points of the second bodies, likewise.
    pub point_b: Vec<f64>,
    /// What each pair came to.
    pub outcome: Vec<Outcome>,
    /// Iterations, in the method's own counting.
    pub iterations: Vec<u32>,
    /// Whether the bounds agree within the certificate's tolerance.
    pub certified: Vec<bool>,
    /// The first pair that the method refused, and why.
    pub first_refusal: Option<(usize, Refusal)>,
}

impl Columns {
    fn with_capacity(dimension: usize, pairs: usize) -> Self {
        let scalars = || Vec::with_capacity(pairs);
        let vectors = || Vec::with_capacity(pairs * dimension);
        Self {
            dimension,
            gap: scalars(),
            lower: scalars(),
            upper: scalars(),
            normal: vectors(),
            point_a: vectors(),
            point_b: vectors(),
            outcome: Vec::with_capacity(pairs),
            iterations: Vec::with_capacity(pairs),
            certified: Vec::with_capacity(pairs),
            first_refusal: None,
        }
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.gap.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.gap.is_empty()
    }

    fn push<D: NarrowPhase>(&mut self, answer: Result<Answer<D>, Refusal>) {
        match answer {
            Ok(answer) => self.push_answer(&answer),
            Err(refusal) => self.push_refusal(refusal),
        }
    }

    fn push_answer<D: NarrowPhase>(&mut self, answer: &Answer<D>) {
        self.gap.push(answer.distance());
        self.lower.push(answer.lower);
        self.upper.push(answer.upper);
        push_vector::<D>(&mut self.normal, answer.direction());
        if let Some(contact) = answer.contact() {
            push_vector::<D>(&mut self.point_a, contact.point_a);
            push_vector::<D>(&mut self.point_b, contact.point_b);
        } else {
            push_nan(&mut self.point_a, D::N);
            push_nan(&mut self.point_b, D::N);
        }
        self.outcome.push(Outcome::of(answer));
        self.iterations.push(answer.iterations);
        self.certified.push(answer.certified());
    }

    fn push_refusal(&mut self, refusal: Refusal) {
        let pair = self.len();
        for column in [&mut self.gap, &mut self.lower, &mut self.upper] {
            column.push(f64::NAN);
        }
        for column in [&mut self.normal, &mut self.point_a, &mut self.point_b] {
            push_nan(column, self.dimension);
        }
        self.outcome.push(Outcome::Refused);
        self.iterations.push(0);
        self.certified.push(false);
        self.first_refusal.get_or_insert((pair, refusal));
    }

    fn append(&mut self, part: &Self) {
        let before = self.len();
        self.gap.extend_from_slice(&part.gap);
        self.lower.extend_from_slice(&part.lower);
        self.upper.extend_from_slice(&part.upper);
        self.normal.extend_from_slice(&part.normal);
        self.point_a.extend_from_slice(&part.point_a);
        self.point_b.extend_from_slice(&part.point_b);
        self.outcome.extend_from_slice(&part.outcome);
        self.iterations.extend_from_slice(&part.iterations);
        self.certified.extend_from_slice(&part.certified);
        if self.first_refusal.is_none() {
            self.first_refusal = part.first_refusal.clone().map(|(pair, refusal)| (before + pair, refusal));
        }
    }
}

fn push_vector<D: NarrowPhase>(column: &mut Vec<f64>, v: D::Vec) {
    column.extend((0..D::N).map(|axis| v.component(axis)));
}

fn push_nan(column: &mut Vec<f64>, count: usize) {
    column.extend(std::iter::repeat_n(f64::NAN, count));
}

/// Solves every pair of bodies with this method.
///
/// A pair that the method refuses is [`Outcome::Refused`] in its row and does not stop the others.
pub fn solve<D: NarrowPhase>(
    bodies: &Bodies<'_, D>,
    pairs: &[[u32; 2]],
    method: &dyn Method<D>,
    goal: Goal,
) -> Result<Columns, ColumnError> {
    for (row, pair) in pairs.iter().enumerate() {
        for &body in pair {
            error::check_index("pairs", row, body, bodies.len())?;
        }
    }
    let parts: Vec<_> = pairs
        .par_chunks(CHUNK)
        .map_init(D::Scratch::default, |scratch, pairs| solve_chunk(bodies, pairs, method, goal, scratch))
        .collect();
    let mut columns = Columns::with_capacity(D::N, pairs.len());
    parts.iter().for_each(|part| columns.append(part));
    Ok(columns)
}

fn solve_chunk<D: NarrowPhase>(
    bodies: &Bodies<'_, D>,
    pairs: &[[u32; 2]],
    method: &dyn Method<D>,
    goal: Goal,
    scratch: &mut D::Scratch,
) -> Columns {
    let query = Query { goal, ..Query::default() };
    let placed: Vec<_> = pairs.iter().map(|pair| pair.map(|body| bodies.placed(body))).collect();
    let mut answers = Vec::with_capacity(pairs.len());
    method.solve_all(&placed, query, scratch, &mut answers);
    let mut columns = Columns::with_capacity(D::N, pairs.len());
    answers.into_iter().for_each(|answer| columns.push(answer));
    columns
}

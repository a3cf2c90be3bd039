//! Many pairs that are apart: how often each method is wrong, and what it takes, cold and from the last step.

use gritstone_contact::polytopes::{Blocks, Trace};
use gritstone_contact::shortest_link::{Form, Link, MOST_ITERATIONS, iterate, published_start, supports};
use gritstone_contact::shortest_link_mended::{MendedTrace, prove};
use gritstone_contact::{
    Answer, CommonPlane, FastCommonPlane, Method, Query, Refusal, ShortestLink, ShortestLinkMended,
};
use gritstone_core::Vector;

use super::pairs::Moving;
use crate::generate::{Case, Draw};
use crate::statistics::{Histogram, Sample};

/// Forms of the shortest link, from the bare iteration to the proven one.
pub const FORMS: [&str; 4] = ["without special cases", "as published", "verified", "proven"];
/// Methods that look for the plane.
pub const PLANES: [&str; 2] = ["common-plane", "fast-common-plane"];
/// Motions between two steps, as parts of size and in rad.
pub const MOTIONS: [f64; 3] = [1e-3, 1e-4, 1e-5];

/// A distance is wrong when it is off by more than this part of it.
const WRONG: f64 = 1e-9;
/// Distances shorter than this part of the size are judged as if they were this long.
const SHORT: f64 = 1e-3;
/// A gap is far off when it is by more than this part of the distance.
const FAR_OFF: f64 = 0.01;

/// Pairs of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// How they face each other.
    pub kind: &'static str,
    /// Pairs.
    pub pairs: u64,
    /// Forms of the shortest link, cold.
    pub forms: [FormCounts; 4],
    /// Methods that look for the plane, cold.
    pub planes: [PlaneCounts; 2],
    /// The shortest link as published and proven, after each motion.
    pub warm: [[WarmCounts; 2]; 3],
    /// Gaps that methods that look for the plane evaluate after the smallest motion.
    pub warm_planes: [Sample; 2],
}

/// What comes of a form of the shortest link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormCounts {
    /// Iterations that did not end, or links that were not proven.
    pub given_up: u64,
    /// Links that are not the shortest, though the iteration ended.
    pub wrong: u64,
    /// Iterations.
    pub iterations: Histogram,
}

/// What comes of a method that looks for the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneCounts {
    /// Gaps that are not the distance.
    pub wrong: u64,
    /// Gaps that are off by more than a hundredth of it.
    pub far_off: u64,
    /// Gaps evaluated.
    pub evaluations: Sample,
}

/// What comes of a step from the last link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WarmCounts {
    /// Distances that are wrong.
    pub wrong: u64,
    /// Iterations.
    pub iterations: Histogram,
}

/// What one pair adds to a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Measured {
    forms: [Outcome; 4],
    planes: [(f64, u32); 2],
    warm: [[Option<Outcome>; 2]; 3],
    warm_planes: [u32; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    given_up: bool,
    wrong: bool,
    iterations: u32,
}

impl Cell {
    /// A cell without pairs.
    pub(super) fn new(kind: &'static str) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Counts a pair.
    pub(super) fn take(&mut self, measured: &Measured) {
        self.pairs += 1;
        for (counts, outcome) in self.forms.iter_mut().zip(measured.forms) {
            counts.given_up += u64::from(outcome.given_up);
            counts.wrong += u64::from(outcome.wrong && !outcome.given_up);
            counts.iterations.push(outcome.iterations);
        }
        for (counts, (error, evaluations)) in self.planes.iter_mut().zip(measured.planes) {
            counts.wrong += u64::from(error > WRONG);
            counts.far_off += u64::from(error > FAR_OFF);
            counts.evaluations.push(f64::from(evaluations));
        }
        for (row, outcomes) in self.warm.iter_mut().zip(measured.warm) {
            for (counts, outcome) in row.iter_mut().zip(outcomes) {
                let Some(outcome) = outcome else { continue };
                counts.wrong += u64::from(outcome.wrong);
                counts.iterations.push(outcome.iterations);
            }
        }
        for (sample, evaluations) in self.warm_planes.iter_mut().zip(measured.warm_planes) {
            sample.push(f64::from(evaluations));
        }
    }

    /// All pairs of several cells.
    pub fn sum(cells: &[Self], kind: &'static str) -> Self {
        let mut sum = Self::new(kind);
        for cell in cells {
            sum.pairs += cell.pairs;
            for (into, from) in sum.forms.iter_mut().zip(&cell.forms) {
                into.given_up += from.given_up;
                into.wrong += from.wrong;
                into.iterations.add(&from.iterations);
            }
            for (into, from) in sum.planes.iter_mut().zip(&cell.planes) {
                into.wrong += from.wrong;
                into.far_off += from.far_off;
                into.evaluations.add(&from.evaluations);
            }
            for (into, from) in sum.warm.iter_mut().flatten().zip(cell.warm.iter().flatten()) {
                into.wrong += from.wrong;
                into.iterations.add(&from.iterations);
            }
            for (into, from) in sum.warm_planes.iter_mut().zip(&cell.warm_planes) {
                into.add(from);
            }
        }
        sum
    }
}

/// Solves a pair in all ways.
pub(super) fn measure<D: Moving>(
    case: &Case<D>,
    seed: u64,
    index: u64,
    scratch: &mut D::Scratch,
) -> Measured {
    solve_all(case, seed, index, scratch).unwrap_or_default()
}

fn solve_all<D: Moving>(
    case: &Case<D>,
    seed: u64,
    index: u64,
    scratch: &mut D::Scratch,
) -> Result<Measured, Refusal> {
    let truth = exact(case, scratch)?;
    let mut measured = Measured { forms: forms(case, truth)?, ..Measured::default() };
    let (mut cundall, mut fast) = (Trace::default(), Trace::default());
    let (mut link, mut proven) = (Trace::default(), MendedTrace::default());
    let [a, b] = [case.placed_a(), case.placed_b()];
    let answers = [
        CommonPlane.solve_warm(a, b, Query::default(), &mut cundall)?,
        FastCommonPlane.solve_warm(a, b, Query::default(), &mut fast)?,
    ];
    measured.planes = answers.map(|answer| (error(&answer, truth, case), answer.evaluations));
    ShortestLink.solve_warm(a, b, Query::default(), &mut link)?;
    ShortestLinkMended.solve_warm(a, b, Query::default(), &mut proven, scratch)?;
    for (motion, outcomes) in MOTIONS.into_iter().zip(&mut measured.warm) {
        let mut draw = Draw::new(motion.to_bits(), seed, index);
        let pose_b = D::nudge(&case.pose_b, case.size(), motion, &mut draw);
        let moved = Case { pose_b, ..case.clone() };
        let truth = exact(&moved, scratch)?;
        let [a, b] = [moved.placed_a(), moved.placed_b()];
        let (mut link, mut proven) = (link, proven.clone());
        let answers = [
            ShortestLink.solve_warm(a, b, Query::default(), &mut link)?,
            ShortestLinkMended.solve_warm(a, b, Query::default(), &mut proven, scratch)?,
        ];
        // A motion that made them touch is a first contact, and no matter of this table.
        *outcomes = answers.map(|answer| {
            let wrong = error(&answer, truth, &moved) > WRONG;
            (truth > 0.0).then_some(Outcome { given_up: false, wrong, iterations: answer.iterations })
        });
        measured.warm_planes = [
            CommonPlane.solve_warm(a, b, Query::default(), &mut cundall.clone())?.evaluations,
            FastCommonPlane.solve_warm(a, b, Query::default(), &mut fast.clone())?.evaluations,
        ];
    }
    Ok(measured)
}

/// The signed distance.
fn exact<D: Moving>(case: &Case<D>, scratch: &mut D::Scratch) -> Result<f64, Refusal> {
    let (a, b) = (case.placed_a(), case.placed_b());
    Ok(D::exact(a, b, Query::default(), &mut D::WarmStart::default(), scratch)?.distance())
}

/// Error of a distance, as a part of it.
fn error<D: Moving>(answer: &Answer<D>, truth: f64, case: &Case<D>) -> f64 {
    (answer.distance() - truth).abs() / truth.abs().max(SHORT * case.size())
}

/// Every form of the shortest link, cold.
fn forms<D: Moving>(case: &Case<D>, truth: f64) -> Result<[Outcome; 4], Refusal> {
    let card = Method::<D>::card(&ShortestLink);
    let blocks = Blocks::new(case.placed_a(), case.placed_b(), &card)?;
    let outcome = |link: Link<D>| {
        let length = blocks.between(&link.ends).length();
        let wrong = (length - truth).abs() > WRONG * truth.max(SHORT * case.size());
        Outcome { given_up: !link.converged, wrong, iterations: link.iterations }
    };
    let start = published_start(&blocks);
    let facing = supports(&blocks, blocks.centre_line());
    Ok([
        outcome(iterate(&blocks, start, Form::Plain, MOST_ITERATIONS, |_| false)),
        outcome(iterate(&blocks, start, Form::Published, MOST_ITERATIONS, |_| false)),
        outcome(iterate(&blocks, facing, Form::Verified, MOST_ITERATIONS, |_| false)),
        outcome(prove(&blocks)),
    ])
}

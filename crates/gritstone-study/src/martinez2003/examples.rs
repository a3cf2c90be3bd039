//! The worked examples, computed: as published, mended, and true.

use std::f64::consts::TAU;

use gritstone_contact::plane::centre_distance::{self, Intersections, Proven};
use gritstone_contact::plane::crossings::{Newton, crossings};
use gritstone_contact::plane::overlap_point::{OverlapForm, Search};
use gritstone_contact::plane::{Curvature, OverlapPoint, Scratch, curvature};
use gritstone_core::solve::brent;

use super::published::{BRENT_EXAMPLES, BrentExample, EXAMPLES, Example};
use super::truth::signed_distance;
use crate::generate::Draw;
use crate::statistics::Sample;

/// Random starts of Newton's method in each example.
pub const NEWTON_STARTS: u32 = 1000;
/// Points along a curve where its crossings are counted by changes of sign.
const SIGNS: u32 = 7200;

/// A worked example of chapter 4.
#[derive(Clone, Debug)]
pub struct Worked {
    /// What is printed.
    pub example: &'static Example,
    /// Both methods as published, with the example's tolerance.
    pub published: curvature::Outcome,
    /// Both methods mended.
    pub mended: curvature::Outcome,
    /// The signed distance that `auto` proves.
    pub truth: f64,
    /// Whether it does prove it.
    pub certified: bool,
    /// Crossings of the curves, by changes of sign along one of them.
    pub crossings: u32,
    /// Table 2.1 as published.
    pub by_centres: Intersections,
    /// Table 2.1 mended.
    pub by_centres_mended: Proven,
    /// Appendix B.
    pub newton: NewtonResult,
}

/// Newton's method for the crossings.
#[derive(Clone, Debug)]
pub struct NewtonResult {
    /// Crossings that a grid of starts finds.
    pub found: usize,
    /// Random starts that converge.
    pub converged: u32,
    /// Iterations of those.
    pub iterations: Sample,
}

/// An example of appendix A.
#[derive(Clone, Copy, Debug)]
pub struct Minimised {
    /// What is printed.
    pub example: &'static BrentExample,
    /// What Brent's method gives.
    pub found: brent::Minimum,
    /// The least value on the interval, ends included.
    pub truth: (f64, f64),
}

/// All examples of chapter 4.
pub(super) fn worked(seed: u64) -> Vec<Worked> {
    EXAMPLES.iter().map(|example| work(example, seed)).collect()
}

/// All examples of appendix A.
pub(super) fn minimised() -> Vec<Minimised> {
    BRENT_EXAMPLES.iter().map(minimise).collect()
}

fn work(example: &'static Example, seed: u64) -> Worked {
    let (a, b) = (example.a.oval(), example.b.oval());
    let search = Search::WholeTurn { tolerance: example.tolerance };
    let points = OverlapPoint { search, ..OverlapPoint::PUBLISHED };
    let answer = signed_distance(&a, &b, &mut Scratch::default());
    let form = OverlapForm::new(&a, &b);
    let sign = |k: u32| form.value(TAU * f64::from(k) / f64::from(SIGNS)) > 0.0;
    Worked {
        example,
        published: Curvature { points, ..Curvature::PUBLISHED }.outcome(&a, &b),
        mended: Curvature::MENDED.outcome(&a, &b),
        truth: answer.distance(),
        certified: answer.certified(),
        crossings: (0..SIGNS).map(|k| u32::from(sign(k) != sign(k + 1))).sum(),
        by_centres: centre_distance::published(&a, &b),
        by_centres_mended: centre_distance::mended(&a, &b),
        newton: newton(example, seed),
    }
}

fn newton(example: &Example, seed: u64) -> NewtonResult {
    let (a, b) = (example.a.oval(), example.b.oval());
    let mut draw = Draw::new(0, seed, 0);
    let mut iterations = Sample::default();
    for _ in 0..NEWTON_STARTS {
        let start = [0; 2].map(|_| draw.uniform(0.0, TAU));
        if let Some(crossing) = Newton::default().crossing(&a, &b, start) {
            iterations.push(f64::from(crossing.iterations));
        }
    }
    NewtonResult { found: crossings(&a, &b).len(), converged: iterations.count() as u32, iterations }
}

fn minimise(example: &'static BrentExample) -> Minimised {
    let BrentExample { function, interval, tolerance, .. } = example;
    let within = |x: &f64| (interval[0]..=interval[1]).contains(x);
    let candidates = (function.minima)().into_iter().filter(within).chain(*interval);
    let values = candidates.map(|x| (x, (function.value)(x)));
    let lowest = values.min_by(|(_, f), (_, g)| f.total_cmp(g)).unwrap_or((f64::NAN, f64::NAN));
    Minimised { example, found: brent::minimise(function.value, *interval, *tolerance), truth: lowest }
}

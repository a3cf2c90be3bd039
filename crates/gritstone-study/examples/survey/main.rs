//! Measures a contact method on generated pairs, class by class.
//!
//! ```text
//! cargo run --release -p gritstone-study --example survey -- --class all --pairs 1000000 --truth-sample 100000
//! ```
//!
//! An answer is wrong when it differs from the independent one, or falls below what the pair was constructed with, by
//! more than [`WRONG`] times the smaller grain's size. Unresolved answers are not wrong: they are counted by themselves. A
//! certified answer that is wrong fails the survey.

mod counts;
mod dump;
mod family;

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Parser;
use gritstone_contact::{Answer, Method, Query};
use gritstone_study::generate::{Case, Draw};
use rayon::prelude::*;

use counts::{Counts, Outcome};
use family::{Family, World};

/// An answer is wrong when it is off by more than this, relative to the smaller grain's size.
const WRONG: f64 = 2e-9;

/// Answers to the same pair seen from elsewhere differ when they are this far apart, relative to the smaller grain's size.
const ASYMMETRIC: f64 = 1e-10;

/// Pairs that are solved before their outcomes are counted.
const BATCH: u64 = 100_000;

/// Measures a contact method on generated pairs.
#[derive(Parser)]
struct Options {
    /// Class of pairs, a prefix of several (`stack`, `iv`, `plane`), or `all`.
    #[arg(long, default_value = "all")]
    class: String,
    /// Pairs per class.
    #[arg(long, default_value_t = 10_000)]
    pairs: u64,
    /// Contact method.
    #[arg(long, default_value = "auto")]
    method: String,
    /// Of these, how many are compared with the independent answer.
    #[arg(long, default_value_t = 10_000)]
    truth_sample: u64,
    /// Solve each pair also with its bodies exchanged, moved, and scaled by a millionth, and compare.
    #[arg(long)]
    symmetry: bool,
    /// Seed of the pairs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the pairs that are wrong or unresolved to this file, as JSON lines that `gritstone contact` reads.
    #[arg(long)]
    dump: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let families = Family::chosen(&options.class);
    if families.is_empty() {
        return Err("there is no such class".into());
    }
    let mut dump = options.dump.as_ref().map(File::create).transpose()?.map(BufWriter::new);
    println!("{}", Counts::header());
    let mut wrong_certified = 0;
    for family in &families {
        let counts = match family {
            Family::Space(class) => {
                survey(|index| class.case(options.seed, index), family, &options, &mut dump)?
            }
            Family::Plane(mixed) => {
                survey(|index| mixed.case(options.seed, index), family, &options, &mut dump)?
            }
        };
        wrong_certified += counts.wrong_certified;
        println!("{}", counts.row(family.name()));
    }
    if wrong_certified == 0 { Ok(()) } else { Err("certified answers are wrong".into()) }
}

/// Solves all pairs of a family and counts what they come to.
fn survey<D: World>(
    case: impl Fn(u64) -> Case<D> + Sync,
    family: &Family,
    options: &Options,
    dump: &mut Option<BufWriter<File>>,
) -> Result<Counts, Box<dyn Error>> {
    let method = D::method(&options.method).ok_or("there is no such method")?;
    let mut counts = Counts::default();
    for first in (0..options.pairs).step_by(BATCH as usize) {
        let last = options.pairs.min(first + BATCH);
        for outcome in solve(method, &case, options, first..last)? {
            counts.count(&outcome);
            if let (true, Some(file)) = (outcome.failed(), &mut *dump) {
                writeln!(file, "{}", dump::line(family.name(), options.seed, &outcome))?;
            }
        }
    }
    Ok(counts)
}

/// Solves a range of pairs, in order.
fn solve<D: World>(
    method: &dyn Method<D>,
    case: &(impl Fn(u64) -> Case<D> + Sync),
    options: &Options,
    indices: std::ops::Range<u64>,
) -> Result<Vec<Outcome<D>>, Box<dyn Error>> {
    let solve = |scratch: &mut D::Scratch, index: u64| {
        let case = case(index);
        let begin = Instant::now();
        let answer = method.solve(case.placed_a(), case.placed_b(), Query::default(), scratch);
        let seconds = begin.elapsed().as_secs_f64();
        answer.map(|answer| {
            let error = error(&case, answer.distance(), index < options.truth_sample);
            let asymmetry =
                if options.symmetry { asymmetry(method, &case, &answer, index, scratch) } else { 0.0 };
            Outcome { index, case, error, answer, seconds, asymmetry }
        })
    };
    Ok(indices.into_par_iter().map_init(D::Scratch::default, solve).collect::<Result<_, _>>()?)
}

/// How much the signed distance changes when the same pair is seen from elsewhere, relative to the smaller grain's size.
fn asymmetry<D: World>(
    method: &dyn Method<D>,
    case: &Case<D>,
    answer: &Answer<D>,
    index: u64,
    scratch: &mut D::Scratch,
) -> f64 {
    // Shapes that cannot be made smaller count as different.
    let Ok(variants) = family::variants(case, &mut Draw::new(0, 0, index)) else { return f64::INFINITY };
    let mut largest = 0.0_f64;
    for (variant, scale) in variants {
        let seen = method.solve(variant.placed_a(), variant.placed_b(), Query::default(), scratch);
        let difference =
            seen.map_or(f64::INFINITY, |seen| (seen.distance() / scale - answer.distance()).abs());
        largest = largest.max(difference / case.size());
    }
    largest
}

/// How far a signed distance is off, relative to the smaller grain's size.
fn error<D: World>(case: &Case<D>, distance: f64, with_truth: bool) -> f64 {
    if with_truth {
        let [lower, upper] = D::truth(case);
        // An unproven truth has no upper bound: below it is wrong all the same, above it may be right.
        return (lower - distance).max(distance - upper).max(0.0) / case.size();
    }
    match &case.built {
        // Apart, the construction is the answer; overlapping, a lower bound of it.
        Some(built) if built.distance >= 0.0 => (distance - built.distance).abs() / case.size(),
        Some(built) => (built.distance - distance).max(0.0) / case.size(),
        None => 0.0,
    }
}

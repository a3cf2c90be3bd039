//! The minimum of f_i along the curve j: as published, and over the whole turn.

use std::f64::consts::TAU;

use gritstone_core::solve::brent;

use super::form::OverlapForm;

/// TOL, the length of the interval of uncertainty of θ (rad), in nearly all examples of the thesis.
const PUBLISHED_TOLERANCE: f64 = 1e-5;
/// Points of the coarse scan. f has at most two minima, and two that are so close that the scan sees one of them only
/// have nearly the same value.
const SCAN: u32 = 48;
/// Newton steps after Brent, which leaves errors of √ε.
const POLISH: u32 = 4;

/// How the minimum is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// As published: Brent's method on [0, 2π], once. The cut at 0 splits a basin that contains it, and where f has two
    /// minima either may be found.
    WholeTurn {
        /// TOL.
        tolerance: f64,
    },
    /// Mended: a scan of the whole turn brackets every minimum, Brent's method follows each, the lowest counts and is
    /// polished by Newton's method.
    Periodic,
}

/// The point where f is least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lowest {
    /// θ*, its parameter (rad).
    pub theta: f64,
    /// f(θ*).
    pub value: f64,
    /// Values of f that were taken.
    pub evaluations: u32,
}

impl Search {
    /// As published, with the usual tolerance.
    pub const PUBLISHED: Self = Self::WholeTurn { tolerance: PUBLISHED_TOLERANCE };

    /// The minimum of f.
    pub fn lowest(self, form: &OverlapForm) -> Lowest {
        match self {
            Self::WholeTurn { tolerance } => bracketed(form, [0.0, TAU], tolerance),
            Self::Periodic => periodic(form),
        }
    }
}

/// Brent's method, appendix A.
fn bracketed(form: &OverlapForm, interval: [f64; 2], tolerance: f64) -> Lowest {
    let brent::Minimum { at, value, evaluations } =
        brent::minimise(|theta| form.value(theta), interval, tolerance);
    Lowest { theta: at, value, evaluations }
}

fn periodic(form: &OverlapForm) -> Lowest {
    let spacing = TAU / f64::from(SCAN);
    let values: [f64; SCAN as usize] = std::array::from_fn(|k| form.value(spacing * k as f64));
    let mut evaluations = SCAN;
    let mut best: Option<Lowest> = None;
    for (k, value) in values.iter().enumerate() {
        let before = values[(k + values.len() - 1) % values.len()];
        let after = values[(k + 1) % values.len()];
        if *value <= before && *value < after {
            let theta = spacing * k as f64;
            let found = bracketed(form, [theta - spacing, theta + spacing], PUBLISHED_TOLERANCE);
            evaluations += found.evaluations;
            if best.is_none_or(|best| found.value < best.value) {
                best = Some(found);
            }
        }
    }
    // No minimum among the samples: f is the same everywhere, as for concentric circles.
    let best = best.unwrap_or(Lowest { theta: 0.0, value: values[0], evaluations });
    let theta = polished(form, best.theta).rem_euclid(TAU);
    Lowest { theta, value: form.value(theta), evaluations }
}

/// Newton's method on f′ = 0, as long as it makes |f′| fall where f bends upwards.
fn polished(form: &OverlapForm, mut theta: f64) -> f64 {
    let [mut slope, mut bend] = form.derivatives(theta);
    for _ in 0..POLISH {
        if bend <= 0.0 {
            break;
        }
        let next = theta - slope / bend;
        let [next_slope, next_bend] = form.derivatives(next);
        if next_slope.abs() >= slope.abs() {
            break;
        }
        (theta, slope, bend) = (next, next_slope, next_bend);
    }
    theta
}
